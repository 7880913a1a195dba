/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes perf.data, as a file or as a pipe. A file can be read at any moment: data.size is
 * rewritten after each round and never points beyond the written data; the feature sections come at
 * the end. Does not know where records come from.
 */
#ifndef PERFSTAMP_PERFDATA_WRITER_H
#define PERFSTAMP_PERFDATA_WRITER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/event/event.h"

struct perfdata_writer;

/*
 * Creates a writer to @fd, which the caller owns; @name is for error texts. With @pipe, writes the
 * pipe format and never seeks. Output is buffered. The error of a write sticks, and every later
 * call returns it. Returns 0 or -ENOMEM.
 */
int perfdata_writer__new(struct perfdata_writer **ret, int fd, const char *name, bool pipe);
/*
 * The same for the next file of a recording: with the events, the compression and the machine's
 * features of @from. The caller adds features about the file's own data, and begins the file. With
 * @plain, it has only the events, for records that are copied. Returns 0 or -ENOMEM.
 */
int perfdata_writer__new_like(struct perfdata_writer **ret, const struct perfdata_writer *from,
	int fd, const char *name, bool plain);
void perfdata_writer__free(struct perfdata_writer *writer);

/*
 * Adds an event's attribute, its name (for EVENT_DESC) and the ids that the kernel gave to its file
 * descriptors. Must be called before perfdata_writer__begin(). Returns -EINVAL if an attribute
 * lacks sample_id_all, or if there are several and one lacks PERF_SAMPLE_IDENTIFIER.
 */
int perfdata_writer__add_attr(struct perfdata_writer *writer, const struct perf_event_attr *attr,
	const char *name, const uint64_t *ids, size_t n_ids, struct error *err);

/*
 * Writes COMPRESSED records, with zstd's @level from 1 to 22. Each round ends with a whole
 * COMPRESSED record. Must be called before perfdata_writer__begin().
 */
int perfdata_writer__compress(struct perfdata_writer *writer, int level, struct error *err);

/* Writes the header with data.size 0 and the attributes. */
int perfdata_writer__begin(struct perfdata_writer *writer, struct error *err);

/* Appends whole records as written by the kernel. */
int perfdata_writer__raw(
	struct perfdata_writer *writer, const void *bytes, size_t size, struct error *err);

/*
 * Appends the record made from @event (MAP, COMM, FORK, EXIT, LOST, CGROUP, NAMESPACES, KSYMBOL,
 * BPF, MODULE, CODE), and the notes that it needs. Uses its kind, pid, tid, cpu, time_ns and misc.
 * A MAP becomes an MMAP2: with the build-id and PERF_RECORD_MISC_MMAP_BUILD_ID if it has one,
 * otherwise with dev, ino and generation. It refers to a note unless it is a map of the kernel. A
 * path is at most PATH_MAX, and so never too long for a record (64 KiB). A MODULE becomes, by its
 * type, an MMAP2 of the kernel at its path, or only a note. The trailer has the layout of
 * @attr_index's sample_type and its first id, by which readers find the attribute. An unknown cpu
 * is written as 0, as in perf.
 */
int perfdata_writer__event(struct perfdata_writer *writer, const struct event *event,
	size_t attr_index, struct error *err);

/*
 * Makes the writer write the needed notes again. For a caller that copies the following bytes
 * without the previous ones.
 */
void perfdata_writer__forget_notes(struct perfdata_writer *writer);

/* Ends a round: writes FINISHED_ROUND, flushes, and rewrites data.size (not in a pipe). */
int perfdata_writer__finish_round(struct perfdata_writer *writer, struct error *err);

/* The same without ending the round: the next records may have any time. */
int perfdata_writer__checkpoint(struct perfdata_writer *writer, struct error *err);

/* Writes FINISHED_INIT: the synthesized records are complete. */
int perfdata_writer__finish_init(struct perfdata_writer *writer, struct error *err);

/*
 * Keeps a copy of a header feature's bytes for the end of the file. In a pipe, writes a
 * HEADER_FEATURE record at once, or before begin together with the attributes. PERFSTAMP_FEATURE
 * requires VERSION, see layout.h. Features at which stock perf would stop are skipped in a pipe.
 * The writer itself makes EVENT_DESC and, in a file, SAMPLE_TIME. TRACING_DATA must be added before
 * begin, because perf cannot open a file of tracepoints without it: it is in the file from the
 * first checkpoint on.
 */
int perfdata_writer__feature(struct perfdata_writer *writer, unsigned int id, const void *bytes,
	size_t size, struct error *err);

/* Writes the rest, data.size, and the feature sections. Does not close the descriptor. */
int perfdata_writer__finish(struct perfdata_writer *writer, struct error *err);

/* Whether a write has failed. Nothing more can then be written to this file. */
bool perfdata_writer__is_stuck(const struct perfdata_writer *writer);

/* Samples up to the file's data.size, which a reader finds even if a write has failed. */
uint64_t perfdata_writer__samples(const struct perfdata_writer *writer);

/* Bytes of header and data written so far. */
uint64_t perfdata_writer__size(const struct perfdata_writer *writer);

#endif
