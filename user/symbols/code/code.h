/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the instructions of a function from a file with the identity of the mapped one. A child
 * with limits of time and memory reads the file and disassembles (symbols.h).
 */
#ifndef PERFSTAMP_SYMBOLS_CODE_H
#define PERFSTAMP_SYMBOLS_CODE_H

#include "user/base/error.h"
#include "user/model/profile/annotation.h"
#include "user/symbols/query.h"

/*
 * Reads the code of the function that contains the byte at @offset. On x86 the syntax is Intel's
 * with @intel, otherwise AT&T's. If there are no instructions, @ret has the reason. Returns 0, or
 * -errno if no child could be started; free @ret in either case.
 */
int code__read(struct code *ret, const struct symbols_options *options,
	const struct symbols_dso *dso, uint64_t offset, bool intel, struct error *err);

#endif
