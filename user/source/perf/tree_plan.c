// SPDX-License-Identifier: GPL-2.0-only
/* See tree_plan.h. */
#include "user/source/perf/tree_plan.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "user/source/perf/open.h"
#include "user/source/proc/file.h"

#define SECOND_NS 1000000000ull

static bool is_software(const struct perf_event_attr *attr, uint64_t config)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == config;
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return is_software(attr, PERF_COUNT_SW_CPU_CLOCK) ||
	       is_software(attr, PERF_COUNT_SW_TASK_CLOCK);
}

/* The kernel refuses our filter for probes: their programs run at the traced place. */
static bool is_probe(const struct perf_event_attr *attr)
{
	static const char *const PMUS[] = {"kprobe", "uprobe"};
	int64_t type;

	if (attr->type == PERF_TYPE_TRACEPOINT)
		return true;
	for (size_t i = 0; attr->type >= PERF_TYPE_MAX && i < sizeof(PMUS) / sizeof(*PMUS); i++)
		if (!proc_file__number(&type, "/sys/bus/event_source/devices/%s/type", PMUS[i]) &&
			attr->type == (uint32_t)type)
			return true;
	return false;
}

bool tree_plan__is_biased(const struct evsel *evsel)
{
	const struct perf_event_attr *attr = &evsel->attr;

	/* The kernel raises short periods of clocks to a minimum. */
	return attr->inherit && attr->sample_period &&
	       (attr->freq || attr->sample_period > 1 || is_clock(attr)) &&
	       !is_software(attr, PERF_COUNT_SW_DUMMY) &&
	       !is_software(attr, PERF_COUNT_SW_BPF_OUTPUT);
}

/* Returns why it must be an event of tasks, for a note; or NULL. */
static const char *why_of_tasks(const struct evsel *evsel)
{
	const struct perf_event_attr *attr = &evsel->attr;

	if (!attr->inherit)
		return "it is not inherited";
	if (is_probe(attr))
		return "the kernel cannot filter tracepoints of whole CPUs by process; with -c 1 "
		       "nothing is missed";
	if (attr->type == PERF_TYPE_BREAKPOINT)
		return "an address is of one process; with -c 1 nothing is missed";
	if (attr->inherit_stat)
		return "the counts of threads (-s) are those of their own events";
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)
		return "--call-graph lbr needs the processor's records of one task";
	if (attr->sample_type & PERF_SAMPLE_READ)
		return "its samples carry counts of the task";
	if (attr->aux_output || attr->aux_sample_size || !attr->sample_period ||
		is_software(attr, PERF_COUNT_SW_DUMMY) ||
		is_software(attr, PERF_COUNT_SW_BPF_OUTPUT))
		return "it does not sample";
	return NULL;
}

/* The number of events from @i on that are in one group. */
static size_t group_size(const struct perf_plan *plan, size_t i)
{
	size_t n = 1;

	while (i + n + 1 < plan->n && plan->evsels[i + n].leader == &plan->evsels[i])
		n++;
	return n;
}

/* All events of a group are on CPUs, or all are on tasks. */
static bool choose_group(
	struct evsel *evsels, size_t n, const struct sample_tree *tree, struct perf_notes *notes)
{
	const struct evsel *biased = NULL, *kept = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!biased && tree_plan__is_biased(&evsels[i]))
			biased = &evsels[i];
		if (!kept && why_of_tasks(&evsels[i]))
			kept = &evsels[i];
	}
	if (!biased)
		return false;
	for (i = 0; i < n && !kept; i++)
		evsels[i].tree = tree;
	if (kept == biased)
		perf_notes__add(notes,
			"event '%s': processes that live for less than a few periods are "
			"under-sampled: %s",
			biased->name, why_of_tasks(kept));
	else if (kept)
		perf_notes__add(notes,
			"event '%s': processes that live for less than a few periods are "
			"under-sampled, because of '%s' in its group: %s",
			biased->name, kept->name, why_of_tasks(kept));
	return !kept;
}

bool tree_plan__choose(
	struct perf_plan *plan, const struct sample_tree *tree, struct perf_notes *notes)
{
	bool any = false;
	size_t n;

	for (size_t i = 0; i + 1 < plan->n; i += n) {
		n = group_size(plan, i);
		any |= choose_group(&plan->evsels[i], n, tree, notes);
	}
	return any;
}

/* Returns the first event that needs a program only for the tree. */
static struct evsel *first_unfiltered(struct perf_plan *plan)
{
	for (size_t i = 0; i + 1 < plan->n; i++)
		if (plan->evsels[i].tree && !plan->evsels[i].filter)
			return &plan->evsels[i];
	return NULL;
}

int tree_plan__try(
	struct perf_plan *plan, const struct sample_tree *tree, int cpu, struct error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER5,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_period = 1,
		.disabled = 1,
	};
	struct sample_filter_bpf *filter;
	struct evsel *user;
	int fd, r;

	r = sample_filter__load(&filter, NULL, 0, tree, err);
	if (r)
		return r;
	fd = perf_open(&attr, -1, cpu);
	r = fd < 0 ? fd : 0;
	if (!r && ioctl(fd, PERF_EVENT_IOC_SET_BPF, sample_filter__fd(filter)))
		r = -errno;
	if (fd >= 0)
		close(fd);
	user = r ? NULL : first_unfiltered(plan);
	if (user)
		user->filter_bpf = filter;
	else
		sample_filter__unload(filter);
	return r ? error__errno(err, r, "whole CPUs cannot be sampled") : 0;
}

void tree_plan__drop(struct perf_plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		plan->evsels[i].tree = NULL;
}

static bool is_cycles(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE &&
	       ((uint32_t)attr->config == PERF_COUNT_HW_CPU_CYCLES ||
		       (uint32_t)attr->config == PERF_COUNT_HW_REF_CPU_CYCLES);
}

uint64_t tree_plan__sample_ns(const struct perf_plan *plan)
{
	double rate = 0; /* Hz, the sum of all events */

	for (size_t i = 0; i + 1 < plan->n; i++) {
		const struct perf_event_attr *attr = &plan->evsels[i].attr;

		if (!attr->sample_period || !attr->inherit)
			return 0;
		if (attr->freq && (is_clock(attr) || is_cycles(attr)))
			rate += (double)attr->sample_freq;
		else if (is_clock(attr))
			rate += (double)SECOND_NS / (double)attr->sample_period;
		else
			return 0;
	}
	return rate > 0 ? (uint64_t)((double)SECOND_NS / rate) : 0;
}
