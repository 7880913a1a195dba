// SPDX-License-Identifier: GPL-2.0-only
/* See identity.h. */
#include "user/event/identity.h"

#include <string.h>

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

bool identity__same_build_id(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	return a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

bool identity__same_cookie(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	return a->cookie_size == b->cookie_size && !memcmp(a->cookie, b->cookie, a->cookie_size);
}

bool identity__same_inode(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	return a->ino == b->ino && a->ino_generation == b->ino_generation &&
	       a->dev_major == b->dev_major && a->dev_minor == b->dev_minor;
}
