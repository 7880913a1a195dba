// SPDX-License-Identifier: GPL-2.0-only
/* See bpf_record.h. */
#include "user/record/kernel/bpf_record.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/buffer.h"
#include "user/perfdata/layout.h"
#include "user/source/bpf/program.h"

/*
 * Limit of programs and of types: far more than any machine has, and less than the reader's
 * limit.
 */
#define BYTES_MAX (24u << 20)
/* A record without its header and the number of the feature. */
#define PIPE_FEATURE_MAX (PERFDATA_RECORD_MAX - 16)

/* Sorted ids. */
struct ids {
	uint32_t *v;
	size_t n;
	size_t room;
};

/* One feature: a count and the entries. For a pipe, the entries that are not written yet. */
struct list {
	struct buffer bytes;
	uint32_t n;
	uint64_t total; /* bytes written in all */
	struct ids ids;
	struct entry *entries; /* for a file: the entries in .bytes */
	size_t room;
};

struct entry {
	uint32_t id;
	uint32_t types; /* for a program: id of its types, or 0 */
	size_t size;
	/* for a program: when its unload was found, in the samples' clock; 0: loaded */
	uint64_t gone_ns;
};

struct bpf_record {
	struct perfdata_writer *writer;
	bool pipe;
	struct list programs;
	struct list types;
	struct counters *counters;
};

int bpf_record__new(struct bpf_record **ret, struct perfdata_writer *writer, bool pipe,
	struct counters *counters)
{
	struct bpf_record *record = calloc(1, sizeof(*record));

	if (!record)
		return -ENOMEM;
	record->writer = writer;
	record->pipe = pipe;
	record->counters = counters;
	buffer__init(&record->programs.bytes, 0);
	buffer__init(&record->types.bytes, 0);
	if (buffer__u32(&record->programs.bytes, 0) || buffer__u32(&record->types.bytes, 0)) {
		bpf_record__free(record);
		return -ENOMEM;
	}
	*ret = record;
	return 0;
}

void bpf_record__free(struct bpf_record *record)
{
	if (!record)
		return;
	buffer__free(&record->programs.bytes);
	buffer__free(&record->types.bytes);
	free(record->programs.ids.v);
	free(record->types.ids.v);
	free(record->programs.entries);
	free(record->types.entries);
	free(record);
}

/* Returns 1 if the id is new, 0 if not, or -ENOMEM. */
static int add_id(struct ids *ids, uint32_t id)
{
	size_t at = ids->n;

	/* The kernel assigns increasing ids. */
	while (at && ids->v[at - 1] > id)
		at--;
	if (at && ids->v[at - 1] == id)
		return 0;
	if (array__reserve(&ids->v, &ids->room, ids->n + 1, sizeof(*ids->v)))
		return -ENOMEM;
	memmove(ids->v + at + 1, ids->v + at, (ids->n - at) * sizeof(*ids->v));
	ids->v[at] = id;
	ids->n++;
	return 1;
}

/* Writes the list to the pipe, or at the end of the file. */
static int write_list(const struct list *list, unsigned int feature, struct perfdata_writer *writer,
	struct error *err)
{
	return perfdata_writer__feature(writer, feature, list->bytes.data, list->bytes.size, err);
}

static void clear(struct list *list)
{
	list->n = 0;
	memset(list->bytes.data, 0, sizeof(list->n));
	buffer__truncate(&list->bytes, sizeof(list->n));
}

/* Types come first, because perf looks up names in them when it prints programs. */
static int flush(struct bpf_record *record, struct error *err)
{
	int code = 0;

	if (record->types.n)
		code = write_list(&record->types, HEADER_BPF_BTF, record->writer, err);
	if (!code && record->programs.n)
		code = write_list(&record->programs, HEADER_BPF_PROG_INFO, record->writer, err);
	clear(&record->types);
	clear(&record->programs);
	return code;
}

/* Stores the offsets of a file's list. */
static int add_entry(struct list *list, uint32_t id, uint32_t types, size_t size)
{
	if (array__reserve(&list->entries, &list->room, list->n + 1, sizeof(*list->entries)))
		return -ENOMEM;
	list->entries[list->n] = (struct entry){id, types, size, 0};
	return 0;
}

/*
 * Keeps @entry. In a pipe, writes the others first if one record has no room for all.
 * Returns 1 if it is too large for the file or the pipe.
 */
static int take(struct bpf_record *record, struct list *list, uint32_t id, uint32_t types,
	const struct buffer *entry, struct error *err)
{
	int code;

	if (list->total + entry->size > BYTES_MAX ||
		(record->pipe && sizeof(list->n) + entry->size > PIPE_FEATURE_MAX))
		return 1;
	if (record->pipe && list->bytes.size + entry->size > PIPE_FEATURE_MAX) {
		code = flush(record, err);
		if (code)
			return code;
	}
	if ((!record->pipe && add_entry(list, id, types, entry->size)) ||
		buffer__append(&list->bytes, entry->data, entry->size))
		return error__set(err, -ENOMEM, "out of memory");
	list->total += entry->size;
	list->n++;
	memcpy(list->bytes.data, &list->n, sizeof(list->n));
	return 0;
}

/*
 * Types that were unloaded with their program are ignored, because the program itself has a name.
 */
static int add_types(struct bpf_record *record, uint32_t id, struct error *err)
{
	struct buffer entry;
	int code = add_id(&record->types.ids, id);

	if (code <= 0)
		return code ? error__set(err, code, "out of memory") : 0;
	buffer__init(&entry, 0);
	code = bpf_program__read_types(id, &entry);
	if (entry.error)
		code = error__set(err, -ENOMEM, "out of memory");
	else if (code)
		code = 0;
	else
		code = take(record, &record->types, id, 0, &entry, err);
	buffer__free(&entry);
	if (code < 0)
		return code;
	record->counters->n[COUNTER_BPF_LEFT_OUT] += code;
	return 0;
}

int bpf_record__program(struct bpf_record *record, uint32_t id, struct error *err)
{
	struct buffer entry;
	uint32_t btf_id = 0;
	int code = add_id(&record->programs.ids, id);

	/* The program existed at the start, and its load was reported as well. */
	if (code <= 0)
		return code ? error__set(err, code, "out of memory") : 0;
	buffer__init(&entry, 0);
	code = bpf_program__read(id, &entry, &btf_id);
	if (entry.error) {
		code = error__set(err, -ENOMEM, "out of memory");
	} else if (code == -ENOENT) {
		record->counters->n[COUNTER_BPF_GONE]++;
		code = 0;
	} else if (code) {
		record->counters->n[COUNTER_BPF_LEFT_OUT]++;
		code = 0;
	} else {
		code = btf_id ? add_types(record, btf_id, err) : 0;
		if (!code)
			code = take(record, &record->programs, id, btf_id, &entry, err);
		if (code >= 0) {
			record->counters->n[COUNTER_BPF_LEFT_OUT] += code;
			record->counters->n[COUNTER_BPF_PROGRAMS] += !code;
			code = 0;
		}
	}
	buffer__free(&entry);
	return code;
}

int bpf_record__event(struct bpf_record *record, const struct record_view *view, struct error *err)
{
	struct {
		uint16_t type;
		uint16_t flags;
		uint32_t id;
	} program;

	if (view->header->size < sizeof(*view->header) + sizeof(program))
		return 0;
	memcpy(&program, view->header + 1, sizeof(program));
	return program.type == PERF_BPF_EVENT_PROG_LOAD
		       ? bpf_record__program(record, program.id, err)
		       : 0;
}

int bpf_record__flush(struct bpf_record *record, struct error *err)
{
	return record->pipe ? flush(record, err) : 0;
}

int bpf_record__finish(struct bpf_record *record, struct perfdata_writer *writer, struct error *err)
{
	int code;

	/* In a pipe, they were written at once. */
	if (record->pipe)
		return 0;
	if (record->programs.bytes.error || record->types.bytes.error)
		return error__set(err, -ENOMEM, "out of memory");
	code = write_list(&record->programs, HEADER_BPF_PROG_INFO, writer, err);
	return code ? code : write_list(&record->types, HEADER_BPF_BTF, writer, err);
}

struct loaded {
	bool (*is_loaded)(const void *ctx, uint32_t id);
	const void *ctx;
	const struct list *programs;
	uint64_t now_ns;
	uint64_t since_ns;
};

static bool is_program_wanted(const struct loaded *loaded, struct entry *entry)
{
	if (loaded->is_loaded(loaded->ctx, entry->id))
		return true;
	if (!entry->gone_ns)
		entry->gone_ns = loaded->now_ns;
	return entry->gone_ns > loaded->since_ns;
}

static bool are_types_used(const struct loaded *loaded, struct entry *entry)
{
	for (size_t i = 0; i < loaded->programs->n; i++)
		if (loaded->programs->entries[i].types == entry->id)
			return true;
	return false;
}

/* Keeps the entries for which @is_wanted returns true, and removes all others. */
static int keep_only(struct list *list,
	bool (*is_wanted)(const struct loaded *loaded, struct entry *entry),
	const struct loaded *loaded)
{
	size_t from = sizeof(list->n), to = from, n = 0, i;

	list->ids.n = 0;
	for (i = 0; i < list->n; i++) {
		struct entry entry = list->entries[i];

		if (is_wanted(loaded, &entry)) {
			memmove(list->bytes.data + to, list->bytes.data + from, entry.size);
			list->entries[n++] = entry;
			to += entry.size;
			if (add_id(&list->ids, entry.id) < 0)
				return -ENOMEM;
		}
		from += entry.size;
	}
	list->n = n;
	list->total = to - sizeof(list->n);
	memcpy(list->bytes.data, &list->n, sizeof(list->n));
	buffer__truncate(&list->bytes, to);
	return 0;
}

int bpf_record__begin_file(struct bpf_record *record, struct perfdata_writer *writer,
	uint64_t now_ns, uint64_t since_ns, bool (*is_loaded)(const void *ctx, uint32_t id),
	const void *ctx)
{
	const struct loaded loaded = {is_loaded, ctx, &record->programs, now_ns, since_ns};
	int code;

	record->writer = writer;
	code = keep_only(&record->programs, is_program_wanted, &loaded);
	if (!code)
		code = keep_only(&record->types, are_types_used, &loaded);
	record->counters->n[COUNTER_BPF_PROGRAMS] = record->programs.n;
	record->counters->n[COUNTER_BPF_GONE] = record->counters->n[COUNTER_BPF_LEFT_OUT] = 0;
	return code;
}

size_t bpf_record__memory(const struct bpf_record *record)
{
	return record->programs.bytes.size + record->types.bytes.size;
}
