/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What serves binaries by build-id as a receiver of push: a directory, an HTTP server or a bucket
 * in the layout of debuginfod's URLs. Sends what the build-id cache has of the contents that a
 * recording names. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_BINARIES_H
#define PERFSTAMP_CLI_PUSH_BINARIES_H

#include "user/cli/push/receiver.h"

extern const struct receiver_ops BINARIES_RECEIVER;

#endif
