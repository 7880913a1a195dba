/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that forks helpers (helper.h) for its parent. Forking a large process, and
 * ending the copy, is slow, so the server is started while its parent is small. It is
 * confined itself, and reads only requests of its parent. Each helper is a separate process
 * with its own limits, and a child of the parent, so its input cannot affect other helpers.
 * Does not know what the helpers do.
 */
#ifndef PERFSTAMP_HELPER_FORK_SERVER_H
#define PERFSTAMP_HELPER_FORK_SERVER_H

#include "user/helper/helper.h"

struct fork_server;

/*
 * @helpers: the options of all helpers; .type is the type of their sockets, and .kept_fd is
 * not used. The helpers have a copy of what .ctx points to at the time of this call.
 * Returns 0 or -errno; free with fork_server__free.
 */
int fork_server__new(struct fork_server **ret, const struct helper_options *helpers);
void fork_server__free(struct fork_server *server);

/*
 * Starts a helper, which the caller ends as any other helper. Restarts a server that has
 * ended. Returns 0, or -errno if no process could be started.
 */
int fork_server__start(struct fork_server *server, struct helper *ret);
/* The server itself. */
pid_t fork_server__pid(const struct fork_server *server);

#endif
