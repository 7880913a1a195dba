// SPDX-License-Identifier: GPL-2.0-only
/* See task_events.h. */
#include "user/source/perf/task_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "user/source/perf/open.h"
#include "user/source/perf/tree_plan.h"

/*
 * Before Linux 6.2, a task has separate contexts for hardware and software events, so the guard has
 * the type of the event.
 */
static int open_guard(const struct evsel *evsel, pid_t tid)
{
	struct perf_event_attr attr = {
		.type = evsel->attr.type,
		.size = PERF_ATTR_SIZE_VER5,
		.config = evsel->attr.config,
		.config1 = evsel->attr.config1,
		.config2 = evsel->attr.config2,
		.disabled = 1,
		.exclude_user = evsel->attr.exclude_user,
		.exclude_kernel = evsel->attr.exclude_kernel,
		.exclude_hv = evsel->attr.exclude_hv,
	};

	return perf_open(&attr, tid, -1);
}

static int open_clock(const struct perf_event_attr *sampled, pid_t tid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER5,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = sampled->enable_on_exec,
		/* With this bit, the clock counts the same and needs no privilege. */
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return perf_open(&attr, tid, -1);
}

static void open_guards(struct task_events *events, const struct perf_plan *plan, pid_t tid)
{
	for (size_t i = 0; i + 1 < plan->n; i++) {
		int fd = tree_plan__is_biased(&plan->evsels[i]) ? open_guard(&plan->evsels[i], tid)
								: -1;

		if (fd >= 0)
			events->guards[events->n_guards++] = fd;
	}
}

int task_events__open(struct task_events *events, const struct perf_plan *plan,
	const struct perf_target *target, const bool *gone)
{
	events->guards = calloc(target->n_tids * plan->n, sizeof(*events->guards));
	events->clocks = calloc(target->n_tids, sizeof(*events->clocks));
	if (!events->guards || !events->clocks)
		return -ENOMEM;
	events->on_exec = plan->evsels[0].attr.enable_on_exec;
	for (size_t t = 0; t < target->n_tids; t++) {
		if (gone[t])
			continue;
		open_guards(events, plan, target->tids[t]);
		if (tree_plan__sample_ns(plan))
			events->clocks[events->n_clocks++] = open_clock(
				&plan->evsels[0].attr, target->tids[t]);
	}
	return 0;
}

void task_events__close(struct task_events *events)
{
	for (size_t i = 0; i < events->n_guards; i++)
		close(events->guards[i]);
	for (size_t i = 0; i < events->n_clocks; i++)
		if (events->clocks[i] >= 0)
			close(events->clocks[i]);
	free(events->guards);
	free(events->clocks);
	memset(events, 0, sizeof(*events));
}

void task_events__enable(const struct task_events *events, bool enable)
{
	for (size_t i = 0; i < events->n_clocks; i++)
		if (events->clocks[i] >= 0)
			ioctl(events->clocks[i],
				enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

bool task_events__used(const struct task_events *events, uint64_t *ret)
{
	uint64_t ns;

	*ret = 0;
	for (size_t i = 0; i < events->n_clocks; i++) {
		if (events->clocks[i] < 0 || read(events->clocks[i], &ns, sizeof(ns)) != sizeof(ns))
			return false;
		*ret += ns;
	}
	return events->n_clocks;
}
