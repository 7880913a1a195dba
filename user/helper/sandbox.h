/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Confines a helper process permanently to what it needs from the kernel: by a seccomp
 * filter of system calls, and by Landlock, which restricts paths, unless the helper has to
 * read other processes. If the kernel lacks one of them, the other still applies. Does not
 * know the confined processes.
 */
#ifndef PERFSTAMP_HELPER_SANDBOX_H
#define PERFSTAMP_HELPER_SANDBOX_H

#include <linux/filter.h>
#include <stdbool.h>

/* Without any of these, a helper has only its open files, and memory. */
enum sandbox_need {
	SANDBOX_READ = 1 << 0,  /* open any file for reading */
	SANDBOX_WRITE = 1 << 1, /* read, create and change files below .dir */
	/* Open files of other processes in /proc. Landlock denies this, so only seccomp is used. */
	SANDBOX_PROCESSES = 1 << 2,
	/* Open files below another root, by openat2, whose flags a seccomp filter cannot read. */
	SANDBOX_OPENAT2 = 1 << 3,
	SANDBOX_FORK = 1 << 4,    /* start, confine, schedule and end child processes */
	SANDBOX_CONNECT = 1 << 5, /* connect to servers; may need libraries and threads */
};

struct sandbox {
	unsigned int needs; /* of enum sandbox_need */
	const char *dir;    /* SANDBOX_WRITE: an existing directory; NULL: any */
};

/* What the running kernel supports. */
struct sandbox_support {
	bool seccomp;
	int landlock; /* version of its ABI; 0: missing, or not permitted */
};

void sandbox__look(struct sandbox_support *ret);

/*
 * Confines the calling process, which has one thread. Returns 0, also if the kernel supports
 * neither seccomp nor Landlock (sandbox__look), or -errno if one of them failed: the process must
 * then exit.
 */
int sandbox__enter(const struct sandbox *sandbox);

/*
 * Apply only one of the two, for tests. Return the same, or -ENOSYS if the kernel does not support
 * it.
 */
int sandbox__enter_landlock(const struct sandbox *sandbox);
int sandbox__enter_seccomp(const struct sandbox *sandbox);

/* The filter of sandbox__enter_seccomp, made once for many processes. */
struct sandbox_filter {
	struct sock_filter *v;
	unsigned short n; /* 0: the kernel has no filters */
};

/* Returns 0, also if the kernel has no filters, or -errno. Free with sandbox__free_filter. */
int sandbox__make_filter(struct sandbox_filter *ret, const struct sandbox *sandbox);
void sandbox__free_filter(struct sandbox_filter *filter);
/* For a process that has PR_SET_NO_NEW_PRIVS. Returns 0 or -errno. */
int sandbox__enter_filter(const struct sandbox_filter *filter);

#endif
