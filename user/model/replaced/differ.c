// SPDX-License-Identifier: GPL-2.0-only
/* See differ.h. */
#include "user/model/replaced/differ.h"

#include <string.h>

#include "user/model/lives.h"

bool replaced__concerns(const struct sighting *sighting)
{
	return !sighting->kernel && lives__is_file(sighting->path) &&
	       sighting->identity.reason != PERFSTAMP_REASON_NOT_ELF &&
	       sighting->identity.reason != PERFSTAMP_REASON_ANONYMOUS;
}

bool replaced__have_one_build_id(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	return a->build_id_size && a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

static bool is_one_inode(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	return a->ino && a->ino == b->ino && a->dev_major == b->dev_major &&
	       a->dev_minor == b->dev_minor && a->ino_generation == b->ino_generation;
}

bool replaced__is_complete(const struct perfstamp_identity *identity)
{
	return identity->build_id_size ||
	       (identity->cookie_size && identity->reason == PERFSTAMP_REASON_NO_NOTE);
}

bool replaced__have_other_content(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	bool one_cookie = a->cookie_size == b->cookie_size &&
			  !memcmp(a->cookie, b->cookie, a->cookie_size);

	if (!replaced__is_complete(a) || !replaced__is_complete(b))
		return false;
	if (replaced__have_one_build_id(a, b) || (!a->build_id_size && !b->build_id_size))
		return a->cookie_size && b->cookie_size && !one_cookie;
	return true;
}

bool replaced__differ(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	return !is_one_inode(a, b) && replaced__have_other_content(a, b);
}
