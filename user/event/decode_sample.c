// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples, see decode_sample.h and perf_output_sample() in kernel/events/core.c of Linux.
 * All known fields are read, needed or not, because perf refuses a whole file for one
 * sample with contradictory sizes. Fields that later kernels append are ignored.
 */
#include "user/event/decode_sample.h"

/* Linux 6.8; the build machine's headers may not have it. */
#define SAMPLE_BRANCH_COUNTERS (1ull << 19)

static void decode_callchain(struct cursor *body, struct event *ret, struct buffer *scratch)
{
	const uint8_t *begin = body->at;
	uint64_t n = cursor__u64(body);
	uint64_t *chain;

	ret->sample.callchain_at = begin - (const uint8_t *)ret->raw;
	if (n > cursor__remaining(body) / sizeof(*chain)) {
		body->failed = true;
		return;
	}
	ret->sample.n_callchain = n;
	if (!body->swap && (uintptr_t)body->at % sizeof(*chain) == 0) {
		ret->sample.callchain = cursor__bytes(body, n * sizeof(*chain));
		return;
	}
	chain = buffer__extend(scratch, n * sizeof(*chain));
	for (uint64_t i = 0; chain && i < n; i++)
		chain[i] = cursor__u64(body);
	ret->sample.callchain = chain;
}

static void skip_words(struct cursor *body, uint64_t n)
{
	/* A product that overflows must make the cursor fail, and not wrap around. */
	cursor__skip(body, n > UINT64_MAX / 8 ? UINT64_MAX : 8 * n);
}

static void decode_counts(
	const struct attr_layout *layout, struct cursor *body, struct event_counts *ret)
{
	uint64_t format = layout->read_format;
	bool group = format & PERF_FORMAT_GROUP;
	size_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		       !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t n = group ? cursor__u64(body) : 1;
	/*
	 * A group has its times before its values. A single event has them between its value and
	 * its id.
	 */
	size_t before = group ? times : 0, within = group ? 0 : times;

	skip_words(body, before);
	*ret = (struct event_counts){
		.bytes = body->at,
		.n = n,
		.words = 1 + within + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST),
		.id = format & PERF_FORMAT_ID ? 1 + within : 0,
		.swap = body->swap,
	};
	skip_words(body, n > UINT64_MAX / 8 ? UINT64_MAX : n * ret->words);
	if (body->failed)
		*ret = (struct event_counts){0};
}

static void decode_branch_stack(
	const struct attr_layout *layout, struct cursor *body, struct event_branches *ret)
{
	uint64_t n = cursor__u64(body);
	uint64_t each = 3; /* from, to, flags */

	if (layout->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		cursor__u64(body);
	if (layout->branch_sample_type & SAMPLE_BRANCH_COUNTERS)
		each++;
	*ret = (struct event_branches){body->at, n, each, body->swap};
	skip_words(body, n > UINT64_MAX / 8 ? UINT64_MAX : n * each);
	if (body->failed)
		*ret = (struct event_branches){0};
}

static void decode_user_stack(
	const struct attr_layout *layout, struct cursor *body, struct event_user_stack *ret)
{
	const uint8_t *regs = body->at;
	uint64_t abi = 0, size, filled;

	if (layout->sample_type & PERF_SAMPLE_REGS_USER) {
		abi = cursor__u64(body);
		regs = body->at;
		if (abi)
			skip_words(body, __builtin_popcountll(layout->regs_user));
	}
	if (!(layout->sample_type & PERF_SAMPLE_STACK_USER))
		return;
	size = cursor__u64(body);
	if (!size)
		return;
	*ret = (struct event_user_stack){
		.bytes = regs,
		.stack = body->at - regs,
		.regs = layout->regs_user,
		.abi = abi,
		.swap = body->swap,
	};
	cursor__skip(body, size);
	ret->size = body->at - regs;
	filled = cursor__u64(body);
	if (filled > size)
		body->failed = true;
	ret->stack_size = filled;
	if (body->failed || !abi)
		*ret = (struct event_user_stack){0}; /* the sample is of a kernel thread */
}

/* The fields after the callchain. */
static void decode_rest(const struct attr_layout *layout, struct cursor *body, struct event *ret)
{
	uint64_t type = layout->sample_type;

	if (type & PERF_SAMPLE_RAW)
		cursor__skip(body, cursor__u32(body));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		decode_branch_stack(layout, body, &ret->sample.branches);
	decode_user_stack(layout, body, &ret->sample.user);
	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		cursor__u64(body);
	if (type & PERF_SAMPLE_DATA_SRC)
		cursor__u64(body);
	if (type & PERF_SAMPLE_TRANSACTION)
		cursor__u64(body);
	if (type & PERF_SAMPLE_REGS_INTR && cursor__u64(body))
		skip_words(body, __builtin_popcountll(layout->regs_intr));
	if (type & PERF_SAMPLE_PHYS_ADDR)
		cursor__u64(body);
	if (type & PERF_SAMPLE_CGROUP)
		ret->sample.cgroup = cursor__u64(body);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		cursor__u64(body);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		cursor__u64(body);
	if (type & PERF_SAMPLE_AUX)
		cursor__skip(body, cursor__u64(body));
}

void decode_sample(const struct attr_layout *layout, struct cursor *body, struct event *ret,
	struct buffer *scratch)
{
	uint64_t type = layout->sample_type;
	struct event_sample *sample = &ret->sample;

	ret->kind = EVENT_SAMPLE;
	if (type & PERF_SAMPLE_IDENTIFIER)
		sample->id = cursor__u64(body);
	if (type & PERF_SAMPLE_IP)
		sample->ip = cursor__u64(body);
	if (type & PERF_SAMPLE_TID) {
		ret->pid = cursor__u32(body);
		ret->tid = cursor__u32(body);
	}
	if (type & PERF_SAMPLE_TIME)
		ret->time_ns = cursor__u64(body);
	if (type & PERF_SAMPLE_ADDR)
		sample->addr = cursor__u64(body);
	if (type & PERF_SAMPLE_ID)
		sample->id = cursor__u64(body);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor__u64(body);
	if (type & PERF_SAMPLE_CPU) {
		ret->cpu = cursor__u32(body);
		cursor__u32(body);
	}
	if (type & PERF_SAMPLE_PERIOD)
		sample->period = cursor__u64(body);
	if (type & PERF_SAMPLE_READ)
		decode_counts(layout, body, &sample->counts);
	if (type & PERF_SAMPLE_CALLCHAIN)
		decode_callchain(body, ret, scratch);
	decode_rest(layout, body, ret);
}
