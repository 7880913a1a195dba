/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A clean copy of a recording that is damaged, cut off, unfinished, out of order
 * or a pipe: a file that every perf from 6.1 on opens without a complaint, with
 * every record and feature that can be kept, and an account of what cannot. The
 * account knows no names and no form.
 */
#ifndef PERFSTAMP_PERFDATA_REPAIR_H
#define PERFSTAMP_PERFDATA_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/event/event.h"
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

/* What a copy has that is not one of everything. */
struct repair_choice {
	/* @n is the number of @event in file order, from 0. Called twice for each. */
	bool (*keeps)(void *ctx, uint64_t n, const struct event *event);
	void *ctx;
	/*
	 * For the readers of other projects: without perfstamp's extensions (plain_record.h),
	 * its own lines and the BUILD_ID table, which names one build for each path.
	 */
	bool plain;
	/*
	 * Whole records that come first, or NULL. They may be of any time, so that no marks of
	 * rounds follow: a reader sorts all of the file.
	 */
	const struct buffer *first;
};

/*
 * Copies from @in, a file that can be sought or a directory, to @out, which is an
 * empty file; both stay the caller's. @choice is NULL for a copy of everything. Free *@ret in any
 * case. Returns 0, or -errno with the text in @err: -EBADMSG where the header or the attributes are
 * so damaged that no record could be read.
 */
int repair__copy(struct repair *ret, const struct repair_choice *choice, int in,
	const char *in_name, int out, const char *out_name, struct error *err);
void repair__free(struct repair *repair);

#endif
