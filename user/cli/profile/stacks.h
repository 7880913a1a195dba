/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the callers of samples with a copy of their stack. Follows the mappings of each process,
 * and calls user/symbols to unwind.
 */
#ifndef PERFSTAMP_CLI_PROFILE_STACKS_H
#define PERFSTAMP_CLI_PROFILE_STACKS_H

#include "user/cli/input.h"
#include "user/model/profile/unwinding.h"
#include "user/symbols/symbols.h"
#include "user/symbols/unwind/unwind.h"

struct sample_stacks;

/*
 * @whole is the recording, read to its end: only then is it known which contents share a build-id.
 * @code_names are sealed, or NULL. The arguments have to live as long as *@ret. Returns 0 or
 * -ENOMEM.
 */
int sample_stacks__new(struct sample_stacks **ret, const struct input *whole,
	const struct symbols_options *options, const struct code_names *code_names);
void sample_stacks__free(struct sample_stacks *stacks);
/* Applies an event of the same recording that is not a sample. */
void sample_stacks__follow(struct sample_stacks *stacks, const struct event *event);
/* A function for samples_options.unwind. sample_stacks__error() also returns its errors. */
int sample_stacks__unwind(struct sample_stacks *stacks, const struct model *model,
	const struct event *event, const uint64_t **ret, size_t *ret_n);
const struct error *sample_stacks__error(const struct sample_stacks *stacks);
/* Returns the result of requests to debuginfod servers. */
const struct unwind_outcome *sample_stacks__outcome(const struct sample_stacks *stacks);
const struct unwinding *sample_stacks__unwinding(const struct sample_stacks *stacks);

#endif
