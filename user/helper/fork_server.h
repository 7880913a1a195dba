/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that forks helpers (helper.h) for its parent. To fork a large process, and to end
 * its copy, takes long, so it is started while its parent is small. It is confined itself, and
 * reads only what its parent sends. Each helper is a process of its own, with its own bounds, and
 * a child of who asked for it: what one of them reads can act on no other. Knows not what they
 * are for.
 */
#ifndef PERFSTAMP_HELPER_FORK_SERVER_H
#define PERFSTAMP_HELPER_FORK_SERVER_H

#include "user/helper/helper.h"

struct fork_server;

/*
 * @helpers: what all its helpers have in common: .type is their sockets', and .kept_fd is not
 * used. What .ctx points to is there for them as it is now. 0 or -errno; free with
 * fork_server__free.
 */
int fork_server__new(struct fork_server **ret, const struct helper_options *helpers);
void fork_server__free(struct fork_server *server);

/*
 * Starts one, to be ended as any other helper. A server that has ended is replaced. 0 or -errno:
 * no process could be made.
 */
int fork_server__start(struct fork_server *server, struct helper *ret);
/* The server itself. */
pid_t fork_server__pid(const struct fork_server *server);

#endif
