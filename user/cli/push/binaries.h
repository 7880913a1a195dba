/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A receiver of push that stores binaries by build-id: a directory, an HTTP server or a bucket with
 * the layout of debuginfod's URLs. For each recording, it sends the contents that are in the
 * build-id cache. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_BINARIES_H
#define PERFSTAMP_CLI_PUSH_BINARIES_H

#include "user/cli/push/receiver.h"

extern const struct receiver_ops BINARIES_RECEIVER;

#endif
