/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares two struct perfstamp_identity, and checks the sizes of build-id and cookie in one, for
 * all sources of events, because the code after that trusts them. Whether two contents are the same
 * is for the callers to decide.
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
/* Whether both have the same build-id, or neither has one. */
bool identity__same_build_id(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b);
/* Whether both have the same cookie, or neither has one. */
bool identity__same_cookie(const struct perfstamp_identity *a, const struct perfstamp_identity *b);
/* Whether both are of one inode. It is not known if .ino is 0. */
bool identity__same_inode(const struct perfstamp_identity *a, const struct perfstamp_identity *b);

#endif
