/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is needed of /proc/PID/mountinfo. Pure. Source: proc(5), fs/proc_namespace.c of
 * Linux.
 */
#ifndef PERFSTAMP_PARSE_MOUNTINFO_H
#define PERFSTAMP_PARSE_MOUNTINFO_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether what is mounted from device @major:@minor is served by a process or by another
 * machine, by its type: one that may never answer. False, too, where nothing is mounted
 * from there.
 */
bool mountinfo__is_served(const char *text, uint32_t major, uint32_t minor);

#endif
