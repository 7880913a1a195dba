/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A clean copy of a recording that is damaged, cut off, unfinished, out of order or a pipe:
 * a file that every perf from 6.1 on opens without a warning, with every record and feature
 * that can be kept, and an account of the others.
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
	/* Without call chains; the same for all inputs. */
	bool without_chains;
	/*
	 * Whole records to write first, or NULL. They may be of any time, so that no marks of
	 * rounds follow: a reader sorts all of the file.
	 */
	const struct buffer *first;
	/* What is changed in the copy of @event; NULL: nothing. Returns 0 or -ENOMEM. */
	int (*changes)(void *ctx, uint64_t n, const struct event *event, struct record_change *ret);
};

struct repair_input {
	int fd; /* a file that can be sought, or a directory; it stays the caller's */
	const char *name;
	const struct repair_choice *choice; /* NULL: everything is copied */
};

/*
 * Copies @inputs to @out, which is an empty file and stays the caller's. Several inputs
 * have to be of one byte order; the records follow one another without marks of rounds, so
 * that a reader sorts all of them; the header features are those of the first. Free *@ret
 * in any case. Returns 0, or -errno with the text in @err: -EBADMSG if the header or the
 * attributes are so damaged that no record could be read, or where inputs cannot be in one
 * file.
 */
int repair__copy(struct repair *ret, const struct repair_input *inputs, size_t n, int out,
	const char *out_name, struct error *err);
void repair__free(struct repair *repair);

#endif
