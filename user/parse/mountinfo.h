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

struct mountinfo_device {
	uint32_t major, minor;
	bool served; /* as mountinfo__is_served() returns */
};

/*
 * Sets *@ret to the device that is mounted at @path, such as "/tmp", or otherwise at "/". Returns
 * false if there is neither.
 */
bool mountinfo__find(const char *text, const char *path, struct mountinfo_device *ret);

#endif
