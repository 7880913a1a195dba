// SPDX-License-Identifier: GPL-2.0-only
/*
 * See rotation.h. The order of a switch: the old file gets all records up to one moment,
 * its features and its name. The next one gets the state at that moment, and appears. Only
 * then are the oldest files removed. If the recorder is killed in between, all files can be
 * read.
 */
#include "user/record/files/rotation.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/record/files/features.h"
#include "user/record/state/living.h"
#include "user/record/files/recognize.h"
#include "user/record/files/rotation_private.h"
#include "user/source/containers/cgroup.h"

/* How long a switch waits for map records that the kernel side is about to complete. */
#define WAIT_NS 1000000000ull

/* Number of cgroups that a switch checks for existence. */
#define CGROUPS_AT_ONCE 256
#define MEMORY_NS 1000000000ull /* between two checks of the memory used */
#define RETRY_NS 1000000000ull  /* between two attempts if the output cannot be written */

static void keep_budget(struct rotation *rotation)
{
	const struct keep_budget *budget = &rotation->options->keep;
	struct error err;
	size_t n;

	if (!budget->bytes && !budget->age_ns)
		return;
	if (keep__trim(rotation->options->output, budget, &n, &err))
		recorder__note(rotation->recorder, "%s", err.text);
	rotation->n_removed += n;
}

int rotation__put_left_away(struct recorder *recorder, struct error *err)
{
	const struct recorder_options *options = recorder->options;
	enum recognized left = RECOGNIZED_NOT;
	struct series *series = NULL;
	char shown[PATH_MAX];
	const char *name;
	int code;

	if (!options->overwrite.bytes &&
		(options->switch_when != SWITCH_NEVER || options->timestamp_filename))
		left = recognize__file(AT_FDCWD, options->output);
	if (left != RECOGNIZED_UNFINISHED && left != RECOGNIZED_OF_SEVERAL)
		return 0;
	code = series__new(&series, options->output, err);
	if (!code)
		code = series__put_left_away(series, &name, err);
	if (!code) {
		text__escape(shown, sizeof(shown), name);
		recorder__note(recorder, "an earlier recorder left %s: it %s", shown,
			left == RECOGNIZED_UNFINISHED
				? "is incomplete and can be read up to its last round (perfstamp "
				  "check --repair writes a clean copy)"
				: "is complete, but was not renamed");
	}
	series__free(series);
	return code;
}

int rotation__new(struct rotation **ret, struct recorder *recorder, struct error *err)
{
	struct rotation *rotation = calloc(1, sizeof(*rotation));
	int code;

	if (!rotation)
		return error__set(err, -ENOMEM, "out of memory");
	code = series__new(&rotation->series, recorder->options->output, err);
	if (code) {
		free(rotation);
		return code;
	}
	rotation->recorder = recorder;
	rotation->options = recorder->options;
	rotation->begun_ns = clock__now(CLOCK_MONOTONIC);
	rotation->file.number = rotation->options->switch_when != SWITCH_NEVER;
	code = rotation->options->overwrite.bytes ? rotation_held__new(rotation, err) : 0;
	if (code) {
		rotation__free(rotation);
		return code;
	}
	/* A recorder that is always killed before a switch would never remove files. */
	keep_budget(rotation);
	*ret = rotation;
	return 0;
}

void rotation__free(struct rotation *rotation)
{
	if (!rotation)
		return;
	rotation_held__free(rotation->held);
	series__free(rotation->series);
	free(rotation);
}

void rotation__ask(struct rotation *rotation)
{
	rotation->asked = true;
}

bool rotation__is_asked(const struct rotation *rotation)
{
	return rotation->asked;
}

/*
 * Whether a switch by size is due. A file gets at least as many bytes of new records as its initial
 * state has.
 */
static bool is_full(const struct rotation *rotation)
{
	uint64_t size = perfdata_writer__size(rotation->recorder->writer);

	return size >= rotation->options->switch_at && size >= 2 * rotation->begun_size;
}

static bool is_due(struct rotation *rotation)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC), at = rotation->options->switch_at;
	bool due = rotation->asked;

	if (rotation->held)
		due |= rotation_held__is_due(rotation, now_ns);
	if (rotation->options->switch_when == SWITCH_BY_SIZE)
		due |= is_full(rotation);
	else if (rotation->options->switch_when == SWITCH_BY_TIME)
		due |= now_ns - rotation->begun_ns >= at;
	if (!due)
		return false;
	if (!rotation->due_ns)
		rotation->due_ns = now_ns;
	return !rounds__are_waiting(rotation->recorder->rounds) ||
	       now_ns - rotation->due_ns >= WAIT_NS;
}

int rotation__wait_ms(const struct rotation *rotation)
{
	uint64_t passed_ns = clock__now(CLOCK_MONOTONIC) - rotation->begun_ns;
	uint64_t left_ms;

	if (rotation->without)
		return RETRY_NS / 1000000;
	if (rotation->options->switch_when != SWITCH_BY_TIME)
		return -1;
	if (passed_ns >= rotation->options->switch_at)
		return 0;
	left_ms = (rotation->options->switch_at - passed_ns + 999999) / 1000000;
	return left_ms < 1000000 ? (int)left_ms : 1000000;
}

/* ---- Sums ---- */

void rotation__file_summary(const struct rotation *rotation, struct recorder_summary *sums)
{
	sums->file = rotation->file;
	if (rotation->held)
		rotation_held__file_summary(rotation, sums);
	else
		counters__subtract(&sums->counters, &rotation->base);
}

const char *rotation__newest(const struct rotation *rotation)
{
	return rotation->n_files ? series__last(rotation->series) : NULL;
}

/* How many of the recording's samples are in no file since the last one that was written. */
static uint64_t count_without(const struct rotation *rotation, const struct recorder_summary *sums)
{
	const struct perfdata_writer *writer = rotation->recorder->writer;
	uint64_t samples = sums->counters.n[COUNTER_SAMPLES];

	if (rotation->without)
		return samples - rotation->without_samples;
	if (rotation->between || !perfdata_writer__is_stuck(writer))
		return 0;
	return samples - rotation->base.n[COUNTER_SAMPLES] - perfdata_writer__samples(writer);
}

void rotation__add_files(const struct rotation *rotation, struct recorder_summary *sums)
{
	struct counters all = rotation->files;

	if (rotation->held) {
		rotation_held__add_files(rotation, sums);
		return;
	}
	counters__add_file(&all, &sums->counters, &rotation->repeated);
	counters__take_anew(&sums->counters, &all);
	sums->no_file = rotation->no_file + count_without(rotation, sums);
	sums->files = rotation->n_files;
	sums->removed = rotation->n_removed;
}

/* ---- Switching ---- */

/* Removes files over the limit, after the newest can be read. */
static void remove_old(struct rotation *rotation)
{
	struct error err;

	while (rotation->options->max_files &&
		series__n(rotation->series) > rotation->options->max_files) {
		if (series__remove_oldest(rotation->series, &err))
			recorder__note(rotation->recorder, "%s", err.text);
		else
			rotation->n_removed++;
	}
}

void rotation__tidy(struct rotation *rotation)
{
	remove_old(rotation);
	keep_budget(rotation);
}

static int put_away(struct rotation *rotation, struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	const char *name;
	int code;

	code = series__put_away(rotation->series, &name, err);
	if (code)
		return code;
	rotation->n_files++;
	if (recorder->options->verbose)
		recorder__note(recorder, "%s is complete", name);
	return 0;
}

/* Logs losses about which the user should do something. */
static void report_losses(const struct rotation *rotation)
{
	struct recorder_summary file;
	uint64_t lost_maps, lost_others;

	recorder__sums(rotation->recorder, &file);
	rotation__file_summary(rotation, &file);
	lost_maps = counters__lost_maps(&file.counters);
	lost_others = file.counters.n[COUNTER_LOST_PERF_RINGS];
	if (lost_maps || lost_others)
		recorder__note(rotation->recorder,
			"lost since the last switch: %" PRIu64 " map records (--map-ring-size), "
			"%" PRIu64 " others (-m); perfstamp check shows when",
			lost_maps, lost_others);
}

int rotation__finish_file(
	const struct rotation *rotation, struct perfdata_writer *writer, struct error *err)
{
	struct recorder_summary file;

	recorder__sums(rotation->recorder, &file);
	rotation__file_summary(rotation, &file);
	return recorder__finish_file(rotation->recorder, writer, &file, err);
}

/* Completes the file with everything that is known so far. */
static int end_file(struct rotation *rotation, struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	int code = rotation__finish_file(rotation, recorder->writer, err);

	if (!rotation->without)
		report_losses(rotation);
	if (!code)
		code = output__close(&recorder->output, err);
	return code || rotation->without ? code : put_away(rotation, err);
}

/* Renames a file that could not be renamed before, because the directory was not writable. */
static int put_unnamed_away(struct rotation *rotation, struct error *err)
{
	if (!rotation->without || access(rotation->options->output, F_OK) < 0)
		return 0;
	return put_away(rotation, err);
}

static int write_state(void *ctx, const struct event *event)
{
	struct recorder *recorder = ctx;
	int code = 0;

	if (event->kind == EVENT_MAP)
		code = tally__map(&recorder->tally, &event->map);
	else if (event->kind == EVENT_CGROUP)
		tally__new_cgroup(&recorder->tally, event->cgroup.id);
	return code ? code : map_writer__unfollowed(recorder->maps, event);
}

bool rotation__is_loaded(const void *living, uint32_t id)
{
	return alive__has_program(living__alive(living), id);
}

int rotation__write_alive(struct recorder *recorder, uint64_t cut_ns, struct error *err)
{
	int code = living__synthesize_image(recorder->living, write_state, recorder);

	map_writer__error(recorder->maps)->text[0] = '\0';
	if (!code && recorder->modules)
		code = recorder->options->overwrite.bytes
			       ? module_writer__begin_part(recorder->modules, cut_ns)
			       : module_writer__begin_file(recorder->modules, cut_ns);
	if (!code)
		code = living__synthesize(recorder->living, write_state, recorder);
	if (!code && recorder->code)
		code = code_capture__synthesize(recorder->code, write_state, recorder);
	return code ? map_writer__explain(recorder->maps, code, "what is alive", err) : 0;
}

static int fill_next(struct recorder *recorder, uint64_t cut_ns, struct error *err)
{
	int code = features__clock(recorder->writer, recorder->events.clockid, err);

	if (!code)
		code = perfdata_writer__begin(recorder->writer, err);
	if (!code)
		code = rotation__write_alive(recorder, cut_ns, err);
	if (!code)
		code = perfdata_writer__finish_init(recorder->writer, err);
	return code ? code : perfdata_writer__finish_round(recorder->writer, err);
}

/* Makes @writer the one to which records are written from now on. */
static int take_writer(struct rotation *rotation, struct perfdata_writer *writer, struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	struct recorder_summary sums;
	int code = 0;

	recorder__sums(recorder, &sums);
	if (rotation->without || rotation->partial)
		sums.counters.n[COUNTER_BYTES] = 0;
	counters__add_file(&rotation->files, &sums.counters, &rotation->repeated);
	rotation->base = sums.counters;
	memset(&rotation->repeated, 0, sizeof(rotation->repeated));

	perfdata_writer__free(recorder->writer);
	recorder->writer = writer;
	rounds__set_writer(recorder->rounds, writer);
	map_writer__begin_file(recorder->maps, writer);
	losses__begin_file(rounds__losses(recorder->rounds), UINT64_MAX);
	if (recorder->programs)
		code = bpf_record__begin_file(
			recorder->programs, writer, 0, 0, rotation__is_loaded, recorder->living);
	return code ? error__set(err, code, "out of memory") : 0;
}

static int begin_file(struct rotation *rotation, uint64_t cut_ns, struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	struct perfdata_writer *writer;
	int code;

	code = series__make_next(rotation->series, &recorder->output.fd, err);
	if (code)
		return code;
	if (perfdata_writer__new_like(
		    &writer, recorder->writer, recorder->output.fd, recorder->output.name, false))
		return error__set(err, -ENOMEM, "out of memory");
	code = take_writer(rotation, writer, err);
	rotation->partial = true;
	if (!code)
		code = fill_next(recorder, cut_ns, err);
	if (!code)
		code = put_unnamed_away(rotation, err);
	if (!code)
		code = series__show_next(rotation->series, err);
	rotation->repeated = recorder->counters;
	rotation->begun_ns = clock__now(CLOCK_MONOTONIC);
	rotation->begun_size = perfdata_writer__size(writer);
	if (code)
		return code;
	rotation->between = rotation->partial = false;
	rotation->file.number++;
	rotation->file.no_file = 0;
	rotation->file.begin_ns = cut_ns;
	rotation->file.repeated_bytes = rotation->begun_size;
	return 0;
}

/* ---- Without a file ---- */

/* Continues without a file: records are dropped, but the state is still followed. */
static int go_without(struct rotation *rotation, struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	struct perfdata_writer *writer;
	int code;

	output__close(&recorder->output, err);
	/* The next file would take the remaining space. */
	series__drop_next(rotation->series);
	recorder->output.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (recorder->output.fd < 0)
		return error__errno(err, -errno, "/dev/null");
	if (perfdata_writer__new_like(
		    &writer, recorder->writer, recorder->output.fd, "/dev/null", false))
		return error__set(err, -ENOMEM, "out of memory");
	code = take_writer(rotation, writer, err);
	rotation->between = rotation->partial = false;
	rotation->without = true;
	rotation->tried_ns = clock__now(CLOCK_MONOTONIC);
	return code ? code : perfdata_writer__begin(writer, err);
}

int rotation__survive(struct rotation *rotation, int code, struct error *why)
{
	struct recorder *recorder = rotation->recorder;
	struct recorder_summary sums;
	struct error ignored;

	if (rotation->options->switch_when == SWITCH_NEVER || rotation->held ||
		(!rotation->failed && !perfdata_writer__is_stuck(recorder->writer)))
		return code;
	rotation->failed = false;
	if (!rotation->without) {
		recorder__sums(recorder, &sums);
		rotation->without_samples = sums.counters.n[COUNTER_SAMPLES] -
					    count_without(rotation, &sums);
		recorder__note(recorder,
			"%s; recording continues without a file, and tries every second to start "
			"one",
			why->text);
		/* The file can be read up to the last round. */
		if (!rotation->between)
			put_away(rotation, &ignored);
	}
	return go_without(rotation, why);
}

/* Reports that a file could be opened again. */
static void report_room(struct rotation *rotation)
{
	rotation->without = false;
	rotation->file.no_file = rotation->base.n[COUNTER_SAMPLES] - rotation->without_samples;
	rotation->no_file += rotation->file.no_file;
	recorder__note(rotation->recorder,
		"%s can be written again: %" PRIu64 " samples are in no file",
		rotation->options->output, rotation->file.no_file);
}

static bool exists(void *recorder, uint64_t id)
{
	char path[PATH_MAX];

	return cgroup_paths__find(((struct recorder *)recorder)->cgroups, id, path, sizeof(path)) !=
	       -ENOENT;
}

/* The kernel does not report the end of cgroups. The file that was just begun may be dropped. */
void rotation__forget_cgroups(struct recorder *recorder)
{
	if (recorder->cgroups)
		alive__look_at_cgroups(
			living__alive(recorder->living), CGROUPS_AT_ONCE, exists, recorder);
}

/* While the state takes too much memory, omits more of it, step by step. */
static void keep_memory(struct rotation *rotation)
{
	static const char *const WHAT[ALIVE_PARTS] = {
		[ALIVE_THREAD_NAMES] = "names of threads",
		[ALIVE_NAMESPACES] = "namespaces",
		[ALIVE_CGROUPS] = "paths of cgroups",
	};
	struct recorder *recorder = rotation->recorder;
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC), max = rotation->options->max_memory;
	size_t n;

	if (!max || now_ns - rotation->memory_looked_ns < MEMORY_NS)
		return;
	rotation->memory_looked_ns = now_ns;
	while (rotation->left_out < ALIVE_PARTS && living__memory(recorder->living) > max) {
		n = alive__leave_out(living__alive(recorder->living), rotation->left_out);
		recorder__note(recorder,
			"the state for next files exceeds --memory: %s are omitted (%zu so far)",
			WHAT[rotation->left_out++], n);
	}
	if (rotation->left_out < ALIVE_PARTS || rotation->memory_reported ||
		living__memory(recorder->living) <= max)
		return;
	rotation->memory_reported = true;
	recorder__note(recorder, "the state for next files exceeds --memory, and nothing more can "
				 "be omitted: mappings and their identities are kept");
}

int rotation__run(struct rotation *rotation, struct error *err)
{
	uint64_t cut_ns, drained_ns;
	bool asked = rotation->asked;
	int code;

	if (rotation->options->switch_when == SWITCH_NEVER)
		return 0;
	keep_memory(rotation);
	if (rotation->held)
		rotation_held__trim(rotation);
	if (rotation->without ? clock__now(CLOCK_MONOTONIC) - rotation->tried_ns < RETRY_NS
			      : !is_due(rotation))
		return 0;
	rotation->asked = false;
	rotation->due_ns = 0;
	if (rotation->held)
		return rotation_held__run(rotation, asked, err);
	cpu_time__read(&rotation->recorder->cpu_time, false);
	code = rounds__cut(rotation->recorder->rounds, &cut_ns, err);
	drained_ns = clock__now(CLOCK_MONOTONIC);
	if (code)
		return code;
	code = end_file(rotation, err);
	rotation->between = !code;
	if (!code)
		code = begin_file(rotation, cut_ns, err);
	rotation->failed = code;
	if (code)
		return code;
	if (rotation->without)
		report_room(rotation);
	rotation->file.seam_ns = clock__now(CLOCK_MONOTONIC) - drained_ns;
	rotation__tidy(rotation);
	rotation__forget_cgroups(rotation->recorder);
	return 0;
}

int rotation__end(struct rotation *rotation, struct error *err)
{
	int code;

	if (rotation->held)
		return 0;
	if (rotation->without)
		return error__set(err, -EIO,
			"%s could not be written: the last samples are in no "
			"file",
			rotation->options->output);
	code = put_away(rotation, err);
	if (code)
		return code;
	rotation__tidy(rotation);
	return 0;
}
