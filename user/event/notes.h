/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The notes of a perf.data file: perfstamp's extensions, as docs/format.md has them, and
 * which of them a record refers to. Knows bytes and struct event, and nothing of files.
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
	struct buffer bytes; /* of the current note */
	/* What the last notes of a container have, for the CGROUP that follows. */
	struct buffer about;
	uint64_t about_id;
	bool about_taken;
};

void notes__free(struct notes *notes);

/* Whether a CGROUP with this id and path is a note. */
bool notes__is_note(uint64_t id, const char *path);

/*
 * Takes the note whose path is @path; with @swap in the other byte order. With @keep it counts
 * for the records that follow. One that is an event itself makes *@ret, of which the time is
 * set, an EVENT_MODULE, EVENT_CODE or EVENT_CHECK, others an EVENT_NOTE, and those of a later
 * version leave it an EVENT_OTHER. 0, -ENOMEM, or -EBADMSG: it contradicts itself.
 */
int notes__take(struct notes *notes, const char *path, bool swap, bool keep, struct event *ret);

/*
 * Gives *@ret, an EVENT_MAP as perf understands it, what note @number has; a module's becomes
 * an EVENT_MODULE. False, and .unresolved, where there is no such note, or one of other
 * content: the record's own build-id, or device, inode and generation, have to be the note's.
 */
bool notes__find(const struct notes *notes, uint16_t number, struct event *ret);

/* Gives *@ret, an EVENT_CGROUP, what the notes in front of it have of its container. */
void notes__find_about(struct notes *notes, struct event_cgroup *ret);

/*
 * The fields of struct perfstamp_extension behind its size: the same in a note and in a record
 * of version 1. @in fails where they contradict themselves.
 */
void notes__decode_map(struct cursor *in, struct event_map *ret, uint16_t *ret_number);

#endif
