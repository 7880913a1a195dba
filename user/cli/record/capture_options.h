/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of record and watch for copying DSOs into the cache while they are mapped. Their input is
 * a struct dso_capture_options.
 */
#ifndef PERFSTAMP_CLI_CAPTURE_OPTIONS_H
#define PERFSTAMP_CLI_CAPTURE_OPTIONS_H

#include <argp.h>

extern const struct argp CAPTURE_ARGP;

#endif
