// SPDX-License-Identifier: GPL-2.0-only
/* See capture.h. Reads /proc/kallsyms once, for the kernel's file and the modules' symbols. */
#include "user/record/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/buffer.h"
#include "user/parse/elf_build_id.h"
#include "user/parse/kallsyms.h"
#include "user/parse/kernel_ids.h"
#include "user/source/kernel_sources.h"
#include "user/source/module_content.h"
#include "user/source/module_paths.h"
#include "user/source/proc_file.h"
#include "user/store/module_elf.h"
#include "user/store/store.h"

#define MODULE_SYMBOLS_MAX 200000 /* of one module */

/* A module of which only the symbols can be kept. */
struct wanted {
	const struct kernel_dso *dso;
	uint64_t start; /* of its text */
	uint64_t size;  /* of all of it: text is not beyond */
	struct module_symbol *symbols;
	size_t n;
	size_t room;
};

struct capture {
	const char *store;
	struct capture_counts *counts;
	struct wanted *wanted;
	size_t n_wanted;
	bool seen; /* an address that is not hidden */
};

static void fail(struct capture *capture, const struct error *why)
{
	capture->counts->failed++;
	capture->counts->why = *why;
}

static int write_all(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		size -= n;
	}
	return 0;
}

struct content {
	const uint8_t *bytes;
	size_t size;
};

static int write_content(int fd, void *ctx)
{
	const struct content *content = ctx;

	return write_all(fd, content->bytes, content->size);
}

static int put_file(
	struct capture *capture, const struct kernel_dso *dso, const char *path, struct error *err)
{
	struct content content;
	uint8_t *bytes, id[ELF_BUILD_ID_MAX];
	int code;

	code = module_content__read(path, &bytes, &content.size);
	if (code)
		return error__errno(err, code, "%s", path);
	content.bytes = bytes;
	/* It may have been replaced since it was found. */
	code = elf_build_id__of(bytes, content.size, id);
	if (code != dso->size || memcmp(id, dso->build_id, dso->size) != 0)
		code = error__set(err, -EBADMSG, "%s has another build-id by now", path);
	else
		code = store__put(capture->store, path, dso->build_id, dso->size, "elf", 0644,
			write_content, &content, err);
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
		error__set(&why, -ENOENT, "%s has no file, and does not tell where its text is",
			dso->name);
		fail(capture, &why);
		return;
	}
	wanted->dso = dso;
	wanted->start = start;
	wanted->size = size;
	capture->n_wanted++;
}

/* Keeps the modules' files, and chooses those that have none. */
static int keep_files(struct capture *capture, const struct kernel_ids *ids, struct error *err)
{
	struct module_paths *paths;
	struct error why;
	int code = module_paths__new(&paths, "");

	if (code)
		return error__set(err, code, "not enough memory");
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
		else if (put_file(capture, dso, path, &why))
			fail(capture, &why);
		else
			capture->counts->files++;
	}
	module_paths__free(paths);
	return 0;
}

static int add_symbol(struct wanted *wanted, const struct kallsyms_symbol *symbol)
{
	struct module_symbol *more;

	if (symbol->addr < wanted->start || symbol->addr - wanted->start >= wanted->size ||
		!strchr("tTwW", symbol->type) || wanted->n >= MODULE_SYMBOLS_MAX)
		return 0;
	if (wanted->n == wanted->room) {
		wanted->room = wanted->room ? 2 * wanted->room : 64;
		more = realloc(wanted->symbols, wanted->room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		wanted->symbols = more;
	}
	more = &wanted->symbols[wanted->n];
	more->offset = symbol->addr - wanted->start;
	more->name = strdup(symbol->name);
	if (!more->name)
		return -ENOMEM;
	wanted->n++;
	return 0;
}

static int take_symbol(void *ctx, const struct kallsyms_symbol *symbol)
{
	struct capture *capture = ctx;

	capture->seen = capture->seen || (symbol->addr && strchr("tT", symbol->type));
	for (size_t i = 0; symbol->module && i < capture->n_wanted; i++)
		if (!strcmp(symbol->module, capture->wanted[i].dso->name))
			return add_symbol(&capture->wanted[i], symbol);
	return 0;
}

static int copy_kallsyms(int fd, void *ctx)
{
	struct capture *capture = ctx;
	struct kallsyms kallsyms;
	char bytes[65536];
	int in = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC), code = 0;

	if (in < 0)
		return -errno;
	kallsyms__init(&kallsyms);
	while (!code) {
		ssize_t n = read(in, bytes, sizeof(bytes));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			code = -errno;
		if (n <= 0)
			break;
		code = write_all(fd, bytes, n);
		if (!code)
			code = kallsyms__feed(&kallsyms, bytes, n, take_symbol, capture);
	}
	close(in);
	return code ? code : capture->seen ? 0 : -EPERM;
}

static int keep_symbols(struct capture *capture, const struct wanted *wanted, struct error *err)
{
	char name[MODULE_NAME_MAX + 2];
	struct content content;
	struct buffer elf;
	int code;

	if (!wanted->n)
		return error__set(err, -ENOENT, "%s has no file, and no symbols in /proc/kallsyms",
			wanted->dso->name);
	buffer__init(&elf, MODULE_CONTENT_MAX);
	code = module_elf__build(&elf, wanted->dso->build_id, wanted->dso->size, wanted->size,
		wanted->symbols, wanted->n);
	if (code) {
		error__errno(err, code, "%s", wanted->dso->name);
	} else {
		content = (struct content){.bytes = elf.data, .size = elf.size};
		snprintf(name, sizeof(name), "[%s]", wanted->dso->name);
		code = store__put(capture->store, name, wanted->dso->build_id, wanted->dso->size,
			"elf", 0644, write_content, &content, err);
	}
	buffer__free(&elf);
	return code;
}

static void free_wanted(struct capture *capture)
{
	for (size_t i = 0; i < capture->n_wanted; i++) {
		for (size_t j = 0; j < capture->wanted[i].n; j++)
			free((char *)capture->wanted[i].symbols[j].name);
		free(capture->wanted[i].symbols);
	}
	free(capture->wanted);
}

int capture__kernel(const char *store, const struct perfstamp_identity *identity,
	struct capture_counts *ret_counts, struct error *err)
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
				      : error__set(err, -ENOMEM, "not enough memory");
	}
	if (code)
		goto cleanup;
	if (identity->build_id_size < 2)
		code = error__set(err, -ENODATA, "its build-id is not known");
	else
		/* Addresses are for root, as in /proc/kallsyms itself. */
		code = store__put(store, STORE_KERNEL, identity->build_id, identity->build_id_size,
			"kallsyms", 0600, copy_kallsyms, &capture, err);
	if (code == -EPERM && !capture.seen)
		error__set(err, code,
			"its addresses are hidden (kernel.kptr_restrict, or no CAP_SYSLOG)");
	for (size_t i = 0; i < capture.n_wanted; i++) {
		if (keep_symbols(&capture, &capture.wanted[i], &why))
			fail(&capture, &why);
		else
			ret_counts->symbols++;
	}
cleanup:
	free_wanted(&capture);
	kernel_ids__free(&ids);
	return code;
}
