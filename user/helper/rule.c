// SPDX-License-Identifier: GPL-2.0-only
/* See rule.h. */
#include "user/helper/rule.h"

#include <errno.h>

int rule__add(scmp_filter_ctx filter, uint32_t action, const char *call, unsigned int n,
	const struct scmp_arg_cmp *conditions)
{
	int number = seccomp_syscall_resolve_name(call), code;

	if (number == __NR_SCMP_ERROR)
		return 0;
	code = seccomp_rule_add_array(filter, action, number, n, conditions);
	return code == -EDOM || code == -EEXIST ? 0 : code;
}
