/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses what REMOTE_NOTES_SCRIPT prints on another machine: the ELF notes of its kernel and of its
 * modules, in lines of hexadecimal bytes, between a first line and a last one:
 *
 * 	perfstamp-notes 1
 * 	release 6.1.0-49-amd64
 * 	machine x86_64
 * 	kernel
 * 	 04 00 00 00 14 00 ...      bytes of /sys/kernel/notes, as od prints them
 * 	module ext4
 * 	note                        a file in /sys/module/ext4/notes
 * 	 04 00 00 00 ...
 * 	end
 *
 * Text before the first line is skipped, because shells may print a greeting. Other text that is
 * not of this form is refused, and so is more data than any kernel has. Pure.
 */
#ifndef PERFSTAMP_PARSE_REMOTE_NOTES_H
#define PERFSTAMP_PARSE_REMOTE_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/parse/kernel/ids.h"

/* Input for sh. It only uses what POSIX, busybox and toybox have. */
extern const char REMOTE_NOTES_SCRIPT[];

struct remote_notes {
	struct kernel_ids *ids;
	char line[256];
	size_t len;
	size_t bytes; /* bytes so far */
	size_t lines;
	enum {
		REMOTE_NOTES_GREETING, /* before the first line */
		REMOTE_NOTES_HEAD,
		REMOTE_NOTES_KERNEL, /* hexadecimal bytes of the kernel's file */
		REMOTE_NOTES_MODULE,
		REMOTE_NOTES_DONE,
	} state;
	struct kernel_dso module; /* the current module */
	struct buffer notes;      /* bytes of the current file */
};

/* @ids must be initialized, and outlive this. */
void remote_notes__init(struct remote_notes *notes, struct kernel_ids *ids);
void remote_notes__free(struct remote_notes *notes);
/*
 * Parses the next bytes. Returns 0, -ENOMEM, -E2BIG if there are more than any kernel has, or
 * -EBADMSG; the text in @err is meant to follow "HOST: ".
 */
int remote_notes__feed(
	struct remote_notes *notes, const char *bytes, size_t size, struct error *err);
/* Called at the end of the answer. Returns 0 with .ids complete and sorted, or -EBADMSG. */
int remote_notes__finish(struct remote_notes *notes, struct error *err);

#endif
