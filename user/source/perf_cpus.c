// SPDX-License-Identifier: GPL-2.0-only
/*
 * See perf_cpus.h. An event that is opened again has another id, of which a file that was
 * begun before knows nothing: it is replaced in each record by the one that was told.
 */
#include "user/source/perf_cpus.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "user/parse/record_scan.h"

enum perf_cpu_state {
	CPU_RECORDED,
	CPU_GONE,  /* it is off-line, or was: its events are to be opened again */
	CPU_ENDED, /* they cannot be */
};

struct perf_cpu {
	enum perf_cpu_state state;
	uint64_t known_ns;        /* up to then nothing was missed */
	struct record_id *ids;    /* of its events; NULL: as told */
	struct record_ids in_use; /* of these */
	int ring_fd;              /* of the first sideband event, which has the ring; or -1 */
};

void perf_cpus__free(struct perf_cpus *cpus)
{
	for (size_t i = 0; i < cpus->n; i++) {
		free(cpus->cpus[i].ids);
		if (cpus->cpus[i].ring_fd >= 0)
			close(cpus->cpus[i].ring_fd);
	}
	free(cpus->cpus);
	cpus->cpus = NULL;
	cpus->n = 0;
}

static int begin_look(struct perf_cpus *cpus, const struct perf_target *target, uint64_t now_ns)
{
	if (!cpus->cpus) {
		cpus->cpus = calloc(target->cpus.n, sizeof(*cpus->cpus));
		if (!cpus->cpus)
			return -ENOMEM;
		cpus->n = target->cpus.n;
		for (size_t i = 0; i < cpus->n; i++) {
			cpus->cpus[i].known_ns = now_ns;
			cpus->cpus[i].ring_fd = -1;
		}
	}
	if (cpus->look_ns != now_ns)
		cpus->asked = (cpus->asked + 1) % cpus->n;
	cpus->look_ns = now_ns;
	return 0;
}

/* Ids stand in samples of these kinds where no other record has them. */
static bool can_open_again(const struct perf_plan *plan)
{
	const uint64_t more = PERF_SAMPLE_READ | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;

	for (size_t i = 0; i < plan->n; i++)
		if (plan->evsels[i].attr.sample_type & more)
			return false;
	return true;
}

static void rename_ids(void *cpu, void *records, size_t size)
{
	record_ids__replace(&((const struct perf_cpu *)cpu)->in_use, records, size);
}

/* What is opened for one CPU, and not yet in use. */
struct fresh {
	struct record_id *ids;
	size_t n_ids;
	int *fds; /* of each event; -1: it is not on that CPU */
	size_t n;
};

static void discard(struct fresh *fresh)
{
	for (size_t i = 0; i < fresh->n; i++)
		if (fresh->fds[i] >= 0)
			close(fresh->fds[i]);
	free(fresh->fds);
	free(fresh->ids);
}

static int open_one(struct fresh *fresh, const struct perf_cpus_open *open, size_t c, size_t i,
	struct error *err)
{
	struct evsel *evsel = &open->plan->evsels[i];
	int leader = evsel->leader ? fresh->fds[evsel->leader - open->plan->evsels] : -1;
	struct record_id *id = &fresh->ids[fresh->n_ids];

	if (evsel__fd(evsel, c, 0) < 0)
		return 0;
	fresh->fds[i] = evsel__open_again(evsel, open->target, c, leader, err);
	if (fresh->fds[i] < 0)
		return fresh->fds[i];
	if (ioctl(fresh->fds[i], PERF_EVENT_IOC_ID, &id->found))
		return error__errno(err, -errno, "event '%s': id", evsel->name);
	id->told = evsel__told_id(evsel, c);
	fresh->n_ids++;
	return 0;
}

/* The ring stays, for which there may be no privilege by now; a leader stands before its group. */
static int open_all(struct fresh *fresh, const struct perf_cpus_open *open, size_t c,
	const struct perf_ring *ring, struct error *err)
{
	int code = 0;

	for (size_t i = 0; !code && i < open->plan->n; i++)
		code = open_one(fresh, open, c, i, err);
	for (size_t i = 0; !code && i < open->plan->n; i++)
		if (fresh->fds[i] >= 0 &&
			ioctl(fresh->fds[i], PERF_EVENT_IOC_SET_OUTPUT, perf_ring__fd(ring)))
			code = error__errno(err, -errno, "its ring");
	return code;
}

static int enable(const struct fresh *fresh, const struct perf_cpus_open *open, struct error *err)
{
	/* What samples need to be understood comes first. */
	for (size_t i = open->plan->n; i-- > 0;) {
		const struct evsel *evsel = &open->plan->evsels[i];

		if (fresh->fds[i] < 0 || evsel->leader || (!evsel->sideband && !open->sampling))
			continue;
		if (ioctl(fresh->fds[i], PERF_EVENT_IOC_ENABLE, 0))
			return error__errno(err, -errno, "event '%s': enable", evsel->name);
	}
	return 0;
}

static void use(struct perf_cpu *cpu, struct fresh *fresh, const struct perf_cpus_open *open,
	size_t c, struct perf_ring *ring)
{
	for (size_t i = 0; i < fresh->n; i++) {
		int old = fresh->fds[i] < 0
				  ? -1
				  : evsel__replace(&open->plan->evsels[i], c, fresh->fds[i]);

		if (old == perf_ring__fd(ring))
			cpu->ring_fd = old;
		else if (old >= 0)
			close(old);
	}
	free(cpu->ids);
	cpu->ids = fresh->ids;
	cpu->in_use = (struct record_ids){cpu->ids, fresh->n_ids};
	free(fresh->fds);
}

static int open_again(struct perf_cpu *cpu, const struct perf_cpus_open *open, size_t c,
	struct perf_ring *ring, struct error *err)
{
	struct fresh fresh = {.n = open->plan->n};
	int code;

	fresh.fds = malloc(fresh.n * sizeof(*fresh.fds));
	fresh.ids = calloc(fresh.n, sizeof(*fresh.ids));
	if (!fresh.fds || !fresh.ids || perf_ring__prepare(ring, rename_ids, cpu)) {
		free(fresh.fds);
		free(fresh.ids);
		return error__errno(err, -ENOMEM, "events");
	}
	for (size_t i = 0; i < fresh.n; i++)
		fresh.fds[i] = -1;
	code = open_all(&fresh, open, c, ring, err);
	if (!code)
		code = enable(&fresh, open, err);
	if (code)
		discard(&fresh);
	else
		use(cpu, &fresh, open, c, ring);
	return code;
}

static struct perf_ring *ring_of(const struct perf_cpus_open *open, int number)
{
	for (size_t i = 0; i < open->n_rings; i++)
		if (perf_ring__cpu(open->rings[i]) == number)
			return open->rings[i];
	return NULL;
}

/* Its events are no more. 1, with what *@ret is then. */
static int lose(struct perf_cpu *cpu, const struct perf_plan *plan, struct evlist_cpu_change *ret)
{
	cpu->state = can_open_again(plan) ? CPU_GONE : CPU_ENDED;
	ret->what = cpu->state == CPU_GONE ? EVLIST_CPU_GONE : EVLIST_CPU_ENDED;
	return 1;
}

/* 1: *@ret has it; 0: there is no news. */
static int look_at(struct perf_cpus *cpus, const struct perf_cpus_open *open, size_t c, bool online,
	bool resumed, struct evlist_cpu_change *ret, struct error *err)
{
	const struct evsel *sideband = &open->plan->evsels[open->plan->n - 1];
	struct perf_ring *ring = ring_of(open, open->target->cpus.cpus[c]);
	struct perf_cpu *cpu = &cpus->cpus[c];
	int code;

	if (!ring || cpu->state == CPU_ENDED)
		return 0;
	*ret = (struct evlist_cpu_change){
		.cpu = open->target->cpus.cpus[c], .since_ns = cpu->known_ns};
	if (!online) {
		cpu->known_ns = cpus->look_ns;
		return cpu->state == CPU_GONE ? 0 : lose(cpu, open->plan, ret);
	}
	if (cpu->state == CPU_RECORDED) {
		/* It may have been away and back since, though nobody saw it. */
		if (!resumed && c != cpus->asked)
			return 0;
		if (!evsel__is_taken(sideband, c)) {
			cpu->known_ns = cpus->look_ns;
			return 0;
		}
		return lose(cpu, open->plan, ret);
	}
	code = open_again(cpu, open, c, ring, err);
	if (code == -ENODEV)
		return 0; /* it has gone again */
	if (code) {
		cpu->state = CPU_ENDED;
		return code;
	}
	cpu->state = CPU_RECORDED;
	cpu->known_ns = cpus->look_ns;
	ret->what = EVLIST_CPU_BACK;
	return 1;
}

int perf_cpus__look(struct perf_cpus *cpus, const struct perf_cpus_open *open, uint64_t now_ns,
	bool resumed, struct evlist_cpu_change *ret, struct error *err)
{
	struct cpu_list online;
	int code = begin_look(cpus, open->target, now_ns);

	/* Without that list nothing is known: the next look may have it. */
	if (code || perf_target__online(&online))
		return 0;
	for (size_t c = 0; !code && c < cpus->n; c++)
		code = look_at(cpus, open, c, cpu_list__has(&online, open->target->cpus.cpus[c]),
			resumed, ret, err);
	cpu_list__free(&online);
	return code;
}
