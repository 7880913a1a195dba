// SPDX-License-Identifier: GPL-2.0-only
/* See restart.h. */
#include "user/cli/replaced/restart.h"

#include <stdio.h>

#include "user/cli/cli.h"
#include "user/source/machine/units.h"

int restart__ask_systemd(struct restart_plan *plan, const char *own_unit)
{
	const char *reason;
	struct error err;
	int code;

	for (size_t i = 0; i < plan->n; i++) {
		const char *unit = restart_item__unit(&plan->items[i]);

		if (plan->items[i].by != RESTART_BY_SYSTEMD || !unit)
			continue;
		if (!units__has_systemd()) {
			restart_plan__leave(plan, unit, "systemd does not run this machine");
			continue;
		}
		code = units__why_not(unit, &reason, &err);
		if (code) {
			cli__fail("%s: %s", unit, err.text);
			return code;
		}
		if (reason)
			restart_plan__leave(plan, unit, reason);
	}
	restart_plan__leave(plan, own_unit, "perfstamp replaced itself runs in it");
	return 0;
}

void restart__units(const struct restart_plan *plan)
{
	struct error err;

	for (size_t i = 0; i < plan->n; i++) {
		if (plan->items[i].by != RESTART_BY_SYSTEMD)
			continue;
		printf("%s\n", plan->items[i].command);
		fflush(stdout);
		if (units__run(plan->items[i].command, &err))
			cli__fail("%s", err.text);
	}
}
