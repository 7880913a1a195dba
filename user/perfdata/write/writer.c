// SPDX-License-Identifier: GPL-2.0-only
/*
 * See writer.h. Decides which bytes are written, in which order; output.c writes them.
 *
 * A file consists of: header, ids, attributes, data, features. During the recording, data.size is
 * that of the last round, and no feature bit is set, so perf can read the file at any moment. In a
 * pipe, attributes, names and features are records that precede the data.
 */
#include "user/perfdata/write/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/perfdata/write/compress.h"
#include "user/perfdata/encode.h"
#include "user/perfdata/features/event_desc.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/write/note_writer.h"
#include "user/perfdata/write/output.h"
#include "user/perfdata/write/pipe_events.h"
#include "user/perfdata/write/sample_span.h"
#include "user/perfdata/strings.h"

struct feature_bytes {
	void *bytes; /* NULL: not set */
	size_t size;
};

/* Without these, perf cannot read the records of a file, finished or not. */
static const unsigned int EARLY[] = {HEADER_TRACING_DATA, HEADER_COMPRESSED};
#define EARLY_FEATURES (sizeof(EARLY) / sizeof(EARLY[0]))

struct perfdata_writer {
	struct output out;
	bool pipe;
	bool begun;
	bool finished;
	uint64_t data_offset;
	struct event_desc *attrs; /* names and ids are owned */
	size_t n_attrs;
	struct sample_span span;
	struct perfdata_section early[EARLY_FEATURES]; /* their places in a file; or 0 */
	struct compress *compress;                     /* NULL: records are not compressed */
	int level;                                     /* level of .compress */
	/* records that have not been compressed yet */
	struct buffer plain;
	struct note_writer notes;
	struct feature_bytes features[PERFDATA_FEATURE_BITS];
};

int perfdata_writer__new(struct perfdata_writer **ret, int fd, const char *name, bool pipe)
{
	struct perfdata_writer *writer = calloc(1, sizeof(*writer));
	int err;

	if (!writer)
		return -ENOMEM;
	err = output__init(&writer->out, fd, name);
	if (err) {
		free(writer);
		return err;
	}
	writer->pipe = pipe;
	*ret = writer;
	return 0;
}

void perfdata_writer__free(struct perfdata_writer *writer)
{
	if (!writer)
		return;
	for (size_t i = 0; i < writer->n_attrs; i++) {
		free((void *)writer->attrs[i].name);
		free((void *)writer->attrs[i].ids);
	}
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS; i++)
		free(writer->features[i].bytes);
	free(writer->attrs);
	output__free(&writer->out);
	compress__free(writer->compress);
	buffer__free(&writer->plain);
	note_writer__free(&writer->notes);
	free(writer);
}

static int out_of_memory(struct error *err)
{
	return error__set(err, -ENOMEM, "out of memory");
}

/* Returns the buffer to which records, except marks, are appended. */
static struct buffer *records(struct perfdata_writer *writer)
{
	return writer->compress ? &writer->plain : &writer->out.pending;
}

/* Compresses the waiting records, and appends them to the output. */
static int pack(struct perfdata_writer *writer)
{
	int err;

	if (!writer->compress)
		return 0;
	err = compress__records(
		writer->compress, writer->plain.data, writer->plain.size, &writer->out.pending);
	buffer__reset(&writer->plain);
	return err;
}

/* Converts the result @encoded of appending a record to the caller's, and flushes if necessary. */
static int added(struct perfdata_writer *writer, int encoded, struct error *err)
{
	if (!encoded && writer->plain.size >= COMPRESS_CHUNK)
		encoded = pack(writer);
	if (encoded == -ENOMEM)
		return out_of_memory(err);
	if (encoded == -EOVERFLOW)
		return error__set(
			err, encoded, "%s: a record would be longer than 64 KiB", writer->out.name);
	if (encoded)
		return error__errno(err, encoded, "%s: cannot encode a record", writer->out.name);
	return output__flush_if_full(&writer->out, err);
}

int perfdata_writer__add_attr(struct perfdata_writer *writer, const struct perf_event_attr *attr,
	const char *name, const uint64_t *ids, size_t n_ids, struct error *err)
{
	struct event_desc *added_attr;

	if (writer->begun)
		return error__set(err, -EINVAL, "an event cannot be added to a begun file");
	if (!attr->sample_id_all)
		return error__set(err, -EINVAL, "%s: the event has no sample_id_all", name);
	if (writer->n_attrs &&
		!(attr->sample_type & writer->attrs[0].attr.sample_type & PERF_SAMPLE_IDENTIFIER))
		return error__set(err, -EINVAL,
			"%s: several events in a file need PERF_SAMPLE_IDENTIFIER", name);
	if (array__extend(&writer->attrs, writer->n_attrs, sizeof(*writer->attrs)))
		return out_of_memory(err);
	added_attr = &writer->attrs[writer->n_attrs];
	*added_attr = (struct event_desc){.attr = *attr, .n_ids = n_ids};
	added_attr->name = strdup(name ? name : "");
	added_attr->ids = calloc(n_ids ? n_ids : 1, sizeof(*ids));
	if (!added_attr->name || !added_attr->ids) {
		free((void *)added_attr->name);
		free((void *)added_attr->ids);
		return out_of_memory(err);
	}
	if (n_ids)
		memcpy((void *)added_attr->ids, ids, n_ids * sizeof(*ids));
	sample_span__add_type(&writer->span, attr->sample_type);
	writer->n_attrs++;
	return 0;
}

/* Writes a record without a body uncompressed, in its place among the others. */
static int put_mark(struct perfdata_writer *writer, uint32_t type, struct error *err)
{
	int encoded = pack(writer);

	if (!encoded)
		encoded = encode__mark(&writer->out.pending, type);
	return added(writer, encoded, err);
}

/* Assigns places, from @at on, to the features before the data. Returns their end. */
static uint64_t place_early(struct perfdata_writer *writer, uint64_t at, uint64_t *ret_bits)
{
	struct perfdata_section sections[EARLY_FEATURES];
	size_t n = 0;

	for (size_t i = 0; i < EARLY_FEATURES; i++) {
		const struct feature_bytes *feature = &writer->features[EARLY[i]];

		if (!feature->bytes)
			continue;
		writer->early[i] = (struct perfdata_section){at, feature->size};
		sections[n++] = writer->early[i];
		*ret_bits |= 1ull << EARLY[i];
		at += (feature->size + 7) / 8 * 8;
	}
	if (n)
		output__keep_behind(&writer->out, sections, n);
	return at;
}

static void put_early(struct perfdata_writer *writer, struct buffer *buf)
{
	for (size_t i = 0; i < EARLY_FEATURES; i++) {
		const struct feature_bytes *feature = &writer->features[EARLY[i]];

		if (!feature->bytes)
			continue;
		buffer__append(buf, feature->bytes, feature->size);
		buffer__zeros(buf, -feature->size % 8);
	}
}

/* Returns the place of @id before the data; NULL if it is not there. */
static const struct perfdata_section *find_early(
	const struct perfdata_writer *writer, unsigned int id)
{
	for (size_t i = 0; i < EARLY_FEATURES; i++)
		if (EARLY[i] == id && writer->early[i].offset)
			return &writer->early[i];
	return NULL;
}

/* Writes header, ids and attributes. output__checkpoint() writes to the header as well. */
static int begin_file(struct perfdata_writer *writer)
{
	struct buffer *buf = &writer->out.pending;
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC,
		.size = sizeof(header),
		.attr_size = PERFDATA_ATTR_SIZE + sizeof(struct perfdata_section),
	};
	uint64_t ids_at = sizeof(header), at = ids_at;

	for (size_t i = 0; i < writer->n_attrs; i++)
		at += writer->attrs[i].n_ids * sizeof(uint64_t);
	header.attrs.offset = at;
	header.attrs.size = writer->n_attrs * header.attr_size;
	header.data.offset = place_early(writer, at + header.attrs.size, header.features);
	writer->data_offset = header.data.offset;
	buffer__append(buf, &header, sizeof(header));
	for (size_t i = 0; i < writer->n_attrs; i++)
		buffer__append(
			buf, writer->attrs[i].ids, writer->attrs[i].n_ids * sizeof(uint64_t));
	for (size_t i = 0; i < writer->n_attrs; i++) {
		encode__attr(buf, &writer->attrs[i].attr);
		buffer__u64(buf, ids_at);
		buffer__u64(buf, writer->attrs[i].n_ids * sizeof(uint64_t));
		ids_at += writer->attrs[i].n_ids * sizeof(uint64_t);
	}
	put_early(writer, buf);
	return buf->error;
}

static bool has_section(const struct perfdata_writer *writer, unsigned int id)
{
	const struct feature_bytes *features = writer->features;

	if (id == HEADER_VERSION)
		return features[id].bytes || features[PERFSTAMP_FEATURE].bytes;
	return id != PERFSTAMP_FEATURE && features[id].bytes;
}

/* perfstamp's own lines follow the string of VERSION, see layout.h. */
static int put_section(
	const struct perfdata_writer *writer, unsigned int id, struct buffer *ret_section)
{
	const struct feature_bytes *feature = &writer->features[id];
	const struct feature_bytes *stamp = &writer->features[PERFSTAMP_FEATURE];

	if (feature->bytes)
		buffer__append(ret_section, feature->bytes, feature->size);
	else
		strings__put(ret_section, "perfstamp");
	if (id == HEADER_VERSION && stamp->bytes)
		strings__put_bytes(ret_section, stamp->bytes, stamp->size);
	return ret_section->error;
}

static int pipe_feature(struct perfdata_writer *writer, unsigned int id)
{
	struct buffer section;
	int encoded;

	buffer__init(&section, 0);
	encoded = put_section(writer, id, &section);
	if (!encoded)
		encoded = encode__header_feature(
			&writer->out.pending, id, section.data, section.size);
	buffer__free(&section);

	/*
	 * On machines with many CPUs, EVENT_DESC may be too long; the names have separate records.
	 */
	return encoded == -EOVERFLOW ? 0 : encoded;
}

/* perf requires the attributes before the records that refer to them. */
static int begin_pipe(struct perfdata_writer *writer)
{
	struct buffer *buf = &writer->out.pending;
	const struct perfdata_pipe_header header = {PERFDATA_MAGIC, sizeof(header)};
	int err = buffer__append(buf, &header, sizeof(header));

	if (!err)
		err = pipe_events__put(buf, writer->attrs, writer->n_attrs);
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS && !err; i++)
		if (i != HEADER_TRACING_DATA && has_section(writer, i))
			err = pipe_feature(writer, i);
	if (!err && writer->features[HEADER_TRACING_DATA].bytes)
		err = encode__tracing_data(buf, writer->features[HEADER_TRACING_DATA].bytes,
			writer->features[HEADER_TRACING_DATA].size);
	return err;
}

/* Makes EVENT_DESC from the attributes, unless the caller provided it. */
static int describe_events(struct perfdata_writer *writer, struct error *err)
{
	struct buffer desc;
	int ret;

	if (writer->features[HEADER_EVENT_DESC].bytes || !writer->n_attrs)
		return 0;
	buffer__init(&desc, 0);
	ret = event_desc__encode(&desc, writer->attrs, writer->n_attrs);
	if (ret)
		ret = out_of_memory(err);
	else
		ret = perfdata_writer__feature(
			writer, HEADER_EVENT_DESC, desc.data, desc.size, err);
	buffer__free(&desc);
	return ret;
}

int perfdata_writer__compress(struct perfdata_writer *writer, int level, struct error *err)
{
	struct buffer bytes;
	int ret;

	if (writer->begun)
		return error__set(err, -EINVAL, "%s: compressed after its begin", writer->out.name);
	if (compress__new(&writer->compress, level))
		return out_of_memory(err);
	writer->level = level;
	buffer__init(&bytes, 0);
	ret = compress__feature(writer->compress, &bytes);
	ret = ret ? out_of_memory(err)
		  : perfdata_writer__feature(
			    writer, HEADER_COMPRESSED, bytes.data, bytes.size, err);
	buffer__free(&bytes);
	return ret;
}

int perfdata_writer__new_like(struct perfdata_writer **ret, const struct perfdata_writer *from,
	int fd, const char *name, bool plain)
{
	struct perfdata_writer *writer;
	struct error ignored;
	int code = perfdata_writer__new(&writer, fd, name, from->pipe);

	if (code)
		return code;
	for (size_t i = 0; !code && i < from->n_attrs; i++)
		code = perfdata_writer__add_attr(writer, &from->attrs[i].attr, from->attrs[i].name,
			from->attrs[i].ids, from->attrs[i].n_ids, &ignored);
	for (size_t i = 0; !plain && !code && i < PERFDATA_FEATURE_BITS; i++)
		if (from->features[i].bytes && !feature__is_of_records(i))
			code = perfdata_writer__feature(writer, i, from->features[i].bytes,
				from->features[i].size, &ignored);
	writer->notes.last = plain ? from->notes.last : 0;
	if (!code && !plain && from->compress)
		code = perfdata_writer__compress(writer, from->level, &ignored);
	if (code)
		perfdata_writer__free(writer);
	else
		*ret = writer;
	return code;
}

int perfdata_writer__begin(struct perfdata_writer *writer, struct error *err)
{
	int ret;

	if (writer->begun)
		return error__set(err, -EINVAL, "%s: begun twice", writer->out.name);
	if (!writer->n_attrs)
		return error__set(err, -EINVAL, "%s: no event to record", writer->out.name);
	ret = describe_events(writer, err);
	if (ret)
		return ret;
	ret = writer->pipe ? begin_pipe(writer) : begin_file(writer);
	if (ret)
		return out_of_memory(err);
	ret = output__flush(&writer->out, err);
	if (ret)
		return ret;
	writer->begun = true;
	output__begin_records(&writer->out, writer->data_offset);
	return 0;
}

int perfdata_writer__raw(
	struct perfdata_writer *writer, const void *bytes, size_t size, struct error *err)
{
	int ret = sample_span__add(&writer->span, bytes, size);

	if (ret)
		return error__set(err, ret, "%s: not whole records", writer->out.name);
	writer->out.samples = writer->span.n;
	return added(writer, buffer__append(records(writer), bytes, size), err);
}

int perfdata_writer__event(struct perfdata_writer *writer, const struct event *event,
	size_t attr_index, struct error *err)
{
	struct encode_trailer trailer;
	const struct event_desc *attr;

	if (attr_index >= writer->n_attrs)
		return error__set(err, -EINVAL, "%s: no event %zu", writer->out.name, attr_index);
	attr = &writer->attrs[attr_index];
	trailer = (struct encode_trailer){
		.sample_type = attr->attr.sample_type, .id = attr->n_ids ? attr->ids[0] : 0};
	return added(
		writer, note_writer__put(&writer->notes, records(writer), event, &trailer), err);
}

void perfdata_writer__forget_notes(struct perfdata_writer *writer)
{
	note_writer__forget(&writer->notes);
}

int perfdata_writer__finish_round(struct perfdata_writer *writer, struct error *err)
{
	int ret = put_mark(writer, PERF_RECORD_FINISHED_ROUND, err);

	return ret ? ret : perfdata_writer__checkpoint(writer, err);
}

int perfdata_writer__checkpoint(struct perfdata_writer *writer, struct error *err)
{
	int ret = added(writer, pack(writer), err);

	if (!ret)
		ret = output__flush(&writer->out, err);
	if (!ret && !writer->pipe)
		ret = output__checkpoint(&writer->out, err);
	return ret;
}

int perfdata_writer__finish_init(struct perfdata_writer *writer, struct error *err)
{
	return put_mark(writer, PERF_RECORD_FINISHED_INIT, err);
}

int perfdata_writer__feature(struct perfdata_writer *writer, unsigned int id, const void *bytes,
	size_t size, struct error *err)
{
	struct feature_bytes *feature;
	void *copy;

	if (id >= PERFDATA_FEATURE_BITS)
		return error__set(err, -EINVAL, "%s: no feature %u", writer->out.name, id);
	if (id == HEADER_TRACING_DATA && writer->begun)
		return error__set(
			err, -EINVAL, "%s: tracing data after its begin", writer->out.name);
	if (writer->pipe && id != PERFSTAMP_FEATURE && id != HEADER_TRACING_DATA &&
		!feature__in_pipe(id))
		return 0;
	copy = malloc(size ? size : 1);
	if (!copy)
		return out_of_memory(err);
	if (size)
		memcpy(copy, bytes, size);
	feature = &writer->features[id];
	free(feature->bytes);
	*feature = (struct feature_bytes){copy, size};
	if (!writer->pipe || !writer->begun)
		return 0;
	if (id == PERFSTAMP_FEATURE)
		id = HEADER_VERSION;
	return added(writer, pipe_feature(writer, id), err);
}

/* Appends the table of sections in bit order, then the sections. */
static int append_features(struct perfdata_writer *writer, uint64_t *ret_bits)
{
	struct buffer *buf = &writer->out.pending;
	uint64_t at = output__position(&writer->out);
	const struct perfdata_section *early;
	struct buffer sections;
	size_t i, start;
	int err;

	for (i = 0; i < PERFDATA_FEATURE_BITS; i++)
		if (has_section(writer, i))
			at += sizeof(struct perfdata_section);
	buffer__init(&sections, 0);
	for (i = 0; i < PERFDATA_FEATURE_BITS; i++) {
		if (!has_section(writer, i))
			continue;
		ret_bits[i / 64] |= 1ull << i % 64;
		early = find_early(writer, i);
		if (early) {
			buffer__append(buf, early, sizeof(*early));
			continue;
		}
		start = sections.size;
		put_section(writer, i, &sections);
		buffer__u64(buf, at + start);
		buffer__u64(buf, sections.size - start);
	}
	err = sections.error;
	buffer__append(buf, sections.data, sections.size);
	buffer__free(&sections);
	return err ? err : buf->error;
}

/* Writes so many marks that the next tail does not overlap the last one. */
static int leave_tail(struct perfdata_writer *writer, struct error *err)
{
	int ret = 0;

	while (!ret && output__is_near_tail(&writer->out))
		ret = put_mark(writer, PERF_RECORD_FINISHED_ROUND, err);
	return ret ? ret : output__flush(&writer->out, err);
}

/* Writes the feature again, now with the ratio. */
static int rewrite_compressed(struct perfdata_writer *writer, struct error *err)
{
	const struct perfdata_section *early = find_early(writer, HEADER_COMPRESSED);
	struct buffer bytes;
	int ret;

	if (!early)
		return 0;
	buffer__init(&bytes, 0);
	ret = compress__feature(writer->compress, &bytes);
	ret = ret ? out_of_memory(err)
		  : output__rewrite(&writer->out, early->offset, bytes.data, bytes.size, err);
	buffer__free(&bytes);
	return ret;
}

/* Completes the data of a file first, without features, and then adds the features. */
static int finish_file(struct perfdata_writer *writer, struct error *err)
{
	uint64_t bits[PERFDATA_FEATURE_BITS / 64] = {}, data_end;
	int ret = leave_tail(writer, err);

	if (!ret)
		ret = output__checkpoint(&writer->out, err);
	if (!ret)
		ret = leave_tail(writer, err);
	if (!ret)
		ret = rewrite_compressed(writer, err);
	if (ret)
		return ret;
	output__end_records(&writer->out);
	data_end = output__position(&writer->out);
	if (append_features(writer, bits))
		return out_of_memory(err);
	ret = output__flush(&writer->out, err);
	return ret ? ret : output__put_header(&writer->out, data_end, bits, err);
}

int perfdata_writer__finish(struct perfdata_writer *writer, struct error *err)
{
	uint64_t times[2];
	int ret;

	if (!writer->begun || writer->finished)
		return error__set(
			err, -EINVAL, "%s: not begun, or finished twice", writer->out.name);
	if (!writer->pipe && sample_span__get(&writer->span, &times[0], &times[1])) {
		ret = perfdata_writer__feature(
			writer, HEADER_SAMPLE_TIME, times, sizeof(times), err);
		if (ret)
			return ret;
	}
	/* A data.size of 0 means "truncated" to every reader, so at least one record is written. */
	ret = put_mark(writer, PERF_RECORD_FINISHED_ROUND, err);
	if (!ret)
		ret = output__flush(&writer->out, err);
	if (!ret && !writer->pipe)
		ret = finish_file(writer, err);
	if (!ret)
		writer->finished = true;
	return ret;
}

bool perfdata_writer__is_stuck(const struct perfdata_writer *writer)
{
	return writer->out.stuck;
}

uint64_t perfdata_writer__samples(const struct perfdata_writer *writer)
{
	return writer->out.samples_kept;
}

uint64_t perfdata_writer__size(const struct perfdata_writer *writer)
{
	return output__position(&writer->out);
}
