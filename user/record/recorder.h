/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One recording, from the first event opened to the file closed: opens events and BPF
 * programs, takes the snapshot, and then runs rounds: drain, complete, write, checkpoint.
 * Prints nothing; reports notes and a summary.
 */
#ifndef PERFSTAMP_RECORD_RECORDER_H
#define PERFSTAMP_RECORD_RECORDER_H

#include "user/base/error.h"
#include "user/record/options.h"
#include "user/record/summary.h"

struct recorder;

void recorder_options__init(struct recorder_options *options);

/*
 * Prepares everything and, last, the output; nothing is sampled yet. @options must outlive the
 * recorder. From here until recorder__free(), the recorder handles SIGINT, SIGTERM, SIGHUP, SIGPIPE
 * and SIGXFSZ. Returns 0 or -errno.
 */
int recorder__new(struct recorder **ret, const struct recorder_options *options, struct error *err);
void recorder__free(struct recorder *recorder);

/*
 * Records until the workload or all targets have ended or a signal arrives, and completes the file.
 * On an error, the recorded data is kept and the file is valid. A second SIGINT or SIGTERM ends the
 * process at once; the file is valid up to the last round. Returns 0 or -errno.
 */
int recorder__run(struct recorder *recorder, struct error *err);

void recorder__summary(const struct recorder *recorder, struct recorder_summary *ret);

#endif
