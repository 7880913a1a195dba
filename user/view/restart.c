// SPDX-License-Identifier: GPL-2.0-only
/* See restart.h. */
#include "user/view/restart.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/view/format/escaped.h"

static const char *const OF_SYSTEMD = "systemctl restart ";

/* Units whose restart usually interrupts the work of people or programs. */
static const struct {
	const char *unit; /* a shell pattern */
	const char *reason;
} ATTENDED[] = {
	{"dbus.service", "a restart disconnects every program from the bus"},
	{"dbus-broker.service", "a restart disconnects every program from the bus"},
	{"systemd-logind.service", "a restart can end sessions"},
	{"display-manager.service", "a restart ends graphical sessions"},
	{"gdm*.service", "a restart ends graphical sessions"},
	{"lightdm.service", "a restart ends graphical sessions"},
	{"sddm.service", "a restart ends graphical sessions"},
	{"lxdm.service", "a restart ends graphical sessions"},
	{"xdm.service", "a restart ends graphical sessions"},
	{"*getty@*.service", "a restart ends the session of that terminal"},
	{"NetworkManager.service", "a restart can interrupt the network"},
	{"wpa_supplicant*.service", "a restart can interrupt the network"},
	{"docker.service", "a restart can stop containers"},
	{"containerd.service", "a restart can stop containers"},
	{"libvirtd.service", "a restart can interrupt virtual machines"},
};

static const char *why_attended(const char *unit)
{
	for (size_t i = 0; i < sizeof(ATTENDED) / sizeof(ATTENDED[0]); i++)
		if (!fnmatch(ATTENDED[i].unit, unit, 0))
			return ATTENDED[i].reason;
	return NULL;
}

const char *restart_item__unit(const struct restart_item *item)
{
	return strncmp(item->command, OF_SYSTEMD, strlen(OF_SYSTEMD)) != 0
		       ? NULL
		       : item->command + strlen(OF_SYSTEMD);
}

static struct restart_item *find_item(struct restart_plan *plan, const struct restart_item *like)
{
	for (size_t i = 0; i < plan->n; i++)
		if (!strcmp(plan->items[i].place, like->place) &&
			!strcmp(plan->items[i].command, like->command))
			return &plan->items[i];
	return NULL;
}

static void describe(const struct replaced_process *process, struct restart_item *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->by = replaced_view__advice(process, ret->command, sizeof(ret->command));
	replaced_view__place(process, ret->place, sizeof(ret->place));
	if (restart_item__unit(ret))
		ret->reason = why_attended(restart_item__unit(ret));
	if (ret->reason)
		ret->by = RESTART_BY_PEOPLE;
}

static int add_process(struct restart_plan *plan, const struct replaced_process *process)
{
	struct restart_item item, *found;

	for (size_t i = 0; i < plan->n_pids; i++)
		if (plan->pids[i] == process->pid)
			return 0;
	if (array__reserve(&plan->pids, &plan->pids_room, plan->n_pids + 1, sizeof(*plan->pids)))
		return -ENOMEM;
	describe(process, &item);
	found = find_item(plan, &item);
	if (!found) {
		if (array__reserve(&plan->items, &plan->room, plan->n + 1, sizeof(*plan->items)))
			return -ENOMEM;
		found = &plan->items[plan->n++];
		*found = item;
	}
	plan->pids[plan->n_pids++] = process->pid;
	if (found->n_processes < RESTART_PIDS_MAX) {
		found->shown[found->n_processes].pid = process->pid;
		memcpy(found->shown[found->n_processes].comm, process->comm, sizeof(process->comm));
	}
	found->n_processes++;
	return 0;
}

int restart_plan__add(struct restart_plan *plan, const struct replaced_row *row)
{
	int err = 0;

	for (size_t i = 0; !err && i < row->n_shown; i++)
		err = add_process(plan, &row->processes[i]);
	return err;
}

void restart_plan__leave(struct restart_plan *plan, const char *unit, const char *reason)
{
	for (size_t i = 0; i < plan->n; i++) {
		struct restart_item *item = &plan->items[i];
		const char *restarted = restart_item__unit(item);

		if (item->by == RESTART_BY_SYSTEMD && restarted && !strcmp(restarted, unit)) {
			item->by = RESTART_BY_PEOPLE;
			item->reason = reason;
		}
	}
}

size_t restart_plan__count(const struct restart_plan *plan, enum restart_by by)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n; i++)
		n += plan->items[i].by == by;
	return n;
}

static void write_processes(FILE *out, const struct restart_item *item)
{
	for (size_t i = 0; i < item->n_processes && i < RESTART_PIDS_MAX; i++) {
		fprintf(out, "%s%" PRIu32 " ", i ? ", " : "", item->shown[i].pid);
		escaped__write(out, item->shown[i].comm);
	}
	if (item->n_processes > RESTART_PIDS_MAX)
		fprintf(out, " and %zu more", item->n_processes - RESTART_PIDS_MAX);
}

static void write_item(FILE *out, const struct restart_item *item)
{
	fputs("    ", out);
	if (item->by == RESTART_BY_PEOPLE) {
		escaped__write(out, item->place);
		fputs(": ", out);
		write_processes(out, item);
		fputs(" -> ", out);
		escaped__write(out, item->command);
		if (item->reason)
			fprintf(out, " (%s)", item->reason);
	} else {
		escaped__write(out, item->command);
		fputs("  # ", out);
		write_processes(out, item);
	}
	fputc('\n', out);
}

void restart_plan__write(FILE *out, const struct restart_plan *plan)
{
	static const struct {
		enum restart_by by;
		const char *title;
	} PARTS[] = {
		{RESTART_BY_SYSTEMD, "Units that run replaced builds:"},
		{RESTART_BY_RUNTIME, "Containers that run replaced builds:"},
		{RESTART_BY_PEOPLE, "Left to you:"},
	};

	for (size_t i = 0; i < sizeof(PARTS) / sizeof(PARTS[0]); i++) {
		if (!restart_plan__count(plan, PARTS[i].by))
			continue;
		fprintf(out, "%s\n", PARTS[i].title);
		for (size_t j = 0; j < plan->n; j++)
			if (plan->items[j].by == PARTS[i].by)
				write_item(out, &plan->items[j]);
	}
}

void restart_plan__free(struct restart_plan *plan)
{
	free(plan->items);
	free(plan->pids);
}
