// SPDX-License-Identifier: GPL-2.0-only
/* See differ.h. */
#include "user/model/replaced/differ.h"

#include "user/event/identity.h"
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
	return a->build_id_size && identity__same_build_id(a, b);
}

bool replaced__is_complete(const struct perfstamp_identity *identity)
{
	return identity->build_id_size ||
	       (identity->cookie_size && identity->reason == PERFSTAMP_REASON_NO_NOTE);
}

bool replaced__have_other_content(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	if (!replaced__is_complete(a) || !replaced__is_complete(b))
		return false;
	if (replaced__have_one_build_id(a, b) || (!a->build_id_size && !b->build_id_size))
		return a->cookie_size && b->cookie_size && !identity__same_cookie(a, b);
	return true;
}

bool replaced__differ(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	bool one_inode = a->ino && identity__same_inode(a, b);

	return !one_inode && replaced__have_other_content(a, b);
}
