// SPDX-License-Identifier: GPL-2.0-only
/*
 * report: see report.h. A row's DSO is a content at a path: two builds at one path
 * are two, whatever their functions are called.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/model/hash.h"
#include "user/model/report.h"

struct row_key {
	uint64_t cgroup;
	uint64_t address; /* where there is no name */
	uint32_t event, comm, pid, tid, cpu;
	uint32_t dso, sym, srcline, build_id;
	uint32_t in_kernel;
};

struct row_entry {
	UT_hash_handle hh;
	struct row_key key;
	struct report_row row;
	uint32_t last_sum; /* the last sum that it was counted for as a caller, from 1 */
};

struct total {
	uint64_t n;
	uint64_t period;
};

/* What a place is by number, so that keys are compared without texts. */
struct place_numbers {
	uint32_t dso, sym, srcline, build_id;
};

struct report {
	const struct samples *samples;
	const struct resolved *resolved;
	const struct report_options *options;
	bool by[REPORT_KEYS];
	struct texts texts;
	struct place_numbers *numbers; /* by place */
	struct row_entry *by_key;
	struct row_entry **rows;
	size_t n_rows;
	struct total *totals;
	uint32_t n_events;
};

/* The path and the content at it, as one text. */
static int number_dso(
	struct report *report, struct model *model, uint32_t sighting, struct place_numbers *ret)
{
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1] = "", cookie[2 * PERFSTAMP_COOKIE_MAX + 1] = "";
	const struct sighting *of = model__sighting(model, sighting);
	const struct perfstamp_identity *identity = &report->options->identities[sighting];
	char *text;
	int err;

	text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
	/* A build-id of one content is told by itself, with its cookie or without. */
	if (!identity->build_id_size || of->n_contents > 1)
		text__hex(cookie, sizeof(cookie), identity->cookie, identity->cookie_size);
	if (asprintf(&text, "%s/%s/%s", hex, cookie, of->path) < 0)
		return -ENOMEM;
	err = texts__add(&report->texts, text, &ret->dso);
	free(text);
	if (err)
		return err;
	return texts__add(&report->texts, *hex ? hex : cookie, &ret->build_id);
}

static int number_place(struct report *report, struct model *model, uint32_t i)
{
	const struct place *place = samples__place(report->samples, i);
	const struct resolved *resolved = &report->resolved[i];
	struct place_numbers *ret = &report->numbers[i];
	int err = 0;

	*ret = (struct place_numbers){SAMPLES_NONE, SAMPLES_NONE, SAMPLES_NONE, SAMPLES_NONE};
	if (place->sighting != SAMPLES_NONE)
		err = number_dso(report, model, place->sighting, ret);
	if (!err && resolved->name)
		err = texts__add(&report->texts, resolved->name, &ret->sym);
	if (!err && resolved->srcline)
		err = texts__add(&report->texts, resolved->srcline, &ret->srcline);
	return err;
}

static struct row_key key_of(
	const struct report *report, const struct sample_sum *sum, uint32_t place_index)
{
	const struct place *place = samples__place(report->samples, place_index);
	const struct place_numbers *numbers = &report->numbers[place_index];
	const bool *by = report->by;
	bool named = numbers->sym != SAMPLES_NONE;
	struct row_key key;

	memset(&key, 0, sizeof(key));
	key.event = sum->event;
	key.comm = by[REPORT_COMM] ? sum->comm : 0;
	key.pid = by[REPORT_PID] || by[REPORT_TID] ? sum->pid : 0;
	key.tid = by[REPORT_TID] ? sum->tid : 0;
	key.cpu = by[REPORT_CPU] ? sum->cpu : 0;
	key.cgroup = by[REPORT_CGROUP] ? sum->cgroup : 0;
	/* Functions of one name in two DSOs are two. */
	key.dso = by[REPORT_DSO] || by[REPORT_SYM] ? numbers->dso : 0;
	key.build_id = by[REPORT_BUILD_ID] ? numbers->build_id : 0;
	key.in_kernel = by[REPORT_SYM] || by[REPORT_DSO] ? place->in_kernel : 0;
	key.sym = by[REPORT_SYM] ? numbers->sym : 0;
	key.srcline = by[REPORT_SRCLINE] ? numbers->srcline : 0;
	/* Without a line it is told by its function, and that by its address. */
	if (by[REPORT_SRCLINE] && numbers->srcline == SAMPLES_NONE) {
		key.sym = numbers->sym;
		key.dso = numbers->dso;
		key.address = named ? 0 : place->offset;
	}
	if (by[REPORT_SYM] && !named)
		key.address = place->offset;
	return key;
}

static struct row_entry *row_of(struct report *report, const struct sample_sum *sum, uint32_t place)
{
	struct row_key key = key_of(report, sum, place);
	struct row_entry *entry;

	HASH_FIND(hh, report->by_key, &key, sizeof(key), entry);
	if (entry)
		return entry;
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->key = key;
	entry->row = (struct report_row){
		.event = sum->event,
		.comm = sum->comm,
		.pid = sum->pid,
		.tid = sum->tid,
		.cpu = sum->cpu,
		.cgroup = sum->cgroup,
		.place = place,
	};
	HASH_ADD(hh, report->by_key, key, sizeof(key), entry);
	if (hash__added(entry)) {
		report->n_rows++;
		return entry;
	}
	free(entry);
	return NULL;
}

/* Each row once a sample, however often it calls itself. */
static int count_callers(struct report *report, const struct sample_sum *sum, uint32_t number)
{
	for (uint32_t at = sum->frame; at != SAMPLES_NONE;) {
		const struct frame *frame = samples__frame(report->samples, at);
		struct row_entry *entry = row_of(report, sum, frame->place);

		if (!entry)
			return -ENOMEM;
		if (entry->last_sum != number) {
			entry->last_sum = number;
			entry->row.children_n += sum->n;
			entry->row.children_period += sum->period;
		}
		at = frame->parent;
	}
	return 0;
}

static int count_sum(struct report *report, size_t i)
{
	const struct sample_sum *sum = samples__at(report->samples, i);
	uint32_t place = samples__frame(report->samples, sum->frame)->place;
	const struct report_options *options = report->options;
	struct row_entry *entry;

	if (options->wants && !options->wants(options->ctx, samples__place(report->samples, place),
				      &report->resolved[place]))
		return 0;
	entry = row_of(report, sum, place);
	if (!entry)
		return -ENOMEM;
	entry->row.n += sum->n;
	entry->row.period += sum->period;
	report->totals[sum->event].n += sum->n;
	report->totals[sum->event].period += sum->period;
	return options->children ? count_callers(report, sum, i + 1) : 0;
}

static const char *name_of(const struct report *report, const struct row_entry *entry)
{
	const char *name = report->resolved[entry->row.place].name;

	return name ? name : "";
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* What is alike in time is put by name, so that a report is the same each time. */
static int compare(const void *a, const void *b, void *ctx)
{
	const struct row_entry *x = *(struct row_entry *const *)a;
	const struct row_entry *y = *(struct row_entry *const *)b;
	const struct report *report = ctx;
	int order = compare_numbers(x->row.event, y->row.event);

	if (!order && report->options->children)
		order = compare_numbers(y->row.children_period, x->row.children_period);
	if (!order)
		order = compare_numbers(y->row.period, x->row.period);
	if (!order)
		order = strcmp(name_of(report, x), name_of(report, y));
	if (!order)
		order = compare_numbers(x->row.place, y->row.place);
	if (!order)
		order = memcmp(&x->key, &y->key, sizeof(x->key));
	return order;
}

static int sort(struct report *report)
{
	struct row_entry *entry;
	size_t i = 0;

	report->rows = calloc(report->n_rows + 1, sizeof(struct row_entry *));
	if (!report->rows)
		return -ENOMEM;
	for (entry = report->by_key; entry; entry = entry->hh.next)
		report->rows[i++] = entry;
	qsort_r(report->rows, report->n_rows, sizeof(struct row_entry *), compare, report);
	return 0;
}

static int build(struct report *report, struct model *model)
{
	size_t n = samples__n(report->samples), n_places = samples__n_places(report->samples);

	for (size_t i = 0; i < report->options->n_keys; i++)
		report->by[report->options->keys[i]] = true;
	report->numbers = calloc(n_places + 1, sizeof(*report->numbers));
	if (!report->numbers)
		return -ENOMEM;
	for (size_t i = 0; i < n_places; i++)
		if (number_place(report, model, i))
			return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (samples__at(report->samples, i)->event >= report->n_events)
			report->n_events = samples__at(report->samples, i)->event + 1;
	report->totals = calloc(report->n_events + 1, sizeof(*report->totals));
	if (!report->totals)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (count_sum(report, i))
			return -ENOMEM;
	return sort(report);
}

int report__new(struct report **ret, const struct samples *samples, struct model *model,
	const struct resolved *resolved, const struct report_options *options)
{
	struct report *report = calloc(1, sizeof(*report));

	*ret = report;
	if (!report)
		return -ENOMEM;
	report->samples = samples;
	report->resolved = resolved;
	report->options = options;
	return build(report, model);
}

void report__free(struct report *report)
{
	struct row_entry *entry, *next;

	if (!report)
		return;
	HASH_ITER (hh, report->by_key, entry, next) {
		HASH_DEL(report->by_key, entry);
		free(entry);
	}
	texts__free(&report->texts);
	free(report->rows);
	free(report->numbers);
	free(report->totals);
	free(report);
}

size_t report__n_rows(const struct report *report)
{
	return report->n_rows;
}

const struct report_row *report__row(const struct report *report, size_t i)
{
	return &report->rows[i]->row;
}

uint64_t report__total_n(const struct report *report, uint32_t event)
{
	return report->totals[event].n;
}

uint64_t report__total_period(const struct report *report, uint32_t event)
{
	return report->totals[event].period;
}

uint32_t report__dso(const struct report *report, uint32_t place)
{
	return report->numbers[place].dso;
}

uint32_t report__n_events(const struct report *report)
{
	return report->n_events;
}
