/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A child process for work that may hang, loop or crash, or that parses untrusted input. It
 * has limits of time and memory and few capabilities, and is confined (sandbox.h). It has a
 * socket to its parent, and no other descriptor of its parent. Does not know its purpose.
 */
#ifndef PERFSTAMP_HELPER_HELPER_H
#define PERFSTAMP_HELPER_HELPER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/helper/sandbox.h"

/*
 * How long to wait for the end of a killed helper, which may be waiting for a disk in the
 * kernel.
 */
#define HELPER_END_MS 100

struct helper_options {
	const char *name;     /* name in ps and top, at most 15 bytes; NULL: the parent's name */
	int type;             /* type of its socket: SOCK_STREAM or SOCK_SEQPACKET */
	int send_bytes;       /* size of its send buffer; 0: the kernel's default */
	unsigned int seconds; /* limit of CPU time; 0: none */
	uint64_t memory;      /* limit in bytes; 0: none */
	unsigned int capabilities; /* enum capability_need: the capabilities that it keeps */
	struct sandbox sandbox;
	int kept_fd; /* descriptor that stays open besides its socket; 0: none */
	/*
	 * The helper's function; @fd is its end of the socket. When it returns, the process
	 * exits with 0.
	 */
	void (*run)(void *ctx, int fd);
	void *ctx;
};

struct helper {
	pid_t pid; /* 0: no helper is running */
	int fd;    /* socket to the helper; closed on exec */
};

/*
 * Starts a helper, which ends when its parent ends. Returns 0, or -errno if no process
 * could be started.
 */
int helper__start(struct helper *ret, const struct helper_options *options);

/* Sets the limits of .seconds, .memory and files, in helpers that helper__start() did not start. */
void helper__bound(const struct helper_options *options);

/*
 * Closes the socket, and waits for the helper's end without limit. Returns its status, as
 * wait() does.
 */
int helper__wait(struct helper *helper);
/* The same, but kills the helper and waits for at most HELPER_END_MS. */
int helper__kill(struct helper *helper);
/*
 * Kills @n helpers, of which some may not be running, and waits for at most HELPER_END_MS
 * in all.
 */
void helper__kill_all(struct helper *helpers, size_t n);
/* Kills the helper and does not wait. */
void helper__abandon(struct helper *helper);

#endif
