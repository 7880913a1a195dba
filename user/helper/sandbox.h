/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a helper process may ask of the kernel: everything else is denied to it for good, by a
 * seccomp filter of system calls, and, except where it has to look into other processes, by
 * Landlock, which knows paths. A kernel without one of them has the other. Knows nobody who
 * is confined.
 */
#ifndef PERFSTAMP_HELPER_SANDBOX_H
#define PERFSTAMP_HELPER_SANDBOX_H

#include <linux/filter.h>
#include <stdbool.h>

/* Nothing of it: it has the files that are open, and memory. */
enum sandbox_need {
	SANDBOX_READ = 1 << 0,  /* open any file for reading */
	SANDBOX_WRITE = 1 << 1, /* read, create and change files below .dir */
	/* Open what other processes have in /proc, which Landlock denies: there is only seccomp. */
	SANDBOX_PROCESSES = 1 << 2,
	/* Open files below another root: by openat2, whose flags no filter of system calls sees. */
	SANDBOX_OPENAT2 = 1 << 3,
	SANDBOX_FORK = 1 << 4,    /* start, confine, schedule and end processes of its own */
	SANDBOX_CONNECT = 1 << 5, /* connect to servers, which may take libraries and threads */
};

struct sandbox {
	unsigned int needs; /* of enum sandbox_need */
	const char *dir;    /* SANDBOX_WRITE: an existing directory; NULL: any */
};

/* What the running kernel can deny. */
struct sandbox_support {
	bool seccomp;
	int landlock; /* version of its ABI; 0: there is none, or it may not be used */
};

void sandbox__look(struct sandbox_support *ret);

/*
 * Confines the calling process, which has one thread. 0, also where the kernel has neither
 * (sandbox__look); -errno where one of them failed: then the process must end.
 */
int sandbox__enter(const struct sandbox *sandbox);

/* Each alone, as the tests need it. The same results; -ENOSYS where the kernel has none. */
int sandbox__enter_landlock(const struct sandbox *sandbox);
int sandbox__enter_seccomp(const struct sandbox *sandbox);

/* The filter of sandbox__enter_seccomp, made once for many processes. */
struct sandbox_filter {
	struct sock_filter *v;
	unsigned short n; /* 0: the kernel has no filters */
};

/* 0, also where the kernel has none; or -errno. Free with sandbox__free_filter. */
int sandbox__make_filter(struct sandbox_filter *ret, const struct sandbox *sandbox);
void sandbox__free_filter(struct sandbox_filter *filter);
/* For a process that has PR_SET_NO_NEW_PRIVS. 0 or -errno. */
int sandbox__enter_filter(const struct sandbox_filter *filter);

#endif
