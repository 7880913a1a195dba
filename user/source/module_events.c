// SPDX-License-Identifier: GPL-2.0-only
/* See module_events.h. */
#include "user/source/module_events.h"

#include <errno.h>
#include <stdlib.h>

#include "user/source/bpf/modules.h"
#include "user/source/perf/modules.h"

/* One of the two is NULL. */
struct module_events {
	struct bpf_modules *bpf;
	struct perf_modules *perf;
};

int module_events__new(struct module_events **ret, bool native, struct error *err)
{
	struct module_events *events = calloc(1, sizeof(*events));
	int code;

	*ret = NULL;
	if (!events)
		return error__set(err, -ENOMEM, "out of memory");
	code = native ? perf_modules__new(&events->perf, err) : bpf_modules__new(&events->bpf, err);
	if (code)
		free(events);
	else
		*ret = events;
	return code;
}

void module_events__free(struct module_events *events)
{
	if (!events)
		return;
	bpf_modules__free(events->bpf);
	perf_modules__free(events->perf);
	free(events);
}

int module_events__fd(const struct module_events *events)
{
	return events->perf ? perf_modules__fd(events->perf) : bpf_modules__fd(events->bpf);
}

int module_events__drain(
	struct module_events *events, bool last, module_event_fn *fn, void *ctx, struct error *err)
{
	return events->perf ? perf_modules__drain(events->perf, last, fn, ctx, err)
			    : bpf_modules__drain(events->bpf, fn, ctx);
}

bool module_events__look_at_cpus(struct module_events *events)
{
	return events->perf && perf_modules__look_at_cpus(events->perf);
}

uint64_t module_events__lost(const struct module_events *events)
{
	return events->perf ? perf_modules__lost(events->perf) : bpf_modules__lost(events->bpf);
}

int module_events__read(
	struct module_events *events, const char *name, struct perfstamp_module *ret)
{
	return events->perf ? -EOPNOTSUPP : bpf_modules__read(events->bpf, name, ret);
}
