// SPDX-License-Identifier: GPL-2.0-only
/* See watch.h. */
#include "user/view/watch.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "user/view/format/escaped.h"
#include "user/view/format/names.h"

#define ID_DIGITS 12

static const char *const KINDS[OBSERVATION_KINDS] = {
	[OBSERVED_DSO] = "dso",
	[OBSERVED_CLASH] = "clash",
	[OBSERVED_REPLACED] = "replaced",
	[OBSERVED_MODULE] = "module",
	[OBSERVED_LOST] = "lost",
};

const char *watch_view__kind(enum observation_kind kind)
{
	return KINDS[kind];
}

int watch_filter__kinds(struct watch_filter *filter, const char *list)
{
	size_t len, i;

	memset(filter->kinds, 0, sizeof(filter->kinds));
	do {
		len = strcspn(list, ",");
		for (i = 0; i < OBSERVATION_KINDS; i++)
			if (strlen(KINDS[i]) == len && !strncmp(list, KINDS[i], len))
				break;
		if (i == OBSERVATION_KINDS)
			return -EINVAL;
		filter->kinds[i] = true;
		list += len;
	} while (*list++);
	return 0;
}

/* Whether the cgroup @path is @above or below it. */
static bool is_below(const char *path, const char *above)
{
	size_t len = strlen(above);

	while (len && above[len - 1] == '/')
		len--;
	return path && !strncmp(path, above, len) && (!path[len] || path[len] == '/');
}

bool watch_filter__wants(const struct watch_filter *filter, const struct watch_line *line)
{
	const struct observation *what = line->what;

	if (what->kind == OBSERVED_LOST)
		return true;
	if (!filter->kinds[what->kind] || (what->existing && !filter->existing))
		return false;
	if (filter->cgroup && !is_below(line->cgroup, filter->cgroup))
		return false;
	if (filter->unit_glob && (!line->unit || fnmatch(filter->unit_glob, line->unit, 0)))
		return false;
	if (filter->container_glob &&
		(!line->container ||
			!container_facts__matches(line->container, filter->container_glob)))
		return false;
	return !filter->path_glob || !fnmatch(filter->path_glob, what->path, 0);
}

/* ---- In words ---- */

/* Writes enough digits to recognize a build; the fields have all digits. */
static void write_identity(FILE *out, const struct perfstamp_identity *identity)
{
	char id[NAME_IDENTITY_SIZE];

	if (name__identity(id, identity, ID_DIGITS))
		fputs(id, out);
	else
		fprintf(out, "no identity (%s)", name__reason(identity->reason));
}

/* Writes @before and the container, or else the unit or cgroup. Writes nothing if none is known. */
static void write_home(FILE *out, const char *before, const struct watch_line *line)
{
	char label[4 * CONTAINER_TEXT_MAX];
	const char *home = line->unit && *line->unit ? line->unit : line->cgroup;

	if (line->container) {
		container_facts__label(line->container, label, sizeof(label));
		home = label;
	}
	if (!home)
		return;
	fputs(before, out);
	escaped__write(out, home);
}

static void write_who(FILE *out, const struct watch_line *line)
{
	const struct observation *what = line->what;

	if (what->pid == UINT32_MAX)
		return;
	fprintf(out, " in %" PRIu32 " (", what->pid);
	escaped__write(out, what->comm);
	fputc(')', out);
	write_home(out, " of ", line);
}

static const char *module_verb(const struct event_module *module)
{
	if (module->state.event == PERFSTAMP_MODULE_INIT)
		return "refused to load";
	return module->state.event == PERFSTAMP_MODULE_UNLOAD ? "unloaded" : "loaded";
}

static void write_module(FILE *out, const struct observation *what)
{
	fputs(module_verb(what->module), out);
	fputc(' ', out);
	escaped__write(out, what->path);
	fputc(' ', out);
	write_identity(out, what->identity);
	if (what->module->state.event == PERFSTAMP_MODULE_INIT)
		fprintf(out, ": %s", strerror(-what->module->state.init_result));
	if (what->module->flags & PERFSTAMP_MODULE_INFERRED)
		fputs(" (not observed, found out later)", out);
}

static void write_replaced(FILE *out, const struct watch_line *line)
{
	const struct observation *what = line->what;
	const struct replacement *replaced = what->replaced;

	escaped__write(out, what->path);
	fputc(' ', out);
	write_identity(out, what->identity);
	if (replaced->kind == REPLACED_CONTENT) {
		fputs(" is replaced by ", out);
		write_identity(out, &replaced->now);
		if (replaced->same_build_id)
			fputs(" (other bytes)", out);
	} else {
		fputs(replaced->kind == REPLACED_GONE ? " is gone" : " is deleted", out);
	}
	fprintf(out, ", and still in %zu process%s", replaced->n_processes,
		replaced->n_processes == 1 ? "" : "es");
	if (replaced->n_threads > replaced->n_processes)
		fprintf(out, " of %zu threads", replaced->n_threads);
	if (what->pid == UINT32_MAX)
		return;
	fprintf(out, ": %" PRIu32 " (", what->pid);
	escaped__write(out, what->comm);
	fputc(')', out);
	write_home(out, " of ", line);
}

void watch_view__sentence(FILE *out, const struct watch_line *line)
{
	const struct observation *what = line->what;

	switch (what->kind) {
	case OBSERVED_MODULE:
		write_module(out, what);
		return;
	case OBSERVED_LOST:
		fprintf(out,
			"%" PRIu64
			" events were missed (use a larger --map-ring-size); the existing state "
			"is read again",
			what->lost);
		return;
	case OBSERVED_REPLACED:
		write_replaced(out, line);
		return;
	case OBSERVED_CLASH:
		escaped__write(out, what->path);
		fputs(" has the build-id of another content: ", out);
		break;
	default:
		escaped__write(out, what->path);
		fputc(' ', out);
	}
	write_identity(out, what->identity);
	if (what->kind == OBSERVED_CLASH)
		fprintf(out, " (content %" PRIu32 ")", what->content);
	write_who(out, line);
}

/* "14:03:22.123", in local time. */
static void write_time(FILE *out, uint64_t realtime_ns)
{
	time_t seconds = realtime_ns / 1000000000;
	char text[16] = "-";
	struct tm tm;

	if (realtime_ns && localtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%H:%M:%S", &tm);
	if (realtime_ns)
		fprintf(out, "%s.%03" PRIu64, text, realtime_ns / 1000000 % 1000);
	else
		fprintf(out, "%-12s", text);
}

void watch_view__begin(FILE *out, uint64_t realtime_ns, const char *kind, const char *color)
{
	write_time(out, realtime_ns);
	fprintf(out, " %s%-8s%s ", color, kind, *color ? "\033[0m" : "");
}

bool watch_view__is_alarm(enum observation_kind kind)
{
	return kind != OBSERVED_DSO && kind != OBSERVED_MODULE;
}

void watch_view__text(FILE *out, const struct watch_line *line, bool color)
{
	enum observation_kind kind = line->what->kind;
	bool alarm = watch_view__is_alarm(kind);

	watch_view__begin(out, line->realtime_ns, alarm ? "WARNING" : KINDS[kind],
		alarm && color ? "\033[1;31m" : "");
	watch_view__sentence(out, line);
	fputc('\n', out);
}

/* ---- In fields ---- */

static void add_identity(struct fields *fields, const struct perfstamp_identity *identity)
{
	const struct fields_ops *ops = fields->ops;

	ops->safe(fields, "kind", name__kind(identity));
	if (identity->build_id_size)
		ops->bytes(fields, "build_id", identity->build_id, identity->build_id_size);
	else
		ops->safe(fields, "reason", name__reason(identity->reason));
	if (identity->cookie_size)
		ops->bytes(fields, "cookie", identity->cookie, identity->cookie_size);
	if (identity->source)
		ops->safe(fields, "source", name__source(identity->source));
	if (!identity->ino)
		return;
	ops->number(fields, "dev_major", identity->dev_major);
	ops->number(fields, "dev_minor", identity->dev_minor);
	ops->number(fields, "ino", identity->ino);
}

static void add_who(struct fields *fields, const struct watch_line *line)
{
	const struct observation *what = line->what;
	char label[4 * CONTAINER_TEXT_MAX];
	const struct fields_ops *ops = fields->ops;

	if (what->pid == UINT32_MAX)
		return;
	ops->pid(fields, "pid", what->pid);
	ops->text(fields, "comm", what->comm);
	if (what->cgroup_id)
		ops->number(fields, "cgroup_id", what->cgroup_id);
	if (line->cgroup)
		ops->text(fields, "cgroup", line->cgroup);
	if (line->unit && *line->unit)
		ops->text(fields, "unit", line->unit);
	if (line->container) {
		container_facts__label(line->container, label, sizeof(label));
		ops->text(fields, "container", label);
		ops->safe(fields, "runtime", container_runtime__name(line->container->is.runtime));
		if (*line->container->is.id)
			ops->text(fields, "container_id", line->container->is.id);
	}
	if (what->mnt_ns)
		ops->number(fields, "mnt_ns", what->mnt_ns);
}

static void add_module(struct fields *fields, const struct event_module *module)
{
	const struct fields_ops *ops = fields->ops;

	ops->text(fields, "module", module->state.name);
	ops->safe(fields, "event", name__module_event(module->state.event));
	if (module->state.init_result < 0)
		ops->number(fields, "init_errno", -(int64_t)module->state.init_result);
	if (module->flags & PERFSTAMP_MODULE_INFERRED)
		ops->flag(fields, "inferred");
}

static void add_replaced(struct fields *fields, const struct replacement *replaced)
{
	static const char *const NOW[] = {
		[REPLACED_CONTENT] = "content",
		[REPLACED_GONE] = "gone",
		[REPLACED_UNLINKED] = "deleted",
	};
	const struct perfstamp_identity *now = &replaced->now;
	const struct fields_ops *ops = fields->ops;

	ops->safe(fields, "now", NOW[replaced->kind]);
	if (now->build_id_size)
		ops->bytes(fields, "now_build_id", now->build_id, now->build_id_size);
	if (now->cookie_size)
		ops->bytes(fields, "now_cookie", now->cookie, now->cookie_size);
	if (replaced->same_build_id)
		ops->flag(fields, "same_build_id");
	if (replaced->mapped)
		ops->flag(fields, "now_mapped");
	ops->number(fields, "processes", replaced->n_processes);
	ops->number(fields, "threads", replaced->n_threads);
}

void watch_view__fields(struct fields *fields, const struct watch_line *line)
{
	const struct observation *what = line->what;
	const struct fields_ops *ops = fields->ops;

	ops->begin(fields, KINDS[what->kind]);
	if (what->time_ns)
		ops->time(fields, "time", what->time_ns);
	if (line->realtime_ns)
		ops->time(fields, "realtime", line->realtime_ns);
	if (what->existing)
		ops->flag(fields, "existing");
	if (what->kind == OBSERVED_LOST)
		ops->number(fields, "lost", what->lost);
	if (what->path)
		ops->text(fields, "path", what->path);
	if (what->module)
		add_module(fields, what->module);
	if (what->identity)
		add_identity(fields, what->identity);
	if (what->replaced)
		add_replaced(fields, what->replaced);
	if (what->kind == OBSERVED_CLASH)
		ops->number(fields, "content", what->content);
	add_who(fields, line);
	ops->end(fields);
}

/* ---- Suppressed observations ---- */

void watch_left_out__sentence(FILE *out, const struct watch_left_out *left_out)
{
	const char *between = "suppressed by --rate: ";

	for (size_t i = 0; i < OBSERVATION_KINDS; i++) {
		if (!left_out->n[i])
			continue;
		fprintf(out, "%s%" PRIu64 " %s", between, left_out->n[i], KINDS[i]);
		between = ", ";
	}
}

void watch_left_out__fields(
	struct fields *fields, const struct watch_left_out *left_out, uint64_t realtime_ns)
{
	const struct fields_ops *ops = fields->ops;

	ops->begin(fields, "left-out");
	ops->time(fields, "realtime", realtime_ns);
	for (size_t i = 0; i < OBSERVATION_KINDS; i++)
		if (left_out->n[i])
			ops->number(fields, KINDS[i], left_out->n[i]);
	ops->end(fields);
}

void watch_left_out__text(FILE *out, const struct watch_left_out *left_out, uint64_t realtime_ns)
{
	watch_view__begin(out, realtime_ns, "left-out", "");
	watch_left_out__sentence(out, left_out);
	fputc('\n', out);
}
