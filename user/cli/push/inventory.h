/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The database of a fleet as a receiver of push: reads a recording into the model, makes rows of
 * it, and puts them there. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_INVENTORY_H
#define PERFSTAMP_CLI_PUSH_INVENTORY_H

#include "user/cli/push/receiver.h"

extern const struct receiver_ops INVENTORY_RECEIVER;

#endif
