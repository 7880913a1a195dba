// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of one recording. The sideband event is opened first and owns the
 * rings, so that a ring exists for every CPU, whatever the sampled events are.
 */
#include "user/source/perf/evlist.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "user/event/decode.h"
#include "user/source/machine/clock.h"
#include "user/source/perf/budget.h"
#include "user/source/perf/cpus.h"
#include "user/source/perf/evsel.h"
#include "user/source/perf/open.h"
#include "user/source/perf/plan.h"
#include "user/source/perf/task_events.h"
#include "user/source/perf/tree_plan.h"

struct evlist {
	struct perf_plan plan;
	struct perf_target target;
	bool *gone; /* by thread */
	const struct sample_tree *tree;
	char *why_no_tree;
	struct task_events task_events;
	struct perf_rings rings;
	bool pages_given;
	bool sampling;
	struct perf_cpus cpus; /* the CPUs, which come and go */
	struct perf_notes notes;
};

static int find_target(
	struct evlist *evlist, const struct evlist_options *options, struct error *err)
{
	struct perf_target *target = &evlist->target;
	bool threads = options->n_pids || options->n_tids;
	int r;

	if (options->system_wide + threads + !!options->workload > 1)
		return error__set(err, -EINVAL,
			"all CPUs (-a), processes (-p, -t) and a command cannot be combined");
	r = perf_target__set_cpus(target, options->cpus, err);
	for (size_t i = 0; !r && i < options->n_pids; i++) {
		r = perf_target__add_process(target, options->pids[i], err);
		if (r == -ESRCH && options->user)
			r = 0;
	}
	if (!r && options->n_pids && !target->n_tids)
		return error__set(err, -ESRCH, "all processes to be recorded have exited");
	for (size_t i = 0; !r && i < options->n_tids; i++)
		r = perf_target__add_thread(target, options->tids[i], err);
	if (!r && options->workload)
		r = perf_target__add_thread(target, options->workload, err);
	if (r || target->n_tids)
		return r;
	if (!options->system_wide && !options->cpus)
		return error__set(
			err, -EINVAL, "nothing to record: give a command, -a, -C, -p or -t");
	return perf_target__whole_cpus(target, err);
}

void evlist_options__init(struct evlist_options *options)
{
	memset(options, 0, sizeof(*options));
	options->clockid = CLOCK_MONOTONIC;
}

int evlist__new(struct evlist **ret, const struct evlist_options *options, struct error *err)
{
	struct evlist *evlist = calloc(1, sizeof(*evlist));
	int r;

	if (!evlist)
		return error__errno(err, -ENOMEM, "events");
	r = find_target(evlist, options, err);
	if (r)
		goto fail;
	evlist->pages_given = options->mmap_pages;
	evlist->tree = options->tree;
	if (options->why_no_tree) {
		evlist->why_no_tree = strdup(options->why_no_tree);
		if (!evlist->why_no_tree) {
			r = error__errno(err, -ENOMEM, "events");
			goto fail;
		}
	}
	r = perf_budget__pages(
		&evlist->rings.pages, options->mmap_pages, evlist->target.cpus.n, err);
	if (r)
		goto fail;
	r = perf_plan__make(&evlist->plan, options, evlist->rings.pages, &evlist->notes, err);
	if (r)
		goto fail;
	evlist->gone = calloc(evlist->target.n_tids, sizeof(*evlist->gone));
	evlist->rings.rings = calloc(evlist->target.cpus.n, sizeof(*evlist->rings.rings));
	if (!evlist->gone || !evlist->rings.rings) {
		r = error__errno(err, -ENOMEM, "events");
		goto fail;
	}
	*ret = evlist;
	return 0;
fail:
	evlist__free(evlist);
	return r;
}

void evlist__free(struct evlist *evlist)
{
	if (!evlist)
		return;
	for (size_t i = 0; i < evlist->rings.n; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): rings.n is then 0 */
		perf_ring__free(evlist->rings.rings[i]);
	task_events__close(&evlist->task_events);
	free(evlist->why_no_tree);
	perf_plan__free(&evlist->plan);
	perf_cpus__free(&evlist->cpus);
	free(evlist->rings.rings);
	free(evlist->gone);
	perf_target__free(&evlist->target);
	perf_notes__free(&evlist->notes);
	free(evlist);
}

/* If tasks are recorded, opens the events that are on whole CPUs. */
static int open_on_whole_cpus(struct evlist *evlist, struct evsel *evsel, struct error *err)
{
	pid_t all = -1;
	bool gone = false;
	const struct perf_target target = {
		.tids = &all,
		.n_tids = 1,
		.cpus = evlist->target.cpus,
		.sampled = evlist->target.sampled,
	};

	return evsel__open(evsel, &target, &gone, &evlist->notes, err);
}

static int open_evsel(struct evlist *evlist, size_t i, struct error *err)
{
	struct evsel *evsel = &evlist->plan.evsels[i];

	return evsel->tree ? open_on_whole_cpus(evlist, evsel, err)
			   : evsel__open(evsel, &evlist->target, evlist->gone, &evlist->notes, err);
}

/* Turns the group of event @i into single events, and opens those before @i again. */
static int break_up(struct evlist *evlist, size_t i, struct error *err)
{
	struct evsel *evsels = evlist->plan.evsels;
	const struct evsel *leader = evsels[i].leader;
	int r = 0;

	evsel__close(&evsels[i]);
	for (size_t j = leader - evsels + 1; j + 1 < evlist->plan.n && evsels[j].leader == leader;
		j++) {
		evsels[j].leader = NULL;
		evsels[j].group = 0;
		evsels[j].attr.disabled = 1;
		evsels[j].attr.enable_on_exec = leader->attr.enable_on_exec;
		if (j < i)
			evsel__close(&evsels[j]);
		if (!r && j <= i)
			r = open_evsel(evlist, j, err);
	}
	evsels[leader - evsels].group = 0;
	perf_notes__add(&evlist->notes,
		"the kernel refuses the group of '%s': its events are recorded as single events",
		leader->name);
	return r;
}

static bool is_whole(const struct perf_target *target)
{
	return target->n_tids == 1 && target->tids[0] == -1;
}

/* Decides whether whole CPUs are sampled, or tasks by their own events and what these need. */
static int choose_tree(struct evlist *evlist, struct error *err)
{
	struct error why = {0};
	bool biased = false;

	if (is_whole(&evlist->target) || evlist->plan.n == 1)
		return 0;
	if (evlist->tree && tree_plan__choose(&evlist->plan, evlist->tree, &evlist->notes)) {
		if (!tree_plan__try(&evlist->plan, evlist->tree, evlist->target.cpus.cpus[0], &why))
			return perf_plan__add_keeper(&evlist->plan)
				       ? error__errno(err, -ENOMEM, "events")
				       : 0;
		tree_plan__drop(&evlist->plan);
	}
	for (size_t i = 0; i + 1 < evlist->plan.n; i++)
		biased |= tree_plan__is_biased(&evlist->plan.evsels[i]);
	if (biased && !evlist->tree && evlist->why_no_tree)
		snprintf(why.text, sizeof(why.text), "%s", evlist->why_no_tree);
	if (biased && why.text[0])
		perf_notes__add(&evlist->notes,
			"processes that live for less than a few sampling periods are "
			"under-sampled: whole CPUs cannot be sampled for them, because %s "
			"(perfstamp doctor)",
			why.text);
	return 0;
}

static size_t n_files(const struct evlist *evlist)
{
	size_t n = 0;

	for (size_t i = 0; i < evlist->plan.n; i++)
		n += evlist->plan.evsels[i].tree ? 1 : evlist->target.n_tids;
	return PERF_OPEN_OTHER_FILES + (n + !!evlist->plan.keeper.name) * evlist->target.cpus.n +
	       evlist->plan.n * evlist->target.n_tids;
}

static int open_all(struct evlist *evlist, struct error *err)
{
	size_t last = evlist->plan.n - 1;
	int r = choose_tree(evlist, err);

	if (r)
		return r;
	/* If there are too many files, the first event that cannot be opened reports it. */
	perf_open__allow_files(n_files(evlist));
	if (evlist->plan.keeper.name)
		r = open_on_whole_cpus(evlist, &evlist->plan.keeper, err);
	if (!r)
		r = open_evsel(evlist, last, err);

	for (size_t i = 0; !r && i < last; i++) {
		const struct evsel *evsel = &evlist->plan.evsels[i];

		r = open_evsel(evlist, i, err);
		/* Leader sampling is meaningless for single events. */
		if (r == -EINVAL && evsel->leader && evsel->modifiers.weak &&
			!evsel->modifiers.sample_read)
			r = break_up(evlist, i, err);
	}
	for (size_t i = 0; !r && i < last; i++)
		r = evsel__apply_filter(&evlist->plan.evsels[i], err);
	return r;
}

static struct perf_cpus_open open_on_cpus(struct evlist *evlist)
{
	return (struct perf_cpus_open){
		.plan = &evlist->plan,
		.target = &evlist->target,
		.rings = &evlist->rings,
		.whole = is_whole(&evlist->target),
		.sampling = evlist->sampling,
	};
}

int evlist__open(struct evlist *evlist, struct error *err)
{
	const struct perf_cpus_open open = open_on_cpus(evlist);
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	size_t last = evlist->plan.n - 1;
	size_t alive = 0;
	int r;

	r = open_all(evlist, err);
	if (r)
		return r;
	if (!is_whole(&evlist->target) && !evlist->plan.keeper.name && last &&
		task_events__open(
			&evlist->task_events, &evlist->plan, &evlist->target, evlist->gone))
		return error__errno(err, -ENOMEM, "events");
	if (perf_cpus__begin(&evlist->cpus, &open, now_ns))
		return error__errno(err, -ENOMEM, "events");
	for (size_t i = 0; i < evlist->target.n_tids; i++)
		alive += !evlist->gone[i];
	if (!alive)
		return error__set(err, -ESRCH,
			"all threads to be recorded have exited before recording began");
	for (size_t i = 0; i < last; i++)
		if (!evlist->plan.evsels[i].n_ids)
			return error__set(err, -ENODEV,
				"event '%s': none of the CPUs to be recorded has it",
				evlist->plan.evsels[i].name);
	return 0;
}

/*
 * Connects the open events of @evsel on CPU number @c to the ring of *@owner, or makes one of them
 * the owner.
 */
static int map_evsel(struct evlist *evlist, const struct evsel *evsel, size_t c, int *owner)
{
	for (size_t t = 0; t < evsel->n_tids; t++) {
		int fd = evsel__fd(evsel, c, t);
		int r;

		if (fd < 0)
			continue;
		if (*owner >= 0) {
			if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, *owner))
				return -errno;
			continue;
		}
		r = perf_ring__new(&evlist->rings.rings[evlist->rings.n], fd,
			evlist->target.cpus.cpus[c], evlist->rings.pages);
		if (r)
			return r;
		perf_ring__expect(evlist->rings.rings[evlist->rings.n++], evsel->attr.sample_type);
		*owner = fd;
	}
	return 0;
}

/* Maps one ring for all events of CPU number @c. */
static int map_cpu(struct evlist *evlist, size_t c)
{
	int owner = -1, r = 0;

	if (evlist->plan.keeper.name)
		r = map_evsel(evlist, &evlist->plan.keeper, c, &owner);
	for (size_t i = evlist->plan.n; !r && i-- > 0;)
		r = map_evsel(evlist, &evlist->plan.evsels[i], c, &owner);
	return r;
}

static int map_all(struct evlist *evlist)
{
	int r = 0;

	for (size_t c = 0; !r && c < evlist->target.cpus.n; c++)
		r = map_cpu(evlist, c);
	return r;
}

int evlist__mmap(struct evlist *evlist, struct error *err)
{
	struct perf_rings *rings = &evlist->rings;
	int r = map_all(evlist);

	/* Tried once: with less than half of the intended size, wake-ups would come too late. */
	if (r == -EPERM && !evlist->pages_given && rings->pages > 1) {
		while (rings->n)
			perf_ring__free(rings->rings[--rings->n]);
		rings->pages /= 2;
		r = map_all(evlist);
		if (!r)
			perf_notes__add(&evlist->notes,
				"rings have only %zu pages, because of the limit of locked memory "
				"(kernel.perf_event_mlock_kb)",
				rings->pages);
	}
	if (r == -EPERM)
		return perf_budget__explain(err, rings->pages, evlist->target.cpus.n);
	if (r)
		return error__errno(err, r, "rings of %zu pages for %zu CPUs", rings->pages,
			evlist->target.cpus.n);
	return 0;
}

static int enable_evsel(struct evsel *evsel, struct error *err)
{
	/* The others of a group follow their leader. */
	int r = evsel->leader ? 0 : evsel__ioctl(evsel, PERF_EVENT_IOC_ENABLE);

	return r ? error__errno(err, r, "event '%s': enable", evsel->name) : 0;
}

int evlist__enable_sideband(struct evlist *evlist, struct error *err)
{
	struct perf_plan *plan = &evlist->plan;
	int r = plan->keeper.name ? enable_evsel(&plan->keeper, err) : 0;

	return r ? r : enable_evsel(&plan->evsels[plan->n - 1], err);
}

int evlist__enable(struct evlist *evlist, struct error *err)
{
	evlist->sampling = true;
	for (size_t i = 0; i + 1 < evlist->plan.n; i++) {
		int r;

		if (evlist->plan.evsels[i].attr.enable_on_exec && !evlist->plan.evsels[i].tree)
			continue;
		r = enable_evsel(&evlist->plan.evsels[i], err);
		if (r)
			return r;
	}
	if (!evlist->task_events.on_exec)
		task_events__enable(&evlist->task_events, true);
	return 0;
}

int evlist__resume(struct evlist *evlist, struct error *err)
{
	int r = 0;

	evlist->sampling = true;
	for (size_t i = 0; !r && i + 1 < evlist->plan.n; i++)
		r = enable_evsel(&evlist->plan.evsels[i], err);
	task_events__enable(&evlist->task_events, true);
	return r;
}

void evlist__pause(struct evlist *evlist)
{
	evlist->sampling = false;
	for (size_t i = 0; i + 1 < evlist->plan.n; i++)
		if (!evlist->plan.evsels[i].leader)
			evsel__ioctl(&evlist->plan.evsels[i], PERF_EVENT_IOC_DISABLE);
	task_events__enable(&evlist->task_events, false);
}

void evlist__disable(struct evlist *evlist)
{
	/* Samples are stopped first: the sideband has what is needed to understand them. */
	for (size_t i = 0; i < evlist->plan.n; i++)
		evsel__ioctl(&evlist->plan.evsels[i], PERF_EVENT_IOC_DISABLE);
	task_events__enable(&evlist->task_events, false);
}

size_t evlist__n_attrs(const struct evlist *evlist)
{
	return evlist->plan.n;
}

const struct perf_event_attr *evlist__attr(const struct evlist *evlist, size_t i)
{
	return &evlist->plan.evsels[i].attr;
}

bool evlist__is_single(const struct evlist *evlist)
{
	return perf_plan__is_single(&evlist->plan);
}

struct perf_event_attr evlist__single_attr(const struct evlist *evlist)
{
	return perf_plan__single_attr(&evlist->plan);
}

static struct perf_event_attr opened_attr(const struct evlist *evlist, size_t i)
{
	const struct evsel *evsel = &evlist->plan.evsels[i];

	return evsel__opened_attr(evsel, &evsel->attr);
}

const char *evlist__name(const struct evlist *evlist, size_t i)
{
	return evlist->plan.evsels[i].name;
}

const uint64_t *evlist__ids(const struct evlist *evlist, size_t i, size_t *ret_n)
{
	*ret_n = evlist->plan.evsels[i].n_ids;
	return evlist->plan.evsels[i].ids;
}

int evlist__decoder(const struct evlist *evlist, struct event_decoder **ret)
{
	struct perf_event_attr attr;
	size_t i, n_ids;
	const uint64_t *ids;
	int code;

	code = event_decoder__new(ret, false);
	if (!code && evlist__is_single(evlist)) {
		const struct evsel *sideband = &evlist->plan.evsels[evlist->plan.n - 1];

		attr = evlist__single_attr(evlist);
		attr = evsel__opened_attr(sideband, &attr);
		return event_decoder__add_attr(*ret, &attr, NULL, 0);
	}
	for (i = 0; !code && i < evlist__n_attrs(evlist); i++) {
		ids = evlist__ids(evlist, i, &n_ids);
		attr = opened_attr(evlist, i);
		code = event_decoder__add_attr(*ret, &attr, ids, n_ids);
	}
	return code;
}

int evlist__look_at_cpus(struct evlist *evlist, uint64_t now_ns, bool resumed,
	struct evlist_cpu_change *ret, struct error *err)
{
	const struct perf_cpus_open open = open_on_cpus(evlist);

	return perf_cpus__look(&evlist->cpus, &open, now_ns, resumed, ret, err);
}

size_t evlist__n_rings(const struct evlist *evlist)
{
	return evlist->rings.n;
}

struct perf_ring *evlist__ring(const struct evlist *evlist, size_t i)
{
	return evlist->rings.rings[i];
}

bool evlist__samples_tree(const struct evlist *evlist)
{
	return evlist->plan.keeper.name;
}

bool evlist__cpu_time(const struct evlist *evlist, uint64_t *ret_used, uint64_t *ret_of_sample)
{
	*ret_of_sample = tree_plan__sample_ns(&evlist->plan);
	return *ret_of_sample && task_events__used(&evlist->task_events, ret_used);
}

const pid_t *evlist__tids(const struct evlist *evlist, size_t *ret_n)
{
	*ret_n = is_whole(&evlist->target) ? 0 : evlist->target.n_tids;
	return evlist->target.tids;
}

bool evlist__targets_gone(const struct evlist *evlist)
{
	const struct evsel *sideband = &evlist->plan.evsels[evlist->plan.n - 1];
	struct pollfd pollfd = {.events = POLLIN};
	size_t n;

	evlist__tids(evlist, &n);
	for (size_t t = 0; t < n; t++) {
		/* An event of a thread on any CPU shows its exit: the events exit together. */
		pollfd.fd = evsel__fd(sideband, 0, t);
		pollfd.revents = 0;
		if (pollfd.fd < 0)
			continue;
		if (poll(&pollfd, 1, 0) < 0 || !(pollfd.revents & (POLLHUP | POLLERR)))
			return false;
	}
	return n > 0;
}

int evlist__lost(const struct evlist *evlist, size_t i, uint64_t *ret)
{
	*ret = 0;
	return evsel__lost(&evlist->plan.evsels[i], ret);
}

size_t evlist__groups(const struct evlist *evlist, struct evlist_group *ret, size_t max)
{
	const struct evsel *evsels = evlist->plan.evsels;
	size_t groups = 0;

	for (size_t i = 0, n; i < evlist->plan.n; i += n) {
		for (n = 1; i + n < evlist->plan.n && evsels[i + n].leader == &evsels[i]; n++)
			;
		if (n == 1)
			continue;
		if (groups < max)
			ret[groups] = (struct evlist_group){evsels[i].group_name, i, n};
		groups++;
	}
	return groups;
}

bool evlist__has_data_maps(const struct evlist *evlist)
{
	return evlist->plan.data_maps;
}

size_t evlist__n_notes(const struct evlist *evlist)
{
	return evlist->notes.n;
}

const char *evlist__note(const struct evlist *evlist, size_t i)
{
	return evlist->notes.notes[i];
}
