// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_view__sources: see report.h. Source text is untrusted like paths, but doubled backslashes
 * would make it hard to read. So characters that could control a terminal become question marks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/format/escaped.h"
#include "user/view/format/json.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

#define TAB 8

static const char *const ORIGINS[] = {
	[SOURCE_DEBUGINFOD] = "debuginfod",
	[SOURCE_VERIFIED] = "verified",
	[SOURCE_UNPROVEN] = "unproven",
};

static const char *const LACKS[] = {
	[SOURCE_LACKS_FILE] = "no-file",
	[SOURCE_LACKS_SAME_FILE] = "other-file",
	[SOURCE_LACKS_PROOF] = "no-proof",
	[SOURCE_LACKS_PERMISSION] = "no-permission",
	[SOURCE_LACKS_TEXT] = "not-text",
	[SOURCE_LACKS_SIZE] = "too-large",
	[SOURCE_LACKS_READER] = "not-read",
};

static const char *from(enum source_origin origin)
{
	switch (origin) {
	case SOURCE_DEBUGINFOD:
		return "from debuginfod, for this build-id";
	case SOURCE_VERIFIED:
		return "file on this machine, with the MD5 of the compiled source";
	default:
		return "file currently on this machine, NOT KNOWN to be the compiled source";
	}
}

static const char *why(const struct report_view *view, enum source_lack lack)
{
	switch (lack) {
	case SOURCE_LACKS_SAME_FILE:
		return "the file at this path is not the compiled source";
	case SOURCE_LACKS_PROOF:
		return view->debuginfod ? "the file at this path cannot be verified, and no "
					  "debuginfod has it; --force shows it"
					: "the file at this path cannot be verified, and no "
					  "debuginfod was asked; --force shows it";
	case SOURCE_LACKS_PERMISSION:
		return "it cannot be opened: permission denied";
	case SOURCE_LACKS_TEXT:
		return "the file at this path is not text";
	case SOURCE_LACKS_SIZE:
		return "the file at this path is too large for a source file";
	case SOURCE_LACKS_READER:
		return "it could not be read, or not in time";
	default:
		return view->debuginfod ? "not on this machine, and no debuginfod has it"
					: "not on this machine, and no debuginfod was asked";
	}
}

/* Writes the text of a line with spaces instead of tabs. */
static void write_text(FILE *out, const struct source_line *line)
{
	size_t n = 0, column = 0;
	char *shown = malloc(TAB * strlen(line->text) + 1);

	for (const char *at = line->text; shown && *at; at++) {
		if (*at != '\t') {
			shown[n++] = *at;
			/* the further bytes of a character take no column */
			column += (*at & 0xc0) != 0x80;
			continue;
		}
		do
			shown[n++] = ' ';
		while (++column % TAB);
	}
	if (!shown)
		return;
	shown[n] = '\0';
	text__sanitize(shown);
	fputs(shown, out);
	if (line->cut)
		fputs(" [...]", out);
	free(shown);
}

static void write_line(FILE *out, const struct source_line *line, uint64_t total)
{
	if (line->n)
		fprintf(out, " %7.2f%%", report_view__percent(line->period, total));
	else
		fprintf(out, " %8s", "");
	fprintf(out, "  %6" PRIu32, line->number);
	if (line->text && *line->text) {
		fputs("  ", out);
		write_text(out, line);
	}
	fputc('\n', out);
}

static void write_file(FILE *out, const struct report_view *view, const struct labels *labels,
	const struct source_file *file)
{
	uint64_t total = report__total_period(view->report, file->event);
	const char *event = file->event < view->n_events ? view->events[file->event] : NULL;
	uint32_t last = 0;

	fprintf(out, "# Source: ");
	escaped__write(out, view->resolved[file->place].source->path);
	fprintf(out, "\n#   %.2f%% of '", report_view__percent(file->period, total));
	escaped__write(out, event ? event : "unknown");
	fputs("', in ", out);
	report_view__write_dso(out, view, labels, file->place);
	if (file->origin)
		fprintf(out, "\n#   text: %s\n#\n", from(file->origin));
	else
		fprintf(out, "\n#   no text: %s\n#\n", why(view, file->lack));
	for (size_t i = 0; i < file->n_lines; i++) {
		const struct source_line *line = &file->lines[i];

		if (!line->n && !line->text) /* a line of context beyond the end of the file */
			continue;
		if (last && line->number != last + 1)
			fputs("               ...\n", out);
		write_line(out, line, total);
		last = line->number;
	}
	fputc('\n', out);
}

static void write_json(FILE *out, const struct report_view *view, const struct source_file *file)
{
	struct json_object *object = json_object_new_object(), *lines = json_object_new_array();

	json__add_text(object, "type", "source");
	json__add_text(
		object, "event", file->event < view->n_events ? view->events[file->event] : NULL);
	report_view__add_dso(object, view, file->place);
	json__add_text(object, "file", view->resolved[file->place].source->path);
	json__add_text(object, "origin", ORIGINS[file->origin]);
	json__add_text(object, "lack", file->origin ? NULL : LACKS[file->lack]);
	json__add_number(object, "samples", file->n);
	json__add_number(object, "period", file->period);
	json__add_number(object, "total_period", report__total_period(view->report, file->event));
	for (size_t i = 0; i < file->n_lines; i++) {
		const struct source_line *line = &file->lines[i];
		struct json_object *one;

		if (!line->n && !line->text)
			continue;
		one = json_object_new_object();
		json__add_number(one, "line", line->number);
		json__add_number(one, "samples", line->n);
		json__add_number(one, "period", line->period);
		json__add_text(one, "text", line->text);
		if (line->cut)
			json__add_bool(one, "cut", true);
		json_object_array_add(lines, one);
	}
	json_object_object_add(object, "lines", lines);
	json__write_line(object, out);
}

int report_view__sources(
	FILE *out, const struct report_view *view, const struct sources *sources, bool json)
{
	struct labels labels;
	int err = labels__find(&labels, view);

	for (size_t i = 0; i < sources->n && !err && !ferror(out); i++) {
		if (json)
			write_json(out, view, &sources->files[i]);
		else
			write_file(out, view, &labels, &sources->files[i]);
	}
	labels__free(&labels);
	return err;
}
