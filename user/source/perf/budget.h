/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The largest possible rings: the kernel charges their memory to the user, first against
 * kernel.perf_event_mlock_kb for each CPU, then against RLIMIT_MEMLOCK (perf_mmap in
 * kernel/events/core.c). Maps nothing.
 */
#ifndef PERFSTAMP_SOURCE_PERF_BUDGET_H
#define PERFSTAMP_SOURCE_PERF_BUDGET_H

#include <stddef.h>

#include "user/base/error.h"

#define PERF_BUDGET_PAGES_MAX ((size_t)1 << 20) /* 4 GiB a ring where pages are 4 KiB */

/*
 * Returns the data pages of each of @n_rings rings in *@ret: @wanted rounded up to a power of two.
 * If @wanted is 0, uses perf's default. It uses less in two cases: the machine has many CPUs and
 * little memory (machine/ring_sizes.h), or the user is not root and may not lock so much. Returns
 * 0, or -EINVAL over PERF_BUDGET_PAGES_MAX.
 */
int perf_budget__pages(size_t *ret, size_t wanted, size_t n_rings, struct error *err);

/* Sets the error text for rings that mmap refused with -EPERM. Returns -EPERM. */
int perf_budget__explain(struct error *err, size_t pages, size_t n_rings);

#endif
