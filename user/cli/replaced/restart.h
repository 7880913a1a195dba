/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfstamp replaced --restart: what systemd says of the units of a plan, and their restart.
 */
#ifndef PERFSTAMP_CLI_REPLACED_RESTART_H
#define PERFSTAMP_CLI_REPLACED_RESTART_H

#include "user/view/restart.h"

/*
 * Leaves to people the units that systemd would not restart, or whose job it would do again, and
 * @own_unit, in which this program runs ("" if there is none). Prints errors of asking systemd, and
 * returns -errno; or 0.
 */
int restart__ask_systemd(struct restart_plan *plan, const char *own_unit);

/* Restarts the units of @plan, one after the other, and prints each. */
void restart__units(const struct restart_plan *plan);

#endif
