/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's names of sample contents: filters of branch records (-j) and registers (-I,
 * --user-regs). Sources: tools/perf/util/ parse-branch-options.c, parse-regs-options.c,
 * perf-regs-arch/ of Linux.
 */
#ifndef PERFSTAMP_PARSE_SAMPLE_FIELDS_H
#define PERFSTAMP_PARSE_SAMPLE_FIELDS_H

#include <stdint.h>

/*
 * "any,u": PERF_SAMPLE_BRANCH_*. Without a kind it is any. A list may be parted
 * by commas or, in terms, by |. Returns 0, or -EINVAL.
 */
int sample_fields__branches(uint64_t *ret, const char *text);

/* "ax,BX,ip": a mask of PERF_REG_*. Returns 0, -EINVAL; -EOPNOTSUPP: not on this architecture. */
int sample_fields__registers(uint64_t *ret, const char *text);

/* "AX BX …", or "" if this architecture's are not known. */
const char *sample_fields__register_names(void);
/* All of them; 0 if they are not known. */
uint64_t sample_fields__all_registers(void);

#endif
