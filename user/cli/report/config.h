/* SPDX-License-Identifier: GPL-2.0-only */
/* The defaults of report from perf's configuration files (user/cli/perfconfig.h). */
#ifndef PERFSTAMP_CLI_REPORT_CONFIG_H
#define PERFSTAMP_CLI_REPORT_CONFIG_H

#include "user/base/error.h"
#include "user/cli/report/command.h"

/*
 * Skips keys that have no effect here. Returns 0, or -EINVAL with file and line if a value is
 * invalid.
 */
int report_config__read(struct report_command *ret, struct error *err);

#endif
