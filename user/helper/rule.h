/* SPDX-License-Identifier: GPL-2.0-only */
/* A rule of a filter of system calls, for a call by its name. Inside user/helper only. */
#ifndef PERFSTAMP_HELPER_RULE_H
#define PERFSTAMP_HELPER_RULE_H

#include <seccomp.h>
#include <stdint.h>

/*
 * @action (SCMP_ACT_*) for @call where all @n conditions hold. 0, also where the architecture, or
 * the library, does not know the call, or has the rule already; or -errno.
 */
int rule__add(scmp_filter_ctx filter, uint32_t action, const char *call, unsigned int n,
	const struct scmp_arg_cmp *conditions);

#endif
