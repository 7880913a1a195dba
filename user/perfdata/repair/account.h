/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The account of a repair: what was kept, what was dropped, and why. Does not know how it
 * is shown.
 */
#ifndef PERFSTAMP_PERFDATA_REPAIR_ACCOUNT_H
#define PERFSTAMP_PERFDATA_REPAIR_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "user/perfdata/layout.h"

enum repair_reason {
	REPAIR_DAMAGE,       /* bytes that are no records; .count is of places */
	REPAIR_CONTRADICTS,  /* a record whose sizes contradict one another */
	REPAIR_NO_EVENT,     /* its id is of no event */
	REPAIR_NOT_READABLE, /* a type that not every perf reads */
	REPAIR_LATE_ROUND,   /* FINISHED_ROUND that older records follow: they are kept */
	REPAIR_REASONS,
};

#define REPAIR_OFFSETS 8
#define REPAIR_DROPS_MAX 64

struct repair_drop {
	enum repair_reason reason;
	uint32_t type; /* of the records; 0 for damage, and for all that is over the limit above */
	uint64_t count;
	uint64_t bytes;
	uint64_t offsets[REPAIR_OFFSETS]; /* of the first ones, */
	char *files[REPAIR_OFFSETS];      /* and in which file of a directory; or NULL */
};

struct repair {
	uint64_t kept;    /* records */
	uint64_t dropped; /* records and damaged places; marks of rounds are neither */
	uint64_t dropped_bytes;
	struct repair_drop drops[REPAIR_DROPS_MAX];
	size_t n_drops;
	/* Bits by feature: in the input, in the copy, and in the former but not fit to be kept. */
	uint64_t features_found[PERFDATA_FEATURE_BITS / 64];
	uint64_t features_kept[PERFDATA_FEATURE_BITS / 64];
	uint64_t features_damaged[PERFDATA_FEATURE_BITS / 64];
};

#endif
