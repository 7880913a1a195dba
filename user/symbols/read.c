// SPDX-License-Identifier: GPL-2.0-only
/*
 * See read.h. The sources are used in the order of their quality: a debug file, the file's own
 * symbol table, what a stripped file still has, and for the kernel its kallsyms.
 */
#include "user/symbols/read.h"

#include <elf.h>
#include <errno.h>
#include <libiberty/demangle.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/symbols/elf/elf.h"
#include "user/symbols/elf/htlhash.h"
#include "user/symbols/elf/kallsyms.h"
#include "user/symbols/lookup.h"
#include "user/symbols/progress.h"
#include "user/symbols/reading.h"

static void add_tables(struct reading *reading)
{
	Elf *debug = reading->files.debug.elf, *content = reading->files.content.elf;

	if (debug)
		symbols_elf__add(&reading->table, debug, SHT_SYMTAB, SYMBOL_DEBUG_FILE);
	if (!reading->table.n && content)
		symbols_elf__add(&reading->table, content, SHT_SYMTAB, SYMBOL_SYMTAB);
}

/* Lines are only in debug information, but names are in any table. */
static bool wants_more(const struct reading *reading)
{
	Elf *debug = reading->files.debug.elf, *content = reading->files.content.elf;

	if (!reading->table.n)
		return true;
	return reading->options->lines && reading->dso->text == MODEL_TEXT_USER &&
	       !(debug && symbols_files__has_section(debug, SHT_PROGBITS, ".debug_info")) &&
	       !(content && symbols_files__has_section(content, SHT_PROGBITS, ".debug_info"));
}

static bool add_kept_kallsyms(struct reading *reading, const char *store, const char *hex)
{
	char dir[PATH_MAX];

	return store && !lookup__directory(store, hex, dir, sizeof(dir)) &&
	       lookup__undamaged(store, dir, "kallsyms") &&
	       snprintf(reading->kallsyms, PATH_MAX, "%s/%s/kallsyms", store, dir) < PATH_MAX &&
	       symbols_kallsyms__add(&reading->table, reading->kallsyms) > 0;
}

static void add_kallsyms(struct reading *reading)
{
	const struct symbols_options *options = reading->options;
	const struct perfstamp_identity *identity = reading->dso->identity;
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1];

	if (reading->table.n)
		return;
	if (options->kallsyms &&
		snprintf(reading->kallsyms, PATH_MAX, "%s", options->kallsyms) < PATH_MAX &&
		symbols_kallsyms__add(&reading->table, reading->kallsyms) > 0)
		return;
	if (options->kallsyms && !*reading->files.said)
		snprintf(reading->files.said, sizeof(reading->files.said),
			"%.160s: not used: it has no symbols of a kernel", options->kallsyms);
	reading->kallsyms[0] = '\0';
	if (identity->build_id_size < 2)
		return;
	text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
	if (add_kept_kallsyms(reading, options->store, hex) ||
		add_kept_kallsyms(reading, options->embedded, hex))
		return;
	strcpy(reading->kallsyms, "/proc/kallsyms");
	if (!reading->dso->this_kernel ||
		symbols_kallsyms__add(&reading->table, reading->kallsyms) <= 0)
		reading->kallsyms[0] = '\0';
}

/* A stripped file keeps the names for dynamic linking, and may have the others compressed. */
static void add_leftovers(struct reading *reading)
{
	Elf *content = reading->files.content.elf;

	if (!content)
		return;
	if (!reading->table.n) {
		symbols_elf__add_minidebug(&reading->table, content);
		symbols_elf__add(&reading->table, content, SHT_DYNSYM, SYMBOL_DYNSYM);
	}
	symbols_elf__add_plt(&reading->table, content);
}

static void find_reference(struct reading *reading)
{
	const struct table_symbol *symbol;

	/* The first is perf's name for it on all architectures; the second exists on some. */
	symbol = symbols_table__named(
		&reading->table, reading->dso->reference ? reading->dso->reference : "_text");
	if (!symbol && !reading->dso->reference)
		symbol = symbols_table__named(&reading->table, "_stext");
	reading->has_reference = symbol;
	reading->reference = symbol ? symbol->start : 0;
}

void reading__load(struct reading *reading)
{
	const struct symbols_options *options = reading->options;
	struct symbols_options fetching = *options;
	Elf *debug, *content;

	symbols_files__find(&reading->files, options, reading->dso);
	if (options->addresses_only)
		return;
	add_tables(reading);
	if (reading->dso->text == MODEL_TEXT_KERNEL)
		add_kallsyms(reading);
	if (options->debuginfod && wants_more(reading)) {
		fetching.progress = progress__report;
		fetching.ctx = reading->out;
		symbols_files__fetch(&reading->files, &fetching, reading->dso);
		if (!reading->table.n)
			add_tables(reading);
	}
	reading->whole = reading->table.n;
	add_leftovers(reading);
	if (reading->dso->text == MODEL_TEXT_KERNEL)
		find_reference(reading);
	if (symbols_table__sort(&reading->table))
		reading->table.n = 0;
	debug = reading->files.debug.elf;
	content = reading->files.content.elf;
	if ((options->lines || options->inlined) && debug)
		reading->lines = symbols_lines__new(debug);
	if ((options->lines || options->inlined) && !reading->lines && content)
		reading->lines = symbols_lines__new(content);
	if (options->inlined && reading->lines)
		reading->inlined = symbols_inlined__new(reading->lines);
}

int reading__address(const struct reading *reading, uint64_t offset, uint64_t *ret)
{
	const struct symbols_dso *dso = reading->dso;

	if (dso->text == MODEL_TEXT_KERNEL) {
		*ret = offset + reading->reference;
		return reading->has_reference ? 0 : -ENOENT;
	}
	if (reading->files.content.elf)
		return symbols_elf__address(reading->files.content.elf, offset, ret);
	if (!reading->files.debug.elf)
		return -ENOENT;
	return symbols_elf__address_in_debug(
		reading->files.debug.elf, offset, dso->map_pgoff, dso->map_len, ret);
}

enum symbol_lack reading__lack(const struct reading *reading)
{
	if (reading->whole)
		return SYMBOL_LACKS_ENTRY;
	if (reading->files.content.elf || reading->files.debug.elf)
		return SYMBOL_LACKS_TABLE;
	return reading->files.lack;
}

static char *shown_name(const struct reading *reading, const char *name)
{
	char *demangled = NULL;

	if (reading->options->demangle)
		demangled = cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
	return demangled ? demangled : strdup(name);
}

/* Makes the path of a call as lines.c makes a source's path; "" if it is not known or too long. */
static void call_path(const struct symbols_inline *of, char *ret, size_t size)
{
	int len = 0;

	*ret = '\0';
	if (of->call_path)
		len = snprintf(ret, size, "%s%s%s", of->call_dir ? of->call_dir : "",
			of->call_dir ? "/" : "", of->call_path);
	if (len < 0 || (size_t)len >= size)
		*ret = '\0';
}

static void answer_inlined(
	const struct reading *reading, const struct symbols_inline *inlined, size_t n)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < n; i++) {
		struct symbols_one_inlined one = {0};
		char *name = shown_name(reading, inlined[i].name);

		*path = '\0';
		if (reading->options->sources) {
			call_path(&inlined[i], path, sizeof(path));
			one.line = inlined[i].call_line;
		}
		one.name_len = name ? strnlen(name, SYMBOLS_TEXT_MAX) : 0;
		one.path_len = strlen(path);
		fwrite(&one, sizeof(one), 1, reading->out);
		fwrite(name ? name : "", 1, one.name_len, reading->out);
		fwrite(path, 1, one.path_len, reading->out);
		free(name);
	}
}

static void answer(const struct reading *reading, uint64_t offset, bool unchanged)
{
	struct symbols_inline inlined[SYMBOLS_INLINED_MAX];
	const struct table_symbol *symbol = NULL;
	struct symbols_one one = {.lack = SYMBOL_LACKS_SAME_FILE};
	char line[PATH_MAX] = "", source[PATH_MAX] = "";
	char *name = NULL;
	uint64_t addr;

	if (unchanged) {
		one.lack = reading__lack(reading);
		if (!reading__address(reading, offset, &addr)) {
			one.has_address = reading->dso->text == MODEL_TEXT_USER;
			one.address = addr;
			symbol = symbols_table__find(&reading->table, addr);
			if (reading->lines && reading->options->lines)
				symbols_lines__find(reading->lines, addr, line, sizeof(line));
			if (reading->lines && reading->options->sources)
				symbols_lines__source(
					reading->lines, addr, &one.source, source, sizeof(source));
			if (reading->inlined && symbol)
				one.n_inlined = symbols_inlined__find(
					reading->inlined, addr, inlined, SYMBOLS_INLINED_MAX);
		}
	}
	if (symbol) {
		one.lack = SYMBOL_LACKS_NOTHING;
		one.origin = symbol->origin;
		name = shown_name(reading, symbol->name);
	}
	one.name_len = name ? strnlen(name, SYMBOLS_TEXT_MAX) : 0;
	one.line_len = strlen(line);
	one.source_len = strlen(source);
	fputc(SYMBOLS_ONE, reading->out);
	fwrite(&one, sizeof(one), 1, reading->out);
	fwrite(name ? name : "", 1, one.name_len, reading->out);
	fwrite(line, 1, one.line_len, reading->out);
	fwrite(source, 1, one.source_len, reading->out);
	answer_inlined(reading, inlined, one.n_inlined);
	free(name);
}

/* Whether the file is exactly the mapped one: a file with the same build-id may be stripped. */
static bool has_whole_content(const struct reading *reading)
{
	const struct symbols_files *files = &reading->files;

	return reading->dso->text == MODEL_TEXT_USER && files->content.fd >= 0 && !files->no_code &&
	       reading->dso->identity->cookie_size &&
	       lookup__is(files->content.fd, reading->dso->identity, true);
}

void symbols_read(FILE *out, const struct symbols_options *options, const struct symbols_dso *dso,
	const uint64_t *offsets, size_t n)
{
	struct reading reading = {.out = out, .options = options, .dso = dso};
	struct symbols_outcome outcome;
	const char *file;
	bool unchanged;

	memset(&outcome, 0, sizeof(outcome));
	elf_version(EV_CURRENT);
	reading__load(&reading);
	unchanged = symbols_files__are_unchanged(&reading.files);
	for (size_t i = 0; i < n; i++)
		answer(&reading, offsets[i], unchanged);
	outcome.read.has_htlhash = unchanged && has_whole_content(&reading) &&
				   !htlhash__of_file(
					   reading.files.content.fd, outcome.read.htlhash);
	outcome.read.has_base = unchanged && dso->text == MODEL_TEXT_USER &&
				reading.files.content.elf &&
				!symbols_elf__base(reading.files.content.elf, &outcome.read.base);
	outcome.lack = reading.whole ? SYMBOL_LACKS_NOTHING : reading__lack(&reading);
	outcome.server_failed = reading.files.server_failed;
	outcome.unproven = reading.files.unproven;
	file = *reading.kallsyms           ? reading.kallsyms
	       : reading.files.debug.elf   ? reading.files.debug.path
	       : reading.files.content.elf ? reading.files.content.path
					   : "";
	snprintf(outcome.file, sizeof(outcome.file), "%s", file);
	memcpy(outcome.said, reading.files.said, sizeof(outcome.said));
	fputc(SYMBOLS_END, out);
	fwrite(&outcome, sizeof(outcome), 1, out);
	fflush(out);
}
