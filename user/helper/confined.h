/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A helper that reads what may make its reader loop or crash, and answers. Of its answers no
 * length is believed. Knows not what it reads.
 */
#ifndef PERFSTAMP_HELPER_CONFINED_H
#define PERFSTAMP_HELPER_CONFINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/helper/fork_server.h"
#include "user/helper/helper.h"

struct confined_options {
	const char *what; /* it is for, in errors: "reading symbols" */
	/* Of confined__serve, for the same options. NULL: it is forked here. */
	struct fork_server *server;
	unsigned int seconds; /* of CPU time; 0: the child sees to that itself */
	uint64_t memory;      /* bytes */
	int silence_ms;       /* how long an answer may take */
	struct sandbox sandbox;
	unsigned int capabilities; /* enum capability_need */
	int kept_fd;               /* as in helper.h */
	/* What the child does; @fd is the other end of its socket. */
	void (*run)(void *ctx, int fd);
	void *ctx;
};

struct confined {
	struct helper helper;
	int silence_ms;
	uint8_t bytes[65536];
	size_t at;
	size_t size;
	bool timed_out;
};

/*
 * A server that forks such processes, which are called @name (fork_server.h): .server, .kept_fd and
 * .silence_ms are not used. 0 or -errno; free with fork_server__free.
 */
int confined__serve(
	struct fork_server **ret, const char *name, const struct confined_options *options);

/* 0, or -errno where no child could be made. */
int confined__start(
	struct confined *ret, const struct confined_options *options, struct error *err);
/* Reads @size bytes to @dst. False at the end, and after a silence that is too long. */
bool confined__take(struct confined *confined, void *dst, size_t size);
/*
 * Reads a text of @len bytes, and ends it with a NUL. The caller's to free. NULL where it is longer
 * than @max, for want of memory, and as above.
 */
char *confined__take_text(struct confined *confined, size_t len, size_t max);
/* Writes @size bytes. False where the child has ended. */
bool confined__give(struct confined *confined, const void *bytes, size_t size);
/*
 * Waits for its end; @kill: kills it, and does not wait for one that waits in the kernel. Returns
 * its status, as of wait().
 */
int confined__end(struct confined *confined, bool kill);

#endif
