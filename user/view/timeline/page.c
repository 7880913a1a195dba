// SPDX-License-Identifier: GPL-2.0-only
/*
 * timeline_page: the page around the data. This file only writes what readers without scripts see;
 * timeline.js makes everything else. Everything from the recording is escaped.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/timeline/private.h"

#define STATIC_MAX 100000u /* bytes of rows for readers without script */

static const char TEMPLATE[] = {
#include <timeline.html.inc>
	0};
static const char STYLE[] = {
#include <timeline.css.inc>
	0};
static const char FUNCTIONS[] = {
#include <functions.js.inc>
	0};
static const char SCRIPT[] = {
#include <timeline.js.inc>
	0};

/* Writes text that is already safe to show, as HTML. Returns the bytes written. */
static size_t write_html(FILE *out, const char *text)
{
	size_t size = 0;
	int n;

	for (; *text; text++) {
		switch (*text) {
		case '<':
			n = fprintf(out, "&lt;");
			break;
		case '>':
			n = fprintf(out, "&gt;");
			break;
		case '&':
			n = fprintf(out, "&amp;");
			break;
		case '"':
			n = fprintf(out, "&quot;");
			break;
		default:
			n = fputc(*text, out) == EOF ? 0 : 1;
		}
		size += n > 0 ? n : 0;
	}
	return size;
}

/* The same for any text. */
static size_t write_untrusted(FILE *out, const char *text)
{
	size_t size = text__escape(NULL, 0, text) + 1, n;
	char *escaped = malloc(size);

	if (!escaped)
		return 0;
	text__escape(escaped, size, text);
	n = write_html(out, escaped);
	free(escaped);
	return n;
}

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(object, key, &value) && value
		       ? json_object_get_string(value)
		       : NULL;
}

/* Writes the text @key of @object, or a dash. */
static size_t write_text(FILE *out, struct json_object *object, const char *key)
{
	const char *text = text_of(object, key);
	char key_hex[16];

	if (!text)
		return write_html(out, "-");
	/* If the text was not UTF-8, json__add_text() has escaped it. */
	snprintf(key_hex, sizeof(key_hex), "%s_hex", key);
	return text_of(object, key_hex) ? write_html(out, text) : write_untrusted(out, text);
}

static struct json_object *array_of(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(object, key, &value);
	return value;
}

/* Writes a time in seconds since the beginning. */
static size_t write_time(FILE *out, struct json_object *object, const char *key)
{
	struct json_object *value = array_of(object, key);
	int64_t ns = json_object_get_int64(value);

	return value ? fprintf(out, "<td>%" PRId64 ".%06" PRId64, ns / 1000000000,
			       ns % 1000000000 / 1000)
		     : fprintf(out, "<td>before");
}

/* @named has the name, under the key @name. */
static size_t write_row(
	FILE *out, struct json_object *object, struct json_object *named, const char *name)
{
	size_t size = fprintf(out, "<tr><td>");

	size += write_text(out, named, name);
	size += fprintf(out, "<td><code>");
	size += write_text(out, object, "id");
	size += fprintf(out, "</code>");
	size += write_time(out, object, "first");
	size += write_time(out, object, "last");
	size += fprintf(out, "<td>");
	size += write_text(out, object, "samples");
	return size;
}

/* Writes the number of spans in which it was mapped, and how often it replaced another content. */
static size_t write_lives(FILE *out, struct json_object *sighting)
{
	struct json_object *lives = array_of(sighting, "lives");
	uint64_t merged = json_object_get_int64(array_of(sighting, "merged"));

	return fprintf(out, "<td>%" PRIu64 "<td>%" PRId64,
		lives ? json_object_array_length(lives) / 2 + merged : 1,
		json_object_get_int64(array_of(sighting, "n_switches")));
}

static void begin_table(
	FILE *out, const char *title, const char *name, const char *id, const char *more)
{
	fprintf(out, "<h2>%s</h2>\n<table><tr><th>%s<th>%s<th>from, s<th>to, s<th>samples%s\n",
		title, name, id, more);
}

static void end_table(FILE *out, size_t left_out)
{
	fprintf(out, "</table>\n");
	if (left_out)
		fprintf(out, "<p>%zu more are not shown here.</p>\n", left_out);
}

/* Writes @rows, whose names are under the key @name, until they take @room bytes. */
static void write_table(FILE *out, struct json_object *rows, const char *title, const char *name,
	const char *id, size_t room)
{
	size_t n = rows ? json_object_array_length(rows) : 0, size = 0, i;

	if (!n)
		return;
	begin_table(out, title, name, id, "");
	for (i = 0; i < n && size < room; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		size += write_row(out, row, row, text_of(row, name) ? name : "id");
		size += fprintf(out, "\n");
	}
	end_table(out, n - i);
}

static void write_paths(FILE *out, struct json_object *rows)
{
	size_t n = rows ? json_object_array_length(rows) : 0, size = 0, i;

	begin_table(out, "Files", "path", "identity", "<th>lives<th>replaced another");
	for (i = 0; i < n && size < STATIC_MAX / 2; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		struct json_object *all = array_of(row, "sightings");
		size_t n_all = all ? json_object_array_length(all) : 0;

		for (size_t j = 0; j < n_all && size < STATIC_MAX / 2; j++) {
			struct json_object *sighting = json_object_array_get_idx(all, j);

			size += write_row(out, sighting, row, "path");
			size += write_lives(out, sighting);
			size += fprintf(out, "\n");
		}
	}
	end_table(out, n - i);
}

static void write_losses(FILE *out, struct json_object *losses)
{
	size_t n = losses ? json_object_array_length(losses) : 0;

	if (!n)
		return;
	fprintf(out, "<h2>Losses</h2>\n<table><tr><th>cause<th>count<th>from, s<th>to, s\n");
	for (size_t i = 0; i < n && i < 100; i++) {
		struct json_object *loss = json_object_array_get_idx(losses, i);

		fprintf(out, "<tr><td>");
		write_text(out, loss, "cause");
		fprintf(out, "<td>");
		write_text(out, loss, "count");
		write_time(out, loss, "first");
		write_time(out, loss, "last");
	}
	end_table(out, n > 100 ? n - 100 : 0);
}

static void write_static(FILE *out, struct json_object *data)
{
	fprintf(out, "<p>Without scripts the page shows only these tables.</p>\n");
	write_paths(out, array_of(data, "paths"));
	write_table(out, array_of(data, "modules"), "Kernel modules", "name", "build-id",
		STATIC_MAX / 6);
	write_table(out, array_of(data, "symbols"), "BPF programs and trampolines", "path",
		"identity", STATIC_MAX / 6);
	write_table(out, array_of(data, "cgroups"), "Containers", "path", "cgroup", STATIC_MAX / 6);
	write_losses(out, array_of(data, "losses"));
}

void timeline_page__write(FILE *out, struct json_object *data, const struct timeline_about *about)
{
	const char *at = TEMPLATE, *mark, *end;

	/* The template has each mark once. */
	while ((mark = strstr(at, "@@"))) {
		fwrite(at, 1, mark - at, out);
		end = strstr(mark + 2, "@@");
		if (!end)
			break;
		if (!strncmp(mark, "@@NAME@@", 8))
			write_untrusted(out, about->name);
		else if (!strncmp(mark, "@@STYLE@@", 9))
			fputs(STYLE, out);
		else if (!strncmp(mark, "@@FUNCTIONS@@", 13))
			fputs(FUNCTIONS, out);
		else if (!strncmp(mark, "@@SCRIPT@@", 10))
			fputs(SCRIPT, out);
		else if (!strncmp(mark, "@@STATIC@@", 10))
			write_static(out, data);
		else if (!strncmp(mark, "@@DATA@@", 8))
			json__write_script(json_object_get(data), out);
		at = end + 2;
	}
	fputs(at, out);
	json_object_put(data);
}
