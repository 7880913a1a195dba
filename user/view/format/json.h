/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON as all views write it: one object a line, keys in a fixed order, always
 * valid UTF-8 and safe on a terminal. Built on json-c.
 */
#ifndef PERFSTAMP_VIEW_FORMAT_JSON_H
#define PERFSTAMP_VIEW_FORMAT_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Adds @text under @key, exactly. JSON strings cannot hold bytes that are not
 * UTF-8: such a text is written with base/text's escapes. Its bytes are then also
 * written in hexadecimal, under @key followed by "_hex".
 * NULL becomes null.
 */
void json__add_text(struct json_object *object, const char *key, const char *text);
void json__add_number(struct json_object *object, const char *key, uint64_t number);
void json__add_bool(struct json_object *object, const char *key, bool value);
/* Hexadecimal; null where @size is 0. */
void json__add_bytes(struct json_object *object, const char *key, const void *bytes, size_t size);
/* Writes it as one line and frees it. Errors stick to @out. */
void json__write_line(struct json_object *object, FILE *out);
/* Writes @text as a JSON string, escaped as in json__add_text(). Errors stick to @out. */
void json__write_text(FILE *out, const char *text);
/*
 * Writes it for use inside an HTML <script>: no string can end that element. Frees it.
 * Errors stick to @out.
 */
void json__write_script(struct json_object *object, FILE *out);
/* How many bytes that takes. */
size_t json__script_size(struct json_object *object);

#endif
