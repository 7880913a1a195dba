/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks the sizes of build-id and cookie in a struct perfstamp_identity, for all sources
 * of events, because the code after that trusts them.
 */
#ifndef PERFSTAMP_EVENT_IDENTITY_H
#define PERFSTAMP_EVENT_IDENTITY_H

#include <stdbool.h>

#include "perfstamp/record.h"
#include "user/base/cursor.h"

/* Whether build-id and cookie fit into their fields. */
bool identity__is_sound(const struct perfstamp_identity *identity);
/* Reads build-id and cookie, whose sizes are in @ret. @in fails if they do not fit. */
void identity__decode_bytes(struct cursor *in, struct perfstamp_identity *ret);

#endif
