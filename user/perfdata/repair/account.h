/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The account of a repair: what was kept, what was dropped, and why. Does not know how it is
 * printed.
 */
#ifndef PERFSTAMP_PERFDATA_REPAIR_ACCOUNT_H
#define PERFSTAMP_PERFDATA_REPAIR_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "user/perfdata/layout.h"

enum repair_reason {
	REPAIR_DAMAGE,       /* bytes that are not records; .count counts places */
	REPAIR_CONTRADICTS,  /* a record whose sizes contradict one another */
	REPAIR_NO_EVENT,     /* its id belongs to no event */
	REPAIR_NOT_READABLE, /* a type that not every perf reads */
	REPAIR_LATE_ROUND,   /* a FINISHED_ROUND that older records follow; these are kept */
	REPAIR_REASONS,
};

#define REPAIR_OFFSETS 8
#define REPAIR_DROPS_MAX 64

struct repair_drop {
	enum repair_reason reason;
	uint32_t type; /* type of the records; 0 for damage, and beyond the limit above */
	uint64_t count;
	uint64_t bytes;
	uint64_t offsets[REPAIR_OFFSETS]; /* offsets of the first ones */
	/* for a directory: the files in which they are; or NULL */
	char *files[REPAIR_OFFSETS];
};

struct repair {
	uint64_t kept;    /* records */
	uint64_t dropped; /* records and damaged places, without marks of rounds */
	uint64_t dropped_bytes;
	struct repair_drop drops[REPAIR_DROPS_MAX];
	size_t n_drops;
	/* Bits by feature: in the input, in the copy, and damaged in the input. */
	uint64_t features_found[PERFDATA_FEATURE_BITS / 64];
	uint64_t features_kept[PERFDATA_FEATURE_BITS / 64];
	uint64_t features_damaged[PERFDATA_FEATURE_BITS / 64];
};

#endif
