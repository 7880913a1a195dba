/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of what copies DSOs into the cache while they are mapped: record's and
 * watch's. Their input is a struct dso_capture_options.
 */
#ifndef PERFSTAMP_CLI_CAPTURE_OPTIONS_H
#define PERFSTAMP_CLI_CAPTURE_OPTIONS_H

#include <argp.h>

extern const struct argp CAPTURE_ARGP;

#endif
