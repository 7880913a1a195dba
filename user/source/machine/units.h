/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Queries and restarts units of systemd through systemctl, which also works without a
 * message bus.
 */
#ifndef PERFSTAMP_SOURCE_UNITS_H
#define PERFSTAMP_SOURCE_UNITS_H

#include <stdbool.h>

#include "user/base/error.h"

/* Whether systemd runs this machine. */
bool units__has_systemd(void);

/*
 * Returns why a program should not restart @unit, as a literal; NULL if it may. A unit that does a
 * job and ends would do the job again; other units reject a restart, or have no process now.
 * Returns 0 or -errno.
 */
int units__why_not(const char *unit, const char **ret, struct error *err);

/*
 * Runs @command, words without quotes, the first of which is systemctl, and waits for its end. The
 * output goes to standard error. Returns 0; -errno if it cannot be run; -EIO if it fails.
 */
int units__run(const char *command, struct error *err);

#endif
