// SPDX-License-Identifier: GPL-2.0-only
/* See spans.h. */
#include "user/record/rounds/spans.h"

#include <errno.h>

/* ---- Consumers of records, before the records are written ---- */

static int show_modules(struct spans *spans, const struct record_view *view, struct error *err)
{
	return spans->modules ? module_writer__ksymbol(spans->modules, view, err) : 0;
}

static int show_programs(struct spans *spans, const struct record_view *view, struct error *err)
{
	return spans->programs ? bpf_record__event(spans->programs, view, err) : 0;
}

static int flush_programs(struct spans *spans, struct error *err)
{
	return spans->programs ? bpf_record__flush(spans->programs, err) : 0;
}

static int show_living(struct spans *spans, const struct record_view *view, struct error *err)
{
	return spans->living ? living__record(spans->living, view, err) : 0;
}

static int show_symbols(struct spans *spans, const struct record_view *view, struct error *err)
{
	return spans->symbols ? symbols_again__ksymbol(spans->symbols, view, err) : 0;
}

static int name_cgroup(struct spans *spans, const struct record_view *view, struct error *err)
{
	return map_writer__name_cgroup(spans->maps, view, err);
}

/*
 * All records are passed to one row before the next row begins, because some write records of their
 * own.
 */
static const struct {
	uint64_t types;
	int (*see)(struct spans *spans, const struct record_view *view, struct error *err);
	int (*end)(struct spans *spans, struct error *err); /* or NULL */
} ROWS[] = {
	{RECORD_TYPE(PERF_RECORD_KSYMBOL), show_modules, NULL},
	{RECORD_TYPE(PERF_RECORD_BPF_EVENT), show_programs, flush_programs},
	{LIVING_TYPES, show_living, NULL},
	{RECORD_TYPE(PERF_RECORD_KSYMBOL), show_symbols, NULL},
	{RECORD_TYPE(PERF_RECORD_CGROUP), name_cgroup, NULL},
};

#define ROWS_N (sizeof(ROWS) / sizeof(ROWS[0]))

static uint64_t wanted(const struct spans *spans)
{
	uint64_t types = spans->native ? NATIVE_TYPES : 0;

	for (size_t i = 0; i < ROWS_N; i++)
		types |= ROWS[i].types;
	return types;
}

static int show_row(struct spans *spans, size_t row, struct error *err)
{
	const struct record_list *list = &spans->list;
	int code = 0;

	if (!(list->types & ROWS[row].types))
		return 0;
	for (size_t i = 0; !code && i < list->n; i++)
		if (RECORD_TYPE(list->v[i].header->type) & ROWS[row].types)
			code = ROWS[row].see(spans, &list->v[i], err);
	return code || !ROWS[row].end ? code : ROWS[row].end(spans, err);
}

/* ---- The file ---- */

/* Mappings are converted; everything between them is copied unchanged. */
static int write_around_maps(
	struct spans *spans, const char *at, const char *end, struct error *err)
{
	const struct record_list *list = &spans->list;
	int code = 0;

	for (size_t i = 0; !code && i < list->n; i++) {
		const struct perf_event_header *header = list->v[i].header;

		if (!(RECORD_TYPE(header->type) & NATIVE_TYPES))
			continue;
		code = map_writer__raw(spans->maps, at, (const char *)header - at, err);
		if (!code)
			code = native_records__write(spans->native, &list->v[i], err);
		at = (const char *)header + header->size;
	}
	return code ? code : map_writer__raw(spans->maps, at, end - at, err);
}

int spans__write(struct spans *spans, const void *records, size_t size, struct error *err)
{
	int code = record_list__read(
		&spans->list, &spans->counts, wanted(spans), &spans->layout, records, size);

	if (code)
		return code == -EBADMSG ? error__set(err, code, "perf ring: not a valid record")
					: error__errno(err, code, "perf ring");
	for (size_t row = 0; !code && row < ROWS_N; row++)
		code = show_row(spans, row, err);
	if (code)
		return code;
	return spans->native && spans->list.types & NATIVE_TYPES
		       ? write_around_maps(spans, records, (const char *)records + size, err)
		       : map_writer__raw(spans->maps, records, size, err);
}

void spans__free(struct spans *spans)
{
	record_list__free(&spans->list);
}
