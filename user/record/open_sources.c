// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens what a recording reads from: the best rung that this machine has, the tree of tasks, and
 * the perf events; see recording.h. Notes what is not available. Does not know where the records
 * go.
 */
#include <errno.h>
#include <stdlib.h>

#include "user/record/recording.h"
#include "user/record/snapshot/start.h"
#include "user/source/bpf/refusal.h"
#include "user/source/bpf/task_tree.h"
#include "user/source/kernel/types.h"
#include "user/source/perf/native.h"
#include "user/source/proc/user_processes.h"

#define FOLLOW_USER_TURNS 8

/* Tries the best rung, which attaches nothing. */
static void try_mmap3(struct recorder *recorder)
{
	struct error why;

	if (recorder->options->no_mmap3)
		return;
	recorder->events.mmap3_records = !perf_native__probe(&why);
	if (!recorder->events.mmap3_records && recorder->options->verbose)
		recorder__note(recorder, RECORDER_RUNG_MMAP3 " is not used: %s", why.text);
}

static bool records_some(const struct recorder *recorder)
{
	const struct evlist_options *events = &recorder->events;

	return events->n_pids || events->n_tids || events->workload;
}

/*
 * Opened before the rungs, whose programs look up tasks in it, and also without rungs, for the
 * sample filters. It is empty until the rungs have been tried.
 */
static int follow_tree(struct recorder *recorder, struct error *err)
{
	int code;

	if (!records_some(recorder))
		return 0;
	code = task_tree__new(&recorder->tree, recorder->events.n_tids, &recorder->no_tree);
	return code == -ENOMEM ? error__set(err, code, "%s", recorder->no_tree.text) : 0;
}

/* Returns why CPU time is not summed; NULL: it is summed, if BPF is available. */
static const char *no_cpu_time(const struct recorder *recorder)
{
	const struct recorder_options *options = recorder->options;

	if (options->reader)
		return "nothing is sampled";
	if (records_some(recorder) ? !recorder->tree : !recorder->bpf)
		return "it requires BPF";
	return cpu_time__refusal(&recorder->events,
		options->control || options->overwrite.bytes || options->n_pauses);
}

/* In perf's records, processes outside of the recorder's pid namespace have pid 0. */
static void note_strangers(struct recorder *recorder)
{
	if (!records_some(recorder) && !bpf_refusal__in_initial_pid_namespace())
		recorder__note(recorder,
			"processes outside of this pid namespace are not distinguished: all are "
			"recorded as process 0");
}

static int attach_bpf(struct recorder *recorder, struct error *err)
{
	const struct recorder_options *options = recorder->options;
	struct bpf_source_options bpf = {
		.tree = recorder->tree,
		.ring_size = options->bpf_ring_size,
		.wakes_for_files = recorder->capture,
		.best = options->best_rung,
		.last = RUNG_COUNT,
	};
	struct error why;
	int code, rung;

	note_strangers(recorder);
	if (options->no_bpf || recorder->events.mmap3_records)
		return 0;
	code = bpf_source__new(&recorder->bpf, &bpf, recorder->attempts, &why);
	/* BPF programs would not observe the processes to record. */
	if (!code && !recorder->tree && records_some(recorder)) {
		bpf_source__free(recorder->bpf);
		task_tree__free(recorder->tree);
		recorder->bpf = NULL;
		why = recorder->no_tree;
		code = -EOPNOTSUPP;
	}
	if (!code) {
		for (rung = 0; rung < RUNG_COUNT; rung++)
			if (options->verbose && recorder->attempts[rung].code)
				recorder__note(recorder, "%s is not used: %s", rung__name(rung),
					recorder->attempts[rung].text);
		if (!bpf_source__reads_page_cache(recorder->bpf))
			recorder__note(recorder,
				"the page cache cannot be read (this requires "
				"CAP_SYS_ADMIN): all identities are completed in user "
				"space, and those of short-lived processes are missed");
		return 0;
	}
	if (code == -ENOMEM)
		return error__set(err, code, "%s", why.text);
	recorder__note(recorder,
		"%s; the kernel's own MMAP2 records are used instead, which have no device and "
		"inode (see perfstamp doctor)",
		why.text);
	return 0;
}

/* On machines with many CPUs, rings use most of the memory of a recording. */
static void note_rings(struct recorder *recorder)
{
	size_t n = evlist__n_rings(recorder->evlist);
	size_t bytes = n ? perf_ring__size(evlist__ring(recorder->evlist, 0)) : 0;

	recorder__note(recorder, "%zu rings of %zu KiB for samples (-m)", n, bytes / 1024);
	if (recorder->bpf)
		recorder__note(recorder, "a ring of %zu KiB for map records (--map-ring-size)",
			bpf_source__ring_size(recorder->bpf) / 1024);
}

/*
 * A user's processes were listed before the BPF programs were loaded, which takes a while. A new
 * list also has the children that were created since then. It is complete when all processes in it
 * were already followed.
 */
static int follow_user(struct recorder *recorder, struct error *err)
{
	struct evlist_options *events = &recorder->events;
	struct error none;
	bool complete = false;
	pid_t *pids;
	ssize_t n;
	int code = 0;

	for (int turn = 0; !code && !complete && turn < FOLLOW_USER_TURNS; turn++) {
		/* If the last process has ended, the earlier list is used. */
		n = user_processes__find(&pids, events->user,
			&(struct user_processes_before){events->pids, events->n_pids}, &none);
		if (n == -ESRCH)
			return 0;
		if (n < 0)
			return error__set(err, n, "%s", none.text);
		complete = true;
		for (ssize_t i = 0; complete && i < n; i++)
			complete = task_tree__has(recorder->tree, pids[i]);
		free(recorder->user_pids);
		events->pids = recorder->user_pids = pids;
		events->n_pids = n;
		code = start__follow(recorder->tree, events, err);
	}
	return code;
}

static int open_events(struct recorder *recorder, struct error *err)
{
	size_t i;
	int code;

	recorder->events.mmap_records = !recorder->bpf && !recorder->events.mmap3_records;
	if (recorder->tree)
		recorder->events.tree = task_tree__filter(recorder->tree);
	else
		recorder->events.why_no_tree = recorder->no_tree.text;
	/* Until the sideband is enabled, children inherit events that record nothing. */
	if (recorder->tree)
		task_tree__note(recorder->tree, TREE_NOTES_ALL);
	code = recorder->tree ? start__follow(recorder->tree, &recorder->events, err) : 0;
	if (!code && recorder->tree && recorder->events.user)
		code = follow_user(recorder, err);
	if (code)
		return code;
	code = evlist__new(&recorder->evlist, &recorder->events, err);
	if (!code)
		code = evlist__open(recorder->evlist, err);
	if (!code)
		code = evlist__mmap(recorder->evlist, err);
	if (code)
		return code;
	for (i = 0; i < evlist__n_notes(recorder->evlist); i++)
		recorder__note(recorder, "%s", evlist__note(recorder->evlist, i));
	if (recorder->options->verbose)
		note_rings(recorder);
	return 0;
}

int recorder__open_sources(struct recorder *recorder, struct error *err)
{
	int code;

	try_mmap3(recorder);
	/* Held until the last BPF program is loaded. */
	kernel_types__hold();
	recorder->holds_types = true;
	/* Events are opened first, so that mappings in between are reported twice, not missed. */
	code = follow_tree(recorder, err);
	if (!code)
		code = attach_bpf(recorder, err);
	if (code)
		return code;
	cpu_time__init(&recorder->cpu_time, no_cpu_time(recorder),
		recorder->tree ? task_tree__pids_fd(recorder->tree) : -1,
		recorder->events.exclude_pid);
	return open_events(recorder, err);
}
