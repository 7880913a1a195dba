/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The needed parts of /proc/PID/mountinfo. Pure. Source: proc(5), fs/proc_namespace.c of Linux.
 */
#ifndef PERFSTAMP_PARSE_MOUNTINFO_H
#define PERFSTAMP_PARSE_MOUNTINFO_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the file system of device @major:@minor is served by a process or by another machine,
 * which may never answer. Its type decides this. Also returns false if nothing is mounted from that
 * device.
 */
bool mountinfo__is_served(const char *text, uint32_t major, uint32_t minor);

#endif
