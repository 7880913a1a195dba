/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU time and memory of this process, for its own metrics. */
#ifndef PERFSTAMP_SOURCE_OWN_USAGE_H
#define PERFSTAMP_SOURCE_OWN_USAGE_H

#include <stdbool.h>
#include <stdint.h>

/* CPU seconds of this process; with @children, also of child processes that have ended. */
double own_usage__cpu_s(bool children);
/* Resident memory in bytes; 0: not known. */
uint64_t own_usage__memory(void);

#endif
