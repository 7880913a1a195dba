/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of /proc/PID/maps. Pure. Source: show_map_vma in fs/proc/task_mmu.c
 * of Linux.
 */
#ifndef PERFSTAMP_PARSE_MAPS_H
#define PERFSTAMP_PARSE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"

struct map_line {
	uint64_t start;
	uint64_t end;
	uint64_t pgoff;     /* bytes */
	uint32_t prot;      /* PROT_* */
	uint32_t map_flags; /* MAP_SHARED or MAP_PRIVATE; maps has no other flags */
	uint32_t dev_major;
	uint32_t dev_minor;
	uint64_t ino;
	/*
	 * The path ended in " (deleted)", which was removed. A file whose own name ends in this
	 * text cannot be distinguished.
	 */
	bool deleted;
	bool path_cut;                 /* the end of the path is missing */
	char path[PERFSTAMP_PATH_MAX]; /* empty for anonymous memory; [vdso] and others unchanged */
};

/*
 * Reads the next line from *@cursor, text up to @end. In a path, the kernel writes a newline as
 * \012 and changes nothing else, not even a backslash, so \012 is read as a newline. Returns 1, 0
 * at the end, or -EBADMSG for an invalid line, which is skipped.
 */
int map_line__next(const char **cursor, const char *end, struct map_line *ret);

#endif
