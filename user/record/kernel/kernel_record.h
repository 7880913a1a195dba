/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records data about the kernel besides its maps: its build-id, the path of its image with
 * symbols, and, on request, symbols in perf's cache, so that the recording can be resolved
 * on another machine.
 */
#ifndef PERFSTAMP_RECORD_KERNEL_RECORD_H
#define PERFSTAMP_RECORD_KERNEL_RECORD_H

#include <stdbool.h>

#include "perfstamp/record.h"
#include "user/base/buffer.h"
#include "user/base/error.h"

struct kernel_record_options {
	const char *vmlinux;     /* NULL: search for it */
	bool force;              /* use .vmlinux even if it belongs to another kernel */
	bool capture;            /* store symbols */
	bool kcore;              /* also store the code, once, at the start */
	const char *buildid_dir; /* the store; NULL: perf's */
};

struct kernel_record;

/* Receives a note about a deviation from the options. */
typedef void kernel_note_fn(const char *text, void *ctx);

/*
 * @options must outlive the result. Returns 0; -EBADMSG if .vmlinux belongs to another kernel and
 * is not forced; or -errno.
 */
int kernel_record__new(struct kernel_record **ret, const struct kernel_record_options *options,
	kernel_note_fn *note, void *ctx, struct error *err);
void kernel_record__free(struct kernel_record *record);

/* Appends its lines to those of the recording (perfdata/features/stamp.h). */
void kernel_record__stamp(const struct kernel_record *record, struct buffer *out);

/*
 * If .capture is set: stores the symbols of everything that is loaded now. The call at the end also
 * stores what was loaded after the first call. A failure only causes a note.
 */
void kernel_record__capture(struct kernel_record *record);

/*
 * If .capture is set: stores @module, which was just loaded from @path (NULL: not known),
 * because it may be unloaded before the end.
 */
void kernel_record__module(
	struct kernel_record *record, const struct perfstamp_module *module, const char *path);

#endif
