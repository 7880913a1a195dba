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
	const char *vmlinux;     /* NULL: looked for */
	bool force;              /* .vmlinux is taken even where it is of another kernel */
	bool capture;            /* keep symbols in the store */
	bool kcore;              /* and the code, once, at the beginning */
	const char *buildid_dir; /* the store; NULL: perf's */
};

struct kernel_record;

/* Receives a note about a deviation from the options. */
typedef void kernel_note_fn(const char *text, void *ctx);

/* @options must outlive it. -EBADMSG where .vmlinux is of another kernel and not forced; -errno. */
int kernel_record__new(struct kernel_record **ret, const struct kernel_record_options *options,
	kernel_note_fn *note, void *ctx, struct error *err);
void kernel_record__free(struct kernel_record *record);

/* Appends its lines to those of the recording (perfdata/features/stamp.h). */
void kernel_record__stamp(const struct kernel_record *record, struct buffer *out);

/*
 * If .capture is set: stores the symbols of what is loaded now. Called at the beginning and
 * at the end, it also stores what was loaded in between. A failure is only a note.
 */
void kernel_record__capture(struct kernel_record *record);

/*
 * If .capture is set: stores @module, which was just loaded from @path (NULL: not known),
 * because it may be unloaded before the end.
 */
void kernel_record__module(
	struct kernel_record *record, const struct perfstamp_module *module, const char *path);

#endif
