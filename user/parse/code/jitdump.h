/* SPDX-License-Identifier: GPL-2.0-only */
/* Jitdumps, for code.c alone. */
#ifndef PERFSTAMP_PARSE_JITDUMP_H
#define PERFSTAMP_PARSE_JITDUMP_H

#include "user/parse/code/code.h"

/* All whole records in .rest; *@ret_used bytes of it were taken. 0 or what @fn returned. */
int jitdump__feed(struct code_stream *stream, code_name_fn *fn, void *ctx, size_t *ret_used);

#endif
