/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes map events with build-ids of the kernel's and the modules' text from /proc and /sys, as it
 * is when recording begins. The events are like those of perf's own synthesis
 * (tools/perf/util/synthetic-events.c), so that perf resolves them. Does not know any file format
 * or model.
 */
#ifndef PERFSTAMP_SOURCE_PROC_KERNEL_H
#define PERFSTAMP_SOURCE_PROC_KERNEL_H

#include <stddef.h>

#include "user/base/error.h"
#include "user/event/event.h"

/*
 * The event and the data that it points to are valid during the call. A nonzero result ends the
 * walk.
 */
typedef int proc_event_fn(void *ctx, const struct event *event);

/*
 * Reports a module's text, build-id and state from the kernel's own data: /sys has the text's
 * address, but its size only indirectly. Returns 0 or -errno.
 */
typedef int proc_module_fn(void *ctx, const char *name, struct perfstamp_module_state *ret);

struct proc_kernel_counts {
	size_t maps;     /* events made */
	size_t hidden;   /* left out: kptr_restrict hides the addresses */
	size_t vanished; /* left out: modules unloaded or not yet loaded meanwhile */
	size_t without_build_id;
	size_t without_path; /* modules whose file is not known: named [module] */
};

/*
 * Calls @fn for the kernel, "[kernel.kallsyms]_text", and for each module that exists: an
 * EVENT_MODULE with its path, or with "[NAME]" if the path is not known. For a module that is being
 * unloaded, the event is UNLOAD instead of LOAD.
 *
 * @module, unless it is NULL, is called first; what it does not report is taken from /sys. Events
 * have time 0, pid UINT32_MAX and PERF_RECORD_MISC_KERNEL. Text that cannot be described is skipped
 * and counted. @root goes before /proc, /sys and /lib/modules and is "" outside of tests.
 *
 * Returns 0, what @fn returned, -ENOMEM, or -errno if /proc/kallsyms or /proc/modules cannot be
 * read at all. A kernel without modules is no error.
 */
int proc_kernel__synthesize(const char *root, proc_module_fn *module, proc_event_fn *fn, void *ctx,
	struct proc_kernel_counts *ret_counts, struct error *err);
/* Does the same for the modules alone. */
int proc_kernel__modules(const char *root, proc_module_fn *module, proc_event_fn *fn, void *ctx,
	struct proc_kernel_counts *ret_counts, struct error *err);

/* Reads the running kernel's build-id into @identity: source KERNEL, or a reason. */
void proc_kernel__identity(const char *root, struct perfstamp_identity *identity);
/* Reads a loaded module's build-id in the same way. */
void proc_kernel__module_identity(
	const char *root, const char *module, struct perfstamp_identity *identity);

#endif
