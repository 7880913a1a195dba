/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A receiver of push: one interface for databases and HTTP servers. To add a receiver, add an entry
 * to the list in push.c.
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
	SENT_BEFORE, /* the receiver had it before */
};

/* Totals that receivers have confirmed. */
struct receiver_totals {
	uint64_t bytes; /* bytes of HTTP requests */
	uint64_t rows;  /* sightings and replacements */
};

struct receiver_ops {
	/* Whether this receiver supports the URL of the command. */
	bool (*takes)(const struct push_command *command);
	/*
	 * Opens the receiver, and sends nothing. Returns 0, or -errno with text if the options are
	 * invalid.
	 */
	int (*open)(void **ret, const struct push_command *command, struct error *err);
	/*
	 * Sends @file. Returns 0 when the receiver has confirmed all of it. Otherwise returns with
	 * text: -EAGAIN if it may work later, not before *@ret_wait_s seconds (0: the receiver sets
	 * no limit); -EBADMSG if this file will never be accepted; -ENODATA if this machine cannot
	 * read the file now, while other files may work; or another -errno, of the receiver.
	 */
	int (*send)(void *receiver, const struct push_file *file, enum sent *ret,
		unsigned int *ret_wait_s, struct error *err);
	/* Describes what was sent, for the summary; may be "". */
	void (*describe)(const void *receiver, char *ret, size_t size);
	const char *(*kind)(const void *receiver); /* the name in metrics */
	struct receiver_totals (*totals)(const void *receiver);
	void (*free)(void *receiver);
};

#endif
