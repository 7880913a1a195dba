/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The callers of samples that have a copy of their stack: follows the mappings of each process, and
 * calls user/symbols to unwind.
 */
#ifndef PERFSTAMP_CLI_PROFILE_STACKS_H
#define PERFSTAMP_CLI_PROFILE_STACKS_H

#include "user/cli/input.h"
#include "user/model/profile/unwinding.h"
#include "user/symbols/symbols.h"
#include "user/symbols/unwind/unwind.h"

struct sample_stacks;

/*
 * @whole is the recording, read to its end: only then it is known which contents share a build-id.
 * @code_names are sealed, or NULL. All must live as long as @ret. Returns 0 or -ENOMEM.
 */
int sample_stacks__new(struct sample_stacks **ret, const struct input *whole,
	const struct symbols_options *options, const struct code_names *code_names);
void sample_stacks__free(struct sample_stacks *stacks);
/* Takes an event of the same recording that is no sample. */
void sample_stacks__follow(struct sample_stacks *stacks, const struct event *event);
/* For samples_options.unwind; sample_stacks__error() has errors, too. */
int sample_stacks__unwind(struct sample_stacks *stacks, const struct model *model,
	const struct event *event, const uint64_t **ret, size_t *ret_n);
const struct error *sample_stacks__error(const struct sample_stacks *stacks);
/* What came of asking a debuginfod for files. */
const struct unwind_outcome *sample_stacks__outcome(const struct sample_stacks *stacks);
const struct unwinding *sample_stacks__unwinding(const struct sample_stacks *stacks);

#endif
