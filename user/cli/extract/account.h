/* SPDX-License-Identifier: GPL-2.0-only */
/* The summary of extract: how many of the samples were written, and how old they are. */
#ifndef PERFSTAMP_CLI_EXTRACT_ACCOUNT_H
#define PERFSTAMP_CLI_EXTRACT_ACCOUNT_H

#include "user/cli/extract/choice.h"

/*
 * Prints it. @n_files files have samples that were written, and come from @n_boots boots of
 * machines.
 */
void account__print(const struct extraction *extraction, size_t n_files, size_t n_boots);

#endif
