// SPDX-License-Identifier: GPL-2.0-only
/* See capture_symbols.h. Reads /proc/kallsyms once, for the kernel's file and the modules' symbols.
 */
#include "user/record/kernel/capture_symbols.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/buffer.h"
#include "user/io/whole.h"
#include "user/parse/elf/build_id.h"
#include "user/parse/kernel/ids.h"
#include "user/source/kernel/sources.h"
#include "user/source/kernel/module_content.h"
#include "user/source/kernel/module_paths.h"
#include "user/source/proc/file.h"
#include "user/source/kernel/kallsyms.h"
#include "user/store/cache/symbol_elf.h"
#include "user/store/files/store.h"

#define SYMBOLS_MAX 2000000 /* limit for the kernel, or for one module */

/* The kernel, or a module of which only symbols can be stored. */
struct wanted {
	const struct kernel_dso *dso;
	struct text_symbols symbols;
	size_t room;
};

struct capture {
	const char *store;
	struct capture_counts *counts;
	struct wanted *wanted;
	size_t n_wanted;
	uint64_t etext;
	struct wanted kernel; /* its text range is known only after reading; see close_kernel */
	bool seen;            /* at least one address is not hidden */
};

static void fail(struct capture *capture, const struct error *why)
{
	capture->counts->failed++;
	capture->counts->why = *why;
}

struct content {
	const uint8_t *bytes;
	size_t size;
};

static int write_content(int fd, void *ctx)
{
	const struct content *content = ctx;

	return whole__write(fd, content->bytes, content->size);
}

static int put_file(
	const char *store, const struct kernel_dso *dso, const char *path, struct error *err)
{
	struct content content;
	uint8_t *bytes, id[ELF_BUILD_ID_MAX];
	int code;

	code = module_content__read(path, &bytes, &content.size);
	if (code)
		return error__errno(err, code, "%s", path);
	content.bytes = bytes;
	/* The file may have been replaced after it was found. */
	code = elf_build_id__of(bytes, content.size, id);
	if (code != dso->size || memcmp(id, dso->build_id, dso->size) != 0)
		code = error__set(err, -EBADMSG, "%s now has another build-id", path);
	else
		code = store__put(store, path, dso->build_id, dso->size, "elf", 0644, write_content,
			&content, err);
	free(bytes);
	return code;
}

static void want_symbols(struct capture *capture, const struct kernel_dso *dso)
{
	struct wanted *wanted = &capture->wanted[capture->n_wanted];
	struct error why;
	int64_t start, size;

	if (proc_file__number(&start, "/sys/module/%s/sections/.text", dso->name) || !start ||
		proc_file__number(&size, "/sys/module/%s/coresize", dso->name)) {
		error__set(&why, -ENOENT,
			"%s has no file, and the address of its text is not known", dso->name);
		fail(capture, &why);
		return;
	}
	wanted->dso = dso;
	wanted->symbols.module = true;
	wanted->symbols.start = start;
	wanted->symbols.size = size;
	capture->n_wanted++;
}

/* Stores the modules' files, and lists the modules that have none. */
static int keep_files(struct capture *capture, const struct kernel_ids *ids, struct error *err)
{
	struct module_paths *paths;
	struct error why;
	int code = module_paths__new(&paths, "");

	if (code)
		return error__set(err, code, "out of memory");
	module_paths__read_all(paths);
	for (size_t i = 0; i < ids->n_modules; i++) {
		const struct kernel_dso *dso = &ids->modules[i];
		const char *path;

		if (!dso->size) {
			error__set(&why, -ENODATA, "%s has no build-id", dso->name);
			fail(capture, &why);
			continue;
		}
		if (store__has(capture->store, dso->build_id, dso->size, "elf")) {
			capture->counts->files++;
			continue;
		}
		path = module_paths__find(paths, dso->name, dso->build_id, dso->size);
		if (!path)
			want_symbols(capture, dso);
		else if (put_file(capture->store, dso, path, &why))
			fail(capture, &why);
		else
			capture->counts->files++;
	}
	module_paths__free(paths);
	return 0;
}

static int add_symbol(struct wanted *wanted, const struct kallsyms_symbol *symbol)
{
	struct text_symbols *symbols = &wanted->symbols;
	struct text_symbol *more;

	if (symbol->addr < symbols->start || symbol->addr - symbols->start >= symbols->size ||
		!strchr("tTwW", symbol->type) || symbols->n >= SYMBOLS_MAX)
		return 0;
	if (array__reserve(&symbols->v, &wanted->room, symbols->n + 1, sizeof(*symbols->v)))
		return -ENOMEM;
	more = &symbols->v[symbols->n];
	*more = (struct text_symbol){
		.addr = symbol->addr,
		.type = symbol->type,
		.name = strdup(symbol->name),
	};
	if (!more->name)
		return -ENOMEM;
	symbols->n++;
	return 0;
}

static int take_symbol(void *ctx, const struct kallsyms_symbol *symbol)
{
	struct capture *capture = ctx;
	struct text_symbols *kernel = &capture->kernel.symbols;

	capture->seen = capture->seen || (symbol->addr && strchr("tT", symbol->type));
	if (!symbol->module) {
		/*
		 * The symbols are not in the order of addresses, so those outside of the text are
		 * removed later.
		 */
		if (!strcmp(symbol->name, "_text"))
			kernel->start = symbol->addr;
		if (!strcmp(symbol->name, "_etext"))
			capture->etext = symbol->addr;
		return add_symbol(&capture->kernel, symbol);
	}
	for (size_t i = 0; i < capture->n_wanted; i++)
		if (!strcmp(symbol->module, capture->wanted[i].dso->name))
			return add_symbol(&capture->wanted[i], symbol);
	return 0;
}

/* Keeps only symbols of the kernel's text, whose range is now known. */
static void close_kernel(struct capture *capture)
{
	struct text_symbols *symbols = &capture->kernel.symbols;
	size_t n = symbols->n, kept = 0;

	symbols->size = capture->etext > symbols->start ? capture->etext - symbols->start : 0;
	for (size_t i = 0; i < n; i++) {
		if (symbols->v[i].addr >= symbols->start &&
			symbols->v[i].addr - symbols->start < symbols->size)
			symbols->v[kept++] = symbols->v[i];
		else
			free((char *)symbols->v[i].name);
	}
	symbols->n = kept;
}

static int copy_kallsyms(int fd, void *ctx)
{
	struct capture *capture = ctx;
	int code = proc_kallsyms__read("", fd, take_symbol, capture);

	return code ? code : capture->seen ? 0 : -EPERM;
}

static int keep_symbols(struct capture *capture, const struct wanted *wanted, struct error *err)
{
	const struct kernel_dso *dso = wanted->dso;
	const char *name = *dso->name ? dso->name : "the kernel";
	char directory[MODULE_NAME_MAX + 2];
	struct content content;
	struct buffer elf;
	int code;

	if (!wanted->symbols.n)
		return error__set(
			err, -ENOENT, "%s has no symbols of text in /proc/kallsyms", name);
	buffer__init(&elf, MODULE_CONTENT_MAX);
	code = symbol_elf__build(&elf, dso->build_id, dso->size, &wanted->symbols);
	if (code) {
		error__errno(err, code, "%s", name);
	} else {
		content = (struct content){.bytes = elf.data, .size = elf.size};
		snprintf(directory, sizeof(directory), "[%s]", dso->name);
		code = store__put(capture->store, *dso->name ? directory : STORE_KERNEL,
			dso->build_id, dso->size, "elf", *dso->name ? 0644 : 0600, write_content,
			&content, err);
	}
	buffer__free(&elf);
	return code;
}

static void free_symbols(struct wanted *wanted)
{
	for (size_t i = 0; i < wanted->symbols.n; i++)
		free((char *)wanted->symbols.v[i].name);
	free(wanted->symbols.v);
}

static void free_wanted(struct capture *capture)
{
	for (size_t i = 0; i < capture->n_wanted; i++)
		free_symbols(&capture->wanted[i]);
	free(capture->wanted);
	free_symbols(&capture->kernel);
}

/* Writes perf's own layout, and an ELF file for perf 7.2, which does not read that layout. */
static int keep_kernel(
	struct capture *capture, const struct kernel_dso *dso, bool elf, struct error *err)
{
	int code;

	capture->kernel.dso = dso;
	capture->kernel.symbols.size = UINT64_MAX;
	if (dso->size < 2)
		return error__set(err, -ENODATA, "its build-id is not known");
	/* Only root may read addresses, as in /proc/kallsyms itself. */
	code = store__put(capture->store, STORE_KERNEL, dso->build_id, dso->size, "kallsyms", 0600,
		copy_kallsyms, capture, err);
	if (code == -EPERM && !capture->seen)
		error__set(err, code,
			"its addresses are hidden (kernel.kptr_restrict, or no CAP_SYSLOG)");
	if (code || !elf)
		return code;
	close_kernel(capture);
	return keep_symbols(capture, &capture->kernel, err);
}

int capture__kernel(
	const char *store, bool elf, struct capture_counts *ret_counts, struct error *err)
{
	struct capture capture = {.store = store, .counts = ret_counts};
	struct kernel_ids ids;
	struct error why;
	int code;

	memset(ret_counts, 0, sizeof(*ret_counts));
	kernel_ids__init(&ids);
	code = kernel_sources__running(&ids, "", err);
	if (!code) {
		capture.wanted = calloc(ids.n_modules + 1, sizeof(*capture.wanted));
		code = capture.wanted ? keep_files(&capture, &ids, err)
				      : error__set(err, -ENOMEM, "out of memory");
	}
	if (!code)
		code = keep_kernel(&capture, &ids.kernel, elf, err);
	for (size_t i = 0; !code && i < capture.n_wanted; i++) {
		if (keep_symbols(&capture, &capture.wanted[i], &why))
			fail(&capture, &why);
		else
			ret_counts->symbols++;
	}
	free_wanted(&capture);
	kernel_ids__free(&ids);
	return code;
}

int capture__module(const char *store, const char *name, const uint8_t *build_id, size_t size,
	const char *path, struct error *err)
{
	struct kernel_dso dso = {.size = size};

	if (store__has(store, build_id, size, "elf"))
		return 0;
	snprintf(dso.name, sizeof(dso.name), "%s", name);
	memcpy(dso.build_id, build_id, size);
	return put_file(store, &dso, path, err);
}
