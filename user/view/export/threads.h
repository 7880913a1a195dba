/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of an export, grouped by thread, in the order of their times in each thread. For
 * formats that show threads.
 */
#ifndef PERFSTAMP_VIEW_EXPORT_THREADS_H
#define PERFSTAMP_VIEW_EXPORT_THREADS_H

#include <stddef.h>
#include <stdint.h>

#include "user/view/export/profile.h"

struct export_thread {
	uint32_t event;
	uint32_t pid, tid;
	const char *comm;    /* the thread's last name, not escaped */
	const char *process; /* name of its main thread, or of the first with samples */
	const uint32_t *v;   /* numbers of samples in .by_time */
	size_t n;
};

struct export_threads {
	struct export_thread *v; /* sorted by event, pid and tid */
	size_t n;
	uint32_t *samples;
};

/* Returns 0 or -ENOMEM; free @ret in either case. */
int export_threads__find(struct export_threads *ret, const struct export_profile *profile);
void export_threads__free(struct export_threads *threads);

#endif
