/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges the events of one or several inputs into those of one copy. Inputs with the same attribute
 * share an event. If two inputs use an id for different events, it is changed in the later one. An
 * input with one event may have records without ids; if the copy has several events, they get one.
 * Pure.
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
	/* Set before the first input is added: */
	bool without_chains;
	bool adds_ids; /* inputs whose records have no ids get them */
	/* Set by merged_events__add(): the records of an input have no ids. */
	bool lacks_ids;
};

/* The layout of one input's records, and the changes of their ids. */
struct input_events {
	struct input_id {
		uint64_t id;
		uint64_t changed; /* the id in the copy */
		uint64_t sample_type;
	} * ids; /* sorted by id */
	size_t n;
	bool changes;       /* at least one id is changed or added */
	bool sample_id_all; /* records other than samples have a trailer */
	bool alike;         /* all events have the sample_type below */
	uint64_t sample_type;
	uint64_t added_id; /* the id in the copy for records without ids; 0: none is added */
};

/*
 * Adds the events of @reader, which must already know all of them. The names are copied. Free both
 * structs in any case. Returns 0 or -ENOMEM.
 */
int merged_events__add(struct merged_events *events, const struct perfdata_reader *reader,
	struct input_events *ret);
/* Called after the last input: fills in .attrs. Returns 0 or -ENOMEM. */
int merged_events__finish(struct merged_events *events);
void merged_events__free(struct merged_events *events);
void input_events__free(struct input_events *events);
/* Finds the entry of @id, or NULL. */
const struct input_id *input_events__find(const struct input_events *events, uint64_t id);

#endif
