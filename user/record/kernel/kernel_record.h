/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording keeps of the kernel beside its maps: its build-id, the path
 * of its image with symbols, and, on request, symbols in the store that perf
 * reads, so that the recording resolves on another machine.
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

/* A sentence on what is otherwise than asked; @ctx as given with it. */
typedef void kernel_note_fn(const char *text, void *ctx);

/* @options must outlive it. -EBADMSG where .vmlinux is of another kernel and not forced; -errno. */
int kernel_record__new(struct kernel_record **ret, const struct kernel_record_options *options,
	kernel_note_fn *note, void *ctx, struct error *err);
void kernel_record__free(struct kernel_record *record);

/* Appends its lines to those of the recording (perfdata/features/stamp.h). */
void kernel_record__stamp(const struct kernel_record *record, struct buffer *out);

/*
 * Where .capture is set: puts into the store what is loaded now. Twice, at the
 * beginning and at the end, keeps what came meanwhile, too. A failure is
 * a note: the recording continues.
 */
void kernel_record__capture(struct kernel_record *record);

/*
 * Where .capture is set: @module was loaded, of which the file is at @path (NULL: not
 * known). It may be gone before the end, so it is kept now.
 */
void kernel_record__module(
	struct kernel_record *record, const struct perfstamp_module *module, const char *path);

#endif
