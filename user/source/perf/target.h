/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads and CPUs on which events are opened. Opens no event. */
#ifndef PERFSTAMP_SOURCE_PERF_TARGET_H
#define PERFSTAMP_SOURCE_PERF_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "user/base/error.h"
#include "user/parse/event/cpu_list.h"

struct perf_target {
	pid_t *tids; /* each once; a single -1 stands for whole CPUs */
	size_t n_tids;
	struct cpu_list cpus;    /* CPUs that came on-line later are at its end */
	struct cpu_list sampled; /* the requested ones of these; .n is 0 for all */
};

/*
 * Lists all on-line CPUs. Those in @text, which must be on-line, are sampled, or all if it
 * is NULL. Returns 0, -EINVAL, -ENODEV for one that is offline, or -ENOMEM.
 */
int perf_target__set_cpus(struct perf_target *target, const char *text, struct error *err);
/*
 * The threads of process @pid, listed again until two lists are the same. Returns 0, -ESRCH
 * if there is none, -EACCES, or -ENOMEM.
 */
int perf_target__add_process(struct perf_target *target, pid_t pid, struct error *err);
int perf_target__add_thread(struct perf_target *target, pid_t tid, struct error *err);
int perf_target__whole_cpus(struct perf_target *target, struct error *err);
/* Adds a CPU that came on-line later. Returns 0 or -ENOMEM. */
int perf_target__add_cpu(struct perf_target *target, int cpu);
/* Frees its contents, not the struct. */
void perf_target__free(struct perf_target *target);

/* Whether @cpu is on-line now. True if this cannot be determined. */
bool perf_target__is_online(int cpu);
/* The CPUs that are on-line now; the caller frees them. Returns 0 or -errno. */
int perf_target__online(struct cpu_list *ret);

/*
 * For reading the list in each round: the file stays open, and its text is parsed only after
 * changes. Zero-initialized.
 */
struct perf_online {
	bool is_open;
	int fd;
	/* The text from which .cpus were parsed; a longer one is parsed each time. */
	char text[256];
	struct cpu_list cpus;
};

/* *@ret is valid until the next call. Returns 0 or -errno. */
int perf_online__look(struct perf_online *online, const struct cpu_list **ret);
void perf_online__free(struct perf_online *online);

#endif
