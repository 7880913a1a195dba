// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides the attributes of each event of a recording. The rules are perf's: evlist__config(),
 * evsel__config() and parse_cgroups() of tools/perf/util.
 */
#include "user/source/perf/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/parse/event/attr.h"
#include "user/source/perf/cgroup.h"
#include "user/source/perf/open.h"

#define DWARF_STACK_DEFAULT 8192 /* perf's default */

static int choose_freq(uint64_t *ret, const struct evlist_options *options,
	struct perf_notes *notes, struct error *err)
{
	uint64_t max = perf_open__max_sample_rate(), freq = options->freq;

	if (freq == EVLIST_FREQ_MAX) {
		perf_notes__add(
			notes, "sampling at the maximum of %llu Hz", (unsigned long long)max);
		*ret = max;
		return 0;
	}
	if (!freq)
		freq = EVLIST_FREQ_DEFAULT;
	*ret = freq <= max ? freq : max;
	if (freq <= max)
		return 0;
	if (options->strict_freq)
		return error__set(err, -EINVAL,
			"%llu Hz exceeds the maximum of %llu Hz, "
			"kernel.perf_event_max_sample_rate, and --strict-freq does not allow less",
			(unsigned long long)freq, (unsigned long long)max);
	perf_notes__add(notes,
		"%llu Hz exceeds the maximum: sampling at %llu Hz instead. The kernel lowers the "
		"maximum, kernel.perf_event_max_sample_rate, if sampling takes too long; sysctl "
		"can raise it",
		(unsigned long long)freq, (unsigned long long)max);
	return 0;
}

static int common_options(struct attr_options *ret, const struct evlist_options *options,
	size_t pages, struct perf_notes *notes, struct error *err)
{
	*ret = (struct attr_options){
		.period = options->period,
		.callchain = options->callchain,
		.dwarf_stack = options->dwarf_stack,
		.lbr = options->lbr,
		.has_cpu = options->system_wide || options->cpus,
		.inherit = !options->no_inherit,
		.enable_on_exec = options->workload > 0 && !options->not_on_exec,
		.exclude_kernel = options->exclude_kernel,
		.exclude_user = options->exclude_user,
		.clockid = options->clockid,
		.wakeup_watermark = pages * sysconf(_SC_PAGESIZE) / 4,
		.lost_count = perf_open__has_lost_count(),
		.mmap_records = options->mmap_records,
		.extra = options->extra,
	};
	if (options->period || options->sideband_only)
		return 0;
	return choose_freq(&ret->freq, options, notes, err);
}

/* Applies the event's own terms, which replace the options. */
static void apply_terms(struct attr_options *options, const struct event_terms *terms)
{
	switch (terms->call_graph) {
	case EVENT_CALL_GRAPH_UNSET:
		break;
	case EVENT_CALL_GRAPH_NO:
	case EVENT_CALL_GRAPH_FP:
	case EVENT_CALL_GRAPH_LBR:
		options->callchain = terms->call_graph != EVENT_CALL_GRAPH_NO;
		options->lbr = terms->call_graph == EVENT_CALL_GRAPH_LBR;
		options->dwarf_stack = 0;
		break;
	case EVENT_CALL_GRAPH_DWARF:
		options->callchain = true;
		options->lbr = false;
		if (!options->dwarf_stack)
			options->dwarf_stack = DWARF_STACK_DEFAULT;
		break;
	}
	if (terms->stack_size && options->dwarf_stack)
		options->dwarf_stack = terms->stack_size;
	if (terms->max_stack)
		options->extra.max_stack = terms->max_stack;
	if (terms->inherit_given)
		options->inherit = terms->inherit;
	if (terms->branch_given)
		options->extra.branch_sample_type = terms->branch_sample_type;
}

static void make_groups(struct perf_plan *plan, struct perf_notes *notes)
{
	bool alone = false;

	for (size_t i = 0, n; i + 1 < plan->n; i += n) {
		struct evsel *leader = &plan->evsels[i];
		bool sample_read = leader->modifiers.sample_read;

		n = 1;
		while (leader->group && i + n + 1 < plan->n &&
			plan->evsels[i + n].group == leader->group)
			n++;
		alone |= sample_read && leader->attr.inherit;
		for (size_t j = i; j < i + n; j++) {
			attr__group(&plan->evsels[j].attr, &leader->attr, n, sample_read);
			if (j > i)
				plan->evsels[j].leader = leader;
		}
	}
	if (alone)
		perf_notes__add(notes, "leader sampling (:S): children and threads created later "
				       "are not recorded");
}

#define TRAILER_FIELDS                                                                             \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
		PERF_SAMPLE_CPU)

/*
 * Drops PERF_SAMPLE_IDENTIFIER from a file with one event: a reader needs no ids there. Counts of
 * tasks in samples have ids, too.
 */
static void drop_identifier(struct perf_plan *plan, const struct evlist_options *options)
{
	struct perf_event_attr *sampled, *sideband;

	if (plan->n != 2)
		return;
	sampled = &plan->evsels[0].attr;
	sideband = &plan->evsels[1].attr;
	if (options->extra.sample_type & PERF_SAMPLE_IDENTIFIER ||
		sampled->sample_type & PERF_SAMPLE_READ ||
		(sampled->sample_type ^ sideband->sample_type) & TRAILER_FIELDS)
		return;
	sampled->sample_type &= ~(uint64_t)PERF_SAMPLE_IDENTIFIER;
	sideband->sample_type &= ~(uint64_t)PERF_SAMPLE_IDENTIFIER;
}

bool perf_plan__is_single(const struct perf_plan *plan)
{
	return !(plan->evsels[0].attr.sample_type & PERF_SAMPLE_IDENTIFIER);
}

struct perf_event_attr perf_plan__single_attr(const struct perf_plan *plan)
{
	const struct perf_event_attr *sideband = &plan->evsels[1].attr;
	struct perf_event_attr attr = plan->evsels[0].attr;

	attr.mmap = sideband->mmap;
	attr.mmap_data = sideband->mmap_data;
	attr.mmap2 = sideband->mmap2;
	attr.build_id = sideband->build_id;
	attr.comm = sideband->comm;
	attr.comm_exec = sideband->comm_exec;
	attr.task = sideband->task;
	attr.namespaces = sideband->namespaces;
	attr.ksymbol = sideband->ksymbol;
	attr.bpf_event = sideband->bpf_event;
	attr.cgroup = sideband->cgroup;
	attr.context_switch = sideband->context_switch;
	return attr;
}

static int make_attrs(struct perf_plan *plan, const struct event_terms *terms,
	const struct evlist_options *options, size_t pages, struct perf_notes *notes,
	struct error *err)
{
	struct attr_options common;
	int r = common_options(&common, options, pages, notes, err);

	if (r)
		return r;
	/* Tracepoint samples always have the CPU, and all records of a file end alike. */
	for (size_t i = 0; i + 1 < plan->n; i++)
		if (plan->evsels[i].attr.type == PERF_TYPE_TRACEPOINT)
			common.has_cpu = true;
	for (size_t i = 0; i + 1 < plan->n; i++) {
		struct attr_options own = common;

		apply_terms(&own, &terms[i]);
		/* As in perf: an unwinder may read any part of a file. */
		if (own.dwarf_stack)
			common.extra.data_maps = true;
		if (own.dwarf_stack && !attr__user_regs())
			return error__set(err, -EOPNOTSUPP,
				"--call-graph dwarf: the registers of this architecture are not "
				"known");
		attr__sampling(&plan->evsels[i].attr, &own);
	}
	attr__sideband(&plan->evsels[plan->n - 1].attr, &common);
	plan->data_maps = common.extra.data_maps;
	make_groups(plan, notes);
	drop_identifier(plan, options);
	return 0;
}

/* Appends @more to *@text. If both have text, @format joins them. */
static int join(char **text, const char *more, const char *format, struct error *err)
{
	char *joined;

	if (!*text)
		joined = strdup(more);
	else if (asprintf(&joined, format, *text, more) < 0)
		joined = NULL;
	if (!joined)
		return error__errno(err, -ENOMEM, "filters");
	free(*text);
	*text = joined;
	return 0;
}

/* Sets the filter of the event before it, or of all events of a wildcard. */
static int set_filter(struct perf_plan *plan, const struct evlist_filter *filter, struct error *err)
{
	size_t end = 0;
	int r = 0;

	/* An event ends at its comma. */
	for (size_t i = 0; i + 1 < plan->n; i++)
		if (plan->evsels[i].name_end <= filter->at + 1 && plan->evsels[i].name_end > end)
			end = plan->evsels[i].name_end;
	if (!end)
		return error__set(err, -EINVAL,
			"--filter '%s' must follow the event (-e) that it applies to",
			filter->text);
	for (size_t i = 0; !r && i + 1 < plan->n; i++) {
		struct evsel *evsel = &plan->evsels[i];

		if (evsel->name_end == end)
			r = join(&evsel->filter, filter->text,
				evsel->attr.type == PERF_TYPE_TRACEPOINT ? "(%s) && (%s)" : "%s,%s",
				err);
	}
	return r;
}

static int leave_out(struct perf_plan *plan, pid_t pid, struct error *err)
{
	char text[64];
	int r = 0;

	for (size_t i = 0; !r && i + 1 < plan->n; i++) {
		bool tracepoint = plan->evsels[i].attr.type == PERF_TYPE_TRACEPOINT;

		snprintf(text, sizeof(text), tracepoint ? "common_pid != %d" : "pid != %d", pid);
		r = join(&plan->evsels[i].filter, text, tracepoint ? "(%s) && (%s)" : "%s,%s", err);
	}
	return r;
}

static int set_filters(
	struct perf_plan *plan, const struct evlist_options *options, struct error *err)
{
	int r = 0;

	for (size_t i = 0; !r && i < options->n_filters; i++)
		r = set_filter(plan, &options->filters[i], err);
	if (!r && options->exclude_pid)
		r = leave_out(plan, options->exclude_pid, err);
	return r;
}

/*
 * The first name is for the first event, and so on; a single name is for all. An empty name is the
 * whole machine.
 */
static int set_cgroups(struct perf_plan *plan, const char *names, struct error *err)
{
	bool single = !strchr(names, ',');
	size_t i = 0;

	for (;;) {
		size_t len = strcspn(names, ",");
		char *name;

		if (i + 1 >= plan->n)
			return error__set(
				err, -EINVAL, "-G has more cgroups than there are events");
		if (len) {
			name = strndup(names, len);
			if (!name)
				return error__errno(err, -ENOMEM, "cgroups");
			plan->evsels[i].cgroup = perf_cgroup__open(name, err);
			free(name);
			if (plan->evsels[i].cgroup < 0)
				return plan->evsels[i].cgroup;
		}
		i++;
		if (single && i + 1 < plan->n)
			continue;
		if (!names[len])
			return 0;
		names += len + 1;
	}
}

int perf_plan__make(struct perf_plan *ret, const struct evlist_options *options, size_t pages,
	struct perf_notes *notes, struct error *err)
{
	struct perf_names names = {0};
	struct perf_name sideband = {.name = strdup("dummy:u")};
	struct event_terms *terms = NULL;
	int r = 0;

	memset(ret, 0, sizeof(*ret));
	if (!options->sideband_only)
		r = perf_names__parse(&names, options->events ? options->events : "cycles", err);
	if (r)
		goto cleanup;
	ret->evsels = calloc(names.n + 1, sizeof(*ret->evsels));
	terms = calloc(names.n + 1, sizeof(*terms));
	if (!ret->evsels || !terms || !sideband.name) {
		r = error__errno(err, -ENOMEM, "events");
		goto cleanup;
	}
	for (size_t i = 0; i < names.n; i++) {
		terms[i] = names.names[i].terms;
		evsel__init(&ret->evsels[i], &names.names[i]);
	}
	evsel__init(&ret->evsels[names.n], &sideband);
	ret->evsels[names.n].sideband = true;
	ret->evsels[names.n].mmap3 = options->mmap3_records;
	ret->n = names.n + 1;
	r = make_attrs(ret, terms, options, pages, notes, err);
	if (!r)
		r = set_filters(ret, options, err);
	if (!r && options->cgroups)
		r = set_cgroups(ret, options->cgroups, err);
cleanup:
	perf_names__free(&names);
	free(sideband.name);
	free(terms);
	return r;
}

int perf_plan__add_keeper(struct perf_plan *plan)
{
	const struct perf_event_attr *sideband = &plan->evsels[plan->n - 1].attr;
	struct perf_name name = {.name = strdup("dummy:u"), .attr = *sideband};
	struct perf_event_attr *attr = &name.attr;

	if (!name.name)
		return -ENOMEM;
	attr->inherit = 0;
	attr->comm = attr->comm_exec = attr->task = attr->namespaces = attr->cgroup = 0;
	attr->ksymbol = attr->bpf_event = attr->context_switch = 0;
	attr->mmap = attr->mmap_data = attr->mmap2 = attr->build_id = 0;
	evsel__init(&plan->keeper, &name);
	plan->keeper.sideband = true;
	return 0;
}

void perf_plan__free(struct perf_plan *plan)
{
	if (plan->keeper.name)
		evsel__free(&plan->keeper);
	for (size_t i = 0; i < plan->n; i++)
		evsel__free(&plan->evsels[i]);
	free(plan->evsels);
	memset(plan, 0, sizeof(*plan));
}
