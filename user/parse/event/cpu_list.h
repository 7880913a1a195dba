/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's list format for CPUs, as in "0-3,8,10-11": what
 * /sys/devices/system/cpu/online holds and what -C takes. Does not know any file.
 */
#ifndef PERFSTAMP_PARSE_CPU_LIST_H
#define PERFSTAMP_PARSE_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/error.h"

#define CPU_LIST_LAST 65535 /* no CPU number is over this */

struct cpu_list {
	int *cpus; /* ascending, each once */
	size_t n;
};

/*
 * Parses @text; a trailing newline is allowed, an empty list is not. The list
 * is the caller's, to be freed with cpu_list__free. Returns 0, -EINVAL with the
 * place in @err, or -ENOMEM.
 */
int cpu_list__parse(struct cpu_list *ret, const char *text, struct error *err);
void cpu_list__free(struct cpu_list *list);
bool cpu_list__has(const struct cpu_list *list, int cpu);

#endif
