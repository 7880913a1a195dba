/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a file that exists already is perfstamp's, and what has become of it: by what is
 * in it, never by its name. Decides nothing.
 */
#ifndef PERFSTAMP_RECORD_RECOGNIZE_H
#define PERFSTAMP_RECORD_RECOGNIZE_H

enum recognized {
	RECOGNIZED_NOT,        /* another's, no recording, nothing, or it cannot be read */
	RECOGNIZED_UNFINISHED, /* its recorder was killed, or had no room, or still writes it */
	RECOGNIZED_COMPLETE,
	RECOGNIZED_OF_SEVERAL, /* complete, and one of a recording in several */
};

/* Of @name below the open @directory (or AT_FDCWD); a symbolic link is not followed. */
enum recognized recognize__file(int directory, const char *name);

#endif
