// SPDX-License-Identifier: GPL-2.0-only
/* See branches.h. */
#include "user/event/branches.h"

#include "user/base/cursor.h"

struct event_branch event_branches__at(const struct event_branches *branches, uint64_t i)
{
	size_t size = sizeof(uint64_t) * branches->words;
	struct event_branch branch;
	struct cursor in;
	uint64_t flags;

	cursor__init(&in, branches->bytes + i * size, size, branches->swap);
	branch.from = cursor__u64(&in);
	branch.to = cursor__u64(&in);
	flags = cursor__u64(&in);
	/* In the other byte order, bit fields begin at the other end of the word. */
	branch.mispredicted = branches->swap ? flags >> 63 : flags & 1;
	return branch;
}
