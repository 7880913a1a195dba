/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel modules by BPF: passes on records of loaded and unloaded modules, and describes a
 * module that is loaded. Independent of the rungs of source/bpf/bpf.h, and knows nothing of
 * perf events or files.
 */
#ifndef PERFSTAMP_SOURCE_BPF_MODULES_H
#define PERFSTAMP_SOURCE_BPF_MODULES_H

#include <stdint.h>

#include "perfstamp/record.h"
#include "user/base/error.h"

struct bpf_modules;

/*
 * Loads and attaches. After this call, every load and unload is recorded, or counted by
 * bpf_modules__lost. Returns 0; -EPERM without CAP_BPF and CAP_PERFMON; -ENOENT if the kernel has
 * no BTF; -ENOSYS if it has no modules; otherwise -errno.
 */
int bpf_modules__new(struct bpf_modules **ret, struct error *err);
void bpf_modules__free(struct bpf_modules *modules);

/*
 * Called with each record. Records of one CPU come in the order of their times. Those of different
 * CPUs may not. @record is valid during the call. A negative errno ends the walk.
 */
typedef int bpf_module_fn(const struct perfstamp_module *record, void *ctx);

/* For poll, with EPOLLET: signalled when the ring is filled to its threshold. */
int bpf_modules__fd(const struct bpf_modules *modules);
/* Calls @fn for each record in the ring. Returns 0, -errno, or what @fn returned. */
int bpf_modules__drain(struct bpf_modules *modules, bpf_module_fn *fn, void *ctx);

/*
 * Describes the loaded module @name, as a LOAD with the flag SNAPSHOT. Returns 0, -ENOENT if it is
 * not loaded, or -errno.
 */
int bpf_modules__read(struct bpf_modules *modules, const char *name, struct perfstamp_module *ret);

/* Records that were lost since the start: the ring was full, or a hook did not run. */
uint64_t bpf_modules__lost(const struct bpf_modules *modules);

#endif
