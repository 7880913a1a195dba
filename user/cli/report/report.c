// SPDX-License-Identifier: GPL-2.0-only
/* perfstamp report: reads a recording into the model, resolves symbols, and prints the view. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/cli/profile/events.h"
#include "user/cli/profile/files.h"
#include "user/cli/profile/readings.h"
#include "user/cli/profile/resolve.h"
#include "user/cli/report/about.h"
#include "user/cli/report/filters.h"
#include "user/cli/report/options.h"
#include "user/cli/report/reporting.h"
#include "user/cli/report/sources.h"
#include "user/view/report/report.h"

static int take_sample(struct reporting *reporting, const struct perfdata_reader *reader,
	const struct model *model, const struct event *event)
{
	const struct sample_count *counts;
	size_t n;

	if (sample_events__update(&reporting->events, reader) ||
		event_groups__read(&reporting->groups, reader) ||
		sample_events__counts(&reporting->events, event, &counts, &n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		int err;

		/* As in perf, events outside of --time do not switch. */
		if (time_spans__have(&reporting->command.times, event->time_ns) &&
			event_switch__discards(
				&reporting->command.between, &reporting->events, counts[i].event))
			continue;
		err = samples__apply(
			reporting->samples, model, event, counts[i].event, counts[i].period);
		if (err)
			return err;
	}
	return 0;
}

static int take(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	struct reporting *reporting = ctx;

	if (readings__take(&reporting->readings, event))
		return -ENOMEM;
	parallelism__take(&reporting->parallelism, reader, event);
	if (event->kind == EVENT_SAMPLE)
		return take_sample(reporting, reader, model, event);
	return samples__apply(reporting->samples, model, event, 0, 0);
}

static bool has_key(const struct report_command *command, enum report_key key)
{
	for (size_t i = 0; i < command->report.n_keys; i++)
		if (command->report.keys[i] == key)
			return true;
	return false;
}

/* Whether a sort key needs a field that no sample has. */
static bool lacks_field(
	const struct reporting *reporting, enum report_key key, uint64_t sample_type)
{
	return has_key(&reporting->command, key) && reporting->events.n &&
	       !(reporting->events.sample_types & sample_type);
}

static bool wants_chains(const struct report_command *command)
{
	return command->folded || command->children != CHILDREN_NO ||
	       command->graph != ORDER_NO_GRAPH || command->ignore_callees ||
	       has_key(command, REPORT_PARENT);
}

static int read_samples(void *ctx, struct error *err)
{
	struct reporting *reporting = ctx;
	struct report_command *command = &reporting->command;
	const struct input_tap tap = {
		.fn = take, .ctx = reporting, .again = reporting->readings.again};
	struct samples_options options = {
		.comm = command->folded || has_key(command, REPORT_COMM),
		.pid = has_key(command, REPORT_PID) || has_key(command, REPORT_TID),
		.tid = has_key(command, REPORT_TID),
		.cpu = has_key(command, REPORT_CPU),
		.cgroup = has_key(command, REPORT_CGROUP),
		.chains = wants_chains(command),
		.quantum_ns = has_key(command, REPORT_TIME) ? command->quantum_ns : 0,
		.max_stack = command->max_stack,
		.later_names = command->force,
	};

	report_filters__of_samples(&reporting->filters, &options);
	readings__of_samples(&reporting->readings, &options);
	sample_events__begin(&reporting->events);
	event_switch__begin(&command->between);
	parallelism__begin(&reporting->parallelism);
	parallelism__of_samples(&reporting->parallelism, &options);
	samples__free(reporting->samples);
	reporting->samples = NULL;
	if (samples__new(&reporting->samples, &options))
		return error__set(err, -ENOMEM, "out of memory");
	return input__read_with(&reporting->readings.input, command->recording.path, &tap, err);
}

static bool are_to_be_unwound(const struct reporting *reporting)
{
	return reporting->events.stacks && wants_chains(&reporting->command);
}

/*
 * Like perf: graphs begin at the outermost caller if rows include callees, and otherwise at the
 * sample.
 */
static enum report_graph graph_of(const struct report_command *command)
{
	switch (command->graph) {
	case ORDER_NO_GRAPH:
		return REPORT_GRAPH_NONE;
	case ORDER_CALLER:
		return REPORT_GRAPH_CALLER;
	case ORDER_CALLEE:
		return REPORT_GRAPH_CALLEE;
	case ORDER_BY_ROWS:
		break;
	}
	if (command->config_order == ORDER_NO_GRAPH)
		return REPORT_GRAPH_NONE;
	if (command->config_order != ORDER_BY_ROWS)
		return command->config_order == ORDER_CALLER ? REPORT_GRAPH_CALLER
							     : REPORT_GRAPH_CALLEE;
	return command->report.children ? REPORT_GRAPH_CALLER : REPORT_GRAPH_CALLEE;
}

static void choose_graph(struct reporting *reporting)
{
	struct report_command *command = &reporting->command;
	struct report_options *options = &command->report;
	bool has_chains = samples__has_chains(reporting->samples);

	options->children = command->children == CHILDREN_YES ||
			    (command->children == CHILDREN_BY_CHAINS && has_chains);
	/* Like perf: --fields names all columns; with --hierarchy, callees are not added. */
	if (command->columns.n_fields)
		options->children = report_columns__has(&command->columns, REPORT_CHILDREN) ||
				    report_columns__has(&command->columns, REPORT_LATENCY_CHILDREN);
	if (command->hierarchy)
		options->children = false;
	if (!has_chains || command->folded || command->hierarchy)
		return;
	options->graph = graph_of(command);
	options->graph_limit = command->graph_percent;
	if (command->graph_percent < 0)
		options->graph_limit = command->percent_limit > 0 ? command->percent_limit : 0.5;
	reporting->view.graph = options->graph != REPORT_GRAPH_NONE;
	/* JSON contains the chains themselves. */
	options->chains = reporting->view.graph && command->recording.json;
	if (options->chains)
		options->graph = REPORT_GRAPH_NONE;
	reporting->view.graph_branches = command->graph_branches;
}

/* Whether the output shows the call chains of the recording. */
static bool uses_chains(const struct reporting *reporting)
{
	const struct report_command *command = &reporting->command;

	return samples__has_chains(reporting->samples) &&
	       (command->folded || command->report.children ||
		       command->report.graph != REPORT_GRAPH_NONE || command->report.chains);
}

/* Chooses the files of symbols and how they are read. */
static int choose_files(struct reporting *reporting, struct error *err)
{
	const struct report_command *command = &reporting->command;
	struct symbols_options *symbols = &reporting->files.symbols;
	int code = symbol_files__find(&reporting->files, command->recording.path,
		&command->symbol_conf, reporting->readings.input.directory, err);

	symbols->lines = command->source || has_key(command, REPORT_SRCLINE) ||
			 has_key(command, REPORT_SRCFILE);
	symbols->symfs = command->symfs;
	symbols->vmlinux = command->vmlinux;
	if (command->kallsyms)
		symbols->kallsyms = command->kallsyms;
	symbols->sources = command->source;
	symbols->force = command->force;
	reporting->view.debuginfod = symbols->debuginfod;
	return code;
}

/*
 * Reads the recording. Files are chosen between the readings, since the first one lists the
 * contents of the recording.
 */
static int read_recording(struct reporting *reporting, struct error *err)
{
	bool unwinds;

	if (readings__first(&reporting->readings, read_samples, reporting, err) ||
		choose_files(reporting, err))
		return -EIO;
	unwinds = are_to_be_unwound(reporting);
	if (!unwinds && !reporting->readings.code_names)
		return 0;
	return readings__second(&reporting->readings, unwinds, &reporting->files.symbols,
		read_samples, reporting, err);
}

static int find_names(struct reporting *reporting, struct error *err)
{
	struct symbols_options options = reporting->files.symbols;

	options.inlined = !reporting->command.no_inline && uses_chains(reporting);
	return place_names__find(&reporting->names, reporting->samples, &reporting->readings.input,
		&options, reporting->readings.code_names, err);
}

static int find_sources(struct reporting *reporting, struct error *err)
{
	const struct report_command *command = &reporting->command;
	struct symbols_options options = reporting->files.symbols;

	/* If a server failed for the names, it would fail as slowly for the sources. */
	options.debuginfod &= !reporting->names.server_failed;
	return report_sources__find(&reporting->sources, reporting->samples,
		reporting->readings.input.model, &reporting->names, &command->report, &options,
		command->percent_limit, command->source_around, err);
}

static bool has_column(const struct report_command *command, enum report_key column)
{
	return report_columns__has(&command->columns, column);
}

/* Whether the command needs context switches. */
static bool wants_latency(const struct report_command *command)
{
	return command->latency || command->parallelisms.n ||
	       has_column(command, REPORT_PARALLELISM) || has_column(command, REPORT_LATENCY) ||
	       has_column(command, REPORT_LATENCY_CHILDREN);
}

static void choose_view(struct reporting *reporting)
{
	const struct report_command *command = &reporting->command;
	struct report_view *view = &reporting->view;

	view->options = &command->report;
	view->percent_limit = command->percent_limit;
	view->show_n = command->show_n || report_columns__has(&command->columns, REPORT_SAMPLES);
	view->show_period = command->show_period ||
			    report_columns__has(&command->columns, REPORT_PERIOD);
	/* Like perf: if --sort names only one share, the other is not shown. */
	view->show_latency = command->latency ||
			     (parallelism__is_worth_showing(&reporting->parallelism) &&
				     !(has_column(command, REPORT_OVERHEAD) &&
					     !has_column(command, REPORT_LATENCY)));
	view->columns = command->columns.fields;
	view->n_columns = command->columns.n_fields;
	view->separator = command->separator;
	view->widths = command->widths;
	view->n_widths = command->n_widths;
	view->quiet = command->quiet;
	view->ns = command->ns;
	view->hierarchy = command->hierarchy;
	view->file = command->recording.path;
}

/* Chooses the groups. Only the table has groups; other formats list events separately. */
static int choose_groups(struct reporting *reporting)
{
	struct report_command *command = &reporting->command;
	struct event_groups *groups = &reporting->groups;

	if (command->groups == GROUPS_NEVER || !report_is_text(command) || command->annotate)
		return 0;
	if (command->groups == GROUPS_ALWAYS && event_groups__force(groups, reporting->events.n))
		return -ENOMEM;
	if (groups->damaged && !command->quiet)
		cli__fail("warning: %s: its groups of events are contradictory and not used",
			command->recording.path);
	command->report.groups = groups->v;
	command->report.n_groups = groups->n;
	return 0;
}

/* Checks that given paths exist. If they were ignored, the report would use other files. */
static int check_paths(const struct report_command *command, struct error *err)
{
	const char *const paths[] = {command->symfs, command->vmlinux, command->kallsyms};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (paths[i] && access(paths[i], R_OK))
			return error__errno(err, -errno, "%s", paths[i]);
	return 0;
}

static int run(struct reporting *reporting)
{
	struct report_command *command = &reporting->command;
	struct error err;

	if (check_paths(command, &err))
		return cli__fail("%s", err.text);
	if (!strcmp(command->recording.path, "-") && input__keep_standard(&err))
		return cli__fail("%s", err.text);
	if (command->about)
		return report_about__write(command);
	if (time_spans__read_parts(&command->times, command->recording.path, &err))
		return cli__fail("%s", err.text);
	if (read_recording(reporting, &err))
		return cli__fail("%s", err.text);
	if (reporting->events.n && event_switch__missing(&command->between, &reporting->events))
		return cli__fail("%s: it has no event `%s'; `perfstamp dump -H' shows those that "
				 "it has",
			command->recording.path,
			event_switch__missing(&command->between, &reporting->events));
	if (lacks_field(reporting, REPORT_CPU, PERF_SAMPLE_CPU) ||
		(command->cpus.n && reporting->events.n &&
			!(reporting->events.sample_types & PERF_SAMPLE_CPU)))
		return cli__fail("%s: its samples have no CPU; `perfstamp record --sample-cpu' or "
				 "-a records it",
			command->recording.path);
	if (lacks_field(reporting, REPORT_CGROUP, PERF_SAMPLE_CGROUP))
		return cli__fail("%s: its samples have no cgroup; `perfstamp record --all-cgroups' "
				 "records it",
			command->recording.path);
	if (wants_latency(command) && !reporting->parallelism.switches)
		return cli__fail("%s: it has no context switches; `perfstamp record --latency' "
				 "records them",
			command->recording.path);
	reporting->view.samples = reporting->samples;
	reporting->view.model = reporting->readings.input.model;
	reporting->view.code_names = reporting->readings.code_names;
	if ((command->graph == ORDER_CALLER || command->graph == ORDER_CALLEE) &&
		samples__n(reporting->samples) && !samples__has_chains(reporting->samples))
		return cli__fail(
			"%s: its samples have no call chains; `perfstamp record -g' records them",
			command->recording.path);
	choose_graph(reporting);
	if (find_names(reporting, &err))
		return cli__fail("%s", err.text);
	command->report.identities = reporting->names.identities;
	command->report.parallel = true;
	command->report.by_latency = command->latency;
	command->report.fold = !command->verbose && report_is_text(command);
	if (report_filters__of_rows(
		    &reporting->filters, reporting->names.resolved, &command->report, &err))
		return cli__fail("%s", err.text);
	choose_view(reporting);
	if (command->source && find_sources(reporting, &err))
		return cli__fail("%s", err.text);
	if (choose_groups(reporting))
		return cli__fail("out of memory");
	return report_write(reporting);
}

int cmd_report(int argc, char **argv)
{
	struct reporting reporting = {0};
	int status;

	report_options__parse(&reporting.command, argc, argv);
	reporting.filters.command = &reporting.command;
	reporting.filters.view = &reporting.view;
	status = run(&reporting);
	report_sources__free(reporting.sources);
	place_names__free(&reporting.names);
	samples__free(reporting.samples);
	readings__free(&reporting.readings);
	sample_events__free(&reporting.events);
	event_groups__free(&reporting.groups);
	report_filters__free(&reporting.filters);
	report_options__free(&reporting.command);
	symbol_files__free(&reporting.files);
	return status;
}
