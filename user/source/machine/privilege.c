// SPDX-License-Identifier: GPL-2.0-only
/* See privilege.h. */
#include "user/source/machine/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/capability.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/source/proc/file.h"

static bool has(cap_value_t capability)
{
	cap_t caps = cap_get_proc();
	cap_flag_value_t value = CAP_CLEAR;

	if (!caps)
		return false;
	if (cap_get_flag(caps, capability, CAP_EFFECTIVE, &value))
		value = CAP_CLEAR;
	cap_free(caps);
	return value == CAP_SET;
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

static int set_override(cap_flag_value_t value)
{
	const cap_value_t override = CAP_DAC_OVERRIDE;
	cap_t caps = cap_get_proc();
	int code = -1;

	if (caps && !cap_set_flag(caps, CAP_EFFECTIVE, 1, &override, value))
		code = cap_set_proc(caps);
	cap_free(caps);
	return code;
}

bool privilege__must_override(const char *path)
{
	char *copy = strdup(path);
	bool must = false;

	if (!copy)
		return true;
	if (has(CAP_DAC_OVERRIDE) && !set_override(CAP_CLEAR)) {
		must = faccessat(AT_FDCWD, dirname(copy), W_OK | X_OK, AT_EACCESS) < 0;
		set_override(CAP_SET);
	}
	free(copy);
	return must;
}
