// SPDX-License-Identifier: GPL-2.0-only
/*
 * dump__header: see dump.h. Writes a line for the file's format, one for each event, and
 * one for each line of the feature table.
 */
#include <stdio.h>
#include <string.h>

#include "user/base/buffer.h"
#include "user/perfdata/features/build_id_table.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/read/reader.h"
#include "user/view/dump/dump.h"

static const char *const SAMPLE_TYPES[] = {"IP", "TID", "TIME", "ADDR", "READ", "CALLCHAIN", "ID",
	"CPU", "PERIOD", "STREAM_ID", "RAW", "BRANCH_STACK", "REGS_USER", "STACK_USER", "WEIGHT",
	"DATA_SRC", "IDENTIFIER", "TRANSACTION", "REGS_INTR", "PHYS_ADDR", "AUX", "CGROUP",
	"DATA_PAGE_SIZE", "CODE_PAGE_SIZE", "WEIGHT_STRUCT"};

static void dump_file(struct fields *fields, const struct perfdata_reader *reader)
{
	fields->ops->begin(fields, "file");
	fields->ops->text(fields, "form",
		perfdata_reader__is_pipe(reader)        ? "pipe"
		: perfdata_reader__is_directory(reader) ? "directory"
							: "file");
	if (perfdata_reader__is_foreign_order(reader))
		fields->ops->flag(fields, "foreign_byte_order");
	if (perfdata_reader__is_unfinished(reader))
		fields->ops->flag(fields, "unfinished");
	fields->ops->hex(fields, "data_start", perfdata_reader__data_start(reader));
	if (!perfdata_reader__is_pipe(reader))
		fields->ops->hex(fields, "data_end", perfdata_reader__data_end(reader));
	fields->ops->end(fields);
}

static void dump_sample_type(struct fields *fields, uint64_t sample_type)
{
	size_t n = sizeof(SAMPLE_TYPES) / sizeof(SAMPLE_TYPES[0]);
	char text[512] = "";

	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(text);

		if (sample_type & (1ull << i))
			snprintf(text + len, sizeof(text) - len, "%s%s", len ? "|" : "",
				SAMPLE_TYPES[i]);
	}
	if (sample_type >> n)
		fields->ops->hex(fields, "sample_type_rest", sample_type >> n << n);
	fields->ops->text(fields, "sample_type", text);
}

static void dump_attr_flags(struct fields *fields, const struct perf_event_attr *attr)
{
	const struct {
		const char *name;
		bool set;
	} FLAGS[] = {
		{"disabled", attr->disabled},
		{"inherit", attr->inherit},
		{"exclude_user", attr->exclude_user},
		{"exclude_kernel", attr->exclude_kernel},
		{"exclude_hv", attr->exclude_hv},
		{"mmap", attr->mmap},
		{"mmap2", attr->mmap2},
		{"build_id", attr->build_id},
		{"comm", attr->comm},
		{"comm_exec", attr->comm_exec},
		{"task", attr->task},
		{"enable_on_exec", attr->enable_on_exec},
		{"sample_id_all", attr->sample_id_all},
		{"namespaces", attr->namespaces},
		{"cgroup", attr->cgroup},
		{"ksymbol", attr->ksymbol},
		{"bpf_event", attr->bpf_event},
		{"text_poke", attr->text_poke},
		{"context_switch", attr->context_switch},
		{"use_clockid", attr->use_clockid},
	};

	for (size_t i = 0; i < sizeof(FLAGS) / sizeof(FLAGS[0]); i++)
		if (FLAGS[i].set)
			fields->ops->flag(fields, FLAGS[i].name);
}

static void dump_attr(struct fields *fields, const struct perfdata_attr *attr)
{
	fields->ops->begin(fields, "event");
	if (attr->name)
		fields->ops->text(fields, "name", attr->name);
	fields->ops->number(fields, "event_type", attr->attr.type);
	fields->ops->hex(fields, "config", attr->attr.config);
	fields->ops->number(
		fields, attr->attr.freq ? "sample_freq" : "sample_period", attr->attr.sample_freq);
	dump_sample_type(fields, attr->attr.sample_type);
	fields->ops->hex(fields, "read_format", attr->attr.read_format);
	if (attr->attr.precise_ip)
		fields->ops->number(fields, "precise_ip", attr->attr.precise_ip);
	if (attr->attr.use_clockid)
		fields->ops->number(fields, "clockid", (uint32_t)attr->attr.clockid);
	dump_attr_flags(fields, &attr->attr);
	fields->ops->list(fields, "ids", attr->ids, attr->n_ids);
	fields->ops->end(fields);
}

static int dump_build_id(const struct build_id_entry *entry, void *ctx)
{
	struct fields *fields = ctx;

	fields->ops->begin(fields, "build_id");
	fields->ops->bytes(fields, "build_id", entry->build_id, entry->size);
	if (entry->kernel)
		fields->ops->flag(fields, "kernel");
	fields->ops->text(fields, "path", entry->path);
	fields->ops->end(fields);
	return 0;
}

static void feature_line(struct fields *fields, unsigned int id, const char *line)
{
	const char *name = feature__name(id);
	size_t len = name ? strlen(name) : 0;

	/* A line begins with the name of its feature, for which the output has a separate field. */
	if (name && !strncmp(line, name, len))
		line += len + strspn(line + len, ": ");
	fields->ops->begin(fields, "feature");
	fields->ops->number(fields, "id", id);
	if (name)
		fields->ops->text(fields, "name", name);
	fields->ops->safe(fields, "text", line);
	fields->ops->end(fields);
}

static void dump_feature(struct fields *fields, const struct perfdata_reader *reader,
	unsigned int id, const void *bytes, size_t size)
{
	bool swap = perfdata_reader__is_foreign_order(reader);
	struct buffer text;
	char *line, *next;
	int err;

	if (id == HEADER_BUILD_ID &&
		build_id_table__parse(bytes, size, swap, dump_build_id, fields) == 0)
		return;
	buffer__init(&text, 0);
	err = feature__describe(&text, id, bytes, size, swap);
	if (err)
		buffer__printf(&text, "malformed, %zu bytes\n", size);
	buffer__u8(&text, 0);
	if (!text.error) {
		for (line = (char *)text.data; *line; line = next) {
			next = strchrnul(line, '\n');
			if (*next)
				*next++ = '\0';
			feature_line(fields, id, line);
		}
	}
	buffer__free(&text);
}

void dump__header(struct fields *fields, const struct perfdata_reader *reader)
{
	dump_file(fields, reader);
	for (size_t i = 0; i < perfdata_reader__n_attrs(reader); i++)
		dump_attr(fields, perfdata_reader__attr(reader, i));
	for (unsigned int id = 1; id < PERFDATA_FEATURE_BITS; id++) {
		size_t size;
		const void *bytes = perfdata_reader__feature(reader, id, &size);

		if (bytes)
			dump_feature(fields, reader, id, bytes, size);
	}
}
