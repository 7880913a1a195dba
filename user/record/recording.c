// SPDX-License-Identifier: GPL-2.0-only
/* See recording.h: notes, sums and the end of a file. The sums are its parts', put together. */
#include "user/record/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include "user/base/text.h"
#include "user/record/files/features.h"
#include "user/source/bpf/task_tree.h"

void recorder__note(struct recorder *recorder, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list args;

	if (!recorder->options->note)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text__sanitize(text);
	recorder->options->note(text, recorder->options->note_ctx);
}

int recorder__watch_fd(struct recorder *recorder, int fd, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.fd = fd};

	return epoll_ctl(recorder->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
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
	const struct record_counts *counts = &recorder->rounds.spans.counts;
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
	if (recorder->rounds.spans.modules)
		ret->modules = module_writer__counts(recorder->rounds.spans.modules);
	if (recorder->programs)
		ret->programs = bpf_record__counts(recorder->programs);
	ret->perf_ring_fill = recorder->rounds.ring_fill;
	ret->snapshots = recorder->rounds.losses.snapshots;
	ret->workload_status = recorder->workload_status;
}

int recorder__finish_file(struct recorder *recorder, struct perfdata_writer *writer,
	const struct recorder_summary *summary, struct error *err)
{
	int code = features__stamp(writer, summary, err);

	/* Where pieces make up a file, none of them is it. */
	if (!code && writer == recorder->maps.writer)
		code = map_writer__end_file(&recorder->maps, err);
	if (recorder->maps.mixed.untracked)
		recorder__note(recorder,
			"%" PRIu64 " mappings are at paths beyond the first %d: stock perf may "
			"confuse contents without a build-id at the same path",
			recorder->maps.mixed.untracked, MIXED_PATHS_MAX);
	if (!code && recorder->programs)
		code = bpf_record__finish(recorder->programs, writer, err);
	return code ? code : perfdata_writer__finish(writer, err);
}
