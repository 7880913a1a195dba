/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of kernel modules: by BPF (bpf/modules.h), or from the kernel's own records if it
 * has them (perf/modules.h).
 */
#ifndef PERFSTAMP_SOURCE_MODULE_EVENTS_H
#define PERFSTAMP_SOURCE_MODULE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/base/error.h"

struct module_events;

/*
 * From here on nothing is missed but what losses counts. @native: the kernel has records,
 * and BPF is left alone. Returns 0; -ENOSYS if the kernel has no modules; -ENOMEM; or
 * -errno of what it lacks, or of a privilege.
 */
int module_events__new(struct module_events **ret, bool native, struct error *err);
void module_events__free(struct module_events *events);

/* As the functions of bpf/modules.h of these names; @last: nothing is kept for the next drain. */
typedef int module_event_fn(const struct perfstamp_module *record, void *ctx);
int module_events__fd(const struct module_events *events);
int module_events__drain(
	struct module_events *events, bool last, module_event_fn *fn, void *ctx, struct error *err);
/* As perf_modules__look_at_cpus; BPF sees all CPUs. */
bool module_events__look_at_cpus(struct module_events *events);
uint64_t module_events__lost(const struct module_events *events);

/* Describes a loaded one. -EOPNOTSUPP by the kernel's records: they report changes only. */
int module_events__read(
	struct module_events *events, const char *name, struct perfstamp_module *ret);

#endif
