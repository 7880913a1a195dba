/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The current state: the kernel's text, processes with their threads and mappings, cgroups,
 * namespaces, symbols and BPF programs. Events in time order change it. The next file of a
 * recording begins with events that describe it. It keeps nothing that has ended, so its memory
 * follows what exists. It does not contain modules (record/kernel/module_writer.h). Pure: no I/O,
 * no clock.
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
 * Applies the next event in time order. Skips kinds of events that are not kept, and events that
 * are older than the process or object that they change. Returns 0 or -ENOMEM.
 */
int alive__apply(struct alive *alive, const struct event *event);

/*
 * Call @fn with events that describe the kernel's image, and with events for the rest: symbols, BPF
 * programs, cgroups and processes. Events that perf needs before its first record have time 0. Map
 * events are PERFSTAMP_MAP_SNAPSHOT; their time is when the mapping was made, but at most @now_ns.
 */
int alive__synthesize_image(const struct alive *alive, alive_fn *fn, void *ctx);
int alive__synthesize(const struct alive *alive, uint64_t now_ns, alive_fn *fn, void *ctx);

bool alive__has_program(const struct alive *alive, uint32_t id);
/*
 * After a loss, reports each BPF program that is not in the list as unloaded. The list has the
 * numbers of all @n existing programs in ascending order. Does not remove any program from the
 * state.
 */
int alive__unload_gone_programs(
	const struct alive *alive, const uint32_t *ids, size_t n, alive_fn *fn, void *ctx);

/*
 * Checks whether cgroups still exist, for up to @max of those that no known process uses, and
 * removes those that do not. Each call continues where the previous one ended. Returns the number
 * of removed cgroups.
 */
size_t alive__look_at_cgroups(
	struct alive *alive, size_t max, bool (*exists)(void *ctx, uint64_t id), void *ctx);

/* The parts that are omitted if memory is short, in this order. */
enum alive_part {
	ALIVE_THREAD_NAMES, /* names and namespaces of threads other than leaders */
	ALIVE_NAMESPACES,
	ALIVE_CGROUPS, /* paths of cgroups */
	ALIVE_PARTS,
};

/* Removes this part, and stops keeping it. Returns the number of removed entries. */
size_t alive__leave_out(struct alive *alive, enum alive_part part);

/* Counts what exists. Visits all processes. */
void alive__count(const struct alive *alive, struct alive_counts *ret);

#endif
