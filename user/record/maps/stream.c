// SPDX-License-Identifier: GPL-2.0-only
/* See stream.h. */
#include "user/record/maps/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/event/decode.h"

struct stream {
	const struct stream_reader *reader;
	struct event_decoder *decoder;
	struct order *order;
};

int stream__new(
	struct stream **ret, const struct stream_reader *reader, struct event_decoder *decoder)
{
	struct stream *stream = calloc(1, sizeof(*stream));
	int code;

	*ret = NULL;
	if (!stream) {
		event_decoder__free(decoder);
		return -ENOMEM;
	}
	stream->reader = reader;
	stream->decoder = decoder;
	code = order__new(&stream->order, reader->event, reader->ctx, 0);
	if (code)
		stream__free(stream);
	else
		*ret = stream;
	return code;
}

void stream__free(struct stream *stream)
{
	if (!stream)
		return;
	event_decoder__free(stream->decoder);
	order__free(stream->order);
	free(stream);
}

static int told(int code, struct error *err)
{
	return code ? error__errno(err, code, "cannot pass on an event") : 0;
}

int stream__event(struct stream *stream, const struct event *event, struct error *err)
{
	return told(order__push(stream->order, event), err);
}

int stream__raw(struct stream *stream, const void *records, size_t size, struct error *err)
{
	const char *at = records, *end = at + size;
	struct perf_event_header header;
	struct event event;
	int code = 0;

	for (; !code && at < end; at += header.size) {
		memcpy(&header, at, sizeof(header));
		code = event_decoder__decode(stream->decoder, at, header.size, &event, err);
		if (code)
			return code;
		code = stream__event(stream, &event, err);
	}
	return code;
}

int stream__finish_round(struct stream *stream, struct error *err)
{
	return told(order__finish_round(stream->order), err);
}

int stream__finish(struct stream *stream, struct error *err)
{
	return told(order__flush(stream->order), err);
}
