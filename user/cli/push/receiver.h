/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A receiver of push: one interface for databases and HTTP servers. A new receiver is an
 * entry of the list in push.c.
 */
#ifndef PERFSTAMP_CLI_PUSH_RECEIVER_H
#define PERFSTAMP_CLI_PUSH_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/cli/push/files.h"
#include "user/cli/push/options.h"

enum sent {
	SENT_NEW,
	SENT_BEFORE, /* the receiver had it */
};

/* What receivers have confirmed. */
struct receiver_totals {
	uint64_t bytes; /* bytes of HTTP requests */
	uint64_t rows;  /* sightings and replacements */
};

struct receiver_ops {
	/* Whether this is what the command asks for, by the kind of its URL. */
	bool (*takes)(const struct push_command *command);
	/* Sends nothing yet. Returns 0, or -errno with text where the command line is wrong. */
	int (*open)(void **ret, const struct push_command *command, struct error *err);
	/*
	 * Sends all of @file. 0, when the receiver has confirmed it. Else with text: -EAGAIN if it
	 * may work later, *@ret_wait_s: not before this many seconds, 0 if the receiver does not
	 * say; -EBADMSG if this file will never be taken; -ENODATA if this machine cannot read it
	 * now, which says nothing of others; or -errno, of the receiver.
	 */
	int (*send)(void *receiver, const struct push_file *file, enum sent *ret,
		unsigned int *ret_wait_s, struct error *err);
	/* What was sent, in words, for the summary; may be "". */
	void (*describe)(const void *receiver, char *ret, size_t size);
	const char *(*kind)(const void *receiver); /* in metrics */
	struct receiver_totals (*totals)(const void *receiver);
	void (*free)(void *receiver);
};

#endif
