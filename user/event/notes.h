/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The notes of a perf.data file: perfstamp's extensions, as described in docs/format.md,
 * and the records that refer to them. Does not know files.
 */
#ifndef PERFSTAMP_EVENT_NOTES_H
#define PERFSTAMP_EVENT_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/cursor.h"
#include "user/event/event.h"

#define NOTES_PAGES 256

struct note_page;

/* All zeros when new. At most 40 MB: there are 65,535 numbers. */
struct notes {
	struct note_page *pages[NOTES_PAGES];
	struct buffer bytes; /* bytes of the current note */
	/* Text of the container notes since the last CGROUP. It belongs to the next CGROUP. */
	struct buffer about;
	uint64_t about_id;
	bool about_taken;
};

void notes__free(struct notes *notes);

/* Whether a CGROUP with this id and path is a note. */
bool notes__is_note(uint64_t id, const char *path);

/*
 * Reads the note whose path is @path; with @swap, in the other byte order. With @keep, records that
 * follow can refer to it. *@ret, whose time is set, becomes an EVENT_MODULE, EVENT_CODE or
 * EVENT_CHECK if the note is an event itself, otherwise an EVENT_NOTE. For a note of a later
 * version, it remains an EVENT_OTHER. Returns 0, -ENOMEM, or -EBADMSG for a contradictory note.
 */
int notes__take(struct notes *notes, const char *path, bool swap, bool keep, struct event *ret);

/*
 * Adds the fields of note @number to *@ret, an EVENT_MAP as perf decodes it. With a module's note,
 * *@ret becomes an EVENT_MODULE. Returns false, and sets .unresolved, if there is no such note, or
 * if the note is of another content. It is of the same content if the record's own build-id, or
 * device, inode and generation, are equal to the note's.
 */
bool notes__find(const struct notes *notes, uint16_t number, struct event *ret);

/* Adds to *@ret, an EVENT_CGROUP, the container's text from the notes before it. */
void notes__find_about(struct notes *notes, struct event_cgroup *ret);

/*
 * Reads the fields of struct perfstamp_extension after its size, which are the same in a
 * note and in a record of version 1. @in fails if they are contradictory.
 */
void notes__decode_map(struct cursor *in, struct event_map *ret, uint16_t *ret_number);

#endif
