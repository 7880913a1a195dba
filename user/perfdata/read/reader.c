// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf.data reader, see reader.h. It walks the records; the parts that it
 * walks with are the other files here: input, file_header, disk_attr,
 * attr_section, attr_list, feature_store, decompress, and event/decode.
 */
#include "user/perfdata/read/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/cursor.h"
#include "user/event/decode.h"
#include "user/perfdata/read/attr_list.h"
#include "user/perfdata/read/attr_section.h"
#include "user/perfdata/read/decompress.h"
#include "user/perfdata/disk_attr.h"
#include "user/perfdata/features/store.h"
#include "user/perfdata/file_header.h"
#include "user/perfdata/input.h"
#include "user/perfdata/read/resync.h"

#define PAYLOAD_MAX (64u << 20)

struct perfdata_reader {
	struct input in;
	char *name;
	struct file_header header;
	struct event_decoder *decoder;
	struct attr_list attrs;
	struct feature_store *features; /* fills itself when asked, so not const */
	struct decompress *decompress;  /* NULL until a COMPRESSED record comes */
	bool decompressing;             /* the record at the input's offset */
	bool stream_damaged;            /* not one record of it, but all that follows */
	uint64_t pending;               /* bytes of the input that the last event took */
	uint64_t payload;               /* and bytes behind it that are no record */
	int stuck;                      /* what ended the reading */
	struct error stuck_text;
};

static int out_of_memory(struct error *err)
{
	return error__set(err, -ENOMEM, "out of memory");
}

static int add_attr(void *ctx, const struct perf_event_attr *attr, const void *ids, size_t size)
{
	struct perfdata_reader *reader = ctx;
	int err = attr_list__add(&reader->attrs, attr, ids, size, reader->header.swap);
	const struct perfdata_attr *added;

	if (err)
		return err;
	added = reader->attrs.attrs[reader->attrs.n - 1];
	return event_decoder__add_attr(reader->decoder, attr, added->ids, added->n_ids);
}

static int read_attrs(struct perfdata_reader *reader, struct error *err)
{
	uint64_t offset;
	int ret = attr_section__read(&reader->in, &reader->header, add_attr, reader, &offset);

	if (!ret)
		return 0;
	if (ret == -ENOMEM)
		return out_of_memory(err);
	return error__set(err, -EBADMSG,
		"%s: offset %" PRIu64 ": the attribute of an event contradicts itself",
		reader->name, offset);
}

static int read_names(struct perfdata_reader *reader)
{
	size_t size;
	const void *desc = feature_store__get(
		reader->features, &reader->in, &reader->header, HEADER_EVENT_DESC, &size);

	return desc ? attr_list__set_names(&reader->attrs, desc, size, reader->header.swap) : 0;
}

static int begin(struct perfdata_reader *reader, struct error *err)
{
	struct error cause;
	const void *bytes;
	ssize_t size;
	int ret;

	/* A pipe may have no more than its 16 bytes yet, and must not be waited for. */
	size = input__peek(&reader->in, sizeof(struct perfdata_pipe_header), &bytes);
	if (size >= 0 && reader->in.seekable)
		size = input__peek(&reader->in, PERFDATA_HEADER_READ, &bytes);
	if (size < 0)
		return error__errno(err, size, "%s: cannot read", reader->name);
	ret = file_header__parse(&reader->header, bytes, size,
		reader->in.seekable ? reader->in.file_size : UINT64_MAX, &cause);
	if (ret)
		return error__set(err, ret, "%s: %s", reader->name, cause.text);
	if (event_decoder__new(&reader->decoder, reader->header.swap))
		return out_of_memory(err);
	if (reader->header.pipe) {
		input__take(&reader->in, sizeof(struct perfdata_pipe_header));
		return 0;
	}
	ret = read_attrs(reader, err);
	if (ret)
		return ret;
	if (read_names(reader))
		return out_of_memory(err);
	input__seek(&reader->in, reader->header.header.data.offset, reader->header.data_end);
	return 0;
}

static int new_reader(struct perfdata_reader **ret, const char *name)
{
	struct perfdata_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return -ENOMEM;
	reader->in.fd = -1;
	reader->name = strdup(name);
	reader->features = calloc(1, sizeof(*reader->features));
	if (!reader->name || !reader->features) {
		perfdata_reader__free(reader);
		return -ENOMEM;
	}
	*ret = reader;
	return 0;
}

static int opened(
	struct perfdata_reader **ret, struct perfdata_reader *reader, int code, struct error *err)
{
	if (code)
		error__errno(err, code, "%s: cannot open", reader->name);
	else
		code = begin(reader, err);
	if (code)
		perfdata_reader__free(reader);
	else
		*ret = reader;
	return code;
}

int perfdata_reader__open(struct perfdata_reader **ret, const char *path, struct error *err)
{
	struct perfdata_reader *reader;

	if (new_reader(&reader, strcmp(path, "-") ? path : "standard input"))
		return out_of_memory(err);
	return opened(ret, reader, input__open(&reader->in, path), err);
}

int perfdata_reader__open_fd(
	struct perfdata_reader **ret, int fd, const char *name, struct error *err)
{
	struct perfdata_reader *reader;

	if (new_reader(&reader, name))
		return out_of_memory(err);
	return opened(ret, reader, input__open_fd(&reader->in, fd), err);
}

int perfdata_reader__open_memory(struct perfdata_reader **ret, const void *bytes, size_t size,
	const char *name, struct error *err)
{
	struct perfdata_reader *reader;

	if (new_reader(&reader, name))
		return out_of_memory(err);
	input__open_memory(&reader->in, bytes, size);
	return opened(ret, reader, 0, err);
}

void perfdata_reader__free(struct perfdata_reader *reader)
{
	if (!reader)
		return;
	input__close(&reader->in);
	event_decoder__free(reader->decoder);
	attr_list__free(&reader->attrs);
	if (reader->features)
		feature_store__free(reader->features);
	free(reader->features);
	decompress__free(reader->decompress);
	free(reader->name);
	free(reader);
}

/* The text of @cause with the place, for ever. */
static int stick(struct perfdata_reader *reader, int code, const char *cause, struct error *err)
{
	reader->stuck = error__set(&reader->stuck_text, code, "%s: offset %" PRIu64 ": %s",
		reader->name, reader->in.offset, cause);
	if (err)
		*err = reader->stuck_text;
	return code;
}

/* Passes over what the last event took. */
static int advance(struct perfdata_reader *reader)
{
	uint64_t payload = reader->payload;

	input__take(&reader->in, reader->pending);
	reader->pending = 0;
	reader->payload = 0;
	return payload ? input__skip(&reader->in, payload) : 0;
}

/* HEADER_ATTR: what a file has in its attribute section. */
static int take_attr(struct perfdata_reader *reader, const void *body, size_t size)
{
	struct perf_event_attr attr;
	size_t attr_size;
	int err = disk_attr__read(&attr, body, size, reader->header.swap, &attr_size);

	if (err)
		return err;
	err = add_attr(reader, &attr, (const uint8_t *)body + attr_size, size - attr_size);
	return err == -E2BIG ? -EBADMSG : err;
}

static int take_update(struct perfdata_reader *reader, struct cursor in)
{
	uint64_t type = cursor__u64(&in), id = cursor__u64(&in);
	const char *name;

	if (type != PERF_EVENT_UPDATE__NAME)
		return 0;
	name = cursor__string(&in);
	return name ? attr_list__set_name(&reader->attrs, id, name) : -EBADMSG;
}

static int take_feature(struct perfdata_reader *reader, struct cursor in)
{
	uint64_t id = cursor__u64(&in);
	size_t size = cursor__remaining(&in);
	const void *bytes = cursor__bytes(&in, size);
	int err;

	if (in.failed)
		return -EBADMSG;
	/* perf ends its features with an empty one, whose id differs by version. */
	if (!size)
		return 0;
	err = feature_store__put(reader->features, id < PERFDATA_FEATURE_BITS ? id : UINT32_MAX,
		bytes, size, reader->header.swap);
	return err || id != HEADER_EVENT_DESC ? err : read_names(reader);
}

/* Records that tell about the input itself, or have bytes behind them. */
static int take_user_record(struct perfdata_reader *reader, const struct event *event)
{
	struct cursor in;

	cursor__init(&in, event->raw, event->raw_size, reader->header.swap);
	cursor__skip(&in, sizeof(struct perf_event_header));
	switch (event->type) {
	case PERF_RECORD_AUXTRACE:
	case PERF_RECORD_HEADER_TRACING_DATA:
		if (reader->decompressing)
			return -EBADMSG;
		reader->payload = event->type == PERF_RECORD_AUXTRACE ? cursor__u64(&in)
								      : cursor__u32(&in);
		return in.failed ? -EBADMSG : 0;
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2: /* only where decompressing: nested */
		return -EBADMSG;
	}
	if (!reader->header.pipe)
		return 0;
	switch (event->type) {
	case PERF_RECORD_HEADER_ATTR:
		return take_attr(reader, in.at, cursor__remaining(&in));
	case PERF_RECORD_EVENT_UPDATE:
		return take_update(reader, in);
	case PERF_RECORD_HEADER_FEATURE:
		return take_feature(reader, in);
	}
	return 0;
}

static int hand_out(struct perfdata_reader *reader, const void *record, size_t size,
	struct event *ret, struct error *err)
{
	struct error cause;
	int code = event_decoder__decode(reader->decoder, record, size, ret, &cause);

	if (code)
		return stick(reader, code, cause.text, err);
	ret->offset = reader->in.offset;
	if (ret->type >= PERF_RECORD_USER_TYPE_START)
		code = take_user_record(reader, ret);
	if (code == -ENOMEM)
		return stick(reader, code, "out of memory", err);
	if (code) {
		error__set(&cause, code, "a record of type %u contradicts itself", ret->type);
		return stick(reader, code, cause.text, err);
	}
	return 1;
}

static int begin_decompressing(
	struct perfdata_reader *reader, uint32_t type, const void *record, size_t size)
{
	struct cursor in;
	const void *bytes;

	cursor__init(&in, record, size, reader->header.swap);
	cursor__skip(&in, sizeof(struct perf_event_header));
	size = type == PERF_RECORD_COMPRESSED2 ? cursor__u64(&in) : cursor__remaining(&in);
	bytes = cursor__bytes(&in, size);
	if (in.failed)
		return -EBADMSG;
	if (!reader->decompress && decompress__new(&reader->decompress, reader->header.swap))
		return -ENOMEM;
	decompress__feed(reader->decompress, bytes, size);
	reader->decompressing = true;
	return 0;
}

/* 1 with a record, 0 where the COMPRESSED record is used up. */
static int next_compressed(
	struct perfdata_reader *reader, struct event *ret_event, struct error *err)
{
	const void *record;
	size_t size;
	int ret = decompress__next(reader->decompress, &record, &size);

	if (ret < 0) {
		reader->stream_damaged = true;
		return stick(reader, ret, "compressed data contradict themselves", err);
	}
	if (ret)
		return hand_out(reader, record, size, ret_event, err);
	reader->decompressing = false;
	return 0;
}

static int end(struct perfdata_reader *reader, struct error *err)
{
	if (reader->decompress && decompress__is_partial(reader->decompress))
		return stick(reader, -EBADMSG, "the compressed data end inside a record", err);
	return 0;
}

/* 1 with a whole record of the input, 0 at its end. */
static int peek_record(struct perfdata_reader *reader, const void **ret_record,
	struct perf_event_header *ret_header, struct error *err)
{
	ssize_t n = input__peek(&reader->in, sizeof(*ret_header), ret_record);
	struct cursor in;

	if (n == 0)
		return end(reader, err);
	if (n > 0) {
		cursor__init(&in, *ret_record, n, reader->header.swap);
		ret_header->type = cursor__u32(&in);
		ret_header->misc = cursor__u16(&in);
		ret_header->size = cursor__u16(&in);
		if (!in.failed && ret_header->size < sizeof(*ret_header))
			return stick(
				reader, -EBADMSG, "a record is smaller than its own header", err);
		n = in.failed ? 0 : input__peek(&reader->in, ret_header->size, ret_record);
	}
	if (n < 0)
		return stick(reader, n, strerror(-n), err);
	if (n == 0 || n < ret_header->size)
		return stick(reader, -EBADMSG, "the data end inside a record", err);
	return 1;
}

int perfdata_reader__next(
	struct perfdata_reader *reader, struct event *ret_event, struct error *err)
{
	struct perf_event_header header = {};
	const void *record;
	int ret;

	for (;;) {
		if (reader->stuck) {
			if (err)
				*err = reader->stuck_text;
			return reader->stuck;
		}
		if (reader->decompressing) {
			ret = next_compressed(reader, ret_event, err);
			if (ret)
				return ret;
		}
		ret = advance(reader);
		if (ret)
			return stick(reader, ret, "the data end inside the bytes of a record", err);
		ret = peek_record(reader, &record, &header, err);
		if (ret <= 0)
			return ret;
		reader->pending = header.size;
		if (header.type != PERF_RECORD_COMPRESSED && header.type != PERF_RECORD_COMPRESSED2)
			return hand_out(reader, record, header.size, ret_event, err);
		ret = begin_decompressing(reader, header.type, record, header.size);
		if (ret)
			return stick(reader, ret,
				ret == -ENOMEM ? "out of memory"
					       : "a compressed record contradicts itself",
				err);
	}
}

int perfdata_reader__resync(struct perfdata_reader *reader, uint64_t *ret_from, uint64_t *ret_to)
{
	int ret;

	*ret_from = *ret_to = reader->in.offset;
	if (reader->stuck && reader->stuck != -EBADMSG)
		return reader->stuck;
	reader->stuck = 0;
	reader->payload = 0;
	if (reader->decompressing && !reader->stream_damaged)
		return 1;
	decompress__free(reader->decompress);
	reader->decompress = NULL;
	reader->decompressing = reader->stream_damaged = false;
	reader->pending = 0;
	ret = resync__find(&reader->in, reader->decoder, reader->header.swap, reader->header.pipe,
		perfdata_reader__data_start(reader));
	*ret_to = reader->in.offset;
	return ret;
}

int perfdata_reader__payload(struct perfdata_reader *reader, void **ret, size_t *ret_size)
{
	uint64_t left = reader->payload;
	uint8_t *bytes, *to;
	int err = 0;

	if (!left)
		return -ENOENT;
	if (left > PAYLOAD_MAX)
		return -E2BIG;
	bytes = to = malloc(left);
	if (!bytes)
		return -ENOMEM;
	input__take(&reader->in, reader->pending);
	reader->pending = reader->payload = 0;
	while (left && !err) {
		size_t step = left < INPUT_PEEK_MAX ? left : INPUT_PEEK_MAX;
		const void *window;
		ssize_t n = input__peek(&reader->in, step, &window);

		if (n <= 0) {
			err = n < 0 ? (int)n : -EBADMSG;
			break;
		}
		memcpy(to, window, n);
		input__take(&reader->in, n);
		to += n;
		left -= n;
	}
	*ret = bytes;
	*ret_size = to - bytes;
	if (err)
		free(bytes);
	return err;
}

int perfdata_reader__check_id(struct perfdata_reader *reader, const struct event *event)
{
	return event_decoder__check_id(reader->decoder, event);
}

int perfdata_reader__knows(struct perfdata_reader *reader, uint64_t id)
{
	return event_decoder__knows(reader->decoder, id);
}

int perfdata_reader__decode_again(struct perfdata_reader *reader, struct event *event)
{
	uint64_t offset = event->offset;
	int err = event_decoder__decode(reader->decoder, event->raw, event->raw_size, event, NULL);

	event->offset = offset;
	return err;
}

size_t perfdata_reader__n_attrs(const struct perfdata_reader *reader)
{
	return reader->attrs.n;
}

const struct perfdata_attr *perfdata_reader__attr(const struct perfdata_reader *reader, size_t i)
{
	return i < reader->attrs.n ? reader->attrs.attrs[i] : NULL;
}

bool perfdata_reader__is_pipe(const struct perfdata_reader *reader)
{
	return reader->header.pipe;
}

bool perfdata_reader__is_foreign_order(const struct perfdata_reader *reader)
{
	return reader->header.swap;
}

bool perfdata_reader__is_unfinished(const struct perfdata_reader *reader)
{
	const struct file_header *header = &reader->header;
	size_t early = file_header__has_feature(header, HEADER_TRACING_DATA) +
		       file_header__has_feature(header, HEADER_COMPRESSED);

	/* perfstamp sets these two when it begins, and all others at the end. */
	return !header->pipe && (!header->sections || file_header__section_index(header,
							      PERFDATA_FEATURE_BITS) == early);
}

enum perfdata_extent perfdata_reader__extent(const struct perfdata_reader *reader)
{
	const struct file_header *header = &reader->header;
	const struct perfdata_section *data = &header->header.data;

	if (header->pipe)
		return PERFDATA_WHOLE;
	if (header->no_size)
		return PERFDATA_NO_SIZE;
	if (data->size > header->data_end - data->offset)
		return PERFDATA_CUT_DATA;
	return header->cut ? PERFDATA_CUT_FEATURES : PERFDATA_WHOLE;
}

const void *perfdata_reader__feature(
	const struct perfdata_reader *reader, unsigned int id, size_t *ret_size)
{
	/* Reading at a place leaves the window alone. */
	struct input *in = (struct input *)&reader->in;

	return feature_store__get(reader->features, in, &reader->header, id, ret_size);
}

bool perfdata_reader__feature_section(const struct perfdata_reader *reader, unsigned int id,
	uint64_t *ret_offset, uint64_t *ret_size)
{
	struct perfdata_section section;

	if (!feature_store__section((struct input *)&reader->in, &reader->header, id, &section))
		return false;
	*ret_offset = section.offset;
	*ret_size = section.size;
	return true;
}

uint64_t perfdata_reader__offset(const struct perfdata_reader *reader)
{
	return reader->in.offset + (reader->decompressing ? 0 : reader->pending + reader->payload);
}

uint64_t perfdata_reader__data_start(const struct perfdata_reader *reader)
{
	return reader->header.pipe ? sizeof(struct perfdata_pipe_header)
				   : reader->header.header.data.offset;
}

uint64_t perfdata_reader__data_end(const struct perfdata_reader *reader)
{
	return reader->header.pipe ? 0 : reader->header.data_end;
}
