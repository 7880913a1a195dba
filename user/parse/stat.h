/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is needed of /proc/PID/stat and /proc/PID/status. Pure. Source: proc(5),
 * fs/proc/array.c of Linux.
 */
#ifndef PERFSTAMP_PARSE_STAT_H
#define PERFSTAMP_PARSE_STAT_H

#include <stddef.h>
#include <stdint.h>

struct task_stat {
	uint32_t pid;
	uint32_t ppid;
	char state;
	char comm[64];        /* kernel threads' can be longer than TASK_COMM_LEN here */
	uint64_t start_ticks; /* since boot, of sysconf(_SC_CLK_TCK) a second */
	/* Where exec put its code and stack; 0 for who may not read its mappings. */
	uint64_t start_code;
	uint64_t start_stack;
};

/*
 * Parses one line of stat. The comm may hold parentheses, spaces and newlines.
 * Returns 0 or -EBADMSG.
 */
int task_stat__parse(struct task_stat *ret, const char *text, size_t size);

/*
 * The first number behind "@field:" in the text of status, as of "Tgid" or
 * "PPid". Returns 0, -ENOENT, or -EBADMSG.
 */
int task_status__number(uint64_t *ret, const char *text, const char *field);

#endif
