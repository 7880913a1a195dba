/* SPDX-License-Identifier: GPL-2.0-only */
/* perfstamp replaced --restart: asks systemd about the units of a plan, and restarts them. */
#ifndef PERFSTAMP_CLI_REPLACED_RESTART_H
#define PERFSTAMP_CLI_REPLACED_RESTART_H

#include "user/view/restart.h"

/*
 * Marks units that must not be restarted automatically: systemd refuses to, it would repeat their
 * job, or the unit is @own_unit, which runs this program ("": none). Returns 0, or -errno after it
 * has printed the error.
 */
int restart__ask_systemd(struct restart_plan *plan, const char *own_unit);

/* Restarts the units of @plan one after the other, and prints each. */
void restart__units(const struct restart_plan *plan);

#endif
