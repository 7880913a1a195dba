// SPDX-License-Identifier: GPL-2.0-only
/* See kernel_record.h. */
#include "user/record/kernel/kernel_record.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "perfstamp/record.h"
#include "user/base/text.h"
#include "user/perfdata/features/stamp.h"
#include "user/record/kernel/capture_symbols.h"
#include "user/record/kernel/capture_kcore.h"
#include "user/source/kernel/proc_kernel.h"
#include "user/source/kernel/vmlinux.h"
#include "user/store/files/store.h"

struct kernel_record {
	const struct kernel_record_options *options;
	kernel_note_fn *note;
	void *ctx;
	struct perfstamp_identity identity;
	char *vmlinux;
	struct error why; /* why there is no .vmlinux, or that it was forced; or "" */
	char *store;      /* NULL: nothing is captured */
	bool kcore_tried;
	bool kcore_kept;
	size_t unknown_files; /* number of modules loaded from files that are not known */
	struct error unkept;  /* why the last one was not stored */
};

static void note(struct kernel_record *record, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void note(struct kernel_record *record, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX + 256];
	va_list args;

	if (!record->note)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	record->note(text, record->ctx);
}

static int take_vmlinux(struct kernel_record *record, const char *path, struct error *err)
{
	const struct perfstamp_identity *identity = &record->identity;
	int code;

	code = vmlinux__check(path, identity->build_id, identity->build_id_size, &record->why);
	if (code && (code != -EBADMSG || !record->options->force))
		return error__set(err, code, "%s%s", record->why.text,
			code == -EBADMSG ? "; --force accepts it" : "");
	if (code)
		note(record, "%s; it is accepted because of --force, and its symbols will be wrong",
			record->why.text);
	record->vmlinux = realpath(path, NULL);
	return record->vmlinux ? 0 : error__errno(err, -errno, "%s", path);
}

static int find_vmlinux(struct kernel_record *record, struct error *err)
{
	const struct perfstamp_identity *identity = &record->identity;
	char *store = NULL;
	struct utsname name;
	int code;

	if (!identity->build_id_size) {
		error__set(&record->why, -ENODATA,
			"a vmlinux cannot be searched for: the kernel's build-id is not known");
		return 0;
	}
	if (uname(&name) < 0)
		return error__errno(err, -errno, "uname");
	if (store__directory(&store, record->options->buildid_dir, NULL))
		store = NULL;
	code = vmlinux__find(&record->vmlinux, "", store, name.release, identity->build_id,
		identity->build_id_size, &record->why);
	free(store);
	return code == -ENOMEM ? error__set(err, code, "out of memory") : 0;
}

int kernel_record__new(struct kernel_record **ret, const struct kernel_record_options *options,
	kernel_note_fn *fn, void *ctx, struct error *err)
{
	struct kernel_record *record = calloc(1, sizeof(*record));
	int code = 0;

	if (!record)
		return error__set(err, -ENOMEM, "out of memory");
	record->options = options;
	record->note = fn;
	record->ctx = ctx;
	proc_kernel__identity("", &record->identity);
	code = options->vmlinux ? take_vmlinux(record, options->vmlinux, err)
				: find_vmlinux(record, err);
	if (!code && options->capture)
		code = store__directory(&record->store, options->buildid_dir, err);
	if (code) {
		kernel_record__free(record);
		return code;
	}
	*ret = record;
	return 0;
}

void kernel_record__free(struct kernel_record *record)
{
	if (!record)
		return;
	free(record->vmlinux);
	free(record->store);
	free(record);
}

void kernel_record__stamp(const struct kernel_record *record, struct buffer *out)
{
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1];

	if (record->identity.build_id_size) {
		text__hex(hex, sizeof(hex), record->identity.build_id,
			record->identity.build_id_size);
		stamp__put(out, "kernel.build-id", hex);
	}
	if (record->vmlinux)
		stamp__put(out, "vmlinux", record->vmlinux);
	if (record->why.text[0])
		stamp__put(out, "vmlinux.why", record->why.text);
}

/* Stores the code, once. */
static void keep_code(struct kernel_record *record)
{
	const struct perfstamp_identity *identity = &record->identity;
	struct error err;

	if (!record->options->kcore || record->kcore_tried)
		return;
	record->kcore_tried = true;
	if (capture__kcore(record->store, &err)) {
		note(record, "cannot store the kernel's code in %s: %s", record->store, err.text);
		return;
	}
	record->kcore_kept = true;
	if (store__has(record->store, identity->build_id, identity->build_id_size, "elf"))
		note(record,
			"%s has kernel symbols of an earlier recording, which perf uses instead of "
			"the code: remove " STORE_KERNEL " there",
			record->store);
}

/* Sets the reason why the file of a loaded module is not known. */
static int explain(struct error *err, const struct perfstamp_module *module)
{
	const char *name = module->state.name;

	if (!module->state.build_id_size)
		return error__set(err, -ENODATA, "%s has no build-id", name);
	if (module->record.flags & PERFSTAMP_MODULE_FROM_MEMORY)
		return error__set(err, -ENOENT,
			"%s was loaded from memory, and no file of the module tree has its "
			"build-id",
			name);
	if (module->path_size)
		return error__set(err, -ENOENT,
			"%s, from which %s was loaded, %s, and no file of the module tree has its "
			"build-id",
			module->path, name,
			module->path_flags & PERFSTAMP_MAP_DELETED
				? "had been unlinked"
				: "has since been removed or replaced");
	return error__set(err, -ENOENT, "no file of the module tree has the build-id of %s", name);
}

void kernel_record__module(
	struct kernel_record *record, const struct perfstamp_module *module, const char *path)
{
	const struct perfstamp_module_state *state = &module->state;
	int code;

	if (!record->store)
		return;
	code = path ? capture__module(record->store, state->name, state->build_id,
			      state->build_id_size, path, &record->unkept)
		    : explain(&record->unkept, module);
	record->unknown_files += code != 0;
}

void kernel_record__capture(struct kernel_record *record)
{
	struct capture_counts counts;
	struct error err;

	if (!record->store)
		return;
	keep_code(record);
	if (capture__kernel(record->store, !record->kcore_kept, &counts, &err))
		note(record, "cannot store the kernel's symbols in %s: %s", record->store,
			err.text);
	if (counts.failed)
		note(record, "cannot store the symbols of %zu modules in %s: %s", counts.failed,
			record->store, counts.why.text);
	if (record->unknown_files)
		note(record,
			"cannot store the files of %zu modules that were loaded meanwhile in %s; "
			"symbols are stored only of those still loaded: %s",
			record->unknown_files, record->store, record->unkept.text);
	record->unknown_files = 0;
}
