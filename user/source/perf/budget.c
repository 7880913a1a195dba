// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arithmetic of the kernel's limit on ring memory. Maps nothing.
 */
#include "user/source/perf/budget.h"

#include <errno.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include "user/source/machine/ring_sizes.h"
#include "user/source/perf/open.h"

static size_t round_down(size_t value)
{
	return value ? (size_t)1 << (8 * sizeof(long) - 1 - __builtin_clzl(value)) : 0;
}

static uint64_t online_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus > 0 ? cpus : 1;
}

/* Bytes that one user may have without CAP_IPC_LOCK. */
static uint64_t user_budget(void)
{
	struct rlimit limit = {0};

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return (uint64_t)perf_open__mlock_kb() * 1024 * online_cpus() + limit.rlim_cur;
}

/*
 * Returns the data pages of each of @n rings that fit into @budget bytes, control pages included.
 */
static size_t fitting_pages(uint64_t budget, size_t n)
{
	uint64_t pages = budget / sysconf(_SC_PAGESIZE) / (n ? n : 1);

	return pages > 1 ? round_down(pages - 1) : 0;
}

int perf_budget__pages(size_t *ret, size_t wanted, size_t n_rings, struct error *err)
{
	struct ring_sizes_machine machine;
	struct ring_sizes sizes;
	size_t pages, fit;

	if (wanted > PERF_BUDGET_PAGES_MAX)
		return error__set(err, -EINVAL, "rings of %zu pages: at most %zu are supported",
			wanted, PERF_BUDGET_PAGES_MAX);
	if (wanted) {
		pages = round_down(wanted);
		*ret = pages < wanted ? 2 * pages : pages;
		return 0;
	}
	ring_sizes__look(&machine);
	ring_sizes__choose(&sizes, &machine, n_rings);
	pages = sizes.pages;
	if (pages > PERF_BUDGET_PAGES_MAX)
		pages = PERF_BUDGET_PAGES_MAX;
	if (geteuid()) {
		fit = fitting_pages(user_budget(), n_rings);
		if (fit && fit < pages)
			pages = fit;
	}
	*ret = pages;
	return 0;
}

int perf_budget__explain(struct error *err, size_t pages, size_t n_rings)
{
	size_t fit = fitting_pages(user_budget(), n_rings);
	uint64_t need_kb = (pages + 1) * sysconf(_SC_PAGESIZE) / 1024 * n_rings;

	need_kb = (need_kb + online_cpus() - 1) / online_cpus();
	if (fit && fit < pages)
		return error__set(err, -EPERM,
			"%zu rings of %zu pages are over the limit of locked memory: use -m %zu, "
			"or 'sysctl kernel.perf_event_mlock_kb=%llu', or CAP_IPC_LOCK",
			n_rings, pages, fit, (unsigned long long)need_kb);
	return error__set(err, -EPERM,
		"%zu rings of %zu pages are over the limit of locked memory, of which other "
		"recordings of this user may hold a part: use a smaller -m, or raise "
		"kernel.perf_event_mlock_kb (now %lld) by %llu, or use CAP_IPC_LOCK",
		n_rings, pages, (long long)perf_open__mlock_kb(), (unsigned long long)need_kb);
}
