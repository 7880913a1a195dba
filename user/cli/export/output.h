/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that an export is written to. A part of export. */
#ifndef PERFSTAMP_CLI_EXPORT_OUTPUT_H
#define PERFSTAMP_CLI_EXPORT_OUTPUT_H

#include "user/base/error.h"
#include "user/cli/export/options.h"

/* Whether it may be written, before the recording is read. 0 or -errno with text. */
int export_output__check(const struct export_command *command, struct error *err);
/*
 * Writes it; it gets its name, and replaces what has it, once it is complete. Whether all came
 * to standard output shows at the program's end. 0 or -errno with text.
 */
int export_output__write(
	const struct export_command *command, struct export_profile *profile, struct error *err);

#endif
