/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether perfstamp wrote an existing file, and whether it is complete, by its content and
 * never by its name. Decides nothing.
 */
#ifndef PERFSTAMP_RECORD_RECOGNIZE_H
#define PERFSTAMP_RECORD_RECOGNIZE_H

enum recognized {
	RECOGNIZED_NOT,        /* another program's, no recording, empty, or unreadable */
	RECOGNIZED_UNFINISHED, /* its recorder was killed, had no space, or still writes it */
	RECOGNIZED_COMPLETE,
	RECOGNIZED_OF_SEVERAL, /* complete, and one of a recording in several */
};

/* Of @name below the open @directory (or AT_FDCWD); a symbolic link is not followed. */
enum recognized recognize__file(int directory, const char *name);

#endif
