/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of one series (record --switch-output): whether they are, and in which order. */
#ifndef PERFSTAMP_CLI_TIMELINE_SERIES_H
#define PERFSTAMP_CLI_TIMELINE_SERIES_H

#include <stddef.h>

#include "user/base/error.h"

/*
 * Puts @paths into the order of their first samples. Returns 0, or -errno with text:
 * -EINVAL where two files are of different machines or boots.
 */
int series__order(const char **paths, size_t n, struct error *err);

#endif
