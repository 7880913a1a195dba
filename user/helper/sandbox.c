// SPDX-License-Identifier: GPL-2.0-only
/* See sandbox.h. */
#include "user/helper/sandbox.h"

#include <errno.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void sandbox__look(struct sandbox_support *ret)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	/*
	 * A kernel with seccomp filters refuses this call with EFAULT, because the filter is NULL.
	 */
	ret->seccomp = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) < 0 &&
		       errno == EFAULT;
	ret->landlock = abi > 0 ? (int)abi : 0;
}

int sandbox__enter(const struct sandbox *sandbox)
{
	int code = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	if (!(sandbox->needs & SANDBOX_PROCESSES))
		code = sandbox__enter_landlock(sandbox);
	if (!code || code == -ENOSYS)
		code = sandbox__enter_seccomp(sandbox);
	return code == -ENOSYS ? 0 : code;
}
