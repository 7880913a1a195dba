// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel and module maps from /proc and /sys. Modules come and go while this reads: a
 * module whose files vanish is skipped, not guessed at.
 */
#include "user/source/kernel/proc_kernel.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "user/parse/elf/note.h"
#include "user/parse/kernel/modules.h"
#include "user/source/kernel/module_paths.h"
#include "user/source/proc/file.h"
#include "user/source/kernel/kallsyms.h"

/* The name by which perf recognizes the kernel's map, and relocates by its first symbol. */
#define KERNEL_NAME "[kernel.kallsyms]"

struct synthesis {
	const char *root;
	proc_module_fn *module; /* or NULL */
	proc_event_fn *fn;
	void *ctx;
	struct proc_kernel_counts counts;
	struct module_paths *paths;
	struct module_line *modules;
	size_t n_modules;
};

static void set_reason(struct perfstamp_identity *identity, enum perfstamp_reason reason)
{
	identity->source = PERFSTAMP_SOURCE_NONE;
	identity->build_id_size = 0;
	identity->reason = reason;
}

/* Searches the notes of one file; true if they decide: they have an id, or one that is too long. */
static bool take_notes(struct perfstamp_identity *identity, const void *notes, size_t size)
{
	int r;

	_Static_assert(ELF_BUILD_ID_MAX == PERFSTAMP_BUILD_ID_MAX, "one limit");
	r = elf_notes__build_id(notes, size, 4, false, identity->build_id);
	if (r == -EBADMSG || r == -ENOENT)
		r = elf_notes__build_id(notes, size, 8, false, identity->build_id);
	if (r > 0) {
		identity->build_id_size = r;
		identity->source = PERFSTAMP_SOURCE_KERNEL;
		identity->reason = PERFSTAMP_REASON_NONE;
		return true;
	}
	if (r == -E2BIG)
		set_reason(identity, PERFSTAMP_REASON_TOO_LONG);
	else if (r == -EBADMSG)
		set_reason(identity, PERFSTAMP_REASON_MALFORMED);
	return r == -E2BIG;
}

void proc_kernel__identity(const char *root, struct perfstamp_identity *identity)
{
	size_t size;
	char *notes;
	int r;

	memset(identity, 0, sizeof(*identity));
	set_reason(identity, PERFSTAMP_REASON_NO_NOTE);
	r = proc_file__read(&notes, &size, "%s/sys/kernel/notes", root);
	if (r) {
		if (r != -ENOENT)
			set_reason(identity, PERFSTAMP_REASON_IO_ERROR);
		return;
	}
	take_notes(identity, notes, size);
	free(notes);
}

void proc_kernel__module_identity(
	const char *root, const char *module, struct perfstamp_identity *identity)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool done = false;
	size_t size;
	char *notes;
	DIR *dir;

	memset(identity, 0, sizeof(*identity));
	set_reason(identity, PERFSTAMP_REASON_NO_NOTE);
	snprintf(path, sizeof(path), "%s/sys/module/%s/notes", root, module);
	if (!proc_file__read(&notes, &size, "%s/.note.gnu.build-id", path)) {
		done = take_notes(identity, notes, size);
		free(notes);
	}
	/* Some linkers put all notes into one section, under any name. */
	dir = done ? NULL : opendir(path);
	while (dir && !done && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' && strncmp(entry->d_name, ".note", 5))
			continue;
		if (proc_file__read(&notes, &size, "%s/%s", path, entry->d_name))
			continue;
		done = take_notes(identity, notes, size);
		free(notes);
	}
	if (dir)
		closedir(dir);
}

static int emit(struct synthesis *s, const char *path, uint64_t start, uint64_t len, uint64_t pgoff,
	const struct perfstamp_identity *identity)
{
	struct event event = event__of_kernel(EVENT_MAP, PERF_RECORD_MMAP2);

	event.map = (struct event_map){
		.addr = start,
		.len = len,
		.pgoff = pgoff,
		.prot = PROT_READ | PROT_EXEC,
		.map_flags = MAP_PRIVATE,
		.flags = PERFSTAMP_MAP_SNAPSHOT,
		.kernel = true,
		.executable = true,
		.identity = *identity,
		.path = path,
	};
	s->counts.maps++;
	s->counts.without_build_id += !identity->build_id_size;
	return s->fn(s->ctx, &event);
}

/*
 * Returns the bytes of the kernel's text, from _text to _etext, or 0. _etext itself is near the end
 * of kallsyms, and printing all lines before it takes the kernel a twentieth of a second. On other
 * architectures than x86, the resource does not end with the text.
 */
static uint64_t text_size(const char *root)
{
	unsigned long long start, end;
	uint64_t size = 0;
	char *text, *line;

#ifndef __x86_64__
	return 0;
#endif
	if (proc_file__read(&text, NULL, "%s/proc/iomem", root))
		return 0;
	/* "  01000000-0220bb07 : Kernel code"; both are 0 without CAP_SYS_ADMIN */
	line = strstr(text, " : Kernel code\n");
	while (line && line > text && line[-1] != '\n')
		line--;
	if (line && sscanf(line, " %llx-%llx :", &start, &end) == 2 && end > start)
		size = end + 1 - start;
	free(text);
	return size;
}

struct kallsyms_search {
	struct kallsyms_kernel *kernel;
	uint64_t text_size;
};

static int add_symbol(void *ctx, const struct kallsyms_symbol *symbol)
{
	struct kallsyms_search *search = ctx;
	struct kallsyms_kernel *kernel = search->kernel;
	int r = kallsyms_kernel__add(kernel, symbol);

	if (r || !search->text_size || !kernel->has_text || !kernel->has_stext || !kernel->text)
		return r;
	kernel->has_etext = true;
	kernel->etext = kernel->text + search->text_size;
	return 1;
}

static int read_kallsyms(const char *root, struct kallsyms_kernel *ret)
{
	struct kallsyms_search search = {.kernel = ret, .text_size = text_size(root)};
	int code;

	memset(ret, 0, sizeof(*ret));
	/* The needed symbols are at the start, after which reading stops. */
	code = proc_kallsyms__read(root, -1, add_symbol, &search);
	return code < 0 ? code : 0;
}

/* If there is no _etext, the text ends at the next module's text, as in perf. */
static uint64_t first_module_above(const struct synthesis *s, uint64_t addr)
{
	uint64_t first = 0;

	for (size_t i = 0; i < s->n_modules; i++)
		if (s->modules[i].addr > addr && (!first || s->modules[i].addr < first))
			first = s->modules[i].addr;
	return first;
}

static int synthesize_kernel(struct synthesis *s, struct error *err)
{
	struct perfstamp_identity identity;
	struct kallsyms_kernel kernel;
	uint64_t start, end;
	const char *name;
	int r;

	r = read_kallsyms(s->root, &kernel);
	if (r == -ENOENT)
		return 0; /* CONFIG_KALLSYMS=n */
	if (r)
		return error__errno(err, r, "%s/proc/kallsyms", s->root);
	if (kernel.hidden) {
		s->counts.hidden++;
		return 0;
	}
	/* perf searches for the symbol by which it relocates in this order. */
	if (kernel.has_text) {
		name = KERNEL_NAME "_text";
		start = kernel.text;
	} else if (kernel.has_stext) {
		name = KERNEL_NAME "_stext";
		start = kernel.stext;
	} else {
		return 0;
	}
	end = kernel.has_etext ? kernel.etext : first_module_above(s, start);
	if (end <= start)
		return 0;
	proc_kernel__identity(s->root, &identity);
	return emit(s, name, start, end - start, start, &identity);
}

static bool is_text_section(const char *name)
{
	return !strncmp(name, ".text", 5) || !strncmp(name, ".plt", 4) || strstr(name, ".text") ||
	       !strcmp(name, ".altinstr_replacement") || !strcmp(name, ".fixup");
}

/*
 * Finds where a module's text begins and ends. /proc/modules has the size of all its regions
 * together (text, rodata, data). Up to Linux 6.3 the regions follow each other; later each has its
 * own place. So the end is the lowest of: the start plus that size; the next module; the module's
 * own first section behind the last section of text. No sample can be between the true end and this
 * one.
 */
static void find_text(const struct synthesis *s, const struct module_line *module,
	uint64_t *ret_start, uint64_t *ret_end)
{
	uint64_t limit = module->addr + module->size, last_text = module->addr;
	uint64_t next = first_module_above(s, module->addr);
	char path[PATH_MAX];
	int64_t value;
	DIR *dir;

	*ret_start = module->addr;
	if (!proc_file__number(&value, "%s/sys/module/%s/sections/.text", s->root, module->name) &&
		(uint64_t)value >= module->addr && (uint64_t)value < limit)
		*ret_start = last_text = value;
	if (next && next < limit)
		limit = next;
	snprintf(path, sizeof(path), "%s/sys/module/%s/sections", s->root, module->name);
	dir = opendir(path);
	/*
	 * Reads the directory twice: first for the last section of text, then for what follows it.
	 */
	for (int pass = 0; dir && pass < 2; pass++) {
		struct dirent *entry;

		rewinddir(dir);
		while ((entry = readdir(dir))) {
			bool text = is_text_section(entry->d_name);
			uint64_t addr;

			if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
				continue;
			/*
			 * This section was freed after loading; another module may have its address
			 * now.
			 */
			if (!strncmp(entry->d_name, ".init", 5))
				continue;
			if (text != !pass ||
				proc_file__number(&value, "%s/%s", path, entry->d_name))
				continue;
			addr = value;
			if (!pass && addr > last_text && addr < limit)
				last_text = addr;
			if (pass && addr > last_text && addr < limit)
				limit = addr;
		}
	}
	if (dir)
		closedir(dir);
	*ret_end = limit;
}

/* Reads from /sys what the kernel side did not report. */
static int read_module(
	struct synthesis *s, const struct module_line *module, struct perfstamp_module_state *ret)
{
	struct perfstamp_identity identity;
	uint64_t start, end;
	char *state;

	/* A module that is being loaded or unloaded has no files there. */
	if (!module->live)
		return -ENOENT;
	/*
	 * The files exist as long as the module, so files that were read before this check are the
	 * module's own.
	 */
	find_text(s, module, &start, &end);
	proc_kernel__module_identity(s->root, module->name, &identity);
	if (proc_file__read(&state, NULL, "%s/sys/module/%s/initstate", s->root, module->name))
		return -ENOENT;
	free(state);
	*ret = (struct perfstamp_module_state){
		.text_addr = start,
		.text_size = end - start,
		.source = identity.source,
		.reason = identity.reason,
		.build_id_size = identity.build_id_size,
	};
	memcpy(ret->build_id, identity.build_id, sizeof(ret->build_id));
	snprintf(ret->name, sizeof(ret->name), "%s", module->name);
	return 0;
}

static int synthesize_module(struct synthesis *s, const struct module_line *module)
{
	struct event event = event__of_kernel(EVENT_MODULE, PERF_RECORD_MMAP2);
	struct perfstamp_module_state *state = &event.module.state;
	char name[MODULE_NAME_MAX + 2];

	if (!module->addr) {
		s->counts.hidden++;
		return 0;
	}
	if ((!s->module || s->module(s->ctx, module->name, state)) &&
		read_module(s, module, state)) {
		s->counts.vanished++;
		return 0;
	}
	event.module.flags = PERFSTAMP_MODULE_SNAPSHOT;
	state->event = module->going ? PERFSTAMP_MODULE_UNLOAD : PERFSTAMP_MODULE_LOAD;
	event.module.path = module_paths__find(
		s->paths, module->name, state->build_id, state->build_id_size);
	if (!event.module.path) {
		snprintf(name, sizeof(name), "[%s]", module->name);
		event.module.path = name;
		s->counts.without_path++;
	}
	s->counts.maps++;
	s->counts.without_build_id += !state->build_id_size;
	return s->fn(s->ctx, &event);
}

static int read_modules(struct synthesis *s)
{
	const char *cursor;
	char *text;
	size_t lines = 1;
	int r = proc_file__read(&text, NULL, "%s/proc/modules", s->root);

	if (r == -ENOENT)
		return 0; /* CONFIG_MODULES=n */
	if (r)
		return r;
	for (cursor = text; *cursor; cursor++)
		lines += *cursor == '\n';
	s->modules = calloc(lines, sizeof(*s->modules));
	if (!s->modules) {
		free(text);
		return -ENOMEM;
	}
	cursor = text;
	while ((r = module_line__next(&cursor, &s->modules[s->n_modules]))) {
		if (r > 0)
			s->n_modules++;
		else
			s->counts.vanished++;
	}
	free(text);
	return 0;
}

static int synthesize(struct synthesis *s, bool kernel, struct error *err)
{
	int r;

	r = read_modules(s);
	if (r) {
		error__errno(err, r, "%s/proc/modules", s->root);
		goto cleanup;
	}
	r = module_paths__new(&s->paths, s->root);
	if (r) {
		error__errno(err, r, "modules.dep");
		goto cleanup;
	}
	if (kernel)
		r = synthesize_kernel(s, err);
	for (size_t i = 0; !r && i < s->n_modules; i++)
		r = synthesize_module(s, &s->modules[i]);
cleanup:
	module_paths__free(s->paths);
	free(s->modules);
	return r;
}

int proc_kernel__synthesize(const char *root, proc_module_fn *module, proc_event_fn *fn, void *ctx,
	struct proc_kernel_counts *ret_counts, struct error *err)
{
	struct synthesis s = {.root = root, .module = module, .fn = fn, .ctx = ctx};
	int r = synthesize(&s, true, err);

	*ret_counts = s.counts;
	return r;
}

int proc_kernel__modules(const char *root, proc_module_fn *module, proc_event_fn *fn, void *ctx,
	struct proc_kernel_counts *ret_counts, struct error *err)
{
	struct synthesis s = {.root = root, .module = module, .fn = fn, .ctx = ctx};
	int r = synthesize(&s, false, err);

	*ret_counts = s.counts;
	return r;
}
