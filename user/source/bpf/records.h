/* SPDX-License-Identifier: GPL-2.0-only */
/* How records of the kernel side are handed out. Does not know their source. */
#ifndef PERFSTAMP_SOURCE_BPF_RECORDS_H
#define PERFSTAMP_SOURCE_BPF_RECORDS_H

#include "perfstamp/record.h"

/*
 * Called with each record; @record is valid during the call. A negative errno
 * that it returns ends the walk and is returned.
 */
typedef int (*bpf_record_fn)(const struct perfstamp_record *record, void *ctx);

#endif
