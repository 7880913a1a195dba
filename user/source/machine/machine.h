/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads data about this machine for the header features, from uname, /proc, /sys and the
 * clocks. Does not know how it is written.
 */
#ifndef PERFSTAMP_SOURCE_MACHINE_H
#define PERFSTAMP_SOURCE_MACHINE_H

#include "user/base/error.h"
#include "user/perfdata/features/features.h"

struct machine;

/*
 * @version, @argv and its strings must outlive it. @clockid: CLOCK_*, or -1. Data that this machine
 * does not show are skipped. Returns 0 or -ENOMEM.
 */
int machine__new(struct machine **ret, const char *version, int clockid, int argc,
	const char *const *argv, struct error *err);
void machine__free(struct machine *machine);

/* Lives as long as @machine. */
const struct machine_info *machine__info(const struct machine *machine);

/*
 * The kernel's random id of this boot, of 36 characters (random(4), boot_id), which is the same in
 * all containers. Returns 0, or -errno if it cannot be read.
 */
int machine__boot_id(char ret[37]);

#endif
