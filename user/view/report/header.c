// SPDX-License-Identifier: GPL-2.0-only
/* See header.h. The lines have perf's names, for scripts that search for them. */
#include "user/view/report/header.h"

#include <inttypes.h>
#include <string.h>

#include "user/base/buffer.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/read/reader.h"
#include "user/view/format/escaped.h"

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS 1000000.0

/* The features that are a single line. */
static const struct {
	unsigned int id;
	const char *name;
} LINES[] = {
	{HEADER_HOSTNAME, "hostname"},
	{HEADER_OSRELEASE, "os release"},
	{HEADER_VERSION, "perf version"},
	{HEADER_ARCH, "arch"},
	{HEADER_CPUDESC, "cpudesc"},
	{HEADER_CPUID, "cpuid"},
	{HEADER_TOTAL_MEM, "total memory"},
	{HEADER_CMDLINE, "cmdline"},
};

/*
 * Collects the lines of a feature, without their names. Returns false if the feature does not
 * exist.
 */
static bool describe(struct buffer *text, const struct perfdata_reader *reader, unsigned int id)
{
	size_t size;
	const void *bytes = perfdata_reader__feature(reader, id, &size);

	buffer__init(text, 0);
	if (!bytes ||
		feature__describe(text, id, bytes, size, perfdata_reader__is_foreign_order(reader)))
		return false;
	buffer__u8(text, 0);
	return !text->error;
}

static const char *value_of(unsigned int id, const char *line)
{
	const char *name = feature__name(id);
	size_t len = name ? strlen(name) : 0;

	return name && !strncmp(line, name, len) ? line + len + strspn(line + len, ": ") : line;
}

static void write_lines(
	FILE *out, const struct perfdata_reader *reader, unsigned int id, const char *name)
{
	struct buffer text;
	char *line, *next;

	if (describe(&text, reader, id))
		for (line = (char *)text.data; *line; line = next) {
			next = strchrnul(line, '\n');
			if (*next)
				*next++ = '\0';
			fprintf(out, "# %s : %s\n", name, value_of(id, line));
		}
	buffer__free(&text);
}

static void write_cpus(FILE *out, const struct perfdata_reader *reader)
{
	unsigned int online, available;
	struct buffer text;

	if (describe(&text, reader, HEADER_NRCPUS) &&
		sscanf(value_of(HEADER_NRCPUS, (char *)text.data), "%u online, %u available",
			&online, &available) == 2)
		fprintf(out, "# nrcpus online : %u\n# nrcpus avail : %u\n", online, available);
	buffer__free(&text);
}

static void write_event(FILE *out, const struct perfdata_attr *attr)
{
	fputs("# event : name = ", out);
	escaped__write(out, attr->name ? attr->name : "unknown");
	fputs(", , id = { ", out);
	for (size_t i = 0; i < attr->n_ids; i++)
		fprintf(out, "%s%" PRIu64, i ? ", " : "", attr->ids[i]);
	fprintf(out,
		" }, type = %" PRIu32 ", size = %" PRIu32 ", config = 0x%" PRIx64
		", { sample_period, sample_freq } = %" PRIu64 ", sample_type = 0x%" PRIx64
		", read_format = 0x%" PRIx64 "%s\n",
		attr->attr.type, attr->attr.size, (uint64_t)attr->attr.config,
		(uint64_t)attr->attr.sample_period, (uint64_t)attr->attr.sample_type,
		(uint64_t)attr->attr.read_format, attr->attr.freq ? ", freq = 1" : "");
}

static void write_time(FILE *out, const char *name, uint64_t ns)
{
	fprintf(out, "# time of %s sample : %" PRIu64 ".%06" PRIu64 "\n", name, ns / NS_PER_S,
		ns % NS_PER_S / 1000);
}

static void write_times(FILE *out, const struct perfdata_reader *reader)
{
	struct buffer text;
	uint64_t first, last;

	if (describe(&text, reader, HEADER_SAMPLE_TIME) &&
		sscanf(value_of(HEADER_SAMPLE_TIME, (char *)text.data),
			"%" SCNu64 " to %" SCNu64 " ns", &first, &last) == 2) {
		write_time(out, "first", first);
		write_time(out, "last", last);
		fprintf(out, "# sample duration : %10.3f ms\n", (double)(last - first) / NS_PER_MS);
	}
	buffer__free(&text);
}

static bool has_line(unsigned int id)
{
	for (size_t i = 0; i < sizeof(LINES) / sizeof(LINES[0]); i++)
		if (LINES[i].id == id)
			return true;
	return id == HEADER_NRCPUS || id == HEADER_EVENT_DESC || id == HEADER_SAMPLE_TIME ||
	       id == HEADER_BUILD_ID;
}

static void write_file(FILE *out, const struct perfdata_reader *reader, time_t changed)
{
	char captured[64];
	struct tm tm;

	if (changed && localtime_r(&changed, &tm) &&
		strftime(captured, sizeof(captured), "%a %b %e %H:%M:%S %Y", &tm))
		fprintf(out, "# captured on    : %s\n", captured);
	if (perfdata_reader__is_pipe(reader))
		return;
	fprintf(out,
		"# header version : 1\n# data offset    : %" PRIu64 "\n# data size      : %" PRIu64
		"\n",
		perfdata_reader__data_start(reader),
		perfdata_reader__data_end(reader) - perfdata_reader__data_start(reader));
}

void header__write(FILE *out, const struct perfdata_reader *reader, time_t changed, bool all)
{
	fputs("# ========\n", out);
	write_file(out, reader, changed);
	for (size_t i = 0; i < sizeof(LINES) / sizeof(LINES[0]); i++) {
		if (LINES[i].id == HEADER_CPUDESC)
			write_cpus(out, reader);
		write_lines(out, reader, LINES[i].id, LINES[i].name);
	}
	for (size_t i = 0; i < perfdata_reader__n_attrs(reader); i++)
		write_event(out, perfdata_reader__attr(reader, i));
	write_times(out, reader);
	for (unsigned int id = 1; all && id < PERFDATA_FEATURE_BITS; id++)
		if (!has_line(id) && feature__name(id))
			write_lines(out, reader, id, feature__name(id));
	fputs("# ========\n#\n", out);
}
