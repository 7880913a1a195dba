/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The needed fields of /proc/PID/stat and /proc/PID/status. Pure. Source: proc(5), fs/proc/array.c
 * of Linux.
 */
#ifndef PERFSTAMP_PARSE_STAT_H
#define PERFSTAMP_PARSE_STAT_H

#include <stddef.h>
#include <stdint.h>

struct task_stat {
	uint32_t pid;
	uint32_t ppid;
	char state;
	char comm[64];        /* for kernel threads, this can be longer than TASK_COMM_LEN */
	uint64_t start_ticks; /* since boot; sysconf(_SC_CLK_TCK) a second */
	/* Where exec placed code and stack; 0 if the reader may not read the mappings. */
	uint64_t start_code;
	uint64_t start_stack;
};

/*
 * Parses one line of stat. The comm may contain parentheses, spaces and newlines. Returns 0 or
 * -EBADMSG.
 */
int task_stat__parse(struct task_stat *ret, const char *text, size_t size);

/*
 * Finds the first number after "@field:" in the text of status, for example of "Tgid" or "PPid".
 * Returns 0, -ENOENT, or -EBADMSG.
 */
int task_status__number(uint64_t *ret, const char *text, const char *field);

#endif
