/* SPDX-License-Identifier: GPL-2.0-only */
/* The callback for records of the kernel side. Does not know their source. */
#ifndef PERFSTAMP_SOURCE_BPF_RECORDS_H
#define PERFSTAMP_SOURCE_BPF_RECORDS_H

#include "perfstamp/record.h"

/*
 * Called with each record; @record is valid during the call. A negative errno from it ends the
 * walk, which returns it.
 */
typedef int (*bpf_record_fn)(const struct perfstamp_record *record, void *ctx);

#endif
