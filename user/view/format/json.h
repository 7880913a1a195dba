/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON as all views write it: one object a line, keys in a fixed order, always valid UTF-8, and
 * safe on a terminal. Uses json-c.
 */
#ifndef PERFSTAMP_VIEW_FORMAT_JSON_H
#define PERFSTAMP_VIEW_FORMAT_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Adds @text under @key. A text that is not UTF-8 cannot be in a JSON string: it is written with
 * base/text's escapes, and its bytes are also written in hexadecimal, under @key followed by
 * "_hex". NULL becomes null.
 */
void json__add_text(struct json_object *object, const char *key, const char *text);
void json__add_number(struct json_object *object, const char *key, uint64_t number);
void json__add_bool(struct json_object *object, const char *key, bool value);
/* Adds the bytes in hexadecimal; null if @size is 0. */
void json__add_bytes(struct json_object *object, const char *key, const void *bytes, size_t size);
/* Writes the object as one line and frees it. Errors stick to @out. */
void json__write_line(struct json_object *object, FILE *out);
/* Writes @text as a JSON string, escaped as in json__add_text(). Errors stick to @out. */
void json__write_text(FILE *out, const char *text);
/*
 * Writes the object for use inside an HTML <script>, so that no string can end that element. Frees
 * the object. Errors stick to @out.
 */
void json__write_script(struct json_object *object, FILE *out);
/* Returns the number of bytes that json__write_script() writes. */
size_t json__script_size(struct json_object *object);

#endif
