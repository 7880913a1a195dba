// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_view__annotation: see report.h. The form is that of `perf annotate --stdio': percentages
 * of the function's samples, with lines of source between the instructions.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/format/escaped.h"
#include "user/view/format/json.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

static const char *const LACKS[] = {
	[CODE_LACKS_FILE] = "no-file",
	[CODE_LACKS_BYTES] = "no-code",
	[CODE_LACKS_CONTENT] = "anonymous",
	[CODE_LACKS_SYMBOL] = "no-symbol",
	[CODE_LACKS_MACHINE] = "no-disassembler",
	[CODE_LACKS_LIBRARY] = "no-library",
	[CODE_LACKS_READER] = "malformed",
};

static const char *why(enum code_lack lack)
{
	switch (lack) {
	case CODE_LACKS_BYTES:
		return "only the symbols of this build are on this machine, without its code; "
		       "`perfstamp cache add' takes the file itself";
	case CODE_LACKS_CONTENT:
		return "it was made at run time: its name is recorded, its instructions are not";
	case CODE_LACKS_SYMBOL:
		return "the file has no symbol at this address";
	case CODE_LACKS_MACHINE:
		return "there is no disassembler for this machine";
	case CODE_LACKS_LIBRARY:
		return "the library Capstone is not installed: on Debian 12, apt install "
		       "libcapstone4; on Debian 13, libcapstone5";
	case CODE_LACKS_READER:
		return "reading the file took too long, or failed";
	default:
		return "the file with this code is not on this machine; `perfstamp cache add' "
		       "takes it, and `perfstamp archive' bundles it where it was recorded";
	}
}

static const char *event_name(const struct report_view *view, uint32_t event)
{
	return event < view->n_events && view->events[event] ? view->events[event] : "unknown";
}

static const struct source_line *line_of(const struct code *code, const struct instruction *at)
{
	return at->source_file == SAMPLES_NONE ? NULL
					       : &code->sources[at->source_file].lines[at->line];
}

static void write_source(FILE *out, const struct instruction *at, const struct source_line *line)
{
	char *text = line->text ? strdup(line->text) : NULL;

	if (text) {
		for (char *tab = text; (tab = strchr(tab, '\t')); tab++)
			*tab = ' ';
		text__sanitize(text);
		fprintf(out, "         : %-5" PRIu32 " %s\n", line->number, text);
	} else {
		fputs("         : ", out);
		escaped__write(out, basename(at->source.path));
		fprintf(out, ":%" PRIu32 "\n", line->number);
	}
	free(text);
}

static const char *const PERCENTS[] = {
	[ANNOTATION_LOCAL_PERIOD] = "local period",
	[ANNOTATION_GLOBAL_PERIOD] = "global period",
	[ANNOTATION_LOCAL_HITS] = "local hits",
	[ANNOTATION_GLOBAL_HITS] = "global hits",
};

static double percent_of(const struct report_view *view, const struct annotation *annotation,
	enum annotation_percent percent, size_t i)
{
	const struct report *report = view->report;
	uint32_t event = annotation->event;

	switch (percent) {
	case ANNOTATION_GLOBAL_PERIOD:
		return report_view__percent(
			annotation->period[i], report__total_period(report, event));
	case ANNOTATION_LOCAL_HITS:
		return report_view__percent(annotation->n[i], annotation->all_n);
	case ANNOTATION_GLOBAL_HITS:
		return report_view__percent(annotation->n[i], report__total_n(report, event));
	default:
		return report_view__percent(annotation->period[i], annotation->all_period);
	}
}

static void write_code(FILE *out, const struct report_view *view,
	const struct annotation *annotation, enum annotation_percent percent)
{
	const struct code *code = annotation->code;
	const struct source_line *last = NULL;

	for (size_t i = 0; i < code->n && !ferror(out); i++) {
		const struct instruction *at = &code->v[i];
		const struct source_line *line = line_of(code, at);

		if (line && line != last)
			write_source(out, at, line);
		last = line ? line : last;
		fprintf(out, "%8.2f :   %6" PRIx64 ":  ", percent_of(view, annotation, percent, i),
			at->address);
		escaped__write(out, at->text);
		fputc('\n', out);
	}
}

static void write_text(FILE *out, const struct report_view *view, const struct labels *labels,
	const struct annotation *annotation, enum annotation_percent percent)
{
	uint64_t total = report__total_period(view->report, annotation->event);
	const struct code *code = annotation->code;

	fputs(" Percent |\tSource code & Disassembly of ", out);
	report_view__write_dso(out, view, labels, annotation->place);
	fputs(" for ", out);
	escaped__write(out, event_name(view, annotation->event));
	fprintf(out, " (%" PRIu64 " samples, percent: %s)\n", annotation->all_n, PERCENTS[percent]);
	fputs("---------------------------------------------------------------------\n# ", out);
	report_view__symbol(out, view, annotation->place, NULL);
	fprintf(out, ": %.2f%% of all samples; build-id ",
		report_view__percent(annotation->all_period, total));
	report_view__write_build_id(out, view, annotation->place, SIZE_MAX >> 40);
	fputs("\n# code: ", out);
	if (code->lack)
		fprintf(out, "none: %s", why(code->lack));
	else
		escaped__write(out, code->file ? code->file : "");
	fputs("\n#\n", out);
	write_code(out, view, annotation, percent);
	fputc('\n', out);
}

static struct json_object *instruction(const struct annotation *annotation, size_t i)
{
	const struct instruction *at = &annotation->code->v[i];
	const struct source_line *line = line_of(annotation->code, at);
	struct json_object *object = json_object_new_object();

	json__add_number(object, "address", at->address);
	json__add_text(object, "text", at->text);
	json__add_number(object, "samples", annotation->n[i]);
	json__add_number(object, "period", annotation->period[i]);
	if (line) {
		json__add_text(object, "file", at->source.path);
		json__add_number(object, "line", line->number);
		json__add_text(object, "source", line->text);
	}
	return object;
}

static void write_json(
	FILE *out, const struct report_view *view, const struct annotation *annotation)
{
	struct json_object *object = json_object_new_object(), *all = json_object_new_array();
	const struct code *code = annotation->code;

	json__add_text(object, "type", "annotation");
	json__add_text(object, "event", event_name(view, annotation->event));
	report_view__add_dso(object, view, annotation->place);
	json__add_text(object, "symbol", view->resolved[annotation->place].name);
	json__add_text(object, "file", code->file);
	json__add_text(object, "lack", code->lack ? LACKS[code->lack] : NULL);
	json__add_number(object, "samples", annotation->all_n);
	json__add_number(object, "period", annotation->all_period);
	json__add_number(
		object, "total_period", report__total_period(view->report, annotation->event));
	for (size_t i = 0; i < code->n; i++)
		json_object_array_add(all, instruction(annotation, i));
	json_object_object_add(object, "instructions", all);
	json__write_line(object, out);
}

int report_view__annotation(FILE *out, const struct report_view *view,
	const struct annotation *annotation, enum annotation_percent percent, bool json)
{
	struct labels labels;
	int err = labels__find(&labels, view);

	if (!err && json)
		write_json(out, view, annotation);
	else if (!err)
		write_text(out, view, &labels, annotation, percent);
	labels__free(&labels);
	return err;
}
