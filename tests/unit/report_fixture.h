/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests of reports share: one model and one report, filled with made-up events. A test calls
 * begin(), adds events, calls build(), and ends with end().
 */
#ifndef PERFSTAMP_TESTS_REPORT_FIXTURE_H
#define PERFSTAMP_TESTS_REPORT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/profile/report.h"
#include "user/view/report/report.h"

#define PLACES 64

static struct model *model;
static struct samples *samples;
static struct report *report;
static struct resolved resolved[PLACES];
static struct perfstamp_identity identities[PLACES];

static inline void begin(const struct samples_options *options)
{
	assert_int_equal(model__new(&model), 0);
	assert_int_equal(samples__new(&samples, options), 0);
	memset(resolved, 0, sizeof(resolved));
	report = NULL;
}

static inline void end(void)
{
	report__free(report);
	samples__free(samples);
	model__free(model);
}

static inline void apply(const struct event *event, uint32_t of)
{
	assert_int_equal(model__apply(model, event), 0);
	assert_int_equal(samples__apply(samples, model, event, of, event->sample.period), 0);
}

static inline void map(uint32_t pid, uint64_t addr, uint64_t pgoff, const char *path, uint8_t id)
{
	apply(&(struct event){.kind = EVENT_MAP,
		      .pid = pid,
		      .tid = pid,
		      .time_ns = 1,
		      .map = {.addr = addr,
			      .len = 0x1000,
			      .pgoff = pgoff,
			      .executable = true,
			      .path = path,
			      .identity = {.build_id = {id}, .build_id_size = 1}}},
		0);
}

static inline void comm(uint32_t pid, const char *name)
{
	apply(&(struct event){.kind = EVENT_COMM,
		      .pid = pid,
		      .tid = pid,
		      .time_ns = 1,
		      .comm = {.comm = name}},
		0);
}

static inline void sample(uint32_t pid, uint64_t ip, uint64_t period)
{
	apply(&(struct event){.kind = EVENT_SAMPLE,
		      .misc = PERF_RECORD_MISC_USER,
		      .pid = pid,
		      .tid = pid,
		      .time_ns = 2,
		      .sample = {.ip = ip, .period = period}},
		0);
}

static inline void chain(uint32_t pid, const uint64_t *ips, size_t n)
{
	apply(&(struct event){.kind = EVENT_SAMPLE,
		      .misc = PERF_RECORD_MISC_USER,
		      .pid = pid,
		      .tid = pid,
		      .time_ns = 2,
		      .sample = {.ip = ips[1], .period = 1, .callchain = ips, .n_callchain = n}},
		0);
}

/* Calls every place whose offset is below the next name's by that name. */
static inline void name(const char *const *names, const uint64_t *ends)
{
	assert_true(samples__n_places(samples) <= PLACES);
	for (size_t i = 0; i < samples__n_places(samples); i++) {
		const struct place *place = samples__place(samples, i);
		size_t at = 0;

		while (names[at] && place->offset >= ends[at])
			at++;
		resolved[i] = (struct resolved){.name = names[at],
			.origin = names[at] ? SYMBOL_SYMTAB : SYMBOL_NONE,
			.lack = names[at] ? SYMBOL_LACKS_NOTHING : SYMBOL_LACKS_ENTRY};
	}
	for (size_t i = 0; i < model__n_sightings(model); i++)
		identities[i] = model__sighting(model, i)->identity;
}

static const char *const NAMES[] = {"first", "second", "third", NULL};
static const uint64_t ENDS[] = {0x100, 0x200, 0x300, 0};

static inline void build(struct report_options *options)
{
	name(NAMES, ENDS);
	options->identities = identities;
	assert_int_equal(report__new(&report, samples, model, resolved, options), 0);
}

static inline struct report_view view(const struct report_options *options)
{
	static const char *const EVENTS[] = {"cpu-clock"};

	return (struct report_view){.report = report,
		.samples = samples,
		.model = model,
		.resolved = resolved,
		.options = options,
		.events = EVENTS,
		.n_events = 1,
		.file = "a file"};
}

#endif
