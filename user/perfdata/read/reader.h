/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads perf.data: files, pipes and directories, of perf and of perfstamp, either
 * byte order, 32- and 64-bit origin, finished or cut off, compressed or not. Yields
 * struct event in file order; event/order.h puts them in time order. Every
 * length and offset in the file is checked before it is used.
 *
 * The files of a directory (directory.h) are read by turns, so that their events come
 * nearly in the order of time. Events of one file keep their order.
 *
 * Format: tools/perf/Documentation/perf.data-file-format.txt and
 * include/uapi/linux/perf_event.h of Linux.
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
 * Opens @path ("-" is standard input) and reads the header and attributes. A file's
 * features are read when asked for; a pipe's attributes and features are records in it,
 * known when they have passed. Returns 0; -ENOENT, -EACCES and the like from open and read;
 * -EBADMSG for what is not perf.data or is contradictory, with the offset in @err.
 */
int perfdata_reader__open(struct perfdata_reader **ret, const char *path, struct error *err);
/*
 * The same from @fd, which stays the caller's and may be a directory, or from memory.
 * @name is for error texts.
 */
int perfdata_reader__open_fd(
	struct perfdata_reader **ret, int fd, const char *name, struct error *err);
int perfdata_reader__open_memory(struct perfdata_reader **ret, const void *bytes, size_t size,
	const char *name, struct error *err);
void perfdata_reader__free(struct perfdata_reader *reader);

/*
 * The next event in file order. Returns 1 with *@ret_event, 0 at the end of the data (also
 * where a file was cut off between two records), -ENOMEM or read's error, or -EBADMSG with
 * the offset where the file is contradictory or ends inside a record; the events before it
 * have been handed out. An error sticks.
 *
 * In a directory an error ends one of its files: perfdata_reader__skip_file goes on
 * with the others.
 *
 * Where data.size is 0, what there is up to the file's end is read (perf reads
 * nothing then). COMPRESSED records are not handed out, but the records in
 * them are, with the offset of what they came in.
 */
int perfdata_reader__next(
	struct perfdata_reader *reader, struct event *ret_event, struct error *err);

/*
 * After -EBADMSG: leaves the damaged file of a directory, so that the others can be read
 * on. False if there is nothing more to be read.
 */
bool perfdata_reader__skip_file(struct perfdata_reader *reader);
/*
 * After -EBADMSG, or where the caller itself finds the last event wrong: goes on with the
 * next record that can be read, and *@ret_from to *@ret_to is what was skipped (the same
 * where it is one record in a compressed one). A compressed stream whose bytes are damaged
 * goes on where a new frame begins: with the next record in a file of perfstamp, nowhere in
 * one of perf. Returns 1, 0 if nothing more can be read, or the error that is no damage.
 */
int perfdata_reader__resync(struct perfdata_reader *reader, uint64_t *ret_from, uint64_t *ret_to);
/*
 * The bytes behind a HEADER_TRACING_DATA or AUXTRACE record that was just handed out, to be
 * freed by free(). -ENOENT if there are none, -E2BIG over 64 MiB, -EBADMSG if the input
 * ends before them, -ENOMEM, or read's error.
 */
int perfdata_reader__payload(struct perfdata_reader *reader, void **ret, size_t *ret_size);
/*
 * Whether perf finds the event that the last one handed out belongs to, or an event of this
 * id: returns 0, -EBADMSG or -ENOMEM.
 */
int perfdata_reader__check_id(struct perfdata_reader *reader, const struct event *event);
int perfdata_reader__knows(struct perfdata_reader *reader, uint64_t id);
/*
 * Decodes the record of @event, which another reader of the same input handed out, by the
 * attributes that this one knows. Returns 0, -EBADMSG or -ENOMEM.
 */
int perfdata_reader__decode_again(struct perfdata_reader *reader, struct event *event);

/* The file's data about itself. Pointers are valid as long as the reader. */
size_t perfdata_reader__n_attrs(const struct perfdata_reader *reader);
const struct perfdata_attr *perfdata_reader__attr(const struct perfdata_reader *reader, size_t i);
bool perfdata_reader__is_pipe(const struct perfdata_reader *reader);
bool perfdata_reader__is_foreign_order(const struct perfdata_reader *reader); /* other byte order */
/*
 * A file without features: data.size is 0, or the recorder did not end
 * properly, or the file was cut off. Never of a pipe.
 */
bool perfdata_reader__is_unfinished(const struct perfdata_reader *reader);
/* Whether the file has all that its header announces. */
enum perfdata_extent {
	PERFDATA_WHOLE,        /* as far as can be seen; a pipe is */
	PERFDATA_NO_SIZE,      /* data.size is 0: perf's recorder did not end */
	PERFDATA_CUT_DATA,     /* it ends before the data do */
	PERFDATA_CUT_FEATURES, /* it ends behind them, before the table of the features does */
};
enum perfdata_extent perfdata_reader__extent(const struct perfdata_reader *reader);
/*
 * The bytes of header feature @id (HEADER_*, layout.h), as they stand in the file. NULL if
 * it does not exist, lies beyond the file's end, or is over 64 MiB with those read before.
 * In a pipe: what has been read so far, with up to seven bytes of padding.
 * PERFSTAMP_FEATURE is the text alone.
 */
const void *perfdata_reader__feature(
	const struct perfdata_reader *reader, unsigned int id, size_t *ret_size);
/* How many features lie beyond the file's end, all or in part; 0 for a pipe. */
size_t perfdata_reader__n_cut_features(const struct perfdata_reader *reader);
/* Its position according to the file, which may be wrong; false if the file has none. */
bool perfdata_reader__feature_section(const struct perfdata_reader *reader, unsigned int id,
	uint64_t *ret_offset, uint64_t *ret_size);
bool perfdata_reader__is_directory(const struct perfdata_reader *reader);
/* A missing file of a directory, if a later one exists; or NULL. */
const char *perfdata_reader__missing_file(const struct perfdata_reader *reader);
/* The file of the last event: its path, or the given name. */
const char *perfdata_reader__file_name(const struct perfdata_reader *reader);
/* Of the next record, in that file. */
uint64_t perfdata_reader__offset(const struct perfdata_reader *reader);
/*
 * The progress of reading, in bytes of all files of the recording. *@ret_total is 0 if the
 * size is not known, as in a pipe.
 */
void perfdata_reader__progress(
	const struct perfdata_reader *reader, uint64_t *ret_done, uint64_t *ret_total);
/* Of the file with the header. */
uint64_t perfdata_reader__data_start(const struct perfdata_reader *reader);
uint64_t perfdata_reader__data_end(const struct perfdata_reader *reader); /* 0 in a pipe */

#endif
