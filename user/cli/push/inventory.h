/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The database of a fleet, as a receiver of push. Reads a recording into the model, converts it to
 * rows, and stores them. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_INVENTORY_H
#define PERFSTAMP_CLI_PUSH_INVENTORY_H

#include "user/cli/push/receiver.h"

extern const struct receiver_ops INVENTORY_RECEIVER;

#endif
