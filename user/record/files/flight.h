/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last part of a recording, held in memory until it is asked for (--overwrite). It is
 * held in pieces, each of which begins with what is alive then, so that the oldest can go
 * at any time and what is left stands alone: a file is the start of the oldest piece, its
 * records, and the records of the others. Does not know where records come from and of what
 * is alive.
 */
#ifndef PERFSTAMP_RECORD_FLIGHT_H
#define PERFSTAMP_RECORD_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/perfdata/write/writer.h"

struct flight;

/* Least bytes that may be asked for, and what is held if nothing is said. */
#define FLIGHT_BYTES_LEAST (1u << 20)
#define FLIGHT_BYTES_DEFAULT (64u << 20)

struct flight_bounds {
	uint64_t bytes; /* that are held, nearly; 0: nothing is held */
	uint64_t ns;    /* so long at least, if the bytes allow; 0: as long as they allow */
};

/* Returns 0 or -ENOMEM. */
int flight__new(struct flight **ret, const struct flight_bounds *bounds);
void flight__free(struct flight *flight);

/*
 * Begins a piece at @now_ns (monotonic): *@ret_fd, which stays the flight's, is what its
 * file goes to. Returns 0 or -errno with text.
 */
int flight__begin(struct flight *flight, uint64_t now_ns, int *ret_fd, struct error *err);
/* Its records begin at @data, and at @own those that are not what it begins with. */
void flight__begun(struct flight *flight, uint64_t data, uint64_t own);

/* Whether it is time for the next piece; the one that is written has @size bytes. */
bool flight__is_full(const struct flight *flight, uint64_t size, uint64_t now_ns);
/* The piece being written has @size bytes in its file now. */
void flight__grown(struct flight *flight, uint64_t size);

/* Lets go of the oldest pieces that are too many, but of the newest two. How many. */
size_t flight__trim(struct flight *flight, uint64_t now_ns);
/* Lets go of all but the newest. How many. */
size_t flight__reset(struct flight *flight);

size_t flight__n(const struct flight *flight);
/* Of the oldest piece: when it began, monotonic; and what it began with, bytes. */
uint64_t flight__begin_ns(const struct flight *flight);
uint64_t flight__begin_size(const struct flight *flight);
uint64_t flight__bytes(const struct flight *flight);

/* Copies all that is held to @writer, which is begun. Returns 0 or -errno with text. */
int flight__copy(const struct flight *flight, struct perfdata_writer *writer, struct error *err);

#endif
