/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes the bytes of one perf record, in either byte order, to a struct event. Every
 * length in a record is checked. Knows the attributes of the records; does not know files
 * or rings.
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

/* With @swap the records are in the other byte order. Returns 0 or -ENOMEM. */
int event_decoder__new(struct event_decoder **ret, bool swap);
void event_decoder__free(struct event_decoder *decoder);

/*
 * @attr is in this machine's byte order. Returns 0, -ENOMEM, or -E2BIG: more than 4,096 attributes,
 * or 1 Mi ids in all.
 */
int event_decoder__add_attr(struct event_decoder *decoder, const struct perf_event_attr *attr,
	const uint64_t *ids, size_t n_ids);

/*
 * Decodes the record at @record, which is exactly @size bytes long. Pointers in *@ret point
 * into it or into the decoder, until the next call. Fields that the record does not have
 * are 0, but pid, tid and cpu are UINT32_MAX. Types for which struct event has no kind are
 * EVENT_OTHER, with the fields of their trailer. So are LOST_SAMPLES that a BPF filter
 * dropped, since they are not losses. Notes (notes.h) are kept for the records that refer
 * to them, so all records have to be decoded, in the order of their file. Returns 0,
 * -ENOMEM, or -EBADMSG with the cause in @err.
 */
int event_decoder__decode(struct event_decoder *decoder, const void *record, size_t size,
	struct event *ret, struct error *err);

/*
 * The same for bytes that may not be a record: does not affect the decoding of later
 * records. Returns 0, -ENOMEM or -EBADMSG.
 */
int event_decoder__try(struct event_decoder *decoder, const void *record, size_t size);

/*
 * Checks that perf finds the event of a decoded record of the kernel. perf always needs it;
 * decoding needs it only if events have different layouts. Returns 0, -ENOMEM, or -EBADMSG
 * for an unknown id.
 */
int event_decoder__check_id(struct event_decoder *decoder, const struct event *event);
/* Whether an attribute has @id: returns 0, -ENOMEM or -EBADMSG. */
int event_decoder__knows(struct event_decoder *decoder, uint64_t id);

#endif
