/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording has of the time before it: the kernel and its modules, and
 * the threads and mappings of the processes that are recorded.
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
#include "user/source/perf/event.h"

/* Puts into @tree what @events names, a workload as of its exec. Returns 0 or -errno. */
int start__follow(struct task_tree *tree, const struct evlist_options *events, struct error *err);

/*
 * Puts into @tree the children of its processes that could not be followed, as far as there
 * is room for them by now; *@ret_n is how many. 0, 1 if there is not room for all, or
 * -errno.
 */
int start__follow_children(struct task_tree *tree, size_t *ret_n, struct error *err);

/*
 * Writes the maps of the kernel and its modules, and BPF programs, which @record (or
 * NULL) gets; what is hidden becomes a note.
 */
int start__kernel(struct map_writer *maps, struct module_writer *modules, struct bpf_record *record,
	void (*note)(const char *text, void *ctx), void *ctx, struct error *err);

/*
 * Writes the symbols of text that is in no map, once they are read (with @wait:
 * in any case), and frees *@symbols, which becomes NULL. Till then, and where it
 * is NULL, nothing.
 */
int start__symbols(
	struct kernel_symbols **symbols, bool wait, struct map_writer *maps, struct error *err);

/*
 * Remembers which tasks to record at the end (tail.h); none for a workload alone, and *@ret
 * is then NULL. Returns 0 or -errno.
 */
int start__remember(struct tail **ret, const struct evlist_options *events, struct error *err);

/*
 * Writes threads and mappings as they are: by the BPF iterators, or from /proc
 * where there are none (@bpf and @tree may be NULL). Nothing for a workload alone. After
 * the start: of children, too; of threads their names only, and if @maps is
 * recording them.
 */
int start__snapshot(struct bpf_source *bpf, const struct task_tree *tree,
	const struct evlist_options *events, struct map_writer *maps, struct error *err);

/* Writes mappings that may be read but not executed, as unwinding needs them; from /proc. */
int start__data_maps(
	const struct evlist_options *events, struct map_writer *maps, struct error *err);

/* Writes the namespaces of the threads that exist; of a workload, too. */
int start__namespaces(
	const struct evlist_options *events, struct map_writer *maps, struct error *err);
/*
 * With context switches: writes that a workload, which waits for its exec, is on no CPU. The
 * kernel reports only that it returns to one; perf, whose own events begin at the exec, takes one
 * task to run at the beginning.
 */
int start__waiting(const struct evlist_options *events, struct map_writer *maps, struct error *err);

#endif
