/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The callers of a sample that has its registers and a copy of its stack, by the unwind
 * tables of the DSOs that were mapped then: only of files with their identity. A child with
 * limits does this, because tables and stacks are untrusted.
 */
#ifndef PERFSTAMP_SYMBOLS_UNWIND_UNWIND_H
#define PERFSTAMP_SYMBOLS_UNWIND_UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/model/profile/code_names.h"
#include "user/symbols/unwind/query.h"

struct unwind;

/*
 * The @n DSOs at @dsos, @code_names, and what @options points to, must live as long as it.
 * Of the options it uses where files are, and how much memory there is. @code_names are
 * sealed, or NULL. Returns 0 or -ENOMEM.
 */
int unwind__new(struct unwind **ret, const struct symbols_options *options,
	const struct symbols_dso *dsos, size_t n, const struct code_names *code_names);
void unwind__free(struct unwind *unwind);
/*
 * Unwinds @sample in a process that has these mappings, in order of address. What it takes
 * for them is kept, and used for all that have the same. Returns 0, -ENOMEM, or another
 * -errno if no child could be made.
 */
int unwind__sample(struct unwind *unwind, const struct unwind_mapping *mappings, size_t n,
	const struct unwind_sample *sample, struct unwind_chain *ret, struct error *err);
const struct unwind_outcome *unwind__outcome(const struct unwind *unwind);

#endif
