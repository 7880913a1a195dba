/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a clean copy of a recording that is damaged, truncated, unfinished, out of order or a pipe:
 * a file that every perf from 6.1 on opens without a warning, with every record and feature that
 * can be kept. Reports what was dropped.
 */
#ifndef PERFSTAMP_PERFDATA_REPAIR_H
#define PERFSTAMP_PERFDATA_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/event/event.h"
#include "user/perfdata/repair/account.h"
#include "user/perfdata/repair/change.h"

/* How the copy differs from a copy of everything. */
struct repair_choice {
	/* @n is the number of @event in file order, from 0. Called twice for each. */
	bool (*keeps)(void *ctx, uint64_t n, const struct event *event);
	void *ctx;
	/*
	 * For readers of other projects: without perfstamp's extensions (plain_record.h), without
	 * its own lines, and without the BUILD_ID table, which has one build for each path.
	 */
	bool plain;
	/* Omit call chains; must be the same for all inputs. */
	bool without_chains;
	/*
	 * Whole records to write first, or NULL. They may have any times, so no marks of rounds are
	 * written, and readers sort the whole file.
	 */
	const struct buffer *first;
	/* Sets what is changed in the copy of @event; NULL: nothing. Returns 0 or -ENOMEM. */
	int (*changes)(void *ctx, uint64_t n, const struct event *event, struct record_change *ret);
};

struct repair_input {
	int fd; /* a seekable file or a directory; the caller keeps it */
	const char *name;
	const struct repair_choice *choice; /* NULL: copy everything */
};

/*
 * Copies @inputs to @out, an empty file that the caller keeps. Several inputs must have the same
 * byte order. Their records follow one another without marks of rounds, so readers sort the whole
 * file. The header features are those of the first input. Free *@ret in any case. Returns 0, or
 * -errno with the text in @err: -EBADMSG if the header or the attributes are so damaged that no
 * record can be read, or if the inputs cannot be in one file.
 */
int repair__copy(struct repair *ret, const struct repair_input *inputs, size_t n, int out,
	const char *out_name, struct error *err);
void repair__free(struct repair *repair);

#endif
