/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rungs: the methods to observe mappings, and their properties. A new one is a line here, a
 * row of the table in rung.c and its programs in bpf/perfstamp.bpf.c. Attaches nothing.
 */
#ifndef PERFSTAMP_SOURCE_BPF_RUNG_H
#define PERFSTAMP_SOURCE_BPF_RUNG_H

#include <stdbool.h>

/* X(id, name), best first. */
/* clang-format off */
#define RUNGS(X)                                                                                   \
	X(KPROBE_MULTI, "kprobe.multi")                                                            \
	X(KPROBE, "kprobe")                                                                        \
	X(UPROBE_MMAP, "uprobe_mmap") /* kprobes on functions called next to perf_event_mmap() */  \
	X(FENTRY, "fentry")                                                                        \
	X(SYS_EXIT, "sys_exit")
/* clang-format on */

#define RUNG_ENUM(id, name) RUNG_##id,
enum rung { RUNGS(RUNG_ENUM) RUNG_COUNT };

#define RUNG_PROGRAMS_MAX 4

struct rung_row {
	/* In bpf/perfstamp.bpf.c; a NULL ends the list. */
	const char *programs[RUNG_PROGRAMS_MAX + 1];
	const char *of_moves; /* a program for mappings that mremap() moves; NULL: none is needed */
	const char *cost;     /* text for an administrator: that it works, and its cost */
	const char *off_switch; /* a file that can disable the attached hook; or NULL */
	const char *function;   /* function for kprobe.multi; NULL: attach by sections */
	bool is_full;           /* no better rung sees more mappings */
	bool needs_kprobes;
	bool needs_fentry;
	bool by_ftrace;   /* kernel.ftrace_enabled=0 disables it */
	bool reads_cold;  /* faulting.h can read content that is not in memory */
	bool no_task_vma; /* it is for kernels before 5.12, which have no iter/task_vma */
};

/* @rung is less than RUNG_COUNT. */
const struct rung_row *rung__row(enum rung rung);
/* "none" if @rung is RUNG_COUNT. */
const char *rung__name(enum rung rung);
/* Returns "rung NAME". */
const char *rung__title(enum rung rung);

/* The result for each rung that was tried. */
struct rung_attempt {
	bool tried;
	int code;       /* 0, or the negative errno */
	char text[256]; /* why it failed, for an administrator */
};

#endif
