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
 * Parses "any,u" to PERF_SAMPLE_BRANCH_*. Without a kind of branch, it is any. The separator is a
 * comma or, in terms, |. Returns 0, or -EINVAL.
 */
int sample_fields__branches(uint64_t *ret, const char *text);

/*
 * Parses "ax,BX,ip" to a mask of PERF_REG_*. Returns 0, -EINVAL; -EOPNOTSUPP if this architecture
 * is not supported.
 */
int sample_fields__registers(uint64_t *ret, const char *text);

/* Returns "AX BX …", or "" if this architecture is not supported. */
const char *sample_fields__register_names(void);
/* Returns the mask of all registers; 0 if this architecture is not supported. */
uint64_t sample_fields__all_registers(void);

#endif
