/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints the summary of record on stderr: how much was recorded, and the losses. */
#ifndef PERFSTAMP_CLI_RECORD_SUMMARY_H
#define PERFSTAMP_CLI_RECORD_SUMMARY_H

#include <stdbool.h>

#include "user/record/recorder.h"

/*
 * Samples are not decoded while recording. If there is one file with at most 500,000 samples and 64
 * MB, it is read again to find the share of identified samples, which takes about 0.2 seconds for a
 * million samples. Otherwise the share is that of mappings, and the line says "of maps". After an
 * error (@failed), the file is read whatever its size, because it may have fewer samples than were
 * recorded.
 */
void record_summary__show(const struct recorder_summary *summary, bool verbose, bool failed);

#endif
