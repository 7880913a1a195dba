/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this process may do, by its effective capabilities: root may lack them, and
 * others may have them. Within a user namespace they can be there and not suffice.
 */
#ifndef PERFSTAMP_SOURCE_PRIVILEGE_H
#define PERFSTAMP_SOURCE_PRIVILEGE_H

#include <stdbool.h>

#include "user/base/error.h"

/* CAP_PERFMON, or CAP_SYS_ADMIN, which it was part of. */
bool privilege__perfmon(void);
/* The same for tracing by BPF, which takes CAP_BPF and CAP_PERFMON. */
bool privilege__tracing_bpf(void);
/* Whether the kernel keeps its memory from everyone, BPF too: lockdown=confidentiality. */
bool privilege__is_confidential(void);

/* Whether files can be made in the directory of @path by CAP_DAC_OVERRIDE only. */
bool privilege__must_override(const char *path);

#endif
