/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A helper process that reads input which may make its reader loop or crash, and answers.
 * Lengths in its answers are not trusted. Does not know the input.
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
	const char *what; /* its purpose, for errors: "reading symbols" */
	/* From confined__serve, for the same options. NULL: fork the helper here. */
	struct fork_server *server;
	unsigned int seconds; /* limit of CPU time; 0: the child sets its own */
	uint64_t memory;      /* bytes */
	int silence_ms;       /* how long an answer may take */
	struct sandbox sandbox;
	unsigned int capabilities; /* enum capability_need */
	int kept_fd;               /* as in helper.h */
	/* The child's function; @fd is its end of the socket. */
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
 * Starts a server that forks such helpers with the name @name (fork_server.h); .server,
 * .kept_fd and .silence_ms are not used. Returns 0 or -errno; free with fork_server__free.
 */
int confined__serve(
	struct fork_server **ret, const char *name, const struct confined_options *options);

/* Returns 0, or -errno if no process could be started. */
int confined__start(
	struct confined *ret, const struct confined_options *options, struct error *err);
/* Reads @size bytes to @dst. Returns false at the end, or after .silence_ms without an answer. */
bool confined__take(struct confined *confined, void *dst, size_t size);
/*
 * Reads a text of @len bytes, and ends it with a NUL. The caller frees it. Returns NULL if the text
 * is longer than @max, if memory is exhausted, or if confined__take() fails.
 */
char *confined__take_text(struct confined *confined, size_t len, size_t max);
/* Writes @size bytes. Returns false if the child has ended. */
bool confined__give(struct confined *confined, const void *bytes, size_t size);
/*
 * Waits for the helper's end. @kill: kills it, and does not wait for a process that is
 * blocked in the kernel. Returns its status, as wait() does.
 */
int confined__end(struct confined *confined, bool kill);

#endif
