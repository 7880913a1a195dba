/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last part of a recording, kept in memory until it is requested (--overwrite). It
 * consists of pieces, each of which begins with the state at that time, so that the oldest
 * piece can be dropped at any time. A file consists of the start of the oldest piece, its
 * records, and the records of the others. Does not know the source of records, nor the
 * state.
 */
#ifndef PERFSTAMP_RECORD_FLIGHT_H
#define PERFSTAMP_RECORD_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/perfdata/write/writer.h"

struct flight;

/* The minimum size in bytes, and the default size. */
#define FLIGHT_BYTES_LEAST (1u << 20)
#define FLIGHT_BYTES_DEFAULT (64u << 20)

struct flight_bounds {
	uint64_t bytes; /* approximate size; 0: no flight recorder */
	/* minimum time to keep, if the size allows it; 0: as long as the size allows */
	uint64_t ns;
};

/* Returns 0 or -ENOMEM. */
int flight__new(struct flight **ret, const struct flight_bounds *bounds);
void flight__free(struct flight *flight);

/*
 * Begins a piece at @now_ns (monotonic). *@ret_fd, which the flight owns, receives its file.
 * Returns 0 or -errno with text.
 */
int flight__begin(struct flight *flight, uint64_t now_ns, int *ret_fd, struct error *err);
/* Its records begin at @data; those after its initial state begin at @own. */
void flight__begun(struct flight *flight, uint64_t data, uint64_t own);

/* Whether it is time for the next piece; the current one has @size bytes. */
bool flight__is_full(const struct flight *flight, uint64_t size, uint64_t now_ns);
/* Reports that the file of the current piece has @size bytes now. */
void flight__grown(struct flight *flight, uint64_t size);

/* Drops the oldest pieces beyond the limits, but keeps at least two. Returns their number. */
size_t flight__trim(struct flight *flight, uint64_t now_ns);
/* Drops all pieces but the newest. Returns their number. */
size_t flight__reset(struct flight *flight);

size_t flight__n(const struct flight *flight);
/* For the oldest piece: return when it began, monotonic; and the bytes of its initial state. */
uint64_t flight__begin_ns(const struct flight *flight);
uint64_t flight__begin_size(const struct flight *flight);
uint64_t flight__bytes(const struct flight *flight);

/* Copies all pieces to @writer, which has begun. Returns 0 or -errno with text. */
int flight__copy(const struct flight *flight, struct perfdata_writer *writer, struct error *err);

#endif
