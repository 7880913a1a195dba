// SPDX-License-Identifier: GPL-2.0-only
/*
 * See cpus.h. An event that is opened later has another id, which is not in a file that was begun
 * before. So in each record, the id is replaced by the one in the file.
 */
#include "user/source/perf/cpus.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/parse/event/record_scan.h"
#include "user/source/perf/budget.h"
#include "user/source/perf/open.h"

enum perf_cpu_state {
	CPU_RECORDED,
	CPU_KEPT,     /* events of threads are not affected */
	CPU_GONE,     /* the CPU is or was off-line: its events must be opened again */
	CPU_NEW,      /* the CPU's events were not opened yet */
	CPU_LEFT_OUT, /* the CPU's events could not be opened */
};

struct perf_cpu {
	enum perf_cpu_state state;
	bool sampled;          /* sampled events are open on it, not only the sideband event */
	bool identified;       /* all its records except LOST have ids */
	uint64_t known_ns;     /* nothing was missed up to this time */
	struct record_id *ids; /* ids of its events; NULL: as announced */
	/* Of .ids: the current ones, and older ones that may still be in the ring. */
	struct record_ids in_use;
	size_t n_now; /* number of current ids; they are the first ones */
	int ring_fd;  /* of the first sideband event, which owns the ring; or -1 */
};

void perf_cpus__free(struct perf_cpus *cpus)
{
	for (size_t c = 0; c < cpus->n; c++) {
		free(cpus->cpus[c]->ids);
		if (cpus->cpus[c]->ring_fd >= 0)
			close(cpus->cpus[c]->ring_fd);
		free(cpus->cpus[c]);
	}
	free(cpus->cpus);
	perf_online__free(&cpus->online);
	cpus->cpus = NULL;
	cpus->n = 0;
}

/* Adds the target's next CPU. Its address does not change, because a ring uses it. */
static int add_cpu(struct perf_cpus *cpus, enum perf_cpu_state state, uint64_t known_ns)
{
	struct perf_cpu *cpu = malloc(sizeof(*cpu));

	if (!cpu || array__extend(&cpus->cpus, cpus->n, sizeof(*cpus->cpus))) {
		free(cpu);
		return -ENOMEM;
	}
	*cpu = (struct perf_cpu){
		.state = state, .sampled = true, .known_ns = known_ns, .ring_fd = -1};
	cpus->cpus[cpus->n++] = cpu;
	return 0;
}

/*
 * Returns the event that owns the rings of CPUs and stops when its CPU goes off-line; NULL if all
 * events are of tasks.
 */
static struct evsel *keeper_of(const struct perf_cpus_open *open)
{
	if (open->whole)
		return &open->plan->evsels[open->plan->n - 1];
	return open->plan->keeper.name ? &open->plan->keeper : NULL;
}

/* Returns event @i of whole CPUs, where the keeper is the last one; NULL if it is of tasks. */
static struct evsel *evsel_at(const struct perf_cpus_open *open, size_t i)
{
	struct evsel *evsel = &open->plan->evsels[i];

	if (i + 1 == open->plan->n)
		return keeper_of(open);
	return open->whole || evsel->tree ? evsel : NULL;
}

int perf_cpus__begin(struct perf_cpus *cpus, const struct perf_cpus_open *open, uint64_t now_ns)
{
	const struct evsel *keeper = keeper_of(open);
	enum perf_cpu_state state;
	int code = 0;

	cpus->look_ns = cpus->whole_ns = now_ns;
	for (size_t c = 0; !code && c < open->target->cpus.n; c++) {
		state = keeper ? CPU_RECORDED : CPU_KEPT;
		/* The CPU may have gone off-line since it was listed. */
		if (keeper && evsel__fd(keeper, c, 0) < 0)
			state = CPU_NEW;
		code = add_cpu(cpus, state, now_ns);
	}
	return code;
}

static void begin_look(struct perf_cpus *cpus, uint64_t now_ns)
{
	if (cpus->look_ns == now_ns)
		return;
	cpus->look_ns = now_ns;
	cpus->asked = (cpus->asked + 1) % cpus->n;
}

/* Makes room for the CPU @number, which did not exist before. */
static int add_new(struct perf_cpus *cpus, const struct perf_cpus_open *open, int number)
{
	size_t n = open->target->cpus.n + 1;
	struct perf_ring **rings = realloc(open->rings->rings, n * sizeof(*rings));
	int code = 0;

	if (!rings)
		return -ENOMEM;
	open->rings->rings = rings;
	if (cpus->n < n)
		code = add_cpu(cpus, CPU_NEW, cpus->whole_ns);
	return code ? code : perf_target__add_cpu(open->target, number);
}

/*
 * Whether the sampled events of the CPU can be opened later. Some kinds of samples have ids in
 * places where no other record has them, and a PMU may have listed only the CPUs that were on-line.
 */
static bool can_sample(const struct perf_cpus_open *open, size_t c)
{
	const uint64_t more = PERF_SAMPLE_READ | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;
	const struct cpu_list *asked = &open->target->sampled;
	bool found = false;

	for (size_t i = 0; i + 1 < open->plan->n; i++) {
		const struct evsel *evsel = &open->plan->evsels[i];

		if (!evsel__is_for(evsel, open->target, c) || !(open->whole || evsel->tree))
			continue;
		if (evsel->attr.sample_type & more)
			return false;
		found = true;
	}
	return found || open->plan->n == 1 ||
	       (asked->n && !cpu_list__has(asked, open->target->cpus.cpus[c]));
}

static void rename_ids(void *cpu, void *records, size_t size)
{
	const struct perf_cpu *of = cpu;

	record_ids__replace(&of->in_use, of->identified, records, size);
}

/* The events opened for one CPU that are not yet in use. */
struct fresh {
	bool sampled; /* not only the sideband event */
	struct record_id *ids;
	size_t n_ids;
	int *fds; /* descriptor of each event; -1: it is not on that CPU */
	size_t n;
	struct perf_ring *ring; /* NULL: the CPU has a ring */
};

static void discard(struct fresh *fresh)
{
	perf_ring__free(fresh->ring);
	for (size_t i = 0; i < fresh->n; i++)
		if (fresh->fds[i] >= 0)
			close(fresh->fds[i]);
	free(fresh->fds);
	free(fresh->ids);
}

static int open_one(struct fresh *fresh, const struct perf_cpus_open *open, size_t c, size_t i,
	struct error *err)
{
	struct evsel *evsel = evsel_at(open, i);
	int leader = evsel && evsel->leader ? fresh->fds[evsel->leader - open->plan->evsels] : -1;
	struct record_id *id = &fresh->ids[fresh->n_ids];

	if (!evsel || !evsel__is_for(evsel, open->target, c) ||
		!(evsel->sideband || fresh->sampled))
		return 0;
	if (evsel->leader && leader < 0)
		return error__set(err, -EINVAL, "event '%s': the leader of its group is missing",
			evsel->name);
	if (evsel__grow(evsel, open->target->cpus.n))
		return error__errno(err, -ENOMEM, "event '%s'", evsel->name);
	fresh->fds[i] = evsel__open_later(evsel, open->target, c, leader, err);
	if (fresh->fds[i] < 0)
		return fresh->fds[i];
	if (ioctl(fresh->fds[i], PERF_EVENT_IOC_ID, &id->found))
		return error__errno(err, -errno, "event '%s': id", evsel->name);
	id->told = evsel__announced_id(evsel, c);
	fresh->n_ids++;
	return 0;
}

/* The sideband event is on each CPU. */
static int map_ring(
	struct fresh *fresh, const struct perf_cpus_open *open, size_t c, struct error *err)
{
	int number = open->target->cpus.cpus[c], code;
	size_t pages = open->rings->pages;

	/*
	 * The privilege to lock more memory, which the first rings may have needed, has been
	 * dropped.
	 */
	do
		code = perf_ring__new(&fresh->ring, fresh->fds[fresh->n - 1], number, pages);
	while (code == -EPERM && (pages /= 2));
	if (code == -EPERM)
		return perf_budget__explain(err, open->rings->pages, open->rings->n + 1);
	if (code)
		return error__errno(err, code, "a ring of %zu pages", pages);
	perf_ring__expect(fresh->ring, open->plan->evsels[fresh->n - 1].attr.sample_type);
	return 0;
}

/*
 * Keeps an existing ring, because we may not have the privilege for a new one. A leader is opened
 * before the rest of its group.
 */
static int open_all(struct fresh *fresh, const struct perf_cpus_open *open, size_t c,
	const struct perf_ring *ring, struct error *err)
{
	int code = 0, owner;

	for (size_t i = 0; !code && i < open->plan->n; i++)
		code = open_one(fresh, open, c, i, err);
	if (!code && !ring) {
		code = map_ring(fresh, open, c, err);
		ring = fresh->ring;
	}
	if (code)
		return code;
	owner = perf_ring__fd(ring);
	for (size_t i = 0; !code && i < open->plan->n; i++)
		if (fresh->fds[i] >= 0 && fresh->fds[i] != owner &&
			ioctl(fresh->fds[i], PERF_EVENT_IOC_SET_OUTPUT, owner))
			code = error__errno(err, -errno, "its ring");
	return code;
}

static int enable(const struct fresh *fresh, const struct perf_cpus_open *open, struct error *err)
{
	/* The events that samples depend on are opened first. */
	for (size_t i = open->plan->n; i-- > 0;) {
		const struct evsel *evsel = evsel_at(open, i);

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
		int old = fresh->fds[i] < 0 ? -1
					    : evsel__replace(evsel_at(open, i), c, fresh->fds[i]);

		if (old >= 0 && old == perf_ring__fd(ring))
			cpu->ring_fd = old;
		else if (old >= 0)
			close(old);
	}
	if (fresh->ring)
		open->rings->rings[open->rings->n++] = fresh->ring;
	for (size_t i = 0; i < cpu->n_now; i++)
		fresh->ids[fresh->n_ids + i] = cpu->ids[i];
	cpu->in_use = (struct record_ids){fresh->ids, fresh->n_ids + cpu->n_now};
	free(cpu->ids);
	cpu->ids = fresh->ids;
	cpu->n_now = fresh->n_ids;
	cpu->sampled = fresh->sampled;
	cpu->identified = !perf_plan__is_single(open->plan);
	free(fresh->fds);
}

static int begin_fresh(struct fresh *fresh, const struct perf_plan *plan, bool sampled)
{
	*fresh = (struct fresh){.sampled = sampled, .n = plan->n};
	/* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): the sideband is always there */
	fresh->fds = malloc(fresh->n * sizeof(*fresh->fds));
	/* The second half is for the previous ids. */
	fresh->ids = calloc(2 * fresh->n, sizeof(*fresh->ids));
	if (!fresh->fds || !fresh->ids) {
		free(fresh->fds);
		free(fresh->ids);
		return -ENOMEM;
	}
	for (size_t i = 0; i < fresh->n; i++)
		fresh->fds[i] = -1;
	return 0;
}

static struct perf_ring *ring_of(const struct perf_cpus_open *open, size_t c)
{
	for (size_t i = 0; i < open->rings->n; i++)
		if (perf_ring__cpu(open->rings->rings[i]) == open->target->cpus.cpus[c])
			return open->rings->rings[i];
	return NULL;
}

static int open_later(struct perf_cpu *cpu, const struct perf_cpus_open *open, size_t c,
	bool sampled, struct error *err)
{
	struct perf_ring *ring = ring_of(open, c);
	struct fresh fresh;
	int code;

	if (begin_fresh(&fresh, open->plan, sampled))
		return error__errno(err, -ENOMEM, "events");
	perf_open__allow_files(PERF_OPEN_OTHER_FILES + open->plan->n * open->target->cpus.n);
	code = open_all(&fresh, open, c, ring, err);
	if (!code) {
		ring = ring ? ring : fresh.ring;
		if (perf_ring__prepare(ring, rename_ids, cpu))
			code = error__errno(err, -ENOMEM, "its ring");
	}
	if (!code)
		code = enable(&fresh, open, err);
	if (code)
		discard(&fresh);
	else
		use(cpu, &fresh, open, c, ring);
	return code;
}

/* Handles a CPU whose events the kernel has removed. Returns 1 and sets *@ret. */
static int lose(struct perf_cpu *cpu, const struct perf_cpus_open *open, size_t c,
	struct evlist_cpu_change *ret)
{
	cpu->state = CPU_GONE;
	if (!cpu->sampled)
		ret->what = EVLIST_CPU_LEFT_OUT_ENDED;
	else
		ret->what = can_sample(open, c) ? EVLIST_CPU_GONE : EVLIST_CPU_ENDED;
	return 1;
}

/* Handles a CPU that is on-line and is not recorded. */
static int take_up(struct perf_cpus *cpus, const struct perf_cpus_open *open, size_t c,
	struct evlist_cpu_change *ret, struct error *err)
{
	struct perf_cpu *cpu = cpus->cpus[c];
	bool sampled = can_sample(open, c);
	int code;

	ret->what = EVLIST_CPU_LEFT_OUT;
	/* If the CPU was never on-line, the tasks have no sideband event on it. */
	if (!open->whole && cpu->state != CPU_GONE) {
		cpu->state = CPU_LEFT_OUT;
		return 1;
	}
	if (sampled)
		ret->what = cpu->state == CPU_NEW ? EVLIST_CPU_NEW : EVLIST_CPU_BACK;
	code = open_later(cpu, open, c, sampled, err);
	if (code == -ENODEV)
		return 0; /* the CPU is off-line again */
	if (code) {
		cpu->state = CPU_LEFT_OUT;
		return code;
	}
	cpu->state = CPU_RECORDED;
	cpu->known_ns = cpus->look_ns;
	return 1;
}

/* Returns 1 if *@ret has a change, 0 if there is none. */
static int look_at(struct perf_cpus *cpus, const struct perf_cpus_open *open, size_t c, bool online,
	bool resumed, struct evlist_cpu_change *ret, struct error *err)
{
	const struct evsel *keeper = keeper_of(open);
	struct perf_cpu *cpu = cpus->cpus[c];

	if (cpu->state == CPU_KEPT)
		return 0;
	*ret = (struct evlist_cpu_change){
		.cpu = open->target->cpus.cpus[c], .since_ns = cpu->known_ns};
	if (!online) {
		cpu->known_ns = cpus->look_ns;
		if (cpu->state == CPU_RECORDED)
			return lose(cpu, open, c, ret);
		if (cpu->state != CPU_LEFT_OUT)
			return 0;
		cpu->state = CPU_NEW;
		ret->what = EVLIST_CPU_LEFT_OUT_ENDED;
		return 1;
	}
	if (cpu->state == CPU_LEFT_OUT)
		return 0;
	if (cpu->state != CPU_RECORDED)
		return take_up(cpus, open, c, ret, err);
	/* The CPU may have been off-line and back again since the last look. */
	if (!resumed && c != cpus->asked)
		return 0;
	if (evsel__is_taken(keeper, c))
		return lose(cpu, open, c, ret);
	cpu->known_ns = cpus->look_ns;
	return 0;
}

static int find_new(
	struct perf_cpus *cpus, const struct perf_cpus_open *open, const struct cpu_list *online)
{
	int code = 0;

	for (size_t i = 0; !code && i < online->n; i++)
		if (!cpu_list__has(&open->target->cpus, online->cpus[i]))
			code = add_new(cpus, open, online->cpus[i]);
	return code;
}

int perf_cpus__look(struct perf_cpus *cpus, const struct perf_cpus_open *open, uint64_t now_ns,
	bool resumed, struct evlist_cpu_change *ret, struct error *err)
{
	const struct cpu_list *online;
	int code = 0;

	begin_look(cpus, now_ns);
	/* Without the list, or without memory, nothing is known: the next look may succeed. */
	if (perf_online__look(&cpus->online, &online) || find_new(cpus, open, online))
		return 0;
	for (size_t c = 0; !code && c < open->target->cpus.n; c++)
		code = look_at(cpus, open, c, cpu_list__has(online, open->target->cpus.cpus[c]),
			resumed, ret, err);
	if (!code)
		cpus->whole_ns = now_ns;
	return code;
}
