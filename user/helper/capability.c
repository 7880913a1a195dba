// SPDX-License-Identifier: GPL-2.0-only
/* See capability.h. */
#include "user/helper/capability.h"

#include <errno.h>
#include <stddef.h>
#include <sys/capability.h>

static const struct {
	cap_value_t capability;
	unsigned int needs; /* of enum capability_need: any of them requires it */
} NEEDS[] = {
	{CAP_SYS_PTRACE, CAPABILITY_PROCESSES},
	{CAP_CHECKPOINT_RESTORE, CAPABILITY_PROCESSES},
	/* /proc and mapped files of other users' processes, and cgroups by id. */
	{CAP_DAC_READ_SEARCH, CAPABILITY_PROCESSES | CAPABILITY_READ},
	{CAP_BPF, CAPABILITY_KERNEL},
	{CAP_PERFMON, CAPABILITY_KERNEL},
	{CAP_SYSLOG, CAPABILITY_KERNEL | CAPABILITY_READ},
	{CAP_SYS_ADMIN, CAPABILITY_PROGRAMS},
	{CAP_KILL, CAPABILITY_KILL},
	{CAP_DAC_OVERRIDE, CAPABILITY_FILES},
	{CAP_SYS_NICE, CAPABILITY_PRIORITY},
};

int capability__keep(unsigned int needs, struct error *err)
{
	cap_t have = cap_get_proc(), want = cap_init();
	cap_flag_value_t value;
	int code = have && want ? 0 : -ENOMEM;

	for (size_t i = 0; !code && i < sizeof(NEEDS) / sizeof(NEEDS[0]); i++) {
		cap_value_t one = NEEDS[i].capability;

		/* If the kernel does not know the capability, the call fails. */
		if (!(needs & NEEDS[i].needs) || cap_get_flag(have, one, CAP_PERMITTED, &value) ||
			value == CAP_CLEAR)
			continue;
		if (cap_set_flag(want, CAP_PERMITTED, 1, &one, CAP_SET) ||
			cap_set_flag(want, CAP_EFFECTIVE, 1, &one, CAP_SET))
			code = -errno;
	}
	/* A process can raise only ambient capabilities that are also inheritable. */
	if (!code && cap_set_proc(want))
		code = -errno;
	cap_free(have);
	cap_free(want);
	return code ? error__errno(err, code, "capabilities could not be dropped") : 0;
}
