/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads perf.data: files, pipes and directories, of perf and of perfstamp, in either byte order,
 * from 32- and 64-bit machines, finished or truncated, compressed or not. Returns events in file
 * order; event/order.h sorts them by time. Every length and offset in the file is checked before it
 * is used.
 *
 * The files of a directory (directory.h) are read in turns, so that their events are nearly in the
 * order of time. The events of one file keep their order.
 *
 * Format: tools/perf/Documentation/perf.data-file-format.txt and include/uapi/linux/perf_event.h of
 * Linux.
 */
#ifndef PERFSTAMP_PERFDATA_READER_H
#define PERFSTAMP_PERFDATA_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/event/event.h"
#include "user/perfdata/read/attr.h"

struct perfdata_reader;

/*
 * Opens @path ("-" is standard input) and reads the header and attributes. The features of a file
 * are read on request. The attributes and features of a pipe are records in it, and known once
 * these have been read. Returns 0; -ENOENT, -EACCES and similar errors from open and read; -EBADMSG
 * with the offset in @err if the input is not perf.data, or is contradictory.
 */
int perfdata_reader__open(struct perfdata_reader **ret, const char *path, struct error *err);
/*
 * The same for @fd, which may be a directory and which the caller keeps, or for memory. @name is
 * for error texts.
 */
int perfdata_reader__open_fd(
	struct perfdata_reader **ret, int fd, const char *name, struct error *err);
int perfdata_reader__open_memory(struct perfdata_reader **ret, const void *bytes, size_t size,
	const char *name, struct error *err);
void perfdata_reader__free(struct perfdata_reader *reader);

/*
 * Returns the next event in file order. The result is 1 with *@ret_event; 0 at the end of the data,
 * also if the file was truncated between two records; -ENOMEM or read's error; or -EBADMSG with the
 * offset if the file is contradictory or ends inside a record. The events before that have then
 * been returned. An error sticks.
 *
 * In a directory an error ends one of its files: perfdata_reader__skip_file() continues with the
 * others.
 *
 * If data.size is 0, the data up to the end of the file is read (perf then reads nothing).
 * COMPRESSED records are not returned, but the records in them are, with the offset of the
 * COMPRESSED record.
 */
int perfdata_reader__next(
	struct perfdata_reader *reader, struct event *ret_event, struct error *err);

/*
 * After -EBADMSG: skips the rest of the damaged file of a directory, so that reading can continue
 * with the others. Returns false if nothing is left to read.
 */
bool perfdata_reader__skip_file(struct perfdata_reader *reader);
/*
 * After -EBADMSG, or if the caller itself rejects the last event: continues with the next record
 * that can be read. *@ret_from to *@ret_to is the skipped part. Both are equal if it is one record
 * in a compressed one. A damaged compressed stream can continue only where a new frame begins. In a
 * file of perfstamp, that is the next record; a file of perf has no such place. Returns 1, 0 if
 * nothing is left to read, or another error than damage.
 */
int perfdata_reader__resync(struct perfdata_reader *reader, uint64_t *ret_from, uint64_t *ret_to);
/*
 * Reads the bytes after a HEADER_TRACING_DATA or AUXTRACE record that was just returned. The caller
 * frees them with free(). Returns 0; -ENOENT if there are none, -E2BIG over 64 MiB, -EBADMSG if the
 * input ends before them, -ENOMEM, or read's error.
 */
int perfdata_reader__payload(struct perfdata_reader *reader, void **ret, size_t *ret_size);
/*
 * Checks that perf finds the attribute of the last returned event, or an attribute with this id.
 * Returns 0, -EBADMSG or -ENOMEM.
 */
int perfdata_reader__check_id(struct perfdata_reader *reader, const struct event *event);
int perfdata_reader__knows(struct perfdata_reader *reader, uint64_t id);
/*
 * Decodes the record of @event, which another reader of the same input returned, with this reader's
 * attributes. Returns 0, -EBADMSG or -ENOMEM.
 */
int perfdata_reader__decode_again(struct perfdata_reader *reader, struct event *event);

/* The file's data about itself. Pointers are valid as long as the reader. */
size_t perfdata_reader__n_attrs(const struct perfdata_reader *reader);
const struct perfdata_attr *perfdata_reader__attr(const struct perfdata_reader *reader, size_t i);
bool perfdata_reader__is_pipe(const struct perfdata_reader *reader);
bool perfdata_reader__is_foreign_order(const struct perfdata_reader *reader); /* other byte order */
/*
 * Whether the file has no features: data.size is 0, the recording was not closed properly, or the
 * file was truncated. Always false for a pipe.
 */
bool perfdata_reader__is_unfinished(const struct perfdata_reader *reader);
/* Whether the file has everything that its header announces. */
enum perfdata_extent {
	PERFDATA_WHOLE,    /* complete as far as can be checked; also any pipe */
	PERFDATA_NO_SIZE,  /* data.size is 0: perf's recorder was killed */
	PERFDATA_CUT_DATA, /* the file ends within the data */
	/* the file ends between the data and the end of the features' table */
	PERFDATA_CUT_FEATURES,
};
enum perfdata_extent perfdata_reader__extent(const struct perfdata_reader *reader);
/*
 * Returns the bytes of header feature @id (HEADER_*, layout.h) as in the file. NULL if the feature
 * does not exist, is beyond the end of the file, or would exceed 64 MiB together with those read
 * before. For a pipe: what has been read so far, with up to seven bytes of padding. For
 * PERFSTAMP_FEATURE: only the text.
 */
const void *perfdata_reader__feature(
	const struct perfdata_reader *reader, unsigned int id, size_t *ret_size);
/*
 * Returns how many features are, in part or completely, beyond the end of the file; 0 for a pipe.
 */
size_t perfdata_reader__n_cut_features(const struct perfdata_reader *reader);
/*
 * Finds its position according to the file, which may be wrong. Returns false if the file has none.
 */
bool perfdata_reader__feature_section(const struct perfdata_reader *reader, unsigned int id,
	uint64_t *ret_offset, uint64_t *ret_size);
bool perfdata_reader__is_directory(const struct perfdata_reader *reader);
/* Returns a missing file of a directory, if a later one exists; otherwise NULL. */
const char *perfdata_reader__missing_file(const struct perfdata_reader *reader);
/* Returns the file of the last event: its path, or the name that was given. */
const char *perfdata_reader__file_name(const struct perfdata_reader *reader);
/* Returns the offset of the next record in that file. */
uint64_t perfdata_reader__offset(const struct perfdata_reader *reader);
/*
 * The progress of reading, in bytes of all files of the recording. *@ret_total is 0 if the
 * size is not known, as in a pipe.
 */
void perfdata_reader__progress(
	const struct perfdata_reader *reader, uint64_t *ret_done, uint64_t *ret_total);
/* The offsets at which the data begins and ends, in the file with the header. */
uint64_t perfdata_reader__data_start(const struct perfdata_reader *reader);
uint64_t perfdata_reader__data_end(const struct perfdata_reader *reader); /* 0 for a pipe */

#endif
