// SPDX-License-Identifier: GPL-2.0-only
/* Reads the PMUs in sysfs. Does not know open events. */
#include "user/source/events/pmu.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/parse/event/pmu_format.h"
#include "user/source/proc/file.h"

#define DEVICES "/sys/bus/event_source/devices"

void core_pmus__free(struct core_pmus *pmus)
{
	for (size_t i = 0; i < pmus->n; i++)
		free(pmus->pmus[i].cpus);
	free(pmus->pmus);
	pmus->pmus = NULL;
	pmus->n = 0;
}

static int add_core_pmu(struct core_pmus *pmus, const char *path)
{
	struct core_pmu *item = &pmus->pmus[pmus->n];
	int64_t type;

	/* …/devices/NAME/cpus */
	if (sscanf(path, DEVICES "/%63[^/]/cpus", item->name) != 1)
		return 0;
	if (proc_file__number(&type, DEVICES "/%s/type", item->name))
		return 0;
	if (proc_file__read(&item->cpus, NULL, "%s", path))
		return 0;
	item->type = type;
	pmus->n++;
	return 0;
}

int core_pmus__find(struct core_pmus *ret)
{
	glob_t found;
	int r = 0;

	ret->pmus = NULL;
	ret->n = 0;
	if (glob(DEVICES "/*/cpus", 0, NULL, &found))
		return 0;
	ret->pmus = calloc(found.gl_pathc, sizeof(*ret->pmus));
	if (!ret->pmus)
		r = -ENOMEM;
	for (size_t i = 0; i < found.gl_pathc && !r; i++)
		r = add_core_pmu(ret, found.gl_pathv[i]);
	globfree(&found);
	return r;
}

/* What the terms are stored in. */
struct target {
	struct perf_event_attr *attr;
	struct event_terms *terms;
	const char *pmu;
	const char *text; /* the event's text, for errors */
};

static int apply_terms(
	const struct target *target, const char *terms, bool in_alias, struct error *err);

/* A term with the name of an event stands for the terms in that event's file. */
static int apply_alias(const struct target *target, const struct pmu_term *term, struct error *err)
{
	char *alias;
	int r;

	if (strchr(term->name, '/') || strchr(term->name, '.'))
		return -ENOENT;
	r = proc_file__read(&alias, NULL, DEVICES "/%s/events/%s", target->pmu, term->name);
	if (r)
		return r;
	r = apply_terms(target, alias, true, err);
	free(alias);
	return r;
}

static bool is_number(const struct pmu_term *term)
{
	return !term->has_value || term->value || !term->text[strspn(term->text, "0x")];
}

static int apply_term(
	const struct target *target, const struct pmu_term *term, bool in_alias, struct error *err)
{
	const char *pmu = target->pmu, *text = target->text;
	char *format;
	int r;

	/* Tries the PMU's own terms first: one may have the name of a common term. */
	r = strchr(term->name, '/')
		    ? -ENOENT
		    : proc_file__read(&format, NULL, DEVICES "/%s/format/%s", pmu, term->name);
	if (!r) {
		r = is_number(term) ? pmu_format__apply(format, term->value, target->attr)
				    : -EBADMSG;
		if (r == -EBADMSG)
			r = error__set(err, -EINVAL, "event '%s': %s=%s is not a number", text,
				term->name, term->text);
		else if (r == -ERANGE)
			error__set(err, r, "event '%s': %s=%s is too large for %s", text,
				term->name, term->text, format);
		else if (r)
			error__set(err, r, "event '%s': format '%s' of term %s is not understood",
				text, format, term->name);
		free(format);
		return r;
	}
	r = event_terms__take(target->terms, target->attr, term, text, err);
	if (r)
		return r < 0 ? r : 0;
	r = -ENOENT;
	if (!term->has_value && !in_alias)
		r = apply_alias(target, term, err);
	if (r == -ENOENT)
		return error__set(err, r,
			"event '%s': PMU %s has no term '%s' (see %s/%s/format and events)", text,
			pmu, term->name, DEVICES, pmu);
	return r;
}

static int apply_terms(
	const struct target *target, const char *terms, bool in_alias, struct error *err)
{
	struct pmu_term term;
	int r;

	while ((r = pmu_term__next(&terms, &term)) > 0) {
		r = apply_term(target, &term, in_alias, err);
		if (r)
			return r;
	}
	if (r)
		return error__set(
			err, r, "event '%s': terms '%s' are not understood", target->text, terms);
	return 0;
}

int perf_pmu__encode(struct perf_event_attr *attr, struct event_terms *ret_terms,
	struct cpu_list *ret_cpus, const char *pmu, const char *terms, const char *text,
	struct error *err)
{
	const struct target target = {attr, ret_terms, pmu, text};
	char *cpus;
	int64_t type;
	int r;

	r = proc_file__number(&type, DEVICES "/%s/type", pmu);
	if (r)
		return error__set(
			err, r, "event '%s': there is no PMU '%s' in %s", text, pmu, DEVICES);
	attr->type = type;
	r = apply_terms(&target, terms, false, err);
	if (r)
		return r;
	/* cpus lists the only CPUs with this PMU; cpumask lists one for each package or so. */
	r = proc_file__read(&cpus, NULL, DEVICES "/%s/cpus", pmu);
	if (r)
		r = proc_file__read(&cpus, NULL, DEVICES "/%s/cpumask", pmu);
	if (r)
		return 0;
	r = *cpus == '\n' ? 0 : cpu_list__parse(ret_cpus, cpus, err);
	free(cpus);
	return r;
}

int perf_pmu__find_event(struct perf_event_attr *attr, struct cpu_list *ret_cpus, const char *name,
	struct error *err)
{
	struct event_terms terms = {0};
	struct core_pmus pmus;
	int r = -ENOENT;
	char *alias;

	if (strchr(name, '/') || strchr(name, '.'))
		return -ENOENT;
	r = core_pmus__find(&pmus);
	if (r)
		return r;
	r = -ENOENT;
	for (size_t i = 0; i <= pmus.n; i++) {
		const char *pmu = i < pmus.n ? pmus.pmus[i].name : "cpu";

		if (proc_file__read(&alias, NULL, DEVICES "/%s/events/%s", pmu, name))
			continue;
		free(alias);
		r = perf_pmu__encode(attr, &terms, ret_cpus, pmu, name, name, err);
		break;
	}
	core_pmus__free(&pmus);
	return r;
}
