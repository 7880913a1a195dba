// SPDX-License-Identifier: GPL-2.0-only
/* See recording.h: notes, sums and the end of a file. Adds up the counters of its parts. */
#include "user/record/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include "user/base/text.h"
#include "user/helper/guard.h"
#include "user/perfdata/write/mixed_paths.h"
#include "user/record/files/features.h"
#include "user/source/bpf/task_tree.h"
#include "user/source/machine/clock.h"

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

void recorder__look_at_clock(struct recorder *recorder)
{
	if (clock__was_set(recorder->clock_fd))
		bpf_source__forget_identities(recorder->bpf);
}

/* Sums the CPU time of recorded tasks, and how much of it samples cover. */
static void sum_tasks(const struct recorder *recorder, struct recorder_summary *ret)
{
	uint64_t *n = ret->counters.n;
	struct task_tree_losses losses = {0};
	uint64_t of_sample;

	if (recorder->tree)
		task_tree__losses(recorder->tree, &losses);
	n[COUNTER_UNNAMED] = losses.notes;
	if (evlist__cpu_time(recorder->evlist, &ret->cpu_used_ns, &of_sample))
		ret->cpu_covered_ns = of_sample * (n[COUNTER_SAMPLES] + n[COUNTER_LOST_PERF_RINGS]);
	else
		ret->cpu_used_ns = 0;
}

/* Adds counters of other modules, and current measurements. */
static void sum_sources(const struct recorder *recorder, struct counters *counters)
{
	struct bpf_identities identities = recorder->native.identities;

	counters->n[COUNTER_SAMPLES] = rounds__n_samples(recorder->rounds);
	counters->n[COUNTER_BYTES] = recorder->writer ? perfdata_writer__size(recorder->writer) : 0;
	if (recorder->bpf) {
		counters->gauges[GAUGE_BPF_RING_FILL] = bpf_source__fill(recorder->bpf);
		bpf_source__identities(recorder->bpf, &identities);
	}
	counters->gauges[GAUGE_PERF_RING_FILL] = rounds__ring_fill(recorder->rounds);
	counters->n[COUNTER_IDENTITIES_READ] = identities.read;
	counters->n[COUNTER_IDENTITIES_STASHED] = identities.stashed;
}

void recorder__sums(const struct recorder *recorder, struct recorder_summary *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->counters = recorder->counters;
	ret->kernel = recorder->kernel;
	ret->cpu_time = &recorder->cpu_time;
	ret->capture = recorder->capture;
	ret->code = recorder->code;
	ret->rung = recorder->bpf                    ? rung__name(bpf_source__rung(recorder->bpf))
		    : recorder->events.mmap3_records ? RECORDER_RUNG_MMAP3
						     : RECORDER_RUNG_MMAP2;
	ret->output = recorder->not_executed ? NULL : recorder->output.name;
	sum_sources(recorder, &ret->counters);
	sum_tasks(recorder, ret);
	ret->loss_spans = losses__spans(rounds__losses(recorder->rounds), &ret->n_loss_spans);
	ret->loss_owners = losses__owners(rounds__losses(recorder->rounds));
	ret->workload_status = recorder->workload_status;
}

int recorder__finish_file(struct recorder *recorder, struct perfdata_writer *writer,
	const struct recorder_summary *summary, struct error *err)
{
	uint64_t untracked = map_writer__n_untracked(recorder->maps);
	int code = features__stamp(writer, summary, err);

	/* If pieces make up a file, none of them alone is the file. */
	if (!code && writer == recorder->writer)
		code = map_writer__end_file(recorder->maps, err);
	if (untracked)
		recorder__note(recorder,
			"%" PRIu64 " mappings are at paths beyond the first %d: stock perf may "
			"confuse contents without a build-id at the same path",
			untracked, MIXED_PATHS_MAX);
	if (!code && recorder->programs)
		code = bpf_record__finish(recorder->programs, writer, err);
	return code ? code : perfdata_writer__finish(writer, err);
}

int recorder__guard(struct recorder *recorder, struct error *err)
{
	int code;

	if (recorder->guarded || recorder->enable_ns || !recorder->options->guard)
		return 0;
	recorder->guarded = true;
	code = guard__enter();
	if (!code || code == -ENOSYS)
		return 0;
	return error__errno(err, code, "system calls that are not needed cannot be denied");
}
