// SPDX-License-Identifier: GPL-2.0-only
/*
 * See replaced.h. Processes of one unit or container are restarted together, and are shown
 * together.
 */
#include "user/view/replaced.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/view/format/escaped.h"
#include "user/view/format/json.h"
#include "user/view/format/names.h"

const char *replaced_view__kind(enum replaced_kind kind)
{
	static const char *const NAMES[] = {"replaced", "gone", "unlinked"};

	return NAMES[kind];
}

/* Whether @text needs no quotes in a command. */
static bool is_plain(const char *text)
{
	return *text && *text != '-' &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				 "@:._-")] == '\0';
}

static bool has_ending(const char *text, const char *ending)
{
	size_t len = strlen(text), n = strlen(ending);

	return len > n && !strcmp(text + len - n, ending);
}

static void container_advice(const struct container_facts *where, char *ret, size_t size)
{
	const char *id = is_plain(where->name) ? where->name : where->is.id;
	char label[4 * CONTAINER_TEXT_MAX];

	container_facts__label(where, label, sizeof(label));
	if (is_plain(where->pod) && is_plain(where->namespace))
		snprintf(ret, size, "kubectl delete pod -n %s %s", where->namespace, where->pod);
	else if (where->is.runtime == CONTAINER_DOCKER && is_plain(id))
		snprintf(ret, size, "docker restart %s", id);
	else if (where->is.runtime == CONTAINER_PODMAN && is_plain(id) && !where->is.user_unit)
		snprintf(ret, size, "podman restart %s", id);
	else if (where->is.runtime == CONTAINER_NSPAWN && is_plain(id))
		snprintf(ret, size, "machinectl reboot %s", id);
	else if (where->is.runtime == CONTAINER_LXC && is_plain(id))
		snprintf(ret, size, "lxc-stop -r -n %s", id);
	else
		snprintf(ret, size, "restart the container %s", label);
}

enum restart_by replaced_view__advice(
	const struct replaced_process *process, char *ret, size_t size)
{
	const struct container_facts *where = &process->where;
	const char *unit = where->is.unit;

	if (where->is.runtime != CONTAINER_NONE) {
		container_advice(where, ret, size);
		return RESTART_BY_RUNTIME;
	}
	if (process->pid == 1 && !strcmp(process->comm, "systemd")) {
		snprintf(ret, size, "systemctl daemon-reexec");
		return RESTART_BY_SYSTEMD;
	}
	if (has_ending(unit, ".service") && is_plain(unit) && where->is.user_unit) {
		snprintf(ret, size, "systemctl --user --machine=%" PRIu32 "@ restart %s",
			where->is.uid, unit);
		return RESTART_BY_PEOPLE;
	}
	if (has_ending(unit, ".service") && is_plain(unit) &&
		strncmp(unit, "user@", strlen("user@")) != 0) {
		snprintf(ret, size, "systemctl restart %s", unit);
		return RESTART_BY_SYSTEMD;
	}
	if (!strncmp(unit, "session-", strlen("session-")))
		snprintf(ret, size, "end the process, or log out of %s", unit);
	else
		snprintf(ret, size, "restart the process");
	return RESTART_BY_PEOPLE;
}

static int compare_places(const struct replaced_process *a, const struct replaced_process *b)
{
	const struct container *x = &a->where.is, *y = &b->where.is;
	int order = (int)x->runtime - (int)y->runtime;

	if (!order)
		order = strcmp(x->id, y->id);
	if (!order)
		order = strcmp(x->pod, y->pod);
	if (!order)
		order = (int)x->user_unit - (int)y->user_unit;
	if (!order && x->user_unit && x->uid != y->uid)
		order = x->uid < y->uid ? -1 : 1;
	return order ? order : strcmp(x->unit, y->unit);
}

static int by_place(const void *a, const void *b)
{
	const struct replaced_process *x = a, *y = b;
	int order = compare_places(x, y);

	return order ? order : (x->pid > y->pid) - (x->pid < y->pid);
}

static void sort(struct replaced_row *row)
{
	qsort(row->processes, row->n_shown, sizeof(*row->processes), by_place);
}

/* Returns how many processes from @i on belong to one unit or container. */
static size_t count_together(const struct replaced_row *row, size_t i)
{
	size_t n = 1;

	while (i + n < row->n_shown && !compare_places(&row->processes[i], &row->processes[i + n]))
		n++;
	return n;
}

static void since_text(const struct replaced_row *row, char *ret, size_t size)
{
	time_t seconds = (time_t)(row->since_ns / 1000000000);
	struct tm tm;

	*ret = '\0';
	if (!row->since_ns)
		return;
	if (!row->wall_clock)
		snprintf(ret, size, "%" PRIu64 ".%09" PRIu64, row->since_ns / 1000000000,
			row->since_ns % 1000000000);
	else if (gmtime_r(&seconds, &tm))
		strftime(ret, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

static void write_id(FILE *out, const struct perfstamp_identity *identity)
{
	char id[NAME_IDENTITY_SIZE];

	fputs(name__identity(id, identity, NAME_ALL_DIGITS) ? id : "an unknown build", out);
}

void replaced_view__place(const struct replaced_process *process, char *ret, size_t size)
{
	const struct container_facts *where = &process->where;

	if (where->is.runtime != CONTAINER_NONE)
		container_facts__label(where, ret, size);
	else
		snprintf(ret, size, "%s", *where->is.unit ? where->is.unit : "no unit");
}

#define PIDS_SHOWN 8 /* of a unit or container, in text */

static void write_together(FILE *out, const struct replaced_row *row, size_t i, size_t n)
{
	char text[4 * CONTAINER_TEXT_MAX];

	replaced_view__place(&row->processes[i], text, sizeof(text));
	fputs("    ", out);
	escaped__write(out, text);
	fputc(':', out);
	for (size_t j = 0; j < n && j < PIDS_SHOWN; j++) {
		fprintf(out, "%s %" PRIu32 " ", j ? "," : "", row->processes[i + j].pid);
		escaped__write(out, row->processes[i + j].comm);
	}
	if (n > PIDS_SHOWN)
		fprintf(out, " and %zu more", n - PIDS_SHOWN);
	replaced_view__advice(&row->processes[i], text, sizeof(text));
	fputs(" -> ", out);
	escaped__write(out, text);
	fputc('\n', out);
}

void replaced_view__text(FILE *out, struct replaced_row *row)
{
	char since[64];

	sort(row);
	escaped__write(out, row->path);
	if (row->package) {
		fputs(" (package ", out);
		escaped__write(out, row->package);
		fputc(')', out);
	}
	fputs("\n    ", out);
	write_id(out, &row->old);
	fprintf(out, " is mapped by %zu process%s, %zu thread%s; the path ", row->n_processes,
		row->n_processes == 1 ? "" : "es", row->n_threads, row->n_threads == 1 ? "" : "s");
	if (row->kind == REPLACED_CONTENT) {
		fputs("gives ", out);
		write_id(out, &row->now);
		if (row->same_build_id)
			fputs(", of other content", out);
	} else {
		fputs(row->kind == REPLACED_GONE ? "is gone"
						 : "was unlinked, and may now have another file",
			out);
	}
	since_text(row, since, sizeof(since));
	fprintf(out, "%s%s\n", *since ? " since " : "", since);
	for (size_t i = 0, n; i < row->n_shown; i += n) {
		n = count_together(row, i);
		write_together(out, row, i, n);
	}
}

static struct json_object *together_json(const struct replaced_row *row, size_t i, size_t n)
{
	struct json_object *object = json_object_new_object(), *pids = json_object_new_array();
	const struct container_facts *where = &row->processes[i].where;
	char advice[4 * CONTAINER_TEXT_MAX];

	json__add_text(object, "unit", *where->is.unit ? where->is.unit : NULL);
	json_object_object_add(object, "container",
		where->is.runtime == CONTAINER_NONE ? NULL : container_facts__json(where));
	for (size_t j = 0; j < n; j++) {
		struct json_object *process = json_object_new_object();

		json__add_number(process, "pid", row->processes[i + j].pid);
		json__add_text(process, "comm", row->processes[i + j].comm);
		json_object_array_add(pids, process);
	}
	json_object_object_add(object, "processes", pids);
	replaced_view__advice(&row->processes[i], advice, sizeof(advice));
	json__add_text(object, "restart", advice);
	return object;
}

void replaced_view__json(FILE *out, struct replaced_row *row)
{
	struct json_object *object = json_object_new_object(), *users = json_object_new_array();
	char since[64];

	sort(row);
	since_text(row, since, sizeof(since));
	json__add_text(object, "path", row->path);
	json__add_text(object, "kind", replaced_view__kind(row->kind));
	json__add_bytes(object, "old_build_id", row->old.build_id, row->old.build_id_size);
	json__add_bytes(object, "old_cookie", row->old.cookie, row->old.cookie_size);
	json__add_bytes(object, "build_id", row->now.build_id, row->now.build_id_size);
	json__add_bytes(object, "cookie", row->now.cookie, row->now.cookie_size);
	json__add_bool(object, "same_build_id", row->same_build_id);
	json__add_number(object, "since_ns", row->since_ns);
	json__add_text(object, "since", *since && row->wall_clock ? since : NULL);
	json__add_number(object, "mount_namespace", row->mnt_ns);
	json__add_text(object, "package", row->package);
	json__add_number(object, "processes", row->n_processes);
	json__add_number(object, "threads", row->n_threads);
	for (size_t i = 0, n; i < row->n_shown; i += n) {
		n = count_together(row, i);
		json_object_array_add(users, together_json(row, i, n));
	}
	json_object_object_add(object, "users", users);
	json__write_line(object, out);
}
