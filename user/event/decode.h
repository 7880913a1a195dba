/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bytes of one perf record to a struct event, in either byte order. Every
 * length in a record is checked. Knows the attributes that records were made
 * with, and nothing of files or rings.
 */
#ifndef PERFSTAMP_EVENT_DECODE_H
#define PERFSTAMP_EVENT_DECODE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/event/event.h"

struct event_decoder;

/* With @swap the records are in the other byte order. 0 or -ENOMEM. */
int event_decoder__new(struct event_decoder **ret, bool swap);
void event_decoder__free(struct event_decoder *decoder);

/* @attr in this machine's order. 0, -ENOMEM, or -E2BIG: over 4,096 or 1 Mi ids in all. */
int event_decoder__add_attr(struct event_decoder *decoder, const struct perf_event_attr *attr,
	const uint64_t *ids, size_t n_ids);

/*
 * Decodes the record at @record, which is exactly @size bytes long. Pointers in
 * *@ret point into it or into the decoder, until the next call. What the record
 * does not have is 0, but pid, tid and cpu are UINT32_MAX. Types that struct
 * event has no kind for are EVENT_OTHER, with the fields of their trailer;
 * LOST_SAMPLES that a BPF filter dropped too, since they are no loss. Notes (notes.h) are
 * remembered for the records that refer to them: all records have to be decoded, in the order
 * of their file.
 * Returns 0, -ENOMEM, or -EBADMSG with the cause in @err.
 */
int event_decoder__decode(struct event_decoder *decoder, const void *record, size_t size,
	struct event *ret, struct error *err);

/*
 * The same, of what may be no record: it changes nothing that later records are decoded by.
 * 0, -ENOMEM or -EBADMSG.
 */
int event_decoder__try(struct event_decoder *decoder, const void *record, size_t size);

/*
 * Whether perf finds the event that a decoded record of the kernel belongs to:
 * decoding needs it only where events are laid out differently, perf always.
 * 0, -ENOMEM, or -EBADMSG for an id of no event.
 */
int event_decoder__check_id(struct event_decoder *decoder, const struct event *event);
/* Whether an attribute has @id: 0, -ENOMEM or -EBADMSG. */
int event_decoder__knows(struct event_decoder *decoder, uint64_t id);

#endif
