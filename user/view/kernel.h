/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The output of `kernel': the identity of one kernel, or the differences between two. Also finds
 * the kernel in a recording.
 */
#ifndef PERFSTAMP_VIEW_KERNEL_H
#define PERFSTAMP_VIEW_KERNEL_H

#include <stdbool.h>
#include <stdio.h>

#include "user/model/model.h"
#include "user/parse/kernel/ids.h"
#include "user/view/header_ids.h"

/* One kernel: the source, and the identity. */
struct kernel_side {
	char name[512]; /* "running", the path of a file, or a host */
	struct kernel_ids ids;
	char *vmlinux;     /* vmlinux of that build; NULL: none is known */
	char *vmlinux_why; /* why there is none, or that it was forced; NULL: not reported */
};

void kernel_side__free(struct kernel_side *side);

/*
 * Collects the kernel and the modules from the maps in @model, from perf's table of ids if the maps
 * have none, and from the recording's own data (@stamp, may be NULL). The result is sorted. Returns
 * 0 or -ENOMEM.
 */
int kernel_side__from_recording(struct kernel_side *side, struct model *model,
	const struct header_ids *header_ids, const void *stamp, size_t stamp_size);

/* Prints the build-ids as perf buildid-list does, or as one JSON object. Errors stick to @out. */
void kernel_view__show(FILE *out, const struct kernel_side *side, bool json);
/* Prints the differences, and a summary line. Returns whether they are equal. */
bool kernel_view__compare(
	FILE *out, const struct kernel_side *a, const struct kernel_side *b, bool json);

#endif
