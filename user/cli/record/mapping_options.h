/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of record and watch for observing mappings. Their input is a struct recorder_options. */
#ifndef PERFSTAMP_CLI_MAPPING_OPTIONS_H
#define PERFSTAMP_CLI_MAPPING_OPTIONS_H

#include <argp.h>

#include "user/record/recorder.h"

/* Values that mapping_options__rung and mapping_options__ring accept, for error texts. */
#define MAPPING_RUNG(id, name) name ", "
#define MAPPING_RUNGS "one of " RECORDER_RUNG_MMAP3 ", " RUNGS(MAPPING_RUNG) RECORDER_RUNG_MMAP2
#define MAPPING_RING_SIZES "bytes, with K, M or G, up to 1G"

/* Parses the best method to use. Returns 0 or -EINVAL. */
int mapping_options__rung(const char *text, struct recorder_options *ret);
/* Parses the size of the ring of map records. Returns 0 or -EINVAL. */
int mapping_options__ring(const char *text, struct recorder_options *ret);

extern const struct argp MAPPING_ARGP;

#endif
