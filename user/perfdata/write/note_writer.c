// SPDX-License-Identifier: GPL-2.0-only
/* See note_writer.h. */
#include "user/perfdata/write/note_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfstamp/record.h"
#include "user/base/keyed_hash.h"

#define TOLD_MAX 8192   /* extensions in .told */
#define TABLE_FIRST 256 /* entries, of which at most half are used */
#define PROBES_MAX 64
#define NUMBERS 65535 /* numbers have 16 bits, and 0 means none */

void note_writer__free(struct note_writer *writer)
{
	buffer__free(&writer->told);
	free(writer->table);
}

void note_writer__forget(struct note_writer *writer)
{
	buffer__reset(&writer->told);
	writer->given = 0;
	if (writer->table)
		memset(writer->table, 0, writer->table_size * sizeof(*writer->table));
}

static const struct perfstamp_extension *given_at(const struct note_writer *writer, size_t i)
{
	return (const struct perfstamp_extension *)writer->told.data + i;
}

static uint32_t hash(const struct perfstamp_extension *extension)
{
	return keyed_hash__of(&extension->identity, sizeof(extension->identity)) ^ extension->flags;
}

static bool is_same(const struct perfstamp_extension *a, const struct perfstamp_extension *b)
{
	return a->flags == b->flags && !memcmp(&a->identity, &b->identity, sizeof(a->identity));
}

/*
 * Finds the place of @extension in the table. Returns NULL if there are so many collisions that
 * writing the note again each time is cheaper.
 */
static uint16_t *find(struct note_writer *writer, const struct perfstamp_extension *extension)
{
	size_t first = hash(extension);

	for (size_t i = 0; i < PROBES_MAX; i++) {
		uint16_t *at = &writer->table[(first + i) & (writer->table_size - 1)];

		if (!*at || is_same(given_at(writer, *at - 1), extension))
			return at;
	}
	return NULL;
}

static int grow(struct note_writer *writer)
{
	size_t size = writer->table_size ? 2 * writer->table_size : TABLE_FIRST;
	uint16_t *table = calloc(size, sizeof(*table));

	if (!table)
		return -ENOMEM;
	free(writer->table);
	writer->table = table;
	writer->table_size = size;
	for (size_t i = 0; i < writer->told.size / sizeof(struct perfstamp_extension); i++) {
		uint16_t *at = find(writer, given_at(writer, i));

		if (at)
			*at = i + 1;
	}
	return 0;
}

static uint16_t next_number(struct note_writer *writer)
{
	if (!++writer->last)
		writer->last = 1;
	writer->given++;
	return writer->last;
}

/* Writes a note with @extension, unless the file has it, and sets its .number. */
static int write_map(struct note_writer *writer, struct buffer *out,
	struct perfstamp_extension *extension, const struct encode_trailer *trailer)
{
	size_t n = writer->told.size / sizeof(*extension);
	uint16_t *at;
	int err;

	/*
	 * A number in the table must not be assigned again. Extensions that collide, and modules,
	 * use up numbers as well.
	 */
	if (n == TOLD_MAX || writer->given >= NUMBERS) {
		note_writer__forget(writer);
		n = 0;
	}
	if (2 * n >= writer->table_size && grow(writer))
		return -ENOMEM;
	at = find(writer, extension);
	if (at && *at) {
		extension->number = given_at(writer, *at - 1)->number;
		return 0;
	}
	extension->number = next_number(writer);
	err = encode__note(out, 0, extension, sizeof(*extension), trailer);
	if (err || !at)
		return err;
	err = buffer__append(&writer->told, extension, sizeof(*extension));
	if (!err)
		*at = n + 1;
	return err;
}

static int put_map(struct note_writer *writer, struct buffer *out, const struct event *event,
	const struct encode_trailer *trailer)
{
	struct perfstamp_extension extension = {
		.magic = PERFSTAMP_EXTENSION_MAGIC,
		.version = PERFSTAMP_EXTENSION_VERSION,
		.size = sizeof(extension),
		.flags = event->map.flags,
		.identity = event->map.identity,
	};
	struct encode_trailer with_note = *trailer;
	int err = 0;

	if (event->map.identity.build_id_size > PERFSTAMP_BUILD_ID_MAX)
		return -EINVAL;
	if (!event->map.kernel)
		err = write_map(writer, out, &extension, trailer);
	with_note.note = extension.number;
	return err ? err : encode__event(out, event, &with_note);
}

static int put_module(struct note_writer *writer, struct buffer *out, const struct event *event,
	const struct encode_trailer *trailer)
{
	bool for_perf = event->type == PERF_RECORD_MMAP2;
	const struct perfstamp_module_extension extension = {
		.magic = PERFSTAMP_MODULE_MAGIC,
		.version = PERFSTAMP_MODULE_VERSION,
		.size = sizeof(extension),
		.flags = event->module.flags,
		.number = for_perf ? next_number(writer) : 0,
		.state = event->module.state,
	};
	struct encode_trailer with_note = *trailer;
	int err;

	if (event->module.state.build_id_size > PERFSTAMP_BUILD_ID_MAX)
		return -EINVAL;
	err = encode__note(
		out, for_perf ? 0 : event->time_ns, &extension, sizeof(extension), trailer);
	if (err || !for_perf)
		return err;
	with_note.note = extension.number;
	return encode__event(out, event, &with_note);
}

/* Writes a note with @extension, followed by @size bytes. */
static int put_behind(struct buffer *out, uint64_t time_ns, const void *extension,
	size_t extension_size, const void *bytes, size_t size, const struct encode_trailer *trailer)
{
	uint8_t note[ENCODE_NOTE_MAX];

	memcpy(note, extension, extension_size);
	memcpy(note + extension_size, bytes, size);
	return encode__note(out, time_ns, note, extension_size + size, trailer);
}

static int put_cgroup(
	struct buffer *out, const struct event *event, const struct encode_trailer *trailer)
{
	const struct event_cgroup *cgroup = &event->cgroup;
	struct perfstamp_container_extension extension = {
		.magic = PERFSTAMP_CONTAINER_MAGIC,
		.version = PERFSTAMP_CONTAINER_VERSION,
		.size = sizeof(extension),
		.cgroup_id = cgroup->id,
	};
	int err = cgroup->about_size > PERFSTAMP_CONTAINER_TEXT_MAX ? -EOVERFLOW : 0;

	for (size_t at = 0, size; at < cgroup->about_size && !err; at += size) {
		size = cgroup->about_size - at;
		if (size > ENCODE_NOTE_MAX - sizeof(extension))
			size = ENCODE_NOTE_MAX - sizeof(extension);
		extension.text_size = size;
		/*
		 * The note has the time of the record that follows it, so that nothing is sorted in
		 * between.
		 */
		err = put_behind(out, event->time_ns, &extension, sizeof(extension),
			cgroup->about + at, size, trailer);
	}
	return err ? err : encode__event(out, event, trailer);
}

static int put_code(
	struct buffer *out, const struct event *event, const struct encode_trailer *trailer)
{
	const struct event_code *code = &event->code;
	struct perfstamp_code_extension extension = {
		.magic = PERFSTAMP_CODE_MAGIC,
		.version = PERFSTAMP_CODE_VERSION,
		.size = sizeof(extension),
		.flags = code->flags,
		.kind = code->kind,
		.pid = code->pid,
		.stream = code->stream,
		.since_ns = code->since_ns,
		.seen_ns = code->seen_ns,
		.clock_ns = code->clock_ns,
	};
	size_t at = 0;
	int err;

	do {
		size_t size = code->size - at;

		if (size > ENCODE_NOTE_MAX - sizeof(extension))
			size = ENCODE_NOTE_MAX - sizeof(extension);
		extension.offset = code->offset + at;
		extension.bytes_size = size;
		err = put_behind(out, event->time_ns, &extension, sizeof(extension),
			(const char *)code->bytes + at, size, trailer);
		at += size;
	} while (at < code->size && !err);
	return err;
}

static int put_check(
	struct buffer *out, const struct event *event, const struct encode_trailer *trailer)
{
	const struct perfstamp_check_extension extension = {
		.magic = PERFSTAMP_CHECK_MAGIC,
		.version = PERFSTAMP_CHECK_VERSION,
		.size = sizeof(extension),
		.since_ns = event->check.since_ns,
	};

	return encode__note(out, event->time_ns, &extension, sizeof(extension), trailer);
}

int note_writer__put(struct note_writer *writer, struct buffer *out, const struct event *event,
	const struct encode_trailer *trailer)
{
	size_t start = out->size;
	int err;

	switch (event->kind) {
	case EVENT_MAP:
		err = put_map(writer, out, event, trailer);
		break;
	case EVENT_MODULE:
		err = put_module(writer, out, event, trailer);
		break;
	case EVENT_CGROUP:
		err = put_cgroup(out, event, trailer);
		break;
	case EVENT_CODE:
		err = put_code(out, event, trailer);
		break;
	case EVENT_CHECK:
		err = put_check(out, event, trailer);
		break;
	default:
		return encode__event(out, event, trailer);
	}
	if (err && out->size > start) {
		/* This may also have removed a note that the table contains. */
		buffer__truncate(out, start);
		note_writer__forget(writer);
	}
	return err;
}
