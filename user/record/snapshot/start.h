/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records the state that existed before recording: the kernel and its modules, and the threads and
 * mappings of the recorded processes.
 */
#ifndef PERFSTAMP_RECORD_START_H
#define PERFSTAMP_RECORD_START_H

#include "user/base/error.h"
#include "user/record/kernel/bpf_record.h"
#include "user/record/maps/map_writer.h"
#include "user/record/kernel/module_writer.h"
#include "user/record/snapshot/tail.h"
#include "user/source/bpf/bpf.h"
#include "user/source/bpf/task_tree.h"
#include "user/source/kernel/symbols.h"
#include "user/source/perf/evlist.h"

/*
 * Adds the processes that @events names to @tree; a workload counts from its exec on. Returns 0 or
 * -errno.
 */
int start__follow(struct task_tree *tree, const struct evlist_options *events, struct error *err);

/*
 * Adds to @tree the children of its processes that could not be followed, as far as there is room
 * now; *@ret_n is their number. Returns 0, 1 if there is not enough room, or -errno.
 */
int start__follow_children(struct task_tree *tree, size_t *ret_n, struct error *err);

/*
 * Writes the maps of the kernel and its modules, and the BPF programs, which are also passed to
 * @record (or NULL). If something is hidden, a note reports that.
 */
int start__kernel(struct map_writer *maps, struct module_writer *modules, struct bpf_record *record,
	void (*note)(const char *text, void *ctx), void *ctx, struct error *err);

/*
 * Writes the symbols of text without a map, once they have been read. With @wait, waits until they
 * have been read. After writing, frees *@symbols and sets it to NULL. Otherwise, or if *@symbols is
 * NULL, does nothing.
 */
int start__symbols(
	struct kernel_symbols **symbols, bool wait, struct map_writer *maps, struct error *err);

/*
 * Stores which tasks to record at the end (tail.h). For a workload alone there are none, and *@ret
 * is NULL. Returns 0 or -errno.
 */
int start__remember(struct tail **ret, const struct evlist_options *events, struct error *err);

/*
 * Writes the current threads and mappings: from the BPF iterators, or from /proc if there are none
 * (@bpf and @tree may be NULL). Writes nothing for a workload alone. After the start, children are
 * included. Of threads, only the names are written, and only if @maps records them.
 */
int start__snapshot(struct bpf_source *bpf, const struct task_tree *tree,
	const struct evlist_options *events, struct map_writer *maps, struct error *err);

/* Writes mappings that may be read but not executed, as unwinding needs them; from /proc. */
int start__data_maps(
	const struct evlist_options *events, struct map_writer *maps, struct error *err);

/* Writes the namespaces of the existing threads, including a workload's. */
int start__namespaces(
	const struct evlist_options *events, struct map_writer *maps, struct error *err);
/*
 * With context switches: records that a workload, which waits for its exec, is on no CPU. The
 * kernel only reports its return to a CPU. perf, whose own events begin at the exec, assumes that
 * one task runs at the beginning.
 */
int start__waiting(const struct evlist_options *events, struct map_writer *maps, struct error *err);

#endif
