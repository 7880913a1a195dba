// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records the state that exists when a recording begins: of the kernel, of processes and of
 * cgroups, as far as the options request it; see recording.h. snapshot/ reads it. From here on, the
 * kernel's text is followed.
 */
#include <sys/epoll.h>

#include "user/record/recording.h"
#include "user/record/snapshot/start.h"
#include "user/source/kernel/types.h"

#define START_COMPLETION_MS 2000 /* how long the first snapshot waits for identities */

/*
 * Whether changes of the kernel's text are recorded. This is so if the opened events can sample the
 * kernel. For an observer (watch), it is so if the whole machine is recorded.
 */
static bool follows_kernel(const struct recorder *recorder)
{
	size_t i, sideband = evlist__n_attrs(recorder->evlist) - 1;

	if (recorder->stream)
		return recorder->events.system_wide;
	for (i = 0; i < sideband; i++)
		if (!evlist__attr(recorder->evlist, i)->exclude_kernel)
			return true;
	return false;
}

static int name_cgroups(struct recorder *recorder, struct error *err)
{
	int code;

	if (!recorder->cgroups)
		recorder__note(recorder,
			"cgroup2 is not mounted: cgroup paths will be missing from samples");
	code = map_writer__cgroups(recorder->maps);
	return code ? map_writer__explain(recorder->maps, code, "cgroups", err) : 0;
}

/* By the events as opened: before Linux 5.1 or with --no-bpf-event, there are no such records. */
static bool keeps_programs(const struct recorder *recorder)
{
	size_t sideband = evlist__n_attrs(recorder->evlist) - 1;

	return recorder->writer && evlist__attr(recorder->evlist, sideband)->bpf_event;
}

static int start_kernel(struct recorder *recorder, struct error *err)
{
	struct error why = {0};
	int code;

	/* Hooks come first: a module loaded before the snapshot is reported twice, not missed. */
	code = module_writer__new(&recorder->modules, recorder->maps,
		recorder->events.mmap3_records, &recorder->counters, &why);
	if (code)
		return error__set(err, code, "out of memory");
	module_writer__notify(recorder->modules, recorder->kernel);
	if (module_writer__is_live(recorder->modules))
		code = recorder__watch_fd(
			recorder, module_writer__fd(recorder->modules), EPOLLIN | EPOLLET);
	else if (recorder->options->verbose && module_writer__is_looking(recorder->modules))
		recorder__note(recorder, "kernel modules are polled once a second: %s", why.text);
	if (code)
		return error__errno(err, code, "epoll");
	if (keeps_programs(recorder)) {
		code = bpf_record__new(&recorder->programs, recorder->writer, recorder->output.pipe,
			&recorder->counters);
		if (code)
			return error__set(err, code, "out of memory");
	}
	code = symbols_again__new(
		&recorder->symbols_again, recorder->maps, recorder->programs, recorder->living);
	if (code)
		return error__set(err, code, "out of memory");
	rounds__follow_kernel(
		recorder->rounds, recorder->modules, recorder->programs, recorder->symbols_again);
	return start__kernel(recorder->maps, recorder->modules, recorder->programs,
		recorder->options->note, recorder->options->note_ctx, err);
}

/* Makes records of what existed before: the tasks of @events, their mappings, and cgroups. */
static int record_before(
	struct recorder *recorder, const struct evlist_options *events, struct error *err)
{
	const struct recorder_options *options = recorder->options;
	int code = 0;

	if (!options->no_synth_tasks)
		code = start__snapshot(recorder->bpf, recorder->tree, events, recorder->maps, err);
	if (!code && !options->no_synth_tasks && !options->no_synth_maps &&
		evlist__has_data_maps(recorder->evlist))
		code = start__data_maps(events, recorder->maps, err);
	if (!code && options->namespaces)
		code = start__namespaces(events, recorder->maps, err);
	if (!code && options->all_cgroups && !options->no_synth_cgroups)
		code = name_cgroups(recorder, err);
	return code;
}

int recorder__record_existing(struct recorder *recorder, struct error *err)
{
	int code = 0;

	map_writer__set_phase(recorder->maps, MAP_WRITER_STARTING);
	map_writer__allow(recorder->maps, START_COMPLETION_MS);
	if (follows_kernel(recorder)) {
		if (recorder->writer &&
			kernel_symbols__new(&recorder->symbols,
				recorder->bpf ? bpf_source__open_symbols(recorder->bpf) : -1))
			recorder__note(
				recorder, "symbols of trampolines cannot be read: out of memory");
		code = start_kernel(recorder, err);
	}
	kernel_types__release();
	recorder->holds_types = false;
	if (!code && recorder->options->tail_synthesize)
		code = start__remember(&recorder->tail, &recorder->events, err);
	else if (!code)
		code = record_before(recorder, &recorder->events, err);
	if (!code)
		code = start__waiting(&recorder->events, recorder->maps, err);
	/* Written while records still have time 0, so that no sample precedes them. */
	if (!code)
		code = map_writer__settle(recorder->maps, false, err);
	map_writer__set_phase(recorder->maps, MAP_WRITER_LIVE);
	return code;
}

int recorder__record_existing_at_end(struct recorder *recorder, struct error *err)
{
	struct evlist_options events = recorder->events;
	int code = 0;

	events.tids = NULL;
	events.n_tids = events.n_pids = 0;
	if (recorder->tail)
		events.pids = tail__living(recorder->tail, &events.n_pids);
	map_writer__set_phase(recorder->maps, MAP_WRITER_STARTING);
	map_writer__allow(recorder->maps, START_COMPLETION_MS);
	if (events.n_pids || events.workload)
		code = record_before(recorder, &events, err);
	if (!code)
		code = map_writer__settle(recorder->maps, false, err);
	map_writer__set_phase(recorder->maps, MAP_WRITER_LIVE);
	return code;
}
