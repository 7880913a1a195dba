/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A receiver of push that serves binaries by build-id: a directory, an HTTP server or a bucket in
 * the layout of debuginfod's URLs. Sends the contents named in a recording that are in the build-id
 * cache. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_BINARIES_H
#define PERFSTAMP_CLI_PUSH_BINARIES_H

#include "user/cli/push/receiver.h"

extern const struct receiver_ops BINARIES_RECEIVER;

#endif
