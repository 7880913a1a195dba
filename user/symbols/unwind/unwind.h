/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the callers of a sample that has its registers and a copy of its stack. Uses the unwind
 * tables of the DSOs that were mapped at that time, and only files with their identity. A child
 * with limits does this, because tables and stacks are untrusted.
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
 * The @n DSOs at @dsos, @code_names, and what @options points to, must be valid as long as the
 * result. Of the options, those on the places of files and on memory are used. @code_names are
 * sealed, or NULL. Returns 0 or -ENOMEM.
 */
int unwind__new(struct unwind **ret, const struct symbols_options *options,
	const struct symbols_dso *dsos, size_t n, const struct code_names *code_names);
void unwind__free(struct unwind *unwind);
/*
 * Unwinds @sample in a process that has these mappings, in the order of their addresses. What was
 * read for a set of mappings is reused for samples with the same set. Returns 0, -ENOMEM, or
 * another -errno if no child could be started.
 */
int unwind__sample(struct unwind *unwind, const struct unwind_mapping *mappings, size_t n,
	const struct unwind_sample *sample, struct unwind_chain *ret, struct error *err);
const struct unwind_outcome *unwind__outcome(const struct unwind *unwind);

#endif
