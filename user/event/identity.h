/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sizes in a struct perfstamp_identity, which every source of events is checked for: they
 * give the sizes in bytes of its build-id and cookie as others read them.
 */
#ifndef PERFSTAMP_EVENT_IDENTITY_H
#define PERFSTAMP_EVENT_IDENTITY_H

#include <stdbool.h>

#include "perfstamp/record.h"
#include "user/base/cursor.h"

/* Whether build-id and cookie fit into their fields. */
bool identity__is_sound(const struct perfstamp_identity *identity);
/* Build-id and cookie, whose sizes are in @ret. @in fails where they do not fit. */
void identity__decode_bytes(struct cursor *in, struct perfstamp_identity *ret);

#endif
