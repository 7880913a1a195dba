// SPDX-License-Identifier: GPL-2.0-only
/* See journal.h. */
#include "user/view/format/journal.h"

#include <ctype.h>
#include <inttypes.h>

static void write_name(struct fields *fields, const char *key)
{
	fputs("PERFSTAMP_", fields->out);
	for (; *key; key++)
		fputc(*key == '-' ? '_' : toupper((unsigned char)*key), fields->out);
}

static void write_key(struct fields *fields, const char *key)
{
	write_name(fields, key);
	fputc('=', fields->out);
}

static void journal_text(struct fields *fields, const char *key, const char *text)
{
	write_key(fields, key);
	fputs(text, fields->out);
	fputc('\0', fields->out);
}

static void journal_begin(struct fields *fields, const char *type)
{
	journal_text(fields, "type", type);
}

static void journal_number(struct fields *fields, const char *key, uint64_t value)
{
	write_key(fields, key);
	fprintf(fields->out, "%" PRIu64 "%c", value, '\0');
}

static void journal_pid(struct fields *fields, const char *key, uint32_t pid)
{
	journal_number(fields, key, pid);
}

static void journal_time(struct fields *fields, const char *key, uint64_t time_ns)
{
	write_name(fields, key);
	fprintf(fields->out, "_NS=%" PRIu64 "%c", time_ns, '\0');
}

static void journal_bytes(struct fields *fields, const char *key, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	write_key(fields, key);
	for (size_t i = 0; i < size; i++)
		fprintf(fields->out, "%02x", at[i]);
	fputc('\0', fields->out);
}

static void journal_flag(struct fields *fields, const char *key)
{
	journal_number(fields, key, 1);
}

static void journal_list(struct fields *fields, const char *key, const uint64_t *values, size_t n)
{
	write_key(fields, key);
	for (size_t i = 0; i < n; i++)
		fprintf(fields->out, "%s%" PRIu64, i ? "," : "", values[i]);
	fputc('\0', fields->out);
}

static void journal_end(struct fields *fields)
{
	(void)fields;
}

const struct fields_ops FIELDS_JOURNAL = {
	.begin = journal_begin,
	.number = journal_number,
	.pid = journal_pid,
	.hex = journal_number,
	.time = journal_time,
	.text = journal_text,
	.safe = journal_text,
	.bytes = journal_bytes,
	.flag = journal_flag,
	.list = journal_list,
	.end = journal_end,
};
