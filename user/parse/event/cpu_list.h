/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's format for lists of CPUs, "0-3,8,10-11", as in /sys/devices/system/cpu/online and in
 * the argument of -C. Does not know files.
 */
#ifndef PERFSTAMP_PARSE_CPU_LIST_H
#define PERFSTAMP_PARSE_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/error.h"

#define CPU_LIST_LAST 65535 /* CPU numbers above this are refused */

struct cpu_list {
	int *cpus; /* ascending, each once */
	size_t n;
};

/*
 * Parses @text. A trailing newline is allowed, an empty list is not. The caller frees the list with
 * cpu_list__free(). Returns 0, -EINVAL with the place in @err, or -ENOMEM.
 */
int cpu_list__parse(struct cpu_list *ret, const char *text, struct error *err);
void cpu_list__free(struct cpu_list *list);
/*
 * Returns one more than the highest CPU number in @text, or 0 if @text is not a list. Firmware may
 * omit CPUs, so lower numbers may be missing.
 */
int cpu_list__end(const char *text);
bool cpu_list__has(const struct cpu_list *list, int cpu);

#endif
