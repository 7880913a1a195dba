// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks a name up in the same places as perf, in the same order: fixed names, tracepoints, and the
 * events that sysfs lists for the CPU's PMU. Libpfm4's tables are last.
 */
#include "user/source/events/name.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/source/events/pfm.h"
#include "user/source/events/pmu.h"
#include "user/source/proc/file.h"
#include "user/source/machine/tracefs.h"

/*
 * The bits of config with the PMU's type, if several PMUs have the same fixed event (Linux 5.13).
 */
#define EXTENDED_TYPE_SHIFT 32

static struct perf_name *names_add(
	struct perf_names *names, const char *name, const struct event_modifiers *modifiers)
{
	struct perf_name *item;

	if (array__extend(&names->names, names->n, sizeof(*names->names)))
		return NULL;
	item = &names->names[names->n];
	memset(item, 0, sizeof(*item));
	item->name = strdup(name);
	if (!item->name)
		return NULL;
	item->modifiers = *modifiers;
	names->n++;
	return item;
}

static int no_memory(struct error *err)
{
	return error__errno(err, -ENOMEM, "event names");
}

static int not_known(const char *text, struct error *err)
{
	return error__set(err, -ENOENT,
		"event '%s' is not known on this machine; 'perf list' shows the known ones", text);
}

/* On hybrid CPUs, the event is opened on each kind of core with that core's PMU. */
static int add_fixed_on_each_pmu(struct perf_names *names, const struct event_name *event,
	const struct core_pmus *pmus, struct error *err)
{
	for (size_t i = 0; i < pmus->n; i++) {
		const char *letters = strrchr(event->text, *event->terms ? '/' : ':');
		struct perf_name *item;
		char name[EVENT_NAME_MAX + 80];

		snprintf(name, sizeof(name), "%s/%s/%s", pmus->pmus[i].name, event->base,
			letters ? letters + 1 : "");
		item = names_add(names, name, &event->modifiers);
		if (!item)
			return no_memory(err);
		item->attr.type = event->type;
		item->attr.config = event->config | (uint64_t)pmus->pmus[i].type
							    << EXTENDED_TYPE_SHIFT;
		event_modifiers__apply(&event->modifiers, &item->attr);
		if (cpu_list__parse(&item->cpus, pmus->pmus[i].cpus, err))
			return -EBADMSG;
	}
	return 0;
}

/* In cpu-clock/period=1000/, only terms that any event has are allowed. */
static int take_terms(struct perf_name *item, const struct event_name *event, struct error *err)
{
	const char *terms = event->terms;
	struct pmu_term term;
	int r;

	while ((r = pmu_term__next(&terms, &term)) > 0) {
		r = event_terms__take(&item->terms, &item->attr, &term, event->text, err);
		if (r < 0)
			return r;
		if (!r)
			return error__set(err, -EINVAL, "event '%s': there is no term '%s'",
				event->text, term.name);
	}
	return r ? error__set(
			   err, r, "event '%s': terms '%s' are not understood", event->text, terms)
		 : 0;
}

static int add_fixed(struct perf_names *names, const struct event_name *event, struct error *err)
{
	size_t first = names->n;
	struct core_pmus pmus;
	struct perf_name *item;
	int r;

	if (event->type == PERF_TYPE_HARDWARE || event->type == PERF_TYPE_HW_CACHE) {
		r = core_pmus__find(&pmus);
		if (r)
			return error__errno(err, r, "PMUs in sysfs");
		if (pmus.n > 1)
			r = add_fixed_on_each_pmu(names, event, &pmus, err);
		core_pmus__free(&pmus);
		for (size_t i = first; !r && i < names->n; i++)
			r = take_terms(&names->names[i], event, err);
		if (r || names->n > first)
			return r;
	}
	item = names_add(names, event->text, &event->modifiers);
	if (!item)
		return no_memory(err);
	item->attr.type = event->type;
	item->attr.config = event->config;
	if (event->type == PERF_TYPE_BREAKPOINT) {
		item->attr.bp_addr = event->bp_addr;
		item->attr.bp_len = event->bp_len;
		item->attr.bp_type = event->bp_type;
	}
	event_modifiers__apply(&event->modifiers, &item->attr);
	return take_terms(item, event, err);
}

static int add_pmu(struct perf_names *names, const struct event_name *event, struct error *err)
{
	struct perf_name *item = names_add(names, event->text, &event->modifiers);

	if (!item)
		return no_memory(err);
	event_modifiers__apply(&event->modifiers, &item->attr);
	return perf_pmu__encode(
		&item->attr, &item->terms, &item->cpus, event->pmu, event->terms, event->text, err);
}

/* Adds tracepoints, if the text has two or three parts; otherwise returns -ENOENT without text. */
static int add_tracepoints(struct perf_names *names, const char *text,
	const struct event_modifiers *group, struct error *err)
{
	struct event_modifiers modifiers = {0};
	char system[128], event[256], rest[32];
	const char *tracefs = tracefs__find();
	char pattern[512];
	glob_t found;
	int parts, r;

	parts = sscanf(text, "%127[^:/]:%255[^:/]:%31s", system, event, rest);
	if (parts < 2 || (parts == 3 && event_modifiers__parse(&modifiers, rest)))
		return -ENOENT;
	if (!tracefs)
		return -ENOENT;
	event_modifiers__add(&modifiers, group);
	snprintf(pattern, sizeof(pattern), "%s/events/%s/%s/id", tracefs, system, event);
	r = glob(pattern, 0, NULL, &found);
	if (r == GLOB_NOMATCH)
		return -ENOENT;
	if (r)
		return error__set(err, -EACCES, "event '%s': cannot search %s", text, tracefs);
	for (size_t i = 0; i < found.gl_pathc && !r; i++) {
		struct perf_name *item;
		int64_t id;
		char *slash;

		r = proc_file__number(&id, "%s", found.gl_pathv[i]);
		if (r) {
			r = error__errno(err, r, "event '%s': %s", text, found.gl_pathv[i]);
			break;
		}
		/* from …/events/system/event/id to system:event */
		found.gl_pathv[i][strlen(found.gl_pathv[i]) - strlen("/id")] = '\0';
		slash = strrchr(found.gl_pathv[i], '/');
		*slash = ':';
		slash = strrchr(found.gl_pathv[i], '/');
		item = names_add(names, slash + 1, &modifiers);
		if (!item) {
			r = no_memory(err);
			break;
		}
		item->attr.type = PERF_TYPE_TRACEPOINT;
		item->attr.config = id;
		event_modifiers__apply(&modifiers, &item->attr);
	}
	globfree(&found);
	return r;
}

/* Adds an event that sysfs or libpfm4 knows as @base; -ENOENT without text if neither does. */
static int add_machine_event(struct perf_names *names, const char *text, const char *base,
	const struct event_modifiers *modifiers, const struct event_modifiers *group,
	const char **ret_reason, struct error *err)
{
	struct event_modifiers all = *modifiers;
	struct perf_event_attr attr;
	struct perf_name *item;
	struct cpu_list cpus = {0};
	int r;

	memset(&attr, 0, sizeof(attr));
	r = perf_pmu__find_event(&attr, &cpus, base, err);
	if (r == -ENOENT)
		r = perf_pfm__encode(base, &attr, sizeof(attr), ret_reason);
	if (r) {
		cpu_list__free(&cpus);
		return r;
	}
	event_modifiers__add(&all, group);
	item = names_add(names, text, &all);
	if (!item) {
		cpu_list__free(&cpus);
		return no_memory(err);
	}
	item->attr = attr;
	item->cpus = cpus;
	/* Modifiers that libpfm4 has parsed are already in attr, and are kept. */
	if (strcmp(text, base) || !attr.exclude_guest)
		event_modifiers__apply(&all, &item->attr);
	return 0;
}

static int add_other(struct perf_names *names, const struct event_name *event, struct error *err)
{
	const struct event_modifiers *group = &event->group_modifiers;
	struct event_modifiers modifiers = {0}, none = {0};
	const char *text = event->base;
	const char *colon = strrchr(text, ':');
	const char *reason = NULL;
	char base[EVENT_NAME_MAX];
	int r;

	r = add_tracepoints(names, text, group, err);
	if (r != -ENOENT)
		return r;
	/* perf's modifiers have their meaning in perf, not in libpfm4. */
	if (colon && colon[1] && !event_modifiers__parse(&modifiers, colon + 1)) {
		snprintf(base, sizeof(base), "%.*s", (int)(colon - text), text);
		r = add_machine_event(names, event->text, base, &modifiers, group, &reason, err);
		if (r != -ENOENT && r != -EINVAL && r != -ELIBACC)
			return r;
	}
	r = add_machine_event(names, event->text, text, &none, group, &reason, err);
	if (r == -EINVAL)
		return error__set(err, r, "event '%s': %s; 'perf list' shows the known ones", text,
			reason ? reason : "not understood");
	if (r != -ENOENT && r != -ELIBACC)
		return r;
	if (colon && !tracefs__find())
		return error__set(err, -ENOENT,
			"event '%s' is not known; if it is a tracepoint, tracefs must be mounted "
			"and readable (mount -t tracefs nodev /sys/kernel/tracing)",
			text);
	if (r == -ELIBACC)
		return error__set(
			err, -ENOENT, "event '%s' is not known on this machine; %s", text, reason);
	return not_known(text, err);
}

static int add_event(struct perf_names *names, const struct event_name *event, struct error *err)
{
	switch (event->kind) {
	case EVENT_NAME_FIXED:
		return add_fixed(names, event, err);
	case EVENT_NAME_PMU:
		return add_pmu(names, event, err);
	case EVENT_NAME_OTHER:
		break;
	}
	return add_other(names, event, err);
}

int perf_names__parse(struct perf_names *ret, const char *text, struct error *err)
{
	struct event_names list;
	struct event_name event;
	int r;

	ret->names = NULL;
	ret->n = 0;
	if (!*text)
		return error__set(err, -EINVAL, "the list of events is empty");
	event_names__init(&list, text);
	while ((r = event_names__next(&list, &event, err)) > 0) {
		size_t first = ret->n;

		r = add_event(ret, &event, err);
		if (r)
			return r;
		for (size_t i = first; i < ret->n; i++) {
			struct perf_name *name = &ret->names[i];

			name->group = event.group;
			memcpy(name->group_name, event.group_name, sizeof(name->group_name));
			name->end = list.at - text;
			if (*name->terms.name) {
				free(name->name);
				name->name = strdup(name->terms.name);
				if (!name->name)
					return no_memory(err);
			}
		}
	}
	return r;
}

void perf_names__free(struct perf_names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		free(names->names[i].name);
		cpu_list__free(&names->names[i].cpus);
	}
	free(names->names);
	names->names = NULL;
	names->n = 0;
}
