// SPDX-License-Identifier: GPL-2.0-only
/*
 * See unwind.h. This side starts the child, and does not trust it. If a child crashes or is too
 * slow, the current sample and the files that the child has read are lost. The number of children
 * is limited.
 */
#include "user/symbols/unwind/unwind.h"

#include <byteswap.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/helper/confined.h"
#include "user/symbols/debuginfod.h"
#include "user/symbols/progress.h"
#include "user/symbols/unwind/read.h"

#define CHILDREN_MAX 16
#define SILENCE_MS 300000 /* for one sample: the child may wait for a disk */

/*
 * The machines whose stacks can be unwound. .v has for each of DWARF's register numbers the number
 * of the register in a sample (arch/ARCH/include/uapi/asm/perf_regs.h). A port also needs what
 * docs/architectures.md lists.
 */
static const struct registers {
	uint16_t machine;
	uint8_t n;  /* number of registers, from DWARF's number 0 on */
	uint8_t pc; /* its number in a sample */
	uint8_t sp;
	uint8_t v[UNWIND_REGS_MAX];
} REGISTERS[] = {
	{
		EM_X86_64,
		17,
		8,
		7,
		{
			0, 3, 2, 1, 4, 5, 6, 7,         /* ax, dx, cx, bx, si, di, bp, sp */
			16, 17, 18, 19, 20, 21, 22, 23, /* r8 and on */
			8,                              /* ip */
		},
	},
	{
		EM_AARCH64,
		32,
		32,
		31,
		{
			0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
			21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, /* x0 and on, lr, sp */
		},
	},
};

struct slot {
	struct unwind_mapping *mappings; /* NULL: the slot is empty */
	size_t n;
};

struct unwind {
	struct symbols_options options;
	struct unwind_job job;
	struct unwind_outcome outcome;
	struct slot slots[UNWIND_SLOTS]; /* the sets that the child has */
	uint32_t last;                   /* the slot used last */
	uint32_t next;                   /* the slot to be replaced next */
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
	struct confined_options child = {
		.what = "unwinding stacks",
		.memory = SYMBOLS_MEMORY_MAX,
		.silence_ms = SILENCE_MS,
		.run = unwind_read,
		.ctx = &unwind->job,
	};
	int failed;

	debuginfod__confine(&child, unwind->job.options->debuginfod);
	failed = confined__start(&unwind->child, &child, err);
	unwind->running = !failed;
	unwind->children += !failed;
	return failed;
}

/*
 * Determines the machine from the set of registers in a sample: a kernel refuses registers that its
 * machine does not have. x86's set has a gap where AArch64 has sp (31) and pc (32). A set with
 * other registers beyond 32 belongs to neither machine, except that AArch64 may also have the
 * length of SVE's vectors (46).
 */
static const struct registers *registers_of(uint64_t regs)
{
	const uint64_t gap = 0xffull << 24, aarch64 = (1ull << 33) - 1, vg = 1ull << 46;

	if (!(regs & gap))
		return &REGISTERS[0];
	return (regs & ~vg) <= aarch64 && regs >> 32 & 1 ? &REGISTERS[1] : NULL;
}

static bool take_register(const struct event_user_stack *stack, uint8_t number, uint64_t *ret)
{
	uint64_t bit = 1ull << number;
	size_t at = sizeof(*ret) * __builtin_popcountll(stack->regs & (bit - 1));

	if (!(stack->regs & bit) || at + sizeof(*ret) > stack->stack)
		return false;
	memcpy(ret, stack->bytes + at, sizeof(*ret));
	if (stack->swap)
		*ret = bswap_64(*ret);
	return true;
}

/* Reads the registers, by DWARF's numbers. If one is missing, nothing can be unwound. */
static bool take_registers(const struct event_user_stack *stack, struct unwind_registers *ret)
{
	const struct registers *registers = registers_of(stack->regs);

	if (stack->abi != PERF_SAMPLE_REGS_ABI_64 || !registers)
		return false;
	ret->machine = registers->machine;
	ret->n = registers->n;
	for (size_t i = 0; i < registers->n; i++)
		if (!take_register(stack, registers->v[i], &ret->v[i]))
			return false;
	return take_register(stack, registers->pc, &ret->pc) &&
	       take_register(stack, registers->sp, &ret->sp);
}

static bool is_in(const struct slot *slot, const struct unwind_mapping *mappings, size_t n)
{
	return slot->mappings && slot->n == n &&
	       !memcmp(slot->mappings, mappings, n * sizeof(*mappings));
}

/*
 * Finds the slot with these mappings, or sends them to the child. Returns 1; 0 if the child has
 * ended; or -ENOMEM.
 */
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

/* Reads a server's text. If a server failed, later children do not ask it again. */
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
	if (!take_registers(stack, &request.regs))
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
