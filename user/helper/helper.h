/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A child process that does what may hang, loop or crash, or that parses what strangers wrote: with
 * bounded time and memory, few capabilities, and confined (sandbox.h). It has a socket to its
 * parent, and nothing else that its parent has open. Knows not what it is for.
 */
#ifndef PERFSTAMP_HELPER_HELPER_H
#define PERFSTAMP_HELPER_HELPER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/helper/sandbox.h"

/* How long the end of one that was killed is waited for: in the kernel it may wait for a disk. */
#define HELPER_END_MS 100

struct helper_options {
	const char *name;          /* as ps and top show it, at most 15 bytes; NULL: its parent's */
	int type;                  /* of its socket: SOCK_STREAM or SOCK_SEQPACKET */
	int send_bytes;            /* buffer for what it sends; 0: the kernel's default */
	unsigned int seconds;      /* of CPU time; 0: any */
	uint64_t memory;           /* bytes; 0: any */
	unsigned int capabilities; /* that it keeps: enum capability_need */
	struct sandbox sandbox;
	int kept_fd; /* stays open beside its socket; 0: none */
	/* What it does; @fd is its end of the socket. Where it returns, the process ends with 0. */
	void (*run)(void *ctx, int fd);
	void *ctx;
};

struct helper {
	pid_t pid; /* 0: there is none */
	int fd;    /* to it; closed on exec */
};

/* 0 or -errno: no process could be made. It ends with its parent at the latest. */
int helper__start(struct helper *ret, const struct helper_options *options);

/* In the helper, for who starts one otherwise: sets the limits of .seconds, .memory and files. */
void helper__bound(const struct helper_options *options);

/* Closes the socket, and waits for its end without limit. Returns its status, as of wait(). */
int helper__wait(struct helper *helper);
/* The same, and kills it. Waits HELPER_END_MS at most; then it is init's to wait for. */
int helper__kill(struct helper *helper);
/* Kills @n, of which some may be none, and waits HELPER_END_MS for all. */
void helper__kill_all(struct helper *helpers, size_t n);
/* Kills it and waits for nothing. */
void helper__abandon(struct helper *helper);

#endif
