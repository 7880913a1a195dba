/* SPDX-License-Identifier: GPL-2.0-only */
/* The summary of extract: how much it wrote of how much, and how old that is. */
#ifndef PERFSTAMP_CLI_EXTRACT_ACCOUNT_H
#define PERFSTAMP_CLI_EXTRACT_ACCOUNT_H

#include "user/cli/extract/choice.h"

/* @n_files of them have samples that were written, from @n_boots boots of machines. */
void account__print(const struct extraction *extraction, size_t n_files, size_t n_boots);

#endif
