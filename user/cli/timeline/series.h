/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks that files belong to one series (record --switch-output), and sorts them. */
#ifndef PERFSTAMP_CLI_TIMELINE_SERIES_H
#define PERFSTAMP_CLI_TIMELINE_SERIES_H

#include <stddef.h>

#include "user/base/error.h"

/*
 * Sorts @paths by the time of their first samples. Returns 0, or -errno with text: -EINVAL if two
 * files are from different machines or boots.
 */
int series__order(const char **paths, size_t n, struct error *err);

#endif
