/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of one or several inputs as those of one copy. Inputs that have the same
 * attribute share an event; an id that two inputs use for different events is changed in
 * the later one. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_MERGED_EVENTS_H
#define PERFSTAMP_PERFDATA_MERGED_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/perfdata/read/attr.h"
#include "user/perfdata/read/reader.h"

struct merged_id;

struct merged_events {
	struct perfdata_attr *attrs; /* valid from merged_events__finish() on */
	size_t n;
	struct merged_attr *merged;
	struct merged_id *by_id;
	uint64_t next_id;
	bool without_chains; /* set before the first input is added */
};

/* How one input's records are laid out, and how their ids are changed. */
struct input_events {
	struct input_id {
		uint64_t id;
		uint64_t changed; /* the id in the copy */
		uint64_t sample_type;
	} * ids; /* sorted by id */
	size_t n;
	bool changes;       /* there is an id that is changed */
	bool sample_id_all; /* records other than samples have a trailer */
	bool alike;         /* all events have this sample_type: */
	uint64_t sample_type;
};

/*
 * Adds the events of @reader, which has to know them all. The names are copied. Free both
 * structs in any case. Returns 0 or -ENOMEM.
 */
int merged_events__add(struct merged_events *events, const struct perfdata_reader *reader,
	struct input_events *ret);
/* Every input was added: fills in .attrs. Returns 0 or -ENOMEM. */
int merged_events__finish(struct merged_events *events);
void merged_events__free(struct merged_events *events);
void input_events__free(struct input_events *events);
/* The entry of @id, or NULL. */
const struct input_id *input_events__find(const struct input_events *events, uint64_t id);

#endif
