/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds a rule to a seccomp filter, for a system call given by name. Inside user/helper only. */
#ifndef PERFSTAMP_HELPER_RULE_H
#define PERFSTAMP_HELPER_RULE_H

#include <seccomp.h>
#include <stdint.h>

/*
 * Sets @action (SCMP_ACT_*) for @call if all @n conditions are met. Returns 0 or -errno. It is no
 * error if the architecture or the library does not know the call, or if the rule exists.
 */
int rule__add(scmp_filter_ctx filter, uint32_t action, const char *call, unsigned int n,
	const struct scmp_arg_cmp *conditions);

#endif
