// SPDX-License-Identifier: GPL-2.0-only
/* See pipe_events.h. */
#include "user/perfdata/write/pipe_events.h"

#include "user/perfdata/encode.h"

/*
 * If an event has more ids than fit into a record, the others are written with the same attribute
 * again, which perf treats as another event with the same name. These records come last, so that
 * the numbers of the others, which identify groups, do not change.
 */
static int put_more_ids(struct buffer *buf, const struct event_desc *event)
{
	int err = 0;

	/*
	 * Without ids in its records, a recording has only one event, so there is nothing to
	 * distinguish.
	 */
	if (!(event->attr.sample_type & PERF_SAMPLE_IDENTIFIER))
		return 0;

	for (size_t at = ENCODE_IDS_MAX, n; at < event->n_ids && !err; at += n) {
		n = event->n_ids - at < ENCODE_IDS_MAX ? event->n_ids - at : ENCODE_IDS_MAX;
		err = encode__header_attr(buf, &event->attr, event->ids + at, n);
		if (!err && *event->name)
			err = encode__event_name(buf, event->ids[at], event->name);
	}
	return err;
}

int pipe_events__put(struct buffer *buf, const struct event_desc *events, size_t n_events)
{
	int err = 0;

	for (size_t i = 0; i < n_events && !err; i++)
		err = encode__header_attr(buf, &events[i].attr, events[i].ids,
			events[i].n_ids < ENCODE_IDS_MAX ? events[i].n_ids : ENCODE_IDS_MAX);
	for (size_t i = 0; i < n_events && !err; i++)
		err = put_more_ids(buf, &events[i]);
	for (size_t i = 0; i < n_events && !err; i++)
		if (events[i].n_ids && *events[i].name)
			err = encode__event_name(buf, events[i].ids[0], events[i].name);
	return err;
}
