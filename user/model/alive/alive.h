/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The current state: the kernel's text, processes with their threads and mappings, cgroups,
 * namespaces, symbols and BPF programs. It is built from events in time order, and
 * converted back to events, with which the next file of a recording begins. Keeps nothing
 * that has ended, so its memory follows what exists. Modules are no part of it
 * (record/kernel/module_writer.h). Pure: no I/O, no clock.
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
 * Applies the next event in time order. Skips an event that is older than its subject, and
 * kinds that are not kept. Returns 0 or -ENOMEM.
 */
int alive__apply(struct alive *alive, const struct event *event);

/*
 * Pass on events for the kernel's image, and for all the rest: symbols, BPF programs,
 * cgroups and processes. Events that perf needs before its first record have time 0.
 * Mappings have the time at which they were made, but not later than @now_ns, and are
 * PERFSTAMP_MAP_SNAPSHOT.
 */
int alive__synthesize_image(const struct alive *alive, alive_fn *fn, void *ctx);
int alive__synthesize(const struct alive *alive, uint64_t now_ns, alive_fn *fn, void *ctx);

bool alive__has_program(const struct alive *alive, uint32_t id);
/*
 * After a loss: reports as unloaded each BPF program that is not among these @n, which are
 * all that exist, in ascending order. Removes none.
 */
int alive__unload_gone_programs(
	const struct alive *alive, const uint32_t *ids, size_t n, alive_fn *fn, void *ctx);

/*
 * Checks up to @max cgroups without a known process for existence, in turn, and removes
 * those that do not exist. Returns the number of removed ones.
 */
size_t alive__look_at_cgroups(
	struct alive *alive, size_t max, bool (*exists)(void *ctx, uint64_t id), void *ctx);

/* What is omitted if memory is short, in this order. */
enum alive_part {
	ALIVE_THREAD_NAMES, /* threads other than the first of a process */
	ALIVE_NAMESPACES,
	ALIVE_CGROUPS, /* paths */
	ALIVE_PARTS,
};

/* Removes these, and keeps no new ones. Returns the number of removed ones. */
size_t alive__leave_out(struct alive *alive, enum alive_part part);

/* Goes through all processes. */
void alive__count(const struct alive *alive, struct alive_counts *ret);

#endif
