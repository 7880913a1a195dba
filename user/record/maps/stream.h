/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaces the file of a recording by an observer, which gets the recorded events in time
 * order while recording. Does not know the model or views.
 */
#ifndef PERFSTAMP_RECORD_STREAM_H
#define PERFSTAMP_RECORD_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/event/order.h"

struct event_decoder;
struct stream;

/* An observer. A non-zero result ends the recording, and is its result. */
struct stream_reader {
	order_fn *event; /* in time order; existing state has time 0 or comes first */
	void *ctx;
};

/*
 * @reader must outlive the result. Takes ownership of @decoder, also on failure; it knows the
 * attributes of the records. Returns 0 or -ENOMEM.
 */
int stream__new(
	struct stream **ret, const struct stream_reader *reader, struct event_decoder *decoder);
void stream__free(struct stream *stream);

int stream__event(struct stream *stream, const struct event *event, struct error *err);
/* Whole records as they were read from a perf ring. */
int stream__raw(struct stream *stream, const void *records, size_t size, struct error *err);
/* Passes on the events before which no older ones can follow. A round may be empty. */
int stream__finish_round(struct stream *stream, struct error *err);
/* Passes on all events, at the end. */
int stream__finish(struct stream *stream, struct error *err);

#endif
