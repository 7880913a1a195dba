// SPDX-License-Identifier: GPL-2.0-only
/*
 * See cpu_use.h. One event is compared: the first that counts time, or else the first that counts
 * cycles.
 */
#include "user/cli/cpu_use.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/parse/event/attr_name.h"
#include "user/perfdata/features/stamp.h"
#include "user/perfdata/read/reader.h"

#define VALUE_MAX 256

/* On hybrid machines, the upper half of a hardware event's config is the PMU. */
#define CONFIG_EVENT 0xffffffff

static bool counts_time(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		       attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static bool counts_cycles(const struct perf_event_attr *attr)
{
	uint64_t event = attr->config & CONFIG_EVENT;

	return attr->type == PERF_TYPE_HARDWARE &&
	       (event == PERF_COUNT_HW_CPU_CYCLES || event == PERF_COUNT_HW_REF_CPU_CYCLES);
}

static int compare_ids(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int choose(struct cpu_use_reading *reading, const struct perfdata_attr *attr, size_t index)
{
	uint64_t *ids = calloc(attr->n_ids + 1, sizeof(*ids));
	char derived[ATTR_NAME_MAX];

	if (!ids)
		return -ENOMEM;
	if (attr->n_ids)
		memcpy(ids, attr->ids, attr->n_ids * sizeof(*ids));
	qsort(ids, attr->n_ids, sizeof(*ids), compare_ids);
	free(reading->ids);
	reading->ids = ids;
	reading->n_ids = attr->n_ids;
	reading->chosen = index;
	reading->has_event = true;
	reading->facts.shares = !counts_time(&attr->attr);
	reading->facts.period = attr->attr.freq ? 0 : attr->attr.sample_period;
	reading->may_differ = attr->attr.exclude_kernel || attr->attr.exclude_user;
	attr_name__write(derived, sizeof(derived), &attr->attr);
	text__escape(reading->event, sizeof(reading->event), attr->name ? attr->name : derived);
	return 0;
}

/*
 * Whether @attr is better than the chosen event. Chooses the first event that counts time, or else
 * the first that counts cycles.
 */
static bool is_better(const struct cpu_use_reading *reading, const struct perf_event_attr *attr)
{
	if (counts_time(attr))
		return !reading->has_event || reading->facts.shares;
	return counts_cycles(attr) && !reading->has_event;
}

static int look_at_attrs(struct cpu_use_reading *reading, const struct perfdata_reader *reader)
{
	size_t n = perfdata_reader__n_attrs(reader);
	const struct perfdata_attr *attr;
	int code = 0;

	for (; !code && reading->n_attrs < n; reading->n_attrs++) {
		attr = perfdata_reader__attr(reader, reading->n_attrs);
		if (is_better(reading, &attr->attr))
			code = choose(reading, attr, reading->n_attrs);
	}
	return code;
}

static bool is_chosen(const struct cpu_use_reading *reading, uint64_t id)
{
	if (reading->n_attrs == 1 || !reading->n_ids)
		return reading->chosen == 0;
	return bsearch(&id, reading->ids, reading->n_ids, sizeof(id), compare_ids);
}

static int take(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	struct cpu_use_reading *reading = ctx;
	const struct perf_event_attr *attr;
	int code = look_at_attrs(reading, reader);

	(void)model;
	if (code)
		return code;
	if (event->type == PERF_RECORD_THROTTLE)
		reading->facts.throttled++;
	if (event->kind != EVENT_SAMPLE)
		return cpu_use__apply(reading->use, event);
	if (!reading->has_event || !is_chosen(reading, event->sample.id))
		return 0;
	attr = &perfdata_reader__attr(reader, reading->chosen)->attr;
	return cpu_use__sample(reading->use, event->pid,
		attr->sample_type & PERF_SAMPLE_PERIOD ? event->sample.period
						       : attr->sample_period);
}

int cpu_use_reading__begin(struct cpu_use_reading *reading)
{
	memset(reading, 0, sizeof(*reading));
	return cpu_use__new(&reading->use);
}

struct input_tap cpu_use_reading__tap(struct cpu_use_reading *reading)
{
	return (struct input_tap){.fn = take, .ctx = reading};
}

static uint64_t number_of(const struct input *input, const char *key)
{
	char value[VALUE_MAX];

	if (stamp__get(input->stamp, input->stamp_size, key, value, sizeof(value)) < 0)
		return 0;
	return strtoull(value, NULL, 10);
}

/* Parses lines "NS PROCESSES NAME". The name is escaped; it may contain blanks or be empty. */
static int add_times(struct cpu_use_reading *reading, const struct input *input)
{
	const char *cursor = input->stamp, *end = cursor + input->stamp_size;
	uint64_t ns, processes;
	char value[VALUE_MAX];
	int at;

	while (stamp__next(&cursor, end, "cpu-time", value, sizeof(value)) >= 0) {
		at = 0;
		if (sscanf(value, "%" SCNu64 " %" SCNu64 "%n", &ns, &processes, &at) < 2 || !at)
			continue;
		at += value[at] == ' ';
		if (cpu_use__add_time(reading->use, value + at, ns, processes))
			return -ENOMEM;
	}
	return 0;
}

static const char *why_not(struct cpu_use_reading *reading, const struct input *input)
{
	if (stamp__get(input->stamp, input->stamp_size, "cpu-time.why", reading->why,
		    sizeof(reading->why)) >= 0)
		return reading->why;
	if (!reading->has_event)
		return "no event counts time or cycles";
	if (reading->may_differ)
		return "the event excludes user space or the kernel";
	return NULL;
}

int cpu_use_reading__end(struct cpu_use_reading *reading, const struct input *input)
{
	const struct model_ledger *ledger = model__ledger(input->model);
	struct cpu_use_facts *facts = &reading->facts;
	char value[VALUE_MAX];
	int code = 0;

	if (!input->stamp)
		return 0;
	reading->view.why = why_not(reading, input);
	reading->view.recorded = stamp__get(input->stamp, input->stamp_size, "cpu-time.total",
					 value, sizeof(value)) >= 0;
	if (!reading->view.recorded)
		return 0;
	reading->view.total_ns = strtoull(value, NULL, 10);
	facts->slack_ns = number_of(input, "cpu-time.slack");
	facts->cpus = number_of(input, "cpu-time.cpus");
	facts->other_ns = number_of(input, "cpu-time.other");
	facts->missed = number_of(input, "cpu-time.missed");
	facts->lost = ledger->lost_records + ledger->lost_samples;
	if (reading->view.why)
		return 0;
	code = add_times(reading, input);
	if (!code)
		code = cpu_use__compare(reading->use, facts);
	reading->view.use = reading->use;
	reading->view.event = reading->event;
	reading->view.facts = facts;
	return code;
}

void cpu_use_reading__free(struct cpu_use_reading *reading)
{
	cpu_use__free(reading->use);
	free(reading->ids);
}
