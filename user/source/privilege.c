// SPDX-License-Identifier: GPL-2.0-only
/* See privilege.h. */
#include "user/source/privilege.h"

#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/source/proc_file.h"

/* linux-libc-dev before 5.8 lacks these. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF 39
#endif

static bool has(int capability)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &header, data))
		return false;
	return data[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability);
}

bool privilege__perfmon(void)
{
	return has(CAP_PERFMON) || has(CAP_SYS_ADMIN);
}

bool privilege__tracing_bpf(void)
{
	return has(CAP_SYS_ADMIN) || (has(CAP_BPF) && has(CAP_PERFMON));
}

bool privilege__is_confidential(void)
{
	bool is;
	char *modes;

	if (proc_file__read(&modes, NULL, "/sys/kernel/security/lockdown"))
		return false;
	is = strstr(modes, "[confidentiality]");
	free(modes);
	return is;
}
