// SPDX-License-Identifier: GPL-2.0-only
/* The words of reports: see report.h. */
#include <inttypes.h>
#include <string.h>

#include "user/view/format/escaped.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

const char *report_view__origin(enum symbol_origin origin)
{
	static const char *const NAMES[SYMBOL_ORIGINS] = {
		[SYMBOL_DEBUG_FILE] = "debug-file",
		[SYMBOL_SYMTAB] = "symtab",
		[SYMBOL_MINIDEBUG] = "gnu_debugdata",
		[SYMBOL_DYNSYM] = "dynsym",
		[SYMBOL_PLT] = "plt",
		[SYMBOL_KALLSYMS] = "kallsyms",
		[SYMBOL_RECORDED] = "ksymbol",
		[SYMBOL_JITDUMP] = "jitdump",
		[SYMBOL_PERF_MAP] = "perf-map",
	};

	return origin < SYMBOL_ORIGINS ? NAMES[origin] : NULL;
}

const char *report_view__lack(enum symbol_lack lack)
{
	static const char *const NAMES[SYMBOL_LACKS] = {
		[SYMBOL_LACKS_MAPPING] = "no-mapping",
		[SYMBOL_LACKS_CONTENT] = "anonymous",
		[SYMBOL_LACKS_IDENTITY] = "no-identity",
		[SYMBOL_LACKS_FILE] = "no-file",
		[SYMBOL_LACKS_SAME_FILE] = "other-file",
		[SYMBOL_LACKS_TABLE] = "stripped",
		[SYMBOL_LACKS_ENTRY] = "no-symbol",
		[SYMBOL_LACKS_FORMAT] = "not-elf",
		[SYMBOL_LACKS_TIME] = "too-slow",
		[SYMBOL_LACKS_READER] = "malformed",
		[SYMBOL_LACKS_PERMISSION] = "no-permission",
		[SYMBOL_LACKS_DECISION] = "undecided",
		[SYMBOL_LACKS_NAME_THEN] = "named-later",
	};

	return lack < SYMBOL_LACKS ? NAMES[lack] : NULL;
}

void report_view__nameless(FILE *out, const struct report_view *view, uint32_t place, bool wide)
{
	const struct resolved *resolved = &view->resolved[place];
	uint64_t offset = samples__place(view->samples, place)->offset;

	if (!view->options->fold || !resolved__is_without_symbols(resolved))
		fprintf(out, wide ? "0x%016" PRIx64 : "0x%" PRIx64, offset);
	else
		fputs(resolved->lack == SYMBOL_LACKS_MAPPING ? "[not mapped]" : "[no symbols]",
			out);
}

void report_view__symbol(
	FILE *out, const struct report_view *view, uint32_t place, const char *inlined)
{
	const struct place *at = samples__place(view->samples, place);
	const char *name = inlined ? inlined : view->resolved[place].name;

	fprintf(out, "[%c] ", at->in_kernel ? 'k' : '.');
	if (name)
		escaped__write(out, name);
	else
		report_view__nameless(out, view, place, true);
	if (inlined)
		fputs(REPORT_INLINED, out);
}

/* perf shows "/lib/modules/.../nf_tables.ko.xz" as [nf_tables]. */
static void module_name(const char *base, char *ret, size_t size)
{
	const char *end = strstr(base, ".ko");
	size_t len = end ? (size_t)(end - base) : strlen(base);

	snprintf(ret, size, "[%.*s]", (int)(len < size - 3 ? len : size - 3), base);
	for (char *at = ret; *at; at++)
		if (*at == '-')
			*at = '_';
}

const struct perfstamp_identity *report_view__identity(
	const struct report_view *view, uint32_t place)
{
	const struct place *at = samples__place(view->samples, place);

	return at->sighting == SAMPLES_NONE ? NULL : &view->options->identities[at->sighting];
}

const char *report_view__dso(const struct report_view *view, uint32_t place, char *ret, size_t size)
{
	const struct place *at = samples__place(view->samples, place);
	const char *path, *base;

	if (at->sighting == SAMPLES_NONE)
		return "[unknown]";
	path = model__sighting(view->model, at->sighting)->path;
	base = strrchr(path, '/');
	/* "//anon" is not a path but a name. */
	base = !base || !strncmp(path, "//", 2) || !base[1] ? path : base + 1;
	if (at->text != MODEL_TEXT_MODULE || *base == '[')
		return base;
	module_name(base, ret, size);
	return ret;
}
