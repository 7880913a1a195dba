/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Encodes events as records and notes (docs/format.md): data for which perf has no field
 * goes into notes, each written once for all records with the same identity. Pure: does not
 * know files.
 */
#ifndef PERFSTAMP_PERFDATA_NOTE_WRITER_H
#define PERFSTAMP_PERFDATA_NOTE_WRITER_H

#include <stdint.h>

#include "user/base/buffer.h"
#include "user/event/event.h"
#include "user/perfdata/encode.h"

/*
 * The notes of maps that a file has, and their numbers; all zeros when new. It grows up to
 * some 900 KB and is then emptied; after that, notes that the file already has are written
 * again.
 */
struct note_writer {
	struct buffer told; /* struct perfstamp_extension, one after another */
	uint16_t *table;    /* 0, or the place in .told plus 1; open addressing */
	size_t table_size;  /* a power of two, or 0 */
	uint16_t last;      /* number */
	uint32_t given;     /* numbers, since .told began */
};

void note_writer__free(struct note_writer *writer);

/*
 * Makes the following records readable without those so far: all notes are written again.
 * Numbers continue, so that readers that sort by time do not confuse them.
 */
void note_writer__forget(struct note_writer *writer);

/*
 * Appends the record of @event, as encode__event has it, and before it the notes that it
 * needs: of a MAP, unless it is the kernel's, one that the file does not have yet; of a MODULE
 * its own; of a CGROUP what is known of the container. A MODULE that is no MMAP2, CODE and CHECK
 * are only notes: of CODE several, if the bytes are too many for one. @trailer without .note.
 * Returns 0, or what encode__event and encode__note do; then nothing is appended.
 */
int note_writer__put(struct note_writer *writer, struct buffer *out, const struct event *event,
	const struct encode_trailer *trailer);

#endif
