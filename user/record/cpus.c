// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that go off-line and come on-line while recording: records the losses of the time in
 * which they were not recorded. The evlist opens the events.
 */
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "user/record/recording.h"

#define SLEPT_NS 10000000ull  /* a larger difference between two clocks shows a suspension */
#define CPUS_NS 1000000000ull /* between two checks of the CPUs */

/* They are checked in each round. */
static void watch_new_rings(struct recorder *recorder, size_t n_before)
{
	size_t n = evlist__n_rings(recorder->evlist);

	for (size_t i = n_before; i < n; i++) {
		const struct perf_ring *ring = evlist__ring(recorder->evlist, i);
		int code = recorder__watch_fd(recorder, perf_ring__fd(ring), EPOLLIN | EPOLLET);

		if (code)
			recorder__note(recorder,
				"the recorder is not woken up for the ring of CPU %d: %s",
				perf_ring__cpu(ring), strerror(-code));
		if (perf_ring__size(ring) < perf_ring__size(evlist__ring(recorder->evlist, 0)))
			recorder__note(recorder,
				"the ring of CPU %d has only %zu KiB, because of the limit of "
				"locked memory (kernel.perf_event_mlock_kb)",
				perf_ring__cpu(ring), perf_ring__size(ring) / 1024);
	}
}

static void on_cpu(struct recorder *recorder, const struct evlist_cpu_change *change)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);

	switch (change->what) {
	case EVLIST_CPU_GONE:
		recorder__note(recorder,
			"CPU %d went off-line: it will be recorded again when it comes back",
			change->cpu);
		break;
	case EVLIST_CPU_BACK:
		losses__add_cpu(rounds__losses(recorder->rounds), change->since_ns, now_ns);
		recorder__note(recorder,
			"CPU %d was off-line and is recorded again: its activity before, during at "
			"most %.1f s, is reported as a loss",
			change->cpu, (double)(now_ns - change->since_ns) / 1e9);
		break;
	case EVLIST_CPU_NEW:
		losses__add_cpu(rounds__losses(recorder->rounds), change->since_ns, now_ns);
		recorder__note(recorder,
			"CPU %d came on-line and is recorded: its activity before, during at most "
			"%.1f s, is reported as a loss",
			change->cpu, (double)(now_ns - change->since_ns) / 1e9);
		break;
	case EVLIST_CPU_LEFT_OUT:
		losses__begin_left_out(rounds__losses(recorder->rounds), change->since_ns);
		recorder__note(recorder, "CPU %d came on-line and is not sampled", change->cpu);
		break;
	case EVLIST_CPU_LEFT_OUT_ENDED:
		losses__end_left_out(rounds__losses(recorder->rounds));
		break;
	case EVLIST_CPU_ENDED:
	default:
		recorder__note(recorder,
			"CPU %d went off-line: it will not be sampled again, even if it comes back",
			change->cpu);
		break;
	}
}

static void on_unopened_cpu(
	struct recorder *recorder, const struct evlist_cpu_change *change, const char *why)
{
	losses__begin_left_out(rounds__losses(recorder->rounds), change->since_ns);
	recorder__note(recorder, "CPU %d came on-line and is not recorded: %s", change->cpu, why);
}

void recorder__look_for_cpus(struct recorder *recorder)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC), slept_ns;
	size_t n_rings = evlist__n_rings(recorder->evlist);
	struct evlist_cpu_change change;
	struct error why;
	bool resumed;
	int news;

	if (now_ns - recorder->cpus_looked_ns < CPUS_NS)
		return;
	/* Two clocks cannot be read at once, so a small difference is not a suspension. */
	slept_ns = clock__now(CLOCK_BOOTTIME) - now_ns;
	resumed = recorder->cpus_looked_ns && slept_ns > recorder->slept_ns + SLEPT_NS;
	recorder->cpus_looked_ns = now_ns;
	recorder->slept_ns = slept_ns;
	while ((news = evlist__look_at_cpus(recorder->evlist, now_ns, resumed, &change, &why)))
		if (news > 0)
			on_cpu(recorder, &change);
		else
			on_unopened_cpu(recorder, &change, why.text);
	watch_new_rings(recorder, n_rings);
}
