/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this process may do, by its effective capabilities, which root may lack and other
 * users may have. In a user namespace, they may not suffice.
 */
#ifndef PERFSTAMP_SOURCE_PRIVILEGE_H
#define PERFSTAMP_SOURCE_PRIVILEGE_H

#include <stdbool.h>

#include "user/base/error.h"

/* CAP_PERFMON, or CAP_SYS_ADMIN, which included its rights before. */
bool privilege__perfmon(void);
/* Whether this process may trace by BPF, which requires CAP_BPF and CAP_PERFMON. */
bool privilege__tracing_bpf(void);
/* Whether lockdown=confidentiality denies all processes, and BPF, reading kernel memory. */
bool privilege__is_confidential(void);

/* Whether creating files in the directory of @path requires CAP_DAC_OVERRIDE. */
bool privilege__must_override(const char *path);

#endif
