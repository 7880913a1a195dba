// SPDX-License-Identifier: GPL-2.0-only
/* See threads.h. */
#include "user/view/export/threads.h"

#include <errno.h>
#include <stdlib.h>

static const struct sample_sum *sum_of(const struct export_source *of, uint32_t sample)
{
	return samples__at(of->samples, of->by_time[sample].sum);
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_threads(const struct sample_sum *x, const struct sample_sum *y)
{
	int order = compare(x->event, y->event);

	if (!order)
		order = compare(x->pid, y->pid);
	return order ? order : compare(x->tid, y->tid);
}

static int by_thread(const void *a, const void *b, void *ctx)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = compare_threads(sum_of(ctx, x), sum_of(ctx, y));

	return order ? order : compare(x, y);
}

/* Names the process of the threads from @from to @to, which are those of one process and event. */
static void name_process(struct export_thread *from, const struct export_thread *to)
{
	const char *name = from->comm;

	for (const struct export_thread *at = from; at < to; at++)
		if (at->tid == at->pid)
			name = at->comm;
	for (; from < to; from++)
		from->process = name;
}

static void name_processes(struct export_threads *threads)
{
	struct export_thread *from = threads->v, *end = threads->v + threads->n, *at;

	for (; from < end; from = at) {
		for (at = from + 1; at < end && at->pid == from->pid && at->event == from->event;)
			at++;
		name_process(from, at);
	}
}

int export_threads__find(struct export_threads *ret, const struct export_profile *profile)
{
	const struct export_source *of = profile->of;
	size_t n = 0, end;

	*ret = (struct export_threads){
		.samples = calloc(of->n_by_time + 1, sizeof(*ret->samples)),
		.v = calloc(of->n_by_time + 1, sizeof(*ret->v)),
	};
	if (!ret->samples || !ret->v)
		return -ENOMEM;
	for (size_t i = 0; i < of->n_by_time; i++)
		if (of->wanted[of->by_time[i].sum])
			ret->samples[n++] = i;
	qsort_r(ret->samples, n, sizeof(*ret->samples), by_thread, (void *)of);
	for (size_t i = 0; i < n; i = end) {
		const struct sample_sum *first = sum_of(of, ret->samples[i]);

		for (end = i + 1; end < n;)
			if (!compare_threads(first, sum_of(of, ret->samples[end])))
				end++;
			else
				break;
		ret->v[ret->n++] = (struct export_thread){
			.event = first->event,
			.pid = first->pid,
			.tid = first->tid,
			.comm = samples__text(of->samples, sum_of(of, ret->samples[end - 1])->comm),
			.v = ret->samples + i,
			.n = end - i,
		};
	}
	name_processes(ret);
	return 0;
}

void export_threads__free(struct export_threads *threads)
{
	free(threads->samples);
	free(threads->v);
}
