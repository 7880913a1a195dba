// SPDX-License-Identifier: GPL-2.0-only
/*
 * The summary of a recording: what its parts have counted, put together. See recorder.h.
 * Counts nothing itself.
 */
#include <string.h>

#include "user/record/recorder.h"
#include "user/record/recorder_private.h"
#include "user/source/bpf/task_tree.h"

void recorder__summary(const struct recorder *recorder, struct recorder_summary *ret)
{
	recorder__sums(recorder, ret);
	ret->pipe = recorder->output.pipe;
	if (!recorder->rotation) {
		ret->newest = ret->pipe ? NULL : ret->output;
		return;
	}
	rotation__add_files(recorder->rotation, ret);
	ret->newest = rotation__newest(recorder->rotation);
}

/* What of the recorded tasks is in no sample. */
static void sum_tasks(const struct recorder *recorder, struct recorder_summary *ret)
{
	struct task_tree_losses losses = {0};
	uint64_t of_sample;

	if (recorder->tree)
		task_tree__losses(recorder->tree, &losses);
	ret->unfollowed = losses.unfollowed;
	ret->unnamed = losses.notes;
	if (evlist__cpu_time(recorder->evlist, &ret->cpu_used_ns, &of_sample))
		ret->cpu_covered_ns = of_sample * (ret->samples + ret->lost_samples);
	else
		ret->cpu_used_ns = 0;
}

void recorder__sums(const struct recorder *recorder, struct recorder_summary *ret)
{
	const struct record_counts *counts = &recorder->rounds.counts;
	const struct tally *tally = &recorder->tally;

	memset(ret, 0, sizeof(*ret));
	ret->kernel = recorder->kernel;
	ret->cpu_time = &recorder->cpu_time;
	ret->capture = recorder->capture;
	ret->code = recorder->code;
	ret->rung = recorder->bpf                    ? rung__name(bpf_source__rung(recorder->bpf))
		    : recorder->events.mmap3_records ? RECORDER_RUNG_MMAP3
						     : RECORDER_RUNG_MMAP2;
	ret->output = recorder->not_executed ? NULL : recorder->output.name;
	ret->bytes = recorder->writer ? perfdata_writer__size(recorder->writer) : 0;
	ret->samples = counts->samples;
	ret->maps = tally->maps;
	ret->identified = tally->identified;
	ret->cookies = tally->cookies;
	ret->anonymous = tally->maps - tally->identified - tally->cookies - tally->unreadable;
	ret->completed = tally->completed;
	ret->late = tally->late;
	ret->dsos = tally->dsos;
	ret->lost_samples = recorder->rounds.losses.told[LOSS_PERF_RINGS];
	ret->cpus_back = recorder->rounds.losses.told[LOSS_CPU];
	if (recorder->bpf) {
		ret->bpf_ring_fill = bpf_source__fill(recorder->bpf);
		bpf_source__losses(recorder->bpf, &ret->bpf);
		bpf_source__identities(recorder->bpf, &ret->identities);
	} else {
		ret->identities = recorder->native.identities;
	}
	sum_tasks(recorder, ret);
	ret->loss_spans = recorder->rounds.losses.spans;
	ret->n_loss_spans = recorder->rounds.losses.n_spans;
	if (recorder->rounds.modules)
		ret->modules = module_writer__counts(recorder->rounds.modules);
	if (recorder->programs)
		ret->programs = bpf_record__counts(recorder->programs);
	ret->perf_ring_fill = recorder->rounds.ring_fill;
	ret->snapshots = recorder->rounds.losses.snapshots;
	ret->workload_status = recorder->workload_status;
}
