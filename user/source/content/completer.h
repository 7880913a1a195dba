/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Completes identities (completion.h) in separate processes. A file system whose server
 * hangs, or a slow disk, can block a reader, even after SIGKILL. If a thread of the
 * recorder were blocked, the recorder could not exit. This also protects the recorder from
 * bugs of libelf with hostile files.
 *
 * Does not know records and files.
 */
#ifndef PERFSTAMP_SOURCE_COMPLETER_H
#define PERFSTAMP_SOURCE_COMPLETER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "perfstamp/record.h"
#include "user/base/error.h"
#include "user/source/content/completion.h"

struct completer;

/*
 * Starts the first process, preferably before files are opened or mapped that it does not need.
 * Further processes are started when the existing ones wait for a disk. Returns 0 or -errno.
 */
int completer__new(struct completer **ret, struct error *err);
/* Ends the processes; waits a tenth of a second for one that cannot be killed. */
void completer__free(struct completer *completer);

/* An epoll descriptor, readable when a request is done. */
int completer__fd(const struct completer *completer);

/*
 * Requests that the mapping be read, as completion__read() does, some time later. The result has
 * the same @token. Owners (@owner, below FAIR_OWNERS) take turns, and each leaves a part of the
 * queue and of the processes to the others. Returns 0; -EAGAIN if too many requests wait; -EBUSY if
 * the record's device does not answer, so that further requests for it are of no use. A server
 * counts as not answering after five seconds, a disk, which may only be busy, after a minute.
 */
int completer__submit(struct completer *completer, uint64_t token, uint32_t owner,
	const struct completion_mapping *mapping, const struct perfstamp_identity *identity);

struct completion_result {
	uint64_t token;
	int code; /* of completion__read; -EBUSY: its device does not answer; -EIO: it crashed */
	struct perfstamp_identity identity;
	uint64_t alive_ns; /* CLOCK_MONOTONIC when the mapping was still there, after it was read;
			      or 0 */
};

/*
 * Calls @fn for each request that is done. If none is done, waits up to @wait_ms for one. Returns 0
 * or -errno.
 */
int completer__collect(struct completer *completer, int wait_ms,
	void (*fn)(const struct completion_result *result, void *ctx), void *ctx);

/* The number of submitted requests that were not collected yet, without those of hung devices. */
unsigned int completer__n_waiting(const struct completer *completer);

#endif
