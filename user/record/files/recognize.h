/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Determines whether perfstamp wrote an existing file, and whether it is complete, from its content
 * and never from its name. Decides nothing.
 */
#ifndef PERFSTAMP_RECORD_RECOGNIZE_H
#define PERFSTAMP_RECORD_RECOGNIZE_H

enum recognized {
	RECOGNIZED_NOT,        /* of another program, not a recording, empty, or unreadable */
	RECOGNIZED_UNFINISHED, /* its recorder was killed, had no space, or is still writing */
	RECOGNIZED_COMPLETE,
	RECOGNIZED_OF_SEVERAL, /* complete, and one of several files of a recording */
};

/* Examines @name below the open @directory (or AT_FDCWD); symbolic links are not followed. */
enum recognized recognize__file(int directory, const char *name);

#endif
