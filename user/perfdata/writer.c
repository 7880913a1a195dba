// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf.data writer, see writer.h. The bytes go out through output.c; this
 * file knows which bytes, in which order.
 *
 * A file is: header, ids, attributes, data, features. While it is recorded,
 * data.size is what the last round ended with and no feature bit is set, so
 * that perf reads it as it is at any moment. A pipe has the attributes, names
 * and features as records before the data.
 */
#include "user/perfdata/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/perfdata/encode.h"
#include "user/perfdata/event_desc.h"
#include "user/perfdata/features.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/output.h"
#include "user/perfdata/sample_span.h"
#include "user/perfdata/strings.h"

struct feature_bytes {
	void *bytes; /* NULL: not set */
	size_t size;
};

struct perfdata_writer {
	struct output out;
	bool pipe;
	bool begun;
	bool finished;
	uint64_t data_offset;
	struct event_desc *attrs; /* names and ids are ours */
	size_t n_attrs;
	struct sample_span span;
	struct perfdata_section tracing; /* where in a file TRACING_DATA stands */
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
	free(writer);
}

static int out_of_memory(struct error *err)
{
	return error__set(err, -ENOMEM, "out of memory");
}

/* What @encoded left in the output's pending records, as the caller's result. */
static int added(struct perfdata_writer *writer, int encoded, struct error *err)
{
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
	struct event_desc *attrs, *added_attr;

	if (writer->begun)
		return error__set(err, -EINVAL, "an event cannot be added to a begun file");
	if (!attr->sample_id_all || !(attr->sample_type & PERF_SAMPLE_IDENTIFIER))
		return error__set(err, -EINVAL,
			"%s: the event has no sample_id_all and PERF_SAMPLE_IDENTIFIER", name);
	attrs = reallocarray(writer->attrs, writer->n_attrs + 1, sizeof(*attrs));
	if (!attrs)
		return out_of_memory(err);
	writer->attrs = attrs;
	added_attr = &attrs[writer->n_attrs];
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

/* Header, ids and attributes. The header comes out of output__checkpoint too. */
static int begin_file(struct perfdata_writer *writer)
{
	struct buffer *buf = &writer->out.pending;
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC,
		.size = sizeof(header),
		.attr_size = PERFDATA_ATTR_SIZE + sizeof(struct perfdata_section),
	};
	const struct feature_bytes *tracing = &writer->features[HEADER_TRACING_DATA];
	uint64_t ids_at = sizeof(header), at = ids_at;

	for (size_t i = 0; i < writer->n_attrs; i++)
		at += writer->attrs[i].n_ids * sizeof(uint64_t);
	header.attrs.offset = at;
	header.attrs.size = writer->n_attrs * header.attr_size;
	at += header.attrs.size;
	if (tracing->bytes) {
		/* perf does not open a file with tracepoints without it, finished or not. */
		writer->tracing = (struct perfdata_section){at, tracing->size};
		header.features[0] = 1ull << HEADER_TRACING_DATA;
		at += (tracing->size + 7) / 8 * 8;
	}
	header.data.offset = at;
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
	if (tracing->bytes) {
		buffer__append(buf, tracing->bytes, tracing->size);
		buffer__zeros(buf, at - writer->tracing.offset - tracing->size);
		output__keep_behind(&writer->out, &writer->tracing);
	}
	return buf->error;
}

static bool has_section(const struct perfdata_writer *writer, unsigned int id)
{
	const struct feature_bytes *features = writer->features;

	if (id == HEADER_VERSION)
		return features[id].bytes || features[PERFSTAMP_FEATURE].bytes;
	return id != PERFSTAMP_FEATURE && features[id].bytes;
}

/* Our own lines travel behind the version's string, see layout.h. */
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

	/* Many CPUs make a long EVENT_DESC; the names went out on their own. */
	return encoded == -EOVERFLOW ? 0 : encoded;
}

/* perf wants the attributes first, then what refers to them. */
static int begin_pipe(struct perfdata_writer *writer)
{
	struct buffer *buf = &writer->out.pending;
	const struct perfdata_pipe_header header = {PERFDATA_MAGIC, sizeof(header)};
	int err = buffer__append(buf, &header, sizeof(header));

	for (size_t i = 0; i < writer->n_attrs && !err; i++)
		err = encode__header_attr(
			buf, &writer->attrs[i].attr, writer->attrs[i].ids, writer->attrs[i].n_ids);
	for (size_t i = 0; i < writer->n_attrs && !err; i++)
		if (writer->attrs[i].n_ids && *writer->attrs[i].name)
			err = encode__event_name(
				buf, writer->attrs[i].ids[0], writer->attrs[i].name);
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS && !err; i++)
		if (i != HEADER_TRACING_DATA && has_section(writer, i))
			err = pipe_feature(writer, i);
	if (!err && writer->features[HEADER_TRACING_DATA].bytes)
		err = encode__tracing_data(buf, writer->features[HEADER_TRACING_DATA].bytes,
			writer->features[HEADER_TRACING_DATA].size);
	return err;
}

/* EVENT_DESC unless the caller gave one: everything for it is here. */
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
	if (ret == -EOVERFLOW)
		return error__set(err, -E2BIG,
			"%s: an event has more ids than a pipe's attribute record holds (about "
			"8,000); record to a file",
			writer->out.name);
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
	struct perfdata_writer *writer, const void *records, size_t size, struct error *err)
{
	int ret = sample_span__add(&writer->span, records, size);

	if (ret)
		return error__set(err, ret, "%s: not whole records", writer->out.name);
	return added(writer, buffer__append(&writer->out.pending, records, size), err);
}

int perfdata_writer__event(struct perfdata_writer *writer, const struct event *event,
	size_t attr_index, struct error *err)
{
	struct encode_trailer trailer;
	const struct event_desc *attr;

	if (attr_index >= writer->n_attrs)
		return error__set(err, -EINVAL, "%s: no event %zu", writer->out.name, attr_index);
	attr = &writer->attrs[attr_index];
	trailer.sample_type = attr->attr.sample_type;
	trailer.id = attr->n_ids ? attr->ids[0] : 0;
	return added(writer, encode__event(&writer->out.pending, event, &trailer), err);
}

int perfdata_writer__finish_round(struct perfdata_writer *writer, struct error *err)
{
	int ret = added(
		writer, encode__mark(&writer->out.pending, PERF_RECORD_FINISHED_ROUND), err);

	if (!ret)
		ret = output__flush(&writer->out, err);
	if (!ret && !writer->pipe)
		ret = output__checkpoint(&writer->out, err);
	return ret;
}

int perfdata_writer__finish_init(struct perfdata_writer *writer, struct error *err)
{
	return added(writer, encode__mark(&writer->out.pending, PERF_RECORD_FINISHED_INIT), err);
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

/* The section table in bit order, then the sections. */
static int append_features(struct perfdata_writer *writer, uint64_t *ret_bits)
{
	struct buffer *buf = &writer->out.pending;
	uint64_t at = output__position(&writer->out);
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
		if (i == HEADER_TRACING_DATA) {
			buffer__append(buf, &writer->tracing, sizeof(writer->tracing));
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

static int finish_file(struct perfdata_writer *writer, struct error *err)
{
	uint64_t bits[PERFDATA_FEATURE_BITS / 64] = {};
	int ret = output__checkpoint(&writer->out, err);

	if (ret)
		return ret;
	output__end_records(&writer->out);
	if (append_features(writer, bits))
		return out_of_memory(err);
	ret = output__flush(&writer->out, err);
	/* The bits last: until then the file is a whole one without features. */
	return ret ? ret
		   : output__rewrite(&writer->out, offsetof(struct perfdata_header, features), bits,
			     sizeof(bits), err);
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
	/*
	 * data.size 0 means "cut off" to every reader, so there is always one
	 * record; two are as long as the tail that output__keep_behind moves.
	 */
	ret = added(writer, encode__mark(&writer->out.pending, PERF_RECORD_FINISHED_ROUND), err);
	if (!ret && writer->tracing.size)
		ret = added(writer, encode__mark(&writer->out.pending, PERF_RECORD_FINISHED_ROUND),
			err);
	if (!ret)
		ret = output__flush(&writer->out, err);
	if (!ret && !writer->pipe)
		ret = finish_file(writer, err);
	if (!ret)
		writer->finished = true;
	return ret;
}

uint64_t perfdata_writer__size(const struct perfdata_writer *writer)
{
	return output__position(&writer->out);
}
