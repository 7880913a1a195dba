// SPDX-License-Identifier: GPL-2.0-only
/* See parallelism.h. */
#include "user/cli/report/parallelism.h"

#include "user/base/cursor.h"
#include "user/perfdata/layout.h"

#define ALONE_PERCENT 99 /* perf's limit: above it, latencies are nearly equal to periods */

void parallelism__begin(struct parallelism *parallelism)
{
	/* The first thread runs without a context switch. */
	*parallelism = (struct parallelism){.level = 1};
}

static uint32_t read_cpus(const struct perfdata_reader *reader)
{
	struct cursor in;
	size_t size;
	const void *bytes = perfdata_reader__feature(reader, HEADER_NRCPUS, &size);
	uint32_t n;

	if (!bytes)
		return 0;
	cursor__init(&in, bytes, size, perfdata_reader__is_foreign_order(reader));
	n = cursor__u32(&in);
	return in.failed ? 0 : n;
}

void parallelism__take(struct parallelism *parallelism, const struct perfdata_reader *reader,
	const struct event *event)
{
	/* No context switch follows an exit. */
	if (event->kind == EVENT_EXIT)
		parallelism->level--;
	if (event->type != PERF_RECORD_SWITCH && event->type != PERF_RECORD_SWITCH_CPU_WIDE)
		return;
	if (!parallelism->switches)
		parallelism->n_cpus = read_cpus(reader);
	parallelism->switches = true;
	parallelism->level += event->misc & PERF_RECORD_MISC_SWITCH_OUT ? -1 : 1;
}

static uint32_t count(void *ctx, const struct model *model, const struct event *event)
{
	struct parallelism *parallelism = ctx;
	int64_t level = parallelism->level;

	(void)model;
	(void)event;
	if (parallelism->n_cpus && level > parallelism->n_cpus)
		level = parallelism->n_cpus;
	if (level < 1)
		level = 1;
	parallelism->n_samples++;
	parallelism->n_alone += level == 1;
	return level;
}

void parallelism__of_samples(struct parallelism *parallelism, struct samples_options *ret)
{
	ret->group = count;
	ret->group_ctx = parallelism;
	ret->parallel = true;
}

bool parallelism__is_worth_showing(const struct parallelism *parallelism)
{
	return parallelism->switches &&
	       parallelism->n_alone * 100 < parallelism->n_samples * ALONE_PERCENT;
}
