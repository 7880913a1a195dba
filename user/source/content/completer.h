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
 * Starts the first process, preferably before files are opened or mapped that it does not
 * need. Further ones are started while those that exist wait for a disk. Returns 0 or
 * -errno.
 */
int completer__new(struct completer **ret, struct error *err);
/* Ends the processes; waits a tenth of a second for one that cannot be killed. */
void completer__free(struct completer *completer);

/* An epoll descriptor, which is readable when a request is done. */
int completer__fd(const struct completer *completer);

/*
 * Reads, some time later, what is mapped there; as completion__read. @token comes back with
 * the result. Owners (@owner, below FAIR_OWNERS) take turns, and none takes more of the
 * queue and of the processes than it leaves to others. Returns 0; -EAGAIN where too many
 * are waiting; -EBUSY if the record's device does not answer, and it is of no use to ask it
 * for more: a server has not for five seconds, a disk, which may be slow on a busy machine,
 * for a minute.
 */
int completer__submit(struct completer *completer, uint64_t token, uint32_t owner,
	const struct completion_mapping *mapping, const struct perfstamp_identity *identity);

struct completion_result {
	uint64_t token;
	int code; /* as of completion__read; -EBUSY: its device does not answer; -EIO: it crashed */
	struct perfstamp_identity identity;
	uint64_t alive_ns; /* CLOCK_MONOTONIC when the mapping was still there, after it was read;
			      or 0 */
};

/*
 * Hands out what is done. Where nothing is, waits up to @wait_ms for something.
 * Returns 0 or -errno.
 */
int completer__collect(struct completer *completer, int wait_ms,
	void (*fn)(const struct completion_result *result, void *ctx), void *ctx);

/* How many have been submitted and not been handed out, except those whose device is stuck. */
unsigned int completer__n_waiting(const struct completer *completer);

#endif
