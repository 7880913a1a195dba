// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of one recording. The sideband event is opened first and owns the
 * rings, so that a ring exists for every CPU, whatever the sampled events are.
 */
#include "user/source/perf_event.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "user/parse/attr.h"
#include "user/source/perf_budget.h"
#include "user/source/perf_evsel.h"
#include "user/source/perf_open.h"

struct evlist {
	struct evsel *evsels; /* the sideband event is last */
	size_t n_evsels;
	struct perf_target target;
	bool *gone; /* by thread */
	struct perf_ring **rings;
	size_t n_rings;
	size_t pages;
	bool pages_given;
	struct perf_notes notes;
};

static uint64_t choose_freq(struct evlist *evlist, uint64_t freq)
{
	uint64_t max = perf_open__max_sample_rate();

	if (freq == EVLIST_FREQ_MAX) {
		perf_notes__add(&evlist->notes, "sampling at the maximum of %llu Hz",
			(unsigned long long)max);
		return max;
	}
	if (!freq)
		freq = EVLIST_FREQ_DEFAULT;
	if (freq <= max)
		return freq;
	perf_notes__add(&evlist->notes,
		"%llu Hz is over the maximum: sampling at %llu Hz instead. The kernel lowers the "
		"maximum, kernel.perf_event_max_sample_rate, where sampling takes too long; sysctl "
		"can raise it",
		(unsigned long long)freq, (unsigned long long)max);
	return max;
}

static int find_target(
	struct evlist *evlist, const struct evlist_options *options, struct error *err)
{
	struct perf_target *target = &evlist->target;
	bool threads = options->n_pids || options->n_tids;
	int r;

	if (options->system_wide + threads + !!options->workload > 1)
		return error__set(err, -EINVAL,
			"all CPUs (-a), processes (-p, -t) and a command exclude each other");
	r = perf_target__set_cpus(target, options->cpus, err);
	for (size_t i = 0; !r && i < options->n_pids; i++) {
		r = perf_target__add_process(target, options->pids[i], err);
		if (r == -ESRCH && options->pids_may_go)
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

static void make_attrs(struct evlist *evlist, const struct evlist_options *options)
{
	struct evsel *sideband = &evlist->evsels[evlist->n_evsels - 1];
	struct attr_options attrs = {
		.period = options->period,
		.callchain = options->callchain,
		.dwarf_stack = options->dwarf_stack,
		.lbr = options->lbr,
		.has_cpu = options->system_wide || options->cpus,
		.inherit = !options->no_inherit,
		.enable_on_exec = options->workload > 0 && !options->not_on_exec,
		.exclude_kernel = options->exclude_kernel,
		.exclude_user = options->exclude_user,
		.clockid = options->clockid,
		.sample_type = options->sample_type,
		.wakeup_watermark = evlist->pages * sysconf(_SC_PAGESIZE) / 4,
		.lost_count = perf_open__has_lost_count(),
		/* As perf: what unwinds may look at any part of a file. */
		.data_maps = options->dwarf_stack > 0,
		.mmap_records = options->mmap_records,
	};

	if (!options->period && !options->sideband_only)
		attrs.freq = choose_freq(evlist, options->freq);
	/* Tracepoints carry the CPU always; all records of a file end alike. */
	for (size_t i = 0; i + 1 < evlist->n_evsels; i++)
		if (evlist->evsels[i].attr.type == PERF_TYPE_TRACEPOINT)
			attrs.has_cpu = true;
	for (size_t i = 0; i + 1 < evlist->n_evsels; i++)
		attr__sampling(&evlist->evsels[i].attr, &attrs);
	attr__sideband(&sideband->attr, &attrs);
}

static int make_evsels(
	struct evlist *evlist, const struct evlist_options *options, struct error *err)
{
	struct perf_names names = {0};
	struct perf_name sideband = {.name = strdup("dummy:u")};
	int r = 0;

	if (!options->sideband_only)
		r = perf_names__parse(&names, options->events ? options->events : "cycles", err);
	if (r)
		goto cleanup;
	evlist->evsels = calloc(names.n + 1, sizeof(*evlist->evsels));
	if (!evlist->evsels || !sideband.name) {
		r = error__errno(err, -ENOMEM, "events");
		goto cleanup;
	}
	for (size_t i = 0; i < names.n; i++)
		evsel__init(&evlist->evsels[i], &names.names[i]);
	evsel__init(&evlist->evsels[names.n], &sideband);
	evlist->n_evsels = names.n + 1;
	make_attrs(evlist, options);
cleanup:
	perf_names__free(&names);
	free(sideband.name);
	return r;
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
	if (options->dwarf_stack && !attr__user_regs()) {
		r = error__set(err, -EOPNOTSUPP,
			"--call-graph dwarf: the registers of this architecture are not known");
		goto fail;
	}
	r = find_target(evlist, options, err);
	if (r)
		goto fail;
	evlist->pages_given = options->mmap_pages;
	r = perf_budget__pages(&evlist->pages, options->mmap_pages, evlist->target.cpus.n, err);
	if (r)
		goto fail;
	r = make_evsels(evlist, options, err);
	if (r)
		goto fail;
	evlist->gone = calloc(evlist->target.n_tids, sizeof(*evlist->gone));
	evlist->rings = calloc(evlist->target.cpus.n, sizeof(*evlist->rings));
	if (!evlist->gone || !evlist->rings) {
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
	for (size_t i = 0; i < evlist->n_rings; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): n_rings is then 0 */
		perf_ring__free(evlist->rings[i]);
	for (size_t i = 0; i < evlist->n_evsels; i++)
		evsel__free(&evlist->evsels[i]);
	free(evlist->rings);
	free(evlist->evsels);
	free(evlist->gone);
	perf_target__free(&evlist->target);
	perf_notes__free(&evlist->notes);
	free(evlist);
}

int evlist__open(struct evlist *evlist, struct error *err)
{
	size_t last = evlist->n_evsels - 1;
	size_t alive = 0;
	int r;

	r = evsel__open(&evlist->evsels[last], &evlist->target, evlist->gone, &evlist->notes, err);
	for (size_t i = 0; !r && i < last; i++)
		r = evsel__open(
			&evlist->evsels[i], &evlist->target, evlist->gone, &evlist->notes, err);
	if (r)
		return r;
	for (size_t i = 0; i < evlist->target.n_tids; i++)
		alive += !evlist->gone[i];
	if (!alive)
		return error__set(err, -ESRCH,
			"all threads to be recorded have exited before recording began");
	for (size_t i = 0; i < last; i++)
		if (!evlist->evsels[i].n_ids)
			return error__set(err, -ENODEV,
				"event '%s': none of the CPUs to be recorded has it",
				evlist->evsels[i].name);
	return 0;
}

/* Makes all events of CPU number @c write to one ring, that of the first that is open. */
static int map_cpu(struct evlist *evlist, size_t c)
{
	int owner = -1;

	for (size_t i = evlist->n_evsels; i-- > 0;) {
		for (size_t t = 0; t < evlist->target.n_tids; t++) {
			int fd = evsel__fd(&evlist->evsels[i], c, t);
			int r;

			if (fd < 0)
				continue;
			if (owner >= 0) {
				if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, owner))
					return -errno;
				continue;
			}
			r = perf_ring__new(&evlist->rings[evlist->n_rings], fd,
				evlist->target.cpus.cpus[c], evlist->pages);
			if (r)
				return r;
			evlist->n_rings++;
			owner = fd;
		}
	}
	return 0;
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
	int r = map_all(evlist);

	/* Once: a ring less than half of what was meant would be woken for too late. */
	if (r == -EPERM && !evlist->pages_given && evlist->pages > 1) {
		while (evlist->n_rings)
			perf_ring__free(evlist->rings[--evlist->n_rings]);
		evlist->pages /= 2;
		r = map_all(evlist);
		if (!r)
			perf_notes__add(&evlist->notes,
				"rings are of %zu pages only, because of the limit of locked "
				"memory "
				"(kernel.perf_event_mlock_kb)",
				evlist->pages);
	}
	if (r == -EPERM)
		return perf_budget__explain(err, evlist->pages, evlist->target.cpus.n);
	if (r)
		return error__errno(err, r, "rings of %zu pages for %zu CPUs", evlist->pages,
			evlist->target.cpus.n);
	return 0;
}

static int enable_evsel(struct evsel *evsel, struct error *err)
{
	int r = evsel__ioctl(evsel, PERF_EVENT_IOC_ENABLE);

	return r ? error__errno(err, r, "event '%s': enable", evsel->name) : 0;
}

int evlist__enable_sideband(struct evlist *evlist, struct error *err)
{
	return enable_evsel(&evlist->evsels[evlist->n_evsels - 1], err);
}

int evlist__enable(struct evlist *evlist, struct error *err)
{
	for (size_t i = 0; i + 1 < evlist->n_evsels; i++) {
		int r;

		if (evlist->evsels[i].attr.enable_on_exec)
			continue;
		r = enable_evsel(&evlist->evsels[i], err);
		if (r)
			return r;
	}
	return 0;
}

int evlist__resume(struct evlist *evlist, struct error *err)
{
	int r = 0;

	for (size_t i = 0; !r && i + 1 < evlist->n_evsels; i++)
		r = enable_evsel(&evlist->evsels[i], err);
	return r;
}

void evlist__pause(struct evlist *evlist)
{
	for (size_t i = 0; i + 1 < evlist->n_evsels; i++)
		evsel__ioctl(&evlist->evsels[i], PERF_EVENT_IOC_DISABLE);
}

void evlist__disable(struct evlist *evlist)
{
	/* Samples first: what they need to be understood comes through the sideband. */
	for (size_t i = 0; i < evlist->n_evsels; i++)
		evsel__ioctl(&evlist->evsels[i], PERF_EVENT_IOC_DISABLE);
}

size_t evlist__n_attrs(const struct evlist *evlist)
{
	return evlist->n_evsels;
}

const struct perf_event_attr *evlist__attr(const struct evlist *evlist, size_t i)
{
	return &evlist->evsels[i].attr;
}

const char *evlist__name(const struct evlist *evlist, size_t i)
{
	return evlist->evsels[i].name;
}

const uint64_t *evlist__ids(const struct evlist *evlist, size_t i, size_t *ret_n)
{
	*ret_n = evlist->evsels[i].n_ids;
	return evlist->evsels[i].ids;
}

size_t evlist__n_rings(const struct evlist *evlist)
{
	return evlist->n_rings;
}

struct perf_ring *evlist__ring(const struct evlist *evlist, size_t i)
{
	return evlist->rings[i];
}

const pid_t *evlist__tids(const struct evlist *evlist, size_t *ret_n)
{
	bool all = evlist->target.n_tids == 1 && evlist->target.tids[0] == -1;

	*ret_n = all ? 0 : evlist->target.n_tids;
	return evlist->target.tids;
}

bool evlist__targets_gone(const struct evlist *evlist)
{
	const struct evsel *sideband = &evlist->evsels[evlist->n_evsels - 1];
	struct pollfd pollfd = {.events = POLLIN};
	size_t n;

	evlist__tids(evlist, &n);
	for (size_t t = 0; t < n; t++) {
		/* Any CPU's event of a thread tells: they exit together. */
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
	const struct evsel *evsel = &evlist->evsels[i];
	struct {
		uint64_t value;
		uint64_t id;
		uint64_t lost;
	} counts; /* as read_format says: ID | LOST */

	if (!(evsel->attr.read_format & PERF_FORMAT_LOST))
		return -EOPNOTSUPP;
	*ret = 0;
	for (size_t j = 0; j < evsel->n_cpus * evsel->n_tids; j++) {
		if (evsel->fds[j] < 0)
			continue;
		if (read(evsel->fds[j], &counts, sizeof(counts)) == sizeof(counts))
			*ret += counts.lost;
	}
	return 0;
}

size_t evlist__n_notes(const struct evlist *evlist)
{
	return evlist->notes.n;
}

const char *evlist__note(const struct evlist *evlist, size_t i)
{
	return evlist->notes.notes[i];
}
