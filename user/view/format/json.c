// SPDX-License-Identifier: GPL-2.0-only
/* See json.h. If json-c has no memory for a field, the field is missing in its line. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/format/json.h"

/* Returns the length of the code point at @at, or 0 if it is not UTF-8 (RFC 3629). */
static size_t decode(const char *at, uint32_t *ret_code)
{
	static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
	const uint8_t *s = (const uint8_t *)at;
	uint32_t code;
	size_t len;

	if (s[0] < 0x80) {
		*ret_code = s[0];
		return 1;
	}
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	code = s[0] & (0x7f >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if (code < LEAST[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	*ret_code = code;
	return len;
}

static bool is_utf8(const char *text)
{
	uint32_t code;

	while (*text) {
		size_t len = decode(text, &code);

		if (!len)
			return false;
		text += len;
	}
	return true;
}

static void add(struct json_object *object, const char *key, struct json_object *value)
{
	if (json_object_object_add(object, key, value))
		json_object_put(value);
}

void json__add_text(struct json_object *object, const char *key, const char *text)
{
	char key_hex[64];
	char *escaped;
	size_t size;

	if (!text || is_utf8(text)) {
		add(object, key, text ? json_object_new_string(text) : NULL);
		return;
	}
	size = text__escape(NULL, 0, text) + 1;
	escaped = malloc(size);
	if (!escaped)
		return;
	text__escape(escaped, size, text);
	add(object, key, json_object_new_string(escaped));
	free(escaped);
	snprintf(key_hex, sizeof(key_hex), "%s_hex", key);
	json__add_bytes(object, key_hex, text, strlen(text));
}

void json__add_number(struct json_object *object, const char *key, uint64_t number)
{
	add(object, key, json_object_new_uint64(number));
}

void json__add_bool(struct json_object *object, const char *key, bool value)
{
	add(object, key, json_object_new_boolean(value));
}

void json__add_bytes(struct json_object *object, const char *key, const void *bytes, size_t size)
{
	char *hex = size ? malloc(2 * size + 1) : NULL;

	if (hex)
		text__hex(hex, 2 * size + 1, bytes, size);
	add(object, key, hex ? json_object_new_string(hex) : NULL);
	free(hex);
}

/*
 * Whether a character that JSON allows could control a terminal: DEL, C1, direction marks,
 * separators.
 */
static bool acts_on_terminal(uint32_t code)
{
	return (code >= 0x7f && code < 0xa0) || (code >= 0x2000 && code < 0x2070) ||
	       code == 0x61c || code == 0xfeff;
}

/* Whether a character that JSON allows is special in HTML. They only occur in strings. */
static bool acts_on_html(uint32_t code)
{
	return code == '<' || code == '>' || code == '&' || acts_on_terminal(code);
}

static void write_escaped(struct json_object *object, bool (*is_escaped)(uint32_t code), FILE *out)
{
	const char *text = json_object_to_json_string_ext(
		object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	const char *start = text;
	uint32_t code;

	while (text && *text) {
		size_t len = decode(text, &code);

		if (len && is_escaped(code)) {
			fwrite(start, 1, text - start, out);
			fprintf(out, "\\u%04x", code);
			start = text + len;
		}
		text += len ? len : 1;
	}
	if (text)
		fwrite(start, 1, text - start, out);
}

void json__write_line(struct json_object *object, FILE *out)
{
	write_escaped(object, acts_on_terminal, out);
	fputc('\n', out);
	json_object_put(object);
}

void json__write_text(FILE *out, const char *text)
{
	char small[512], *escaped = NULL;
	struct json_object *string;
	size_t size;

	if (!is_utf8(text)) {
		size = text__escape(small, sizeof(small), text) + 1;
		escaped = size > sizeof(small) ? malloc(size) : NULL;
		if (escaped)
			text__escape(escaped, size, text);
		text = escaped ? escaped : small;
	}
	string = json_object_new_string(text);
	write_escaped(string, acts_on_terminal, out);
	json_object_put(string);
	free(escaped);
}

void json__write_script(struct json_object *object, FILE *out)
{
	write_escaped(object, acts_on_html, out);
	json_object_put(object);
}

size_t json__script_size(struct json_object *object)
{
	const char *text = json_object_to_json_string_ext(
		object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	size_t size = 0;
	uint32_t code;

	while (text && *text) {
		size_t len = decode(text, &code);

		size += len && acts_on_html(code) ? strlen("\\u0000") : len ? len : 1;
		text += len ? len : 1;
	}
	return size;
}
