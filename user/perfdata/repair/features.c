// SPDX-License-Identifier: GPL-2.0-only
/*
 * See features.h, and perf_header__process_sections() and
 * evlist__valid_sample_type() in tools/perf/util of Linux.
 */
#include "user/perfdata/repair/features.h"

#include <byteswap.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/cursor.h"
#include "user/parse/event/attr_name.h"
#include "user/perfdata/features/build_id_table.h"
#include "user/perfdata/features/event_desc.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/features/stamp.h"
#include "user/perfdata/strings.h"

static const char TRACING_MAGIC[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

void repair_header__init(struct repair_header *header)
{
	*header = (struct repair_header){};
	buffer__init(&header->build_ids, 0);
}

void repair_header__free(struct repair_header *header)
{
	buffer__free(&header->build_ids);
	free(header->tracing_data);
	repair_header__init(header);
}

static int take_tracing_data(
	struct repair_header *header, struct perfdata_reader *reader, struct error *err)
{
	void *bytes;
	size_t size;
	int ret = perfdata_reader__payload(reader, &bytes, &size);

	if (ret == -ENOMEM)
		return error__set(err, ret, "out of memory");
	if (ret) /* damage, which the reading of records finds as well */
		return 0;
	free(header->tracing_data);
	header->tracing_data = bytes;
	header->tracing_size = size;
	return 0;
}

int repair_header__take(struct repair_header *header, struct perfdata_reader *reader,
	const struct event *event, struct error *err)
{
	if (event->type == PERF_RECORD_HEADER_TRACING_DATA)
		return take_tracing_data(header, reader, err);
	if (event->type == PERF_RECORD_HEADER_BUILD_ID &&
		buffer__append(&header->build_ids, event->raw, event->raw_size))
		return error__set(err, -ENOMEM, "out of memory");
	return 0;
}

void repair_header__kept(struct repair_header *header, const struct event *event)
{
	if (event->type < PERF_RECORD_USER_TYPE_START && event->cpu != UINT32_MAX &&
		event->cpu >= header->n_cpus)
		header->n_cpus = event->cpu + 1;
	if (event->kind != EVENT_SAMPLE || !event->time_ns || event->time_ns == UINT64_MAX)
		return;
	if (!header->last_sample_ns || event->time_ns < header->first_sample_ns)
		header->first_sample_ns = event->time_ns;
	if (event->time_ns > header->last_sample_ns)
		header->last_sample_ns = event->time_ns;
}

void repair_header__join(struct repair_header *header, const struct repair_header *other)
{
	if (other->n_cpus > header->n_cpus)
		header->n_cpus = other->n_cpus;
	if (!other->last_sample_ns)
		return;
	if (!header->last_sample_ns || other->first_sample_ns < header->first_sample_ns)
		header->first_sample_ns = other->first_sample_ns;
	if (other->last_sample_ns > header->last_sample_ns)
		header->last_sample_ns = other->last_sample_ns;
}

/*
 * Returns the places of ids in samples and in other records. perf requires that they are the same
 * for all events.
 */
static uint64_t id_place(const struct perf_event_attr *attr)
{
	const uint64_t before = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				PERF_SAMPLE_ADDR | PERF_SAMPLE_ID,
		       behind = PERF_SAMPLE_CPU | PERF_SAMPLE_STREAM_ID;

	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		return PERF_SAMPLE_IDENTIFIER;
	if (!(attr->sample_type & PERF_SAMPLE_ID))
		return 0;
	return (uint64_t)__builtin_popcountll(attr->sample_type & before) << 8 |
	       __builtin_popcountll(attr->sample_type & behind) << 4 | 1;
}

static bool is_tracing_data(const void *bytes, size_t size)
{
	return bytes && size >= sizeof(TRACING_MAGIC) &&
	       !memcmp(bytes, TRACING_MAGIC, sizeof(TRACING_MAGIC));
}

static const void *tracing_data(
	const struct repair_header *header, const struct perfdata_reader *reader, size_t *ret_size)
{
	const void *bytes;

	*ret_size = header->tracing_size;
	if (header->tracing_data)
		return is_tracing_data(header->tracing_data, header->tracing_size)
			       ? header->tracing_data
			       : NULL;
	bytes = perfdata_reader__feature(reader, HEADER_TRACING_DATA, ret_size);
	return is_tracing_data(bytes, *ret_size) ? bytes : NULL;
}

int repair_header__check(const struct repair_header *header, const struct perfdata_reader *reader,
	const char *name, struct error *err)
{
	size_t size, n = header->n_attrs;
	const struct perf_event_attr *first;

	if (!n)
		return error__set(
			err, -EBADMSG, "%s: no event is left with which it can be read", name);
	first = &header->attrs[0].attr;
	for (size_t i = 0; i < n; i++) {
		const struct perf_event_attr *attr = &header->attrs[i].attr;

		if (n > 1 && (!id_place(attr) || id_place(attr) != id_place(first) ||
				     attr->sample_id_all != first->sample_id_all))
			return error__set(err, -EBADMSG,
				"%s: the attributes of its events contradict one another", name);
		if (attr->sample_type & PERF_SAMPLE_READ && !(attr->read_format & PERF_FORMAT_ID))
			return error__set(err, -EBADMSG,
				"%s: the attribute of an event contradicts itself", name);
		if (attr->type == PERF_TYPE_TRACEPOINT && !tracing_data(header, reader, &size))
			return error__set(err, -EBADMSG,
				"%s: the formats of its tracepoints are missing, and no perf can "
				"read it without them",
				name);
	}
	return 0;
}

bool repair_header__same_tracing(const struct repair_header *header,
	const struct perfdata_reader *reader, const struct repair_header *other,
	const struct perfdata_reader *other_reader)
{
	size_t size, other_size;
	const void *bytes = tracing_data(header, reader, &size);
	const void *other_bytes = tracing_data(other, other_reader, &other_size);

	if (!bytes || !other_bytes)
		return bytes == other_bytes;
	return size == other_size && !memcmp(bytes, other_bytes, size);
}

/* Appends a string in the format of features, in the byte order of the file. */
static void put_string(struct buffer *out, const void *text, size_t len, bool swap)
{
	size_t at = out->size;
	uint32_t size;

	if (strings__put_bytes(out, text, len) || !swap)
		return;
	memcpy(&size, out->data + at, sizeof(size));
	size = bswap_32(size);
	memcpy(out->data + at, &size, sizeof(size));
}

/* Copies the entries before the first contradictory one. */
static int put_build_ids(
	struct clean_file *file, const struct repair_header *header, const void *bytes, size_t size)
{
	const uint8_t *at = header->build_ids.size ? header->build_ids.data : bytes;
	size_t left = header->build_ids.size ? header->build_ids.size : size;
	int err = 0;

	while (left >= sizeof(struct perf_event_header) && !err) {
		struct perf_event_header entry;

		memcpy(&entry, at, sizeof(entry));
		entry.type = 0; /* only a pipe has a type here */
		size = file->swap ? bswap_16(entry.size) : entry.size;
		if (size > left || size < sizeof(struct perfdata_build_id) ||
			!build_id_table__is_entry(at, size, file->swap))
			break;
		err = clean_file__feature(file, HEADER_BUILD_ID, &entry, sizeof(entry));
		if (!err)
			err = clean_file__feature(
				file, HEADER_BUILD_ID, at + sizeof(entry), size - sizeof(entry));
		at += size;
		left -= size;
	}
	return err;
}

/* Returns the number of CPUs in NRCPUS; 0 if it is impossible. */
static uint32_t read_cpus(const void *bytes, size_t size, bool swap)
{
	uint32_t online, available;
	struct cursor in;

	cursor__init(&in, bytes, size, swap);
	available = cursor__u32(&in);
	online = cursor__u32(&in);
	return in.failed || online > available || available > REPAIR_CPUS_MAX ? 0 : available;
}

uint32_t repair_header__cpus(const struct perfdata_reader *reader)
{
	size_t size;
	const void *bytes = perfdata_reader__feature(reader, HEADER_NRCPUS, &size);
	uint32_t cpus = bytes ? read_cpus(bytes, size, perfdata_reader__is_foreign_order(reader))
			      : 0;

	return cpus ? cpus : REPAIR_CPUS_MAX;
}

/*
 * Whether a feature is not copied: it is written anew, or belongs to what is not kept. The domains
 * of CPUs are not copied either: only perf sched stats reads them, and the newest perf refuses a
 * whole file if one of their numbers is wrong.
 */
static bool is_left_out(unsigned int id)
{
	return id == HEADER_SAMPLE_TIME || id == HEADER_COMPRESSED || id == HEADER_DIR_FORMAT ||
	       id == HEADER_AUXTRACE || id == HEADER_CPU_DOMAIN_INFO || id == HEADER_STAT ||
	       id == HEADER_VERSION || id == HEADER_TRACING_DATA || id == PERFSTAMP_FEATURE;
}

static bool is_sound(unsigned int id, const void *bytes, size_t size, bool swap)
{
	struct buffer text;
	bool sound;

	buffer__init(&text, 0);
	sound = feature__name(id) && feature__fits(id, bytes, size, swap) &&
		!feature__describe(&text, id, bytes, size, swap) &&
		(id != HEADER_NRCPUS || read_cpus(bytes, size, swap));
	buffer__free(&text);
	return sound;
}

/* Whether another input was recorded on a machine with more CPUs. */
static bool lacks_cpus(const struct repair_header *header, unsigned int id, const void *bytes,
	size_t size, bool swap)
{
	return id == HEADER_NRCPUS && bytes && header->n_cpus > read_cpus(bytes, size, swap);
}

static void mark(uint64_t *bits, unsigned int id)
{
	bits[id / 64] |= 1ull << id % 64;
}

static int copy_features(const struct repair_header *header, struct repair *repair,
	const struct perfdata_reader *reader, struct clean_file *file)
{
	int err = 0;

	/*
	 * The topology can only be read with the number in NRCPUS, not with one that was estimated.
	 */
	for (unsigned int id = 0; id < PERFDATA_FEATURE_BITS && !err; id++) {
		uint64_t offset, told;
		size_t size;
		const void *bytes = perfdata_reader__feature(reader, id, &size);
		bool is_there = bytes ||
				perfdata_reader__feature_section(reader, id, &offset, &told);

		if (id == HEADER_BUILD_ID && !header->is_extract)
			err = put_build_ids(file, header, bytes, bytes ? size : 0);
		if (!is_there || id == PERFSTAMP_FEATURE)
			continue;
		mark(repair->features_found, id);
		if (id == HEADER_EVENT_DESC && !file->swap) /* written by put_event_names() */
			continue;
		if (is_left_out(id) || id == HEADER_BUILD_ID ||
			lacks_cpus(header, id, bytes, size, file->swap))
			continue;
		if (bytes && is_sound(id, bytes, size, file->swap) &&
			(id != HEADER_CPU_TOPOLOGY || file->features[HEADER_NRCPUS].size))
			err = clean_file__feature(file, id, bytes, size);
		else
			mark(repair->features_damaged, id);
	}
	return err;
}

/* Writes the tool's version, followed by perfstamp's own lines, which also mention the repair. */
static int put_version(const struct repair_header *header, const struct repair *repair,
	const struct perfdata_reader *reader, struct clean_file *file)
{
	struct buffer lines, bytes;
	size_t size;
	const void *stamp = perfdata_reader__feature(reader, PERFSTAMP_FEATURE, &size);
	const char *version;
	int err;

	buffer__init(&lines, 0);
	buffer__init(&bytes, 0);
	if (stamp && is_sound(PERFSTAMP_FEATURE, stamp, size, file->swap))
		buffer__append(&lines, stamp, size);
	stamp__put_number(&lines, "repair.kept", repair->kept);
	stamp__put_number(&lines, "repair.dropped", repair->dropped);
	stamp__put_number(&lines, "repair.dropped-bytes", repair->dropped_bytes);
	version = perfdata_reader__feature(reader, HEADER_VERSION, &size);
	version = version ? feature__string(version, size, file->swap) : NULL;
	version = version ? version : "perfstamp";
	put_string(&bytes, version, strlen(version), file->swap);
	if (!header->is_extract)
		put_string(&bytes, lines.data, lines.size, file->swap);
	err = lines.error ? lines.error : bytes.error;
	if (!err)
		err = clean_file__feature(file, HEADER_VERSION, bytes.data, bytes.size);
	buffer__free(&lines);
	buffer__free(&bytes);
	return err;
}

/*
 * By this feature perf determines the width of the words of feature bits in the other byte order.
 */
static int put_hostname(struct clean_file *file)
{
	struct buffer bytes;
	int err;

	buffer__init(&bytes, 0);
	put_string(&bytes, "unknown", strlen("unknown"), file->swap);
	err = bytes.error;
	if (!err)
		err = clean_file__feature(file, HEADER_HOSTNAME, bytes.data, bytes.size);
	buffer__free(&bytes);
	return err;
}

/*
 * The feature also has attributes, which may differ from the header's. A pipe has the names in
 * records.
 */
static int put_event_names(const struct repair_header *header, struct clean_file *file)
{
	size_t n = header->n_attrs;
	struct event_desc *events = calloc(n, sizeof(*events));
	char(*derived)[ATTR_NAME_MAX] = calloc(n, sizeof(*derived));
	struct buffer bytes;
	int err = events && derived ? 0 : -ENOMEM;

	buffer__init(&bytes, 0);
	for (size_t i = 0; i < n && !err; i++) {
		const struct perfdata_attr *attr = &header->attrs[i];

		attr_name__write(derived[i], sizeof(*derived), &attr->attr);
		events[i] = (struct event_desc){clean_file__attr(&attr->attr),
			attr->name ? attr->name : derived[i], attr->ids, attr->n_ids};
	}
	if (!err)
		err = event_desc__encode(&bytes, events, n);
	if (!err)
		err = clean_file__feature(file, HEADER_EVENT_DESC, bytes.data, bytes.size);
	buffer__free(&bytes);
	free(derived);
	free(events);
	return err;
}

/*
 * perf warns if the feature is missing. The machine had at least as many CPUs as the records show.
 */
static int put_cpus(const struct repair_header *header, struct clean_file *file)
{
	uint32_t n = header->n_cpus ? header->n_cpus : 1, cpus[2];

	cpus[0] = cpus[1] = file->swap ? bswap_32(n) : n;
	return clean_file__feature(file, HEADER_NRCPUS, cpus, sizeof(cpus));
}

static int put_made(const struct repair_header *header, const struct repair *repair,
	const struct perfdata_reader *reader, struct clean_file *file)
{
	uint64_t times[] = {header->first_sample_ns, header->last_sample_ns};
	size_t size;
	const void *bytes = tracing_data(header, reader, &size);
	int err = put_version(header, repair, reader, file);

	if (!err && bytes)
		err = clean_file__feature(file, HEADER_TRACING_DATA, bytes, size);
	if (!err && !file->features[HEADER_NRCPUS].size)
		err = put_cpus(header, file);
	if (!err && file->swap && !file->features[HEADER_HOSTNAME].size)
		err = put_hostname(file);
	if (!err && !file->swap)
		err = put_event_names(header, file);
	if (err || !times[1])
		return err;
	if (file->swap) {
		times[0] = bswap_64(times[0]);
		times[1] = bswap_64(times[1]);
	}
	return clean_file__feature(file, HEADER_SAMPLE_TIME, times, sizeof(times));
}

int repair_header__put(const struct repair_header *header, struct repair *repair,
	const struct perfdata_reader *reader, struct clean_file *file)
{
	int err = copy_features(header, repair, reader, file);

	if (!err)
		err = put_made(header, repair, reader, file);
	memcpy(repair->features_kept, file->header.features, sizeof(repair->features_kept));
	return err;
}
