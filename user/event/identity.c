// SPDX-License-Identifier: GPL-2.0-only
/* See identity.h. */
#include "user/event/identity.h"

bool identity__is_sound(const struct perfstamp_identity *identity)
{
	return identity->build_id_size <= PERFSTAMP_BUILD_ID_MAX &&
	       identity->cookie_size <= PERFSTAMP_COOKIE_MAX;
}

void identity__decode_bytes(struct cursor *in, struct perfstamp_identity *ret)
{
	cursor__copy(in, ret->build_id, sizeof(ret->build_id));
	cursor__copy(in, ret->cookie, sizeof(ret->cookie));
	if (!identity__is_sound(ret))
		in->failed = true;
}
