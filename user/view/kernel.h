/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The output of kernel: the identity of one kernel, or the differences of two; and the
 * kernel in a recording.
 */
#ifndef PERFSTAMP_VIEW_KERNEL_H
#define PERFSTAMP_VIEW_KERNEL_H

#include <stdbool.h>
#include <stdio.h>

#include "user/model/model.h"
#include "user/parse/kernel/ids.h"
#include "user/view/header_ids.h"

/* One side: the source, and the identity. */
struct kernel_side {
	char name[512]; /* "running", a file's path, a host */
	struct kernel_ids ids;
	char *vmlinux;     /* of that build; NULL: none is known */
	char *vmlinux_why; /* why there is none, or that it was forced; NULL: nothing to report */
};

void kernel_side__free(struct kernel_side *side);

/*
 * Collects the kernel and the modules in @model's maps, with the ids of perf's table if the
 * maps have none, and the recording's own data (@stamp, may be NULL). Sorted. Returns 0 or
 * -ENOMEM.
 */
int kernel_side__from_recording(struct kernel_side *side, struct model *model,
	const struct header_ids *header_ids, const void *stamp, size_t stamp_size);

/* The build-ids, as perf buildid-list has them, or one JSON object. Errors stick to @out. */
void kernel_view__show(FILE *out, const struct kernel_side *side, bool json);
/* Prints the differences, and a summary line. Returns whether they are equal. */
bool kernel_view__compare(
	FILE *out, const struct kernel_side *a, const struct kernel_side *b, bool json);

#endif
