// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp export: reads a recording into the model, resolves addresses, and writes the
 * format of another profiler.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/cli/cli.h"
#include "user/cli/export/events.h"
#include "user/cli/export/options.h"
#include "user/cli/input.h"
#include "user/cli/new_file.h"
#include "user/cli/profile/files.h"
#include "user/cli/profile/readings.h"
#include "user/cli/profile/resolve.h"
#include "user/view/headline.h"

struct exporting {
	struct export_command command;
	struct export_events events;
	struct samples *samples;
	struct export_sample *by_time; /* only if the format has times */
	size_t n_by_time, by_time_room;
	uint64_t first_ns, last_ns; /* times of the first and last records that have a time */
	uint64_t first_sample_ns, last_sample_ns;
	struct readings readings;
	struct symbol_files files;
	struct place_names names;
	struct containers *containers;
	bool *wanted; /* by sum */
	struct export_profile *profile;
};

static int keep_time(struct exporting *exporting, uint64_t time_ns, uint64_t period)
{
	uint32_t sum = samples__counted(exporting->samples);

	if (sum == SAMPLES_NONE || !exporting->command.format->times)
		return 0;
	if (array__reserve_numbered(&exporting->by_time, &exporting->by_time_room,
		    exporting->n_by_time + 1, sizeof(*exporting->by_time)))
		return -ENOMEM;
	exporting->by_time[exporting->n_by_time++] = (struct export_sample){
		.time_ns = time_ns, .period = period, .sum = sum};
	return 0;
}

static int export_count(struct exporting *exporting, const struct perfdata_reader *reader,
	const struct model *model, const struct event *event, const struct sample_count *count)
{
	uint32_t of;
	int err = export_events__take(&exporting->events, reader, count, &of);

	if (err || of == EXPORT_NONE)
		return err;
	err = samples__apply(exporting->samples, model, event, of, count->period);
	return err ? err : keep_time(exporting, event->time_ns, count->period);
}

/* A sample without a cgroup of its own belongs to the cgroup of its process. */
static int take_sample(struct exporting *exporting, const struct perfdata_reader *reader,
	const struct model *model, const struct event *event)
{
	const struct sample_count *counts;
	struct event sample = *event;
	struct model_process process;
	size_t n;
	int err;

	if (!exporting->first_sample_ns || event->time_ns < exporting->first_sample_ns)
		exporting->first_sample_ns = event->time_ns;
	if (event->time_ns > exporting->last_sample_ns)
		exporting->last_sample_ns = event->time_ns;
	err = export_events__read(&exporting->events, reader, event, &counts, &n);
	if (err || !time_spans__have(&exporting->command.times, event->time_ns))
		return err;
	if (!sample.sample.cgroup && model__process(model, event->pid, &process))
		sample.sample.cgroup = process.cgroup_id;
	for (size_t i = 0; i < n && !err; i++)
		err = export_count(exporting, reader, model, &sample, &counts[i]);
	return err;
}

static int take(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	struct exporting *exporting = ctx;

	if (event->time_ns && (!exporting->first_ns || event->time_ns < exporting->first_ns))
		exporting->first_ns = event->time_ns;
	if (event->time_ns > exporting->last_ns)
		exporting->last_ns = event->time_ns;
	if (readings__take(&exporting->readings, event))
		return -ENOMEM;
	if (event->kind == EVENT_SAMPLE)
		return take_sample(exporting, reader, model, event);
	return samples__apply(exporting->samples, model, event, 0, 0);
}

static int read_samples(void *ctx, struct error *err)
{
	struct exporting *exporting = ctx;
	const struct export_command *command = &exporting->command;
	const struct input_tap tap = {
		.fn = take, .ctx = exporting, .again = exporting->readings.again, .lives = true};
	struct samples_options options = {
		.comm = true,
		.pid = true,
		.tid = true,
		.cpu = true,
		.cgroup = true,
		.chains = true,
	};

	readings__of_samples(&exporting->readings, &options);
	sample_events__begin(&exporting->events.all);
	exporting->n_by_time = 0;
	samples__free(exporting->samples);
	exporting->samples = NULL;
	if (samples__new(&exporting->samples, &options))
		return error__set(err, -ENOMEM, "out of memory");
	return input__read_with(&exporting->readings.input, command->path, &tap, err);
}

static int choose_files(struct exporting *exporting, struct error *err)
{
	const struct export_command *command = &exporting->command;

	return symbol_files__find(&exporting->files, command->path, &command->symbol_conf,
		exporting->readings.input.directory, err);
}

/* Reads the recording. A second reading also knows the bounds of relative time spans. */
static int read_recording(struct exporting *exporting, struct error *err)
{
	struct time_spans *times = &exporting->command.times;
	bool parts = time_spans__are_parts(times), unwinds;

	if (readings__first(&exporting->readings, read_samples, exporting, err) ||
		choose_files(exporting, err))
		return -EIO;
	if (parts)
		time_spans__place(times, exporting->first_sample_ns, exporting->last_sample_ns);
	unwinds = exporting->events.all.stacks;
	if (!parts && !unwinds && !exporting->readings.code_names)
		return 0;
	return readings__second(&exporting->readings, unwinds, &exporting->files.symbols,
		read_samples, exporting, err);
}

static int find_names(struct exporting *exporting, struct error *err)
{
	struct symbols_options options = exporting->files.symbols;
	bool names = exporting->command.names;

	options.lines = names;
	options.sources = names;
	options.inlined = names && !exporting->command.no_inline;
	options.addresses_only = !names;
	return place_names__find(&exporting->names, exporting->samples, &exporting->readings.input,
		&options, exporting->readings.code_names, err);
}

/* Whether the sample's own address is in the selected build. */
static bool is_in_build(const struct exporting *exporting, const struct sample_sum *sum)
{
	const struct export_command *command = &exporting->command;
	uint32_t place = samples__frame(exporting->samples, sum->frame)->place;
	uint32_t sighting = samples__place(exporting->samples, place)->sighting;
	const struct perfstamp_identity *identity;

	if (!command->build_id_size)
		return true;
	if (sighting == SAMPLES_NONE)
		return false;
	identity = &exporting->names.identities[sighting];
	return identity->build_id_size >= command->build_id_size &&
	       !memcmp(identity->build_id, command->build_id, command->build_id_size);
}

static int wants(struct exporting *exporting, const struct sample_sum *sum, bool *ret)
{
	const struct export_command *command = &exporting->command;
	struct container_facts *facts = NULL;

	*ret = (!command->comms.n || name_list__has(&command->comms,
					     samples__text(exporting->samples, sum->comm))) &&
	       (!command->pids.n || number_list__has(&command->pids, sum->pid)) &&
	       is_in_build(exporting, sum);
	if (!*ret || !command->container)
		return 0;
	if (containers__find(exporting->containers, sum->cgroup, &facts))
		return -ENOMEM;
	*ret = facts && container_facts__matches(facts, command->container);
	return 0;
}

static int choose_samples(struct exporting *exporting)
{
	size_t n = samples__n(exporting->samples);

	exporting->wanted = calloc(n + 1, sizeof(*exporting->wanted));
	if (!exporting->wanted ||
		containers__new(&exporting->containers, exporting->readings.input.model))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (wants(exporting, samples__at(exporting->samples, i), &exporting->wanted[i]))
			return -ENOMEM;
	return 0;
}

/* Sets the times of the first and the last selected sample. */
static void narrow(const struct time_spans *spans, struct export_source *ret)
{
	uint64_t from_ns = spans->n ? UINT64_MAX : 0, to_ns = spans->n ? 0 : UINT64_MAX;

	for (size_t i = 0; i < spans->n; i++) {
		const struct time_span *span = &spans->v[i];

		if (span->from_ns < from_ns)
			from_ns = span->from_ns;
		if (!span->to_ns || span->to_ns > to_ns)
			to_ns = span->to_ns ? span->to_ns : UINT64_MAX;
	}
	if (from_ns > ret->begin_ns)
		ret->begin_ns = from_ns;
	if (to_ns < ret->end_ns)
		ret->end_ns = to_ns;
}

static void describe(const struct exporting *exporting, struct export_source *ret)
{
	const struct export_command *command = &exporting->command;
	const struct input *input = &exporting->readings.input;

	*ret = (struct export_source){
		.samples = exporting->samples,
		.model = input->model,
		.resolved = exporting->names.resolved,
		.identities = exporting->names.identities,
		.files = exporting->names.files,
		.events = exporting->events.v,
		.n_events = exporting->events.n,
		.by_time = exporting->by_time,
		.n_by_time = exporting->n_by_time,
		.containers = exporting->containers,
		.wanted = exporting->wanted,
		.names = command->names,
		.has_cpu = exporting->events.all.sample_types & PERF_SAMPLE_CPU,
		.begin_ns = exporting->first_ns,
		.end_ns = exporting->last_ns,
		.has_wall = input->has_wall,
		.wall_ns = input->wall_ns,
		.file = strcmp(command->path, "-") ? command->path : "standard input",
		.host = input->hostname,
		.arch = input->arch,
		.release = input->osrelease,
		.stamp = input->stamp,
		.stamp_size = input->stamp_size,
	};
	narrow(&command->times, ret);
}

/* Warnings about limits of the profile. */
static void warn(const struct exporting *exporting)
{
	const struct export_profile *profile = exporting->profile;
	char lost[HEADLINE_MAX];

	headline__lost(lost, sizeof(lost), model__ledger(exporting->readings.input.model),
		exporting->readings.input.stamp, exporting->readings.input.stamp_size);
	if (*lost)
		cli__fail("warning: %s", lost);
	place_names__warn_of_server(&exporting->names);
	recorded_code__warn(exporting->readings.code);
	if (!exporting->command.names && profile->n_guessed)
		cli__fail("warning: the files of %zu mapping%s were not found: addresses in them "
			  "are file offsets, and not ELF addresses",
			profile->n_guessed, profile->n_guessed == 1 ? "" : "s");
	if (!exporting->command.names && profile->n_without_id)
		cli__fail("warning: %zu mapping%s no build-id: a server cannot resolve addresses "
			  "in %s; --symbols writes names",
			profile->n_without_id, profile->n_without_id == 1 ? " has" : "s have",
			profile->n_without_id == 1 ? "it" : "them");
	if (!exporting->readings.input.has_wall)
		cli__fail("warning: %s: the recording has no time of day, so the profile has none",
			exporting->command.path);
}

static int check_events(const struct exporting *exporting)
{
	const struct export_command *command = &exporting->command;
	const struct export_events *events = &exporting->events;

	if (events->n > 1 && command->format->one_event)
		return cli__fail("%s: it has samples of several events, and this format has one "
				 "only; choose with --event, for example `--event %s'",
			command->path, events->v[0].name);
	return CLI_DONE;
}

static int write_format(void *ctx, FILE *out)
{
	const struct exporting *exporting = ctx;

	return exporting->command.format->write(out, exporting->profile);
}

static int write_profile(struct exporting *exporting)
{
	const struct export_command *command = &exporting->command;
	struct export_source source;

	describe(exporting, &source);
	if (export_profile__new(&exporting->profile, &source))
		return cli__fail("out of memory");
	if (!exporting->profile->n_samples)
		return cli__fail("%s: %s", command->path,
			samples__n(exporting->samples) ? "no samples match the selection"
						       : "no samples, or none match the selection");
	warn(exporting);
	symbol_files__free(&exporting->files);
	if (new_file__write(command->output, 0600, write_format, exporting))
		return CLI_FAILED;
	if (strcmp(command->output, "-"))
		printf("%s: %" PRIu64 " sample%s in %zu mapping%s\n", command->output,
			exporting->profile->n_samples,
			exporting->profile->n_samples == 1 ? "" : "s",
			exporting->profile->n_mappings,
			exporting->profile->n_mappings == 1 ? "" : "s");
	if (!exporting->readings.input.damaged)
		return CLI_DONE;
	cli__fail("%s", exporting->readings.input.damage.text);
	return CLI_PARTLY;
}

/* Checks whether the output can be written, before the recording is read. */
static int check_output(const struct export_command *command)
{
	if (!strcmp(command->output, "-") && !command->format->text && isatty(STDOUT_FILENO))
		return cli__fail("standard output is a terminal: redirect it, or name a file with "
				 "--output");
	if (cli__is_same_file(command->output, command->path))
		return cli__fail(
			"%s: this is the recording itself; name another file with --output",
			command->output);
	return CLI_DONE;
}

static int run(struct exporting *exporting)
{
	const struct export_command *command = &exporting->command;
	struct error err;

	exporting->events.chosen = command->event;
	if (check_output(command))
		return CLI_FAILED;
	if (!strcmp(command->path, "-") && input__keep_standard(&err))
		return cli__fail("%s", err.text);
	if (read_recording(exporting, &err))
		return cli__fail("%s", err.text);
	export_events__finish(&exporting->events);
	if (check_events(exporting))
		return CLI_FAILED;
	if (find_names(exporting, &err))
		return cli__fail("%s", err.text);
	if (choose_samples(exporting))
		return cli__fail("out of memory");
	return write_profile(exporting);
}

int cmd_export(int argc, char **argv)
{
	struct exporting exporting = {0};
	int status;

	export_options__parse(&exporting.command, argc, argv);
	status = run(&exporting);
	export_profile__free(exporting.profile);
	containers__free(exporting.containers);
	place_names__free(&exporting.names);
	samples__free(exporting.samples);
	readings__free(&exporting.readings);
	export_events__free(&exporting.events);
	export_options__free(&exporting.command);
	symbol_files__free(&exporting.files);
	free(exporting.by_time);
	free(exporting.wanted);
	return status;
}
