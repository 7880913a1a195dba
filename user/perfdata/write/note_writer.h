/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Encodes events as records and notes (docs/format.md). Data for which perf has no field is written
 * as a note, once for all records with the same identity. Pure: does not know files.
 */
#ifndef PERFSTAMP_PERFDATA_NOTE_WRITER_H
#define PERFSTAMP_PERFDATA_NOTE_WRITER_H

#include <stdint.h>

#include "user/base/buffer.h"
#include "user/event/event.h"
#include "user/perfdata/encode.h"

/*
 * The notes of maps in a file, and their numbers; all zeros when new. It grows up to about 900 KB
 * and is then emptied. After that, notes that the file already has are written again.
 */
struct note_writer {
	struct buffer told; /* array of struct perfstamp_extension */
	uint16_t *table;    /* hash table of indexes in .told plus 1; 0: free */
	size_t table_size;  /* a power of two, or 0 */
	uint16_t last;      /* the last number */
	uint32_t given;     /* numbers assigned since .told was emptied */
};

void note_writer__free(struct note_writer *writer);

/*
 * Makes the following records readable without the previous ones: all notes are written again.
 * Numbers continue, so that readers that sort by time do not confuse them.
 */
void note_writer__forget(struct note_writer *writer);

/*
 * Appends the record of @event, as encode__event() does, after the notes that it needs. A MAP of
 * user space needs a note, unless the file already has an equal one. A MODULE has a note of its
 * own. A CGROUP has a note with the data about its container. CODE, CHECK, and a MODULE that is not
 * an MMAP2 are only notes. CODE has several notes if it has too many bytes for one. @trailer: .note
 * is not used. Returns 0, or the error of encode__event() or encode__note(), and then appends
 * nothing.
 */
int note_writer__put(struct note_writer *writer, struct buffer *out, const struct event *event,
	const struct encode_trailer *trailer);

#endif
