// SPDX-License-Identifier: GPL-2.0-only
/*
 * See fields.h.
 */
#include <inttypes.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/format/escaped.h"
#include "user/view/format/fields.h"
#include "user/view/format/json.h"

static void text_begin(struct fields *fields, const char *type)
{
	fprintf(fields->out, "%-14s", type);
}

static void text_number(struct fields *fields, const char *key, uint64_t value)
{
	fprintf(fields->out, " %s=%" PRIu64, key, value);
}

static void text_pid(struct fields *fields, const char *key, uint32_t pid)
{
	fprintf(fields->out, " %s=%d", key, (int)pid);
}

static void text_hex(struct fields *fields, const char *key, uint64_t value)
{
	fprintf(fields->out, " %s=0x%" PRIx64, key, value);
}

static void text_time(struct fields *fields, const char *key, uint64_t time_ns)
{
	fprintf(fields->out, " %s=%" PRIu64 ".%09" PRIu64, key, time_ns / 1000000000,
		time_ns % 1000000000);
}

static void text_text(struct fields *fields, const char *key, const char *text)
{
	fprintf(fields->out, " %s=\"", key);
	escaped__write(fields->out, text);
	fputc('"', fields->out);
}

static void text_safe(struct fields *fields, const char *key, const char *text)
{
	fprintf(fields->out, " %s=\"%s\"", key, text);
}

static void text_bytes(struct fields *fields, const char *key, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	fprintf(fields->out, " %s=", key);
	for (size_t i = 0; i < size; i++)
		fprintf(fields->out, "%02x", at[i]);
}

static void text_flag(struct fields *fields, const char *key)
{
	fprintf(fields->out, " %s", key);
}

static void text_list(struct fields *fields, const char *key, const uint64_t *values, size_t n)
{
	fprintf(fields->out, " %s=", key);
	for (size_t i = 0; i < n; i++) {
		uint64_t value;

		memcpy(&value, values + i, sizeof(value)); /* it may be unaligned */
		fprintf(fields->out, "%s0x%" PRIx64, i ? "," : "", value);
	}
}

static void text_end(struct fields *fields)
{
	fputc('\n', fields->out);
}

const struct fields_ops FIELDS_TEXT = {
	.begin = text_begin,
	.number = text_number,
	.pid = text_pid,
	.hex = text_hex,
	.time = text_time,
	.text = text_text,
	.safe = text_safe,
	.bytes = text_bytes,
	.flag = text_flag,
	.list = text_list,
	.end = text_end,
};

static void json_begin(struct fields *fields, const char *type)
{
	fields->object = json_object_new_object();
	json__add_text(fields->object, "type", type);
}

/* Times are in nanoseconds, as plain numbers. */
static void json_number(struct fields *fields, const char *key, uint64_t value)
{
	json__add_number(fields->object, key, value);
}

static void json_pid(struct fields *fields, const char *key, uint32_t pid)
{
	json_object_object_add(fields->object, key, json_object_new_int((int)pid));
}

static void json_text(struct fields *fields, const char *key, const char *text)
{
	json__add_text(fields->object, key, text);
}

static void json_time(struct fields *fields, const char *key, uint64_t time_ns)
{
	char key_ns[64];

	snprintf(key_ns, sizeof(key_ns), "%s_ns", key);
	json__add_number(fields->object, key_ns, time_ns);
}

static void json_bytes(struct fields *fields, const char *key, const void *bytes, size_t size)
{
	json__add_bytes(fields->object, key, bytes, size);
}

static void json_flag(struct fields *fields, const char *key)
{
	json__add_bool(fields->object, key, true);
}

/*
 * JSON has no hexadecimal numbers, and many readers store numbers as doubles and round large ones.
 * Such numbers, which are addresses of the kernel, are written as text.
 */
static struct json_object *new_address(uint64_t value)
{
	char text[24];

	if (value <= 1ull << 53)
		return json_object_new_uint64(value);
	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	return json_object_new_string(text);
}

static void json_hex(struct fields *fields, const char *key, uint64_t value)
{
	json_object_object_add(fields->object, key, new_address(value));
}

static void json_list(struct fields *fields, const char *key, const uint64_t *values, size_t n)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < n; i++) {
		uint64_t value;

		memcpy(&value, values + i, sizeof(value)); /* it may be unaligned */
		json_object_array_add(array, new_address(value));
	}
	json_object_object_add(fields->object, key, array);
}

static void json_end(struct fields *fields)
{
	json__write_line(fields->object, fields->out);
	fields->object = NULL;
}

const struct fields_ops FIELDS_JSON = {
	.begin = json_begin,
	.number = json_number,
	.pid = json_pid,
	.hex = json_hex,
	.time = json_time,
	.text = json_text,
	.safe = json_text,
	.bytes = json_bytes,
	.flag = json_flag,
	.list = json_list,
	.end = json_end,
};
