// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_view__lacks, report_view__stacks: see report.h. The advice is one command: the one that
 * resolves the most samples.
 */
#include <inttypes.h>
#include <string.h>

#include "user/view/format/escaped.h"
#include "user/view/format/json.h"
#include "user/view/format/names.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

#define SHOWN_MAX 10 /* DSOs that are shown; the others are added up */

static const char *why(enum symbol_lack lack)
{
	switch (lack) {
	case SYMBOL_LACKS_MAPPING:
		return "the address is in no recorded mapping";
	case SYMBOL_LACKS_CONTENT:
		return "memory without a file: code made at run time";
	case SYMBOL_LACKS_IDENTITY:
		return "the recording has no identity for it";
	case SYMBOL_LACKS_FILE:
		return "no file with this identity was found";
	case SYMBOL_LACKS_SAME_FILE:
		return "the file now at the path has another identity";
	case SYMBOL_LACKS_TABLE:
		return "it is stripped, and no debug file was found";
	case SYMBOL_LACKS_ENTRY:
		return "no symbol covers the address";
	case SYMBOL_LACKS_FORMAT:
		return "it is not an ELF file";
	case SYMBOL_LACKS_TIME:
		return "reading its file took too long";
	case SYMBOL_LACKS_READER:
		return "its file is malformed";
	case SYMBOL_LACKS_PERMISSION:
		return "its file cannot be opened";
	case SYMBOL_LACKS_DECISION:
		return "code made at run time whose name changed at that moment";
	case SYMBOL_LACKS_NAME_THEN:
		return "code made at run time that was given a name only later";
	case SYMBOL_LACKS_NOTHING:
	case SYMBOL_LACKS:
		break;
	}
	return "not known";
}

enum remedy {
	REMEDY_NONE, /* there is no general one */
	REMEDY_CACHE,
	REMEDY_SERVER,
	REMEDY_FORCE,
	REMEDY_ROOT,
	REMEDIES,
};

/* The commands; the recording follows, unless they have a FILE of their own. */
static const char *const REMEDY_COMMANDS[REMEDIES] = {
	[REMEDY_CACHE] = "perfstamp cache add FILE",
	[REMEDY_SERVER] = "DEBUGINFOD_URLS=https://debuginfod.elfutils.org/ perfstamp report",
	[REMEDY_FORCE] = "perfstamp report --force",
	[REMEDY_ROOT] = "sudo perfstamp report",
};

static enum remedy remedy(const struct report_view *view, const struct lack *lack)
{
	const struct perfstamp_identity *identity = report_view__identity(view, lack->place);

	switch (lack->lack) {
	case SYMBOL_LACKS_FILE:
	case SYMBOL_LACKS_SAME_FILE:
	case SYMBOL_LACKS_TABLE:
		return !identity || !identity->build_id_size || view->debuginfod ? REMEDY_CACHE
										 : REMEDY_SERVER;
	case SYMBOL_LACKS_IDENTITY:
	case SYMBOL_LACKS_NAME_THEN:
		return REMEDY_FORCE;
	case SYMBOL_LACKS_PERMISSION:
		return REMEDY_ROOT;
	default:
		return REMEDY_NONE;
	}
}

static void write_identity(FILE *out, const struct report_view *view, uint32_t place)
{
	const struct place *at = samples__place(view->samples, place);
	const struct perfstamp_identity *identity = report_view__identity(view, place);
	char id[NAME_IDENTITY_SIZE], name[256];

	if (!identity) {
		escaped__write(out, report_view__dso(view, place, name, sizeof(name)));
		return;
	}
	escaped__write(out, model__sighting(view->model, at->sighting)->path);
	if (name__identity(id, identity, NAME_ALL_DIGITS))
		fprintf(out, " (%s)", id);
}

static void write_json(FILE *out, const struct report_view *view, const struct lack *lack)
{
	const struct place *at = samples__place(view->samples, lack->place);
	const struct sighting *sighting = at->sighting == SAMPLES_NONE
						  ? NULL
						  : model__sighting(view->model, at->sighting);
	const struct perfstamp_identity *identity = report_view__identity(view, lack->place);
	struct json_object *object = json_object_new_object();
	char name[256];

	json__add_text(object, "type", "unresolved");
	json__add_text(object, "dso", report_view__dso(view, lack->place, name, sizeof(name)));
	json__add_text(object, "path", sighting ? sighting->path : NULL);
	json__add_bytes(object, "build_id", identity ? identity->build_id : NULL,
		identity ? identity->build_id_size : 0);
	json__add_text(object, "lack", report_view__lack(lack->lack));
	json__add_number(object, "samples", lack->n);
	json__write_line(object, out);
}

/* Writes the command that can resolve the most samples. */
static void write_remedy(FILE *out, const struct report_view *view, const struct lacks *lacks)
{
	uint64_t n[REMEDIES] = {0};
	enum remedy best = REMEDY_NONE;

	for (size_t i = 0; i < lacks->n; i++)
		n[remedy(view, &lacks->v[i])] += lacks->v[i].n;
	n[REMEDY_NONE] = 0;
	for (int i = 0; i < REMEDIES; i++)
		if (n[i] > n[best])
			best = i;
	if (best == REMEDY_NONE)
		return;
	fprintf(out, "# To resolve up to %" PRIu64 " of them: %s", n[best], REMEDY_COMMANDS[best]);
	if (best != REMEDY_CACHE) {
		fputc(' ', out);
		escaped__write_word(out, view->file);
	}
	fputc('\n', out);
}

static void write_unnamed(FILE *out, const struct report_view *view, const struct lacks *lacks,
	uint64_t n, uint64_t rest)
{
	fprintf(out, "# Without a name: %" PRIu64 " of %" PRIu64 " samples, %.2f%%:\n", n,
		lacks->samples, report_view__percent(n, lacks->samples));
	for (size_t i = 0; i < lacks->n && i < SHOWN_MAX; i++) {
		fprintf(out, "#   %" PRIu64 " in ", lacks->v[i].n);
		write_identity(out, view, lacks->v[i].place);
		fprintf(out, ": %s\n", why(lacks->v[i].lack));
	}
	if (rest)
		fprintf(out, "#   %" PRIu64 " in %zu others\n", rest, lacks->n - SHOWN_MAX);
	write_remedy(out, view, lacks);
}

void report_view__lacks(
	FILE *out, const struct report_view *view, const struct lacks *lacks, bool json)
{
	uint64_t n = 0, rest = 0;

	for (size_t i = 0; i < lacks->n; i++) {
		n += lacks->v[i].n;
		if (i >= SHOWN_MAX)
			rest += lacks->v[i].n;
		if (json)
			write_json(out, view, &lacks->v[i]);
	}
	if (json)
		return;
	if (n)
		write_unnamed(out, view, lacks, n, rest);
	report_view__runtimes(out, view, lacks);
}

/* Returns why a stack was not unwound to its end; NULL: it was. */
static const char *why_not_unwound(enum unwind_end end)
{
	switch (end) {
	case UNWIND_FILE:
		return "in a DSO whose file was not found";
	case UNWIND_STACK:
		return "at the end of the copy of the stack";
	case UNWIND_DEEP:
		return "at the maximum number of frames";
	case UNWIND_TABLE:
		return "in code without unwind tables";
	case UNWIND_MACHINE:
		return "not started: registers of another architecture than x86-64 and arm64";
	case UNWIND_READER:
		return "not started: files that could not be read, or not in time";
	case UNWIND_WHOLE:
	case UNWIND_ENDS:
		break;
	}
	return NULL;
}

void report_view__unwinding(FILE *out, const struct unwinding *unwinding, const char *before)
{
	uint64_t all = 0, part;

	for (int i = 0; i < UNWIND_ENDS; i++)
		all += unwinding->samples[i];
	part = all - unwinding->samples[UNWIND_WHOLE];
	if (!part)
		return;
	fprintf(out, "%sStacks not unwound completely: %" PRIu64 " of %" PRIu64 "\n", before, part,
		all);
	for (int i = 0; i < UNWIND_ENDS; i++)
		if (unwinding->samples[i] && why_not_unwound(i))
			fprintf(out, "%s  %" PRIu64 " %s\n", before, unwinding->samples[i],
				why_not_unwound(i));
}
