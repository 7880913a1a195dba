/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of kernel modules, either by BPF (bpf/modules.h), or from the kernel's own records
 * (perf/modules.h).
 */
#ifndef PERFSTAMP_SOURCE_MODULE_EVENTS_H
#define PERFSTAMP_SOURCE_MODULE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/base/error.h"

struct module_events;

/*
 * From now on, each missed event is counted in the losses. @native: uses the kernel's records,
 * without BPF. Returns 0; -ENOSYS if the kernel has no modules; -ENOMEM; or -errno if the kernel
 * lacks a feature, or the process a privilege.
 */
int module_events__new(struct module_events **ret, bool native, struct error *err);
void module_events__free(struct module_events *events);

/*
 * Like the functions of the same names in bpf/modules.h. @last: nothing is kept for the next drain.
 */
typedef int module_event_fn(const struct perfstamp_module *record, void *ctx);
int module_events__fd(const struct module_events *events);
int module_events__drain(
	struct module_events *events, bool last, module_event_fn *fn, void *ctx, struct error *err);
/* Like perf_modules__look_at_cpus(). With BPF, there is nothing to do: it sees all CPUs. */
bool module_events__look_at_cpus(struct module_events *events);
uint64_t module_events__lost(const struct module_events *events);

/*
 * Describes a loaded module. With the kernel's records, returns -EOPNOTSUPP: they report changes
 * only.
 */
int module_events__read(
	struct module_events *events, const char *name, struct perfstamp_module *ret);

#endif
