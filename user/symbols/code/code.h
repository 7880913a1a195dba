/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of a function, from a file with the identity of the mapped one. A child
 * reads the file and disassembles, bounded in time and memory (symbols.h).
 */
#ifndef PERFSTAMP_SYMBOLS_CODE_H
#define PERFSTAMP_SYMBOLS_CODE_H

#include "user/base/error.h"
#include "user/model/profile/annotation.h"
#include "user/symbols/query.h"

/*
 * The code of the function that has the byte at @offset. With @intel in Intel's syntax on
 * x86, else in AT&T's. @ret has the reason if there are no instructions. Returns 0, or
 * -errno if no child could be made; free it in either case.
 */
int code__read(struct code *ret, const struct symbols_options *options,
	const struct symbols_dso *dso, uint64_t offset, bool intel, struct error *err);

#endif
