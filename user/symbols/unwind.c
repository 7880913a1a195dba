// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwind: see unwind.h. This side has the child, and believes it nothing. A child that
 * ends, or is too slow, costs the sample that it was at and what it had read; not many of
 * them are made.
 */
#include "user/symbols/unwind.h"

#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/store/files/confined.h"
#include "user/symbols/progress.h"
#include "user/symbols/unwind_read.h"

#define CHILDREN_MAX 16
#define SILENCE_MS 300000 /* for one sample: a disk may be slow where the child is not */

/* DWARF's numbers of the registers of x86-64 to Linux's (PERF_REG_X86_*). */
static const uint8_t REGS[UNWIND_REGS] = {
	0, 3, 2, 1, 4, 5, 6, 7,         /* ax, dx, cx, bx, si, di, bp, sp */
	16, 17, 18, 19, 20, 21, 22, 23, /* r8 and on */
	8,                              /* ip */
};

struct slot {
	struct unwind_mapping *mappings; /* NULL: nothing is in it */
	size_t n;
};

struct unwind {
	struct symbols_options options;
	struct unwind_job job;
	struct unwind_outcome outcome;
	struct slot slots[UNWIND_SLOTS]; /* what the child has */
	uint32_t last;                   /* slot that was used */
	uint32_t next;                   /* to be filled anew */
	bool running;
	size_t children;
	struct confined child;
};

int unwind__new(struct unwind **ret, const struct symbols_options *options,
	const struct symbols_dso *dsos, size_t n, const struct code_names *code_names)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->options = *options;
	(*ret)->job = (struct unwind_job){&(*ret)->options, dsos, n, code_names};
	return 0;
}

static void end_child(struct unwind *unwind)
{
	if (unwind->running)
		confined__end(&unwind->child, true);
	unwind->running = false;
	for (size_t i = 0; i < UNWIND_SLOTS; i++) {
		free(unwind->slots[i].mappings);
		unwind->slots[i] = (struct slot){0};
	}
}

void unwind__free(struct unwind *unwind)
{
	if (!unwind)
		return;
	end_child(unwind);
	free(unwind);
}

static int start_child(struct unwind *unwind, struct error *err)
{
	const struct confined_options child = {
		.what = "unwinding stacks",
		.memory = unwind->job.options->memory,
		.silence_ms = SILENCE_MS,
		.run = unwind_read,
		.ctx = &unwind->job,
	};
	int failed = confined__start(&unwind->child, &child, err);

	unwind->running = !failed;
	unwind->children += !failed;
	return failed;
}

/* The registers by DWARF's numbers. Without one of them nothing can be told. */
static bool take_registers(const struct event_user_stack *stack, uint64_t *ret)
{
	if (stack->abi != PERF_SAMPLE_REGS_ABI_64)
		return false;
	for (size_t i = 0; i < UNWIND_REGS; i++) {
		uint64_t bit = 1ull << REGS[i];
		size_t at = sizeof(*ret) * __builtin_popcountll(stack->regs & (bit - 1));

		if (!(stack->regs & bit) || at + sizeof(*ret) > stack->stack)
			return false;
		memcpy(&ret[i], stack->bytes + at, sizeof(*ret));
		if (stack->swap)
			ret[i] = bswap_64(ret[i]);
	}
	return true;
}

static bool is_in(const struct slot *slot, const struct unwind_mapping *mappings, size_t n)
{
	return slot->mappings && slot->n == n &&
	       !memcmp(slot->mappings, mappings, n * sizeof(*mappings));
}

/* The slot that has these mappings, which the child is told. 1; 0: it has ended; -ENOMEM. */
static int find_slot(
	struct unwind *unwind, const struct unwind_mapping *mappings, size_t n, uint32_t *ret)
{
	struct unwind_request request = {.what = UNWIND_SET, .size = n};
	struct slot *slot = &unwind->slots[unwind->last];

	if (is_in(slot, mappings, n)) {
		*ret = unwind->last;
		return 1;
	}
	for (*ret = 0; *ret < UNWIND_SLOTS; ++*ret)
		if (is_in(&unwind->slots[*ret], mappings, n)) {
			unwind->last = *ret;
			return 1;
		}
	request.slot = *ret = unwind->last = unwind->next;
	unwind->next = (unwind->next + 1) % UNWIND_SLOTS;
	slot = &unwind->slots[*ret];
	free(slot->mappings);
	slot->n = n;
	slot->mappings = malloc((n + 1) * sizeof(*mappings));
	if (!slot->mappings)
		return -ENOMEM;
	memcpy(slot->mappings, mappings, n * sizeof(*mappings));
	return confined__give(&unwind->child, &request, sizeof(request)) &&
	       confined__give(&unwind->child, mappings, n * sizeof(*mappings));
}

/* A child that comes after this one asks no server that failed, either. */
static bool take_said(struct unwind *unwind)
{
	struct unwind_outcome outcome;

	if (!confined__take(&unwind->child, &outcome, sizeof(outcome)))
		return false;
	if (outcome.server_failed) {
		unwind->outcome.server_failed = true;
		unwind->options.debuginfod = false;
	}
	if (!*unwind->outcome.said) {
		memcpy(unwind->outcome.said, outcome.said, sizeof(outcome.said));
		unwind->outcome.said[SYMBOLS_SAID_MAX - 1] = '\0';
		text__sanitize(unwind->outcome.said);
	}
	return true;
}

static bool take_answer(struct unwind *unwind, struct unwind_answer *ret)
{
	uint8_t what;

	while (confined__take(&unwind->child, &what, 1)) {
		if (what == UNWIND_ANSWER)
			return confined__take(&unwind->child, ret, sizeof(*ret));
		if (what == PROGRESS ? !progress__take(&unwind->child, &unwind->options)
				     : what != UNWIND_SAID || !take_said(unwind))
			break;
	}
	return false;
}

static bool ask(struct unwind *unwind, const struct unwind_request *request,
	const struct event_user_stack *stack, struct unwind_chain *ret)
{
	struct unwind_answer answer;

	if (!confined__give(&unwind->child, request, sizeof(*request)) ||
		!confined__give(&unwind->child, stack->bytes + stack->stack, request->size) ||
		!take_answer(unwind, &answer) || answer.end >= UNWIND_ENDS ||
		answer.n > UNWIND_FRAMES_MAX ||
		!confined__take(&unwind->child, ret->frames, answer.n * sizeof(*ret->frames)))
		return false;
	ret->end = answer.end;
	ret->n = answer.n;
	return true;
}

int unwind__sample(struct unwind *unwind, const struct unwind_mapping *mappings, size_t n,
	const struct unwind_sample *sample, struct unwind_chain *ret, struct error *err)
{
	const struct event_user_stack *stack = sample->stack;
	struct unwind_request request = {
		.what = UNWIND_SAMPLE,
		.size = stack->stack_size,
		.swap = stack->swap,
		.pid = sample->pid,
		.time_ns = sample->time_ns,
	};
	int done, failed;

	ret->n = 0;
	ret->end = UNWIND_MACHINE;
	if (!take_registers(stack, request.regs))
		return 0;
	ret->end = UNWIND_READER;
	if (!unwind->running && unwind->children == CHILDREN_MAX)
		return 0;
	failed = unwind->running ? 0 : start_child(unwind, err);
	if (failed)
		return failed;
	done = find_slot(unwind, mappings, n, &request.slot);
	if (done < 0)
		return error__set(err, done, "out of memory");
	if (done && ask(unwind, &request, stack, ret))
		return 0;
	end_child(unwind);
	ret->n = 0;
	ret->end = UNWIND_READER;
	return 0;
}

const struct unwind_outcome *unwind__outcome(const struct unwind *unwind)
{
	return &unwind->outcome;
}
