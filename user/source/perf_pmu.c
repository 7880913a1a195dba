// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMUs in sysfs. Knows nothing of events that are open.
 */
#include "user/source/perf_pmu.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/parse/pmu_format.h"
#include "user/source/proc_file.h"

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

static int apply_terms(struct perf_event_attr *attr, const char *pmu, const char *terms,
	const char *text, bool in_alias, struct error *err);

/* A term that is the name of an event stands for the terms in that event's file. */
static int apply_alias(struct perf_event_attr *attr, const char *pmu, const struct pmu_term *term,
	const char *text, struct error *err)
{
	char *alias;
	int r;

	if (strchr(term->name, '/') || strchr(term->name, '.'))
		return -ENOENT;
	r = proc_file__read(&alias, NULL, DEVICES "/%s/events/%s", pmu, term->name);
	if (r)
		return r;
	r = apply_terms(attr, pmu, alias, text, true, err);
	free(alias);
	return r;
}

static int apply_term(struct perf_event_attr *attr, const char *pmu, const struct pmu_term *term,
	const char *text, bool in_alias, struct error *err)
{
	char *format;
	int r;

	if (!strcmp(term->name, "config")) {
		attr->config = term->value;
		return 0;
	} else if (!strcmp(term->name, "config1")) {
		attr->config1 = term->value;
		return 0;
	} else if (!strcmp(term->name, "config2")) {
		attr->config2 = term->value;
		return 0;
	} else if (!strcmp(term->name, "period")) {
		attr->sample_period = term->value;
		return 0;
	} else if (!strcmp(term->name, "freq")) {
		attr->sample_freq = term->value;
		attr->freq = 1;
		return 0;
	} else if (!strcmp(term->name, "name")) {
		return 0;
	}
	r = strchr(term->name, '/')
		    ? -ENOENT
		    : proc_file__read(&format, NULL, DEVICES "/%s/format/%s", pmu, term->name);
	if (!r) {
		r = pmu_format__apply(format, term->value, attr);
		if (r == -ERANGE)
			error__set(err, r, "event '%s': %s=%s is too large for %s", text,
				term->name, term->text, format);
		else if (r)
			error__set(err, r, "event '%s': format '%s' of term %s is not understood",
				text, format, term->name);
		free(format);
		return r;
	}
	r = -ENOENT;
	if (!term->has_value && !in_alias)
		r = apply_alias(attr, pmu, term, text, err);
	if (r == -ENOENT)
		return error__set(err, r,
			"event '%s': PMU %s has no term '%s' (see %s/%s/format and events)", text,
			pmu, term->name, DEVICES, pmu);
	return r;
}

static int apply_terms(struct perf_event_attr *attr, const char *pmu, const char *terms,
	const char *text, bool in_alias, struct error *err)
{
	struct pmu_term term;
	int r;

	while ((r = pmu_term__next(&terms, &term)) > 0) {
		if (term.has_value && !term.value && term.text[strspn(term.text, "0x")] &&
			strcmp(term.name, "name"))
			return error__set(err, -EINVAL, "event '%s': %s=%s is not a number", text,
				term.name, term.text);
		r = apply_term(attr, pmu, &term, text, in_alias, err);
		if (r)
			return r;
	}
	if (r)
		return error__set(err, r, "event '%s': terms '%s' are not understood", text, terms);
	return 0;
}

int perf_pmu__encode(struct perf_event_attr *attr, struct cpu_list *ret_cpus, const char *pmu,
	const char *terms, const char *text, struct error *err)
{
	char *cpus;
	int64_t type;
	int r;

	r = proc_file__number(&type, DEVICES "/%s/type", pmu);
	if (r)
		return error__set(
			err, r, "event '%s': there is no PMU '%s' in %s", text, pmu, DEVICES);
	attr->type = type;
	r = apply_terms(attr, pmu, terms, text, false, err);
	if (r)
		return r;
	/* cpus: the only ones that have it; cpumask: one for each package or so. */
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
		r = perf_pmu__encode(attr, ret_cpus, pmu, name, name, err);
		break;
	}
	core_pmus__free(&pmus);
	return r;
}
