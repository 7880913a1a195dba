/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is alive: the kernel's text, processes with their threads and mappings,
 * cgroups, namespaces, symbols and BPF programs; from events in time order, and back
 * to events that make a reader know it all, with which a next file of a recording
 * begins. Keeps nothing of what was: its memory follows what is alive. Modules are no
 * part of it (record/kernel/module_writer.h). Pure: no I/O, no clock.
 */
#ifndef PERFSTAMP_MODEL_ALIVE_H
#define PERFSTAMP_MODEL_ALIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/alive/alive_fn.h"

struct alive;

int alive__new(struct alive **ret);
void alive__free(struct alive *alive);

/*
 * Takes the next event in time order; of a time before what it is about began it is
 * skipped, as are kinds that are not kept. Returns 0 or -ENOMEM.
 */
int alive__apply(struct alive *alive, const struct event *event);

/*
 * Tells the maps of the kernel's image; and all the rest: symbols, BPF programs,
 * cgroups, and the processes. What perf must know before its first record has time 0;
 * mappings have the time at which they were made, but no later than @now_ns, and are
 * PERFSTAMP_MAP_SNAPSHOT.
 */
int alive__synthesize_image(const struct alive *alive, alive_fn *fn, void *ctx);
int alive__synthesize(const struct alive *alive, uint64_t now_ns, alive_fn *fn, void *ctx);

bool alive__has_program(const struct alive *alive, uint32_t id);
/*
 * Where something was lost: reports as unloaded each BPF program that is none of these @n,
 * which are all that exist, in ascending order. Forgets none.
 */
int alive__unload_gone_programs(
	const struct alive *alive, const uint32_t *ids, size_t n, alive_fn *fn, void *ctx);

/*
 * Asks of up to @max cgroups that no living process is known to be in whether they
 * exist, going round; forgets those that do not. Returns how many.
 */
size_t alive__look_at_cgroups(
	struct alive *alive, size_t max, bool (*exists)(void *ctx, uint64_t id), void *ctx);

/* What can be left out where memory is short, in the order in which it is. */
enum alive_part {
	ALIVE_THREAD_NAMES, /* threads other than the first of a process */
	ALIVE_NAMESPACES,
	ALIVE_CGROUPS, /* paths */
	ALIVE_PARTS,
};

/* Forgets these, and takes none any more. Returns how many were forgotten. */
size_t alive__leave_out(struct alive *alive, enum alive_part part);

/* Goes through all processes. */
void alive__count(const struct alive *alive, struct alive_counts *ret);

#endif
