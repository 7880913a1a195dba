// SPDX-License-Identifier: GPL-2.0-only
/* See tracefs.h, and Documentation/trace/events.rst of Linux. */
#include "user/source/machine/tracefs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/perfdata/features/tracing_data.h"
#include "user/source/proc/file.h"

const char *tracefs__find(void)
{
	if (!access("/sys/kernel/tracing/events", F_OK))
		return "/sys/kernel/tracing";
	if (!access("/sys/kernel/debug/tracing/events", F_OK))
		return "/sys/kernel/debug/tracing";
	return NULL;
}

struct description {
	const char *tracefs;
	struct tracing_event *events;
	size_t n;
	/* Parts of the feature beside the formats. */
	char *header_page;
	char *header_event;
	char *printk_formats;
	char *saved_cmdlines;
};

/* Splits "sched:sched_switch:u" into "sched" and the event, and adds the event's format. */
static int add_event(struct description *description, const char *name, struct error *err)
{
	struct tracing_event *event = &description->events[description->n];
	size_t system = strcspn(name, ":"), length;
	const char *rest = name + system;
	char *format;
	int code;

	rest += *rest == ':';
	length = strcspn(rest, ":");
	code = proc_file__read(&format, NULL, "%s/events/%.*s/%.*s/format", description->tracefs,
		(int)system, name, (int)length, rest);
	if (code)
		return error__errno(
			err, code, "event '%s': its format in %s", name, description->tracefs);
	event->format = format;
	event->system = strndup(name, system);
	if (!event->system) {
		free(format);
		return error__set(err, -ENOMEM, "out of memory");
	}
	description->n++;
	return 0;
}

/* A file that older kernels or other configurations do not have stays empty. */
static int read_file(
	char **ret, const struct description *description, const char *name, struct error *err)
{
	int code = proc_file__read(ret, NULL, "%s/%s", description->tracefs, name);

	if (code == -ENOENT)
		return 0;
	return code ? error__errno(err, code, "%s/%s", description->tracefs, name) : 0;
}

static int compare_systems(const void *a, const void *b)
{
	const struct tracing_event *left = a, *right = b;

	return strcmp(left->system, right->system);
}

static int read_all(
	struct description *description, const char *const *names, size_t n, struct error *err)
{
	int code = 0;

	for (size_t i = 0; !code && i < n; i++)
		code = add_event(description, names[i], err);
	if (!code)
		code = read_file(&description->header_page, description, "events/header_page", err);
	if (!code)
		code = read_file(
			&description->header_event, description, "events/header_event", err);
	if (!code)
		code = read_file(&description->printk_formats, description, "printk_formats", err);
	if (!code)
		code = read_file(&description->saved_cmdlines, description, "saved_cmdlines", err);
	return code;
}

int tracefs__describe(struct buffer *ret, const char *const *names, size_t n, struct error *err)
{
	struct description description = {.tracefs = tracefs__find()};
	int code;

	if (!description.tracefs)
		return error__set(err, -ENOENT,
			"tracefs is not mounted, or not readable: mount -t tracefs nodev "
			"/sys/kernel/tracing");
	description.events = calloc(n, sizeof(*description.events));
	if (!description.events)
		return error__set(err, -ENOMEM, "out of memory");
	code = read_all(&description, names, n, err);
	if (!code) {
		const struct tracing_data data = {
			.header_page = description.header_page,
			.header_event = description.header_event,
			.printk_formats = description.printk_formats,
			.saved_cmdlines = description.saved_cmdlines,
			.events = description.events,
			.n_events = description.n,
			.page_size = sysconf(_SC_PAGESIZE),
		};

		qsort(description.events, description.n, sizeof(*description.events),
			compare_systems);
		code = tracing_data__encode(ret, &data);
		if (code)
			error__errno(err, code, "formats of tracepoints");
	}
	for (size_t i = 0; i < description.n; i++) {
		free((void *)description.events[i].system);
		free((void *)description.events[i].format);
	}
	free(description.events);
	free(description.header_page);
	free(description.header_event);
	free(description.printk_formats);
	free(description.saved_cmdlines);
	return code;
}
