/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes records from the perf rings to the file. One pass finds the records that have
 * consumers, by type; all others are counted and written unchanged. Does not know rings or
 * rounds.
 */
#ifndef PERFSTAMP_RECORD_SPANS_H
#define PERFSTAMP_RECORD_SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/parse/event/record_scan.h"
#include "user/record/kernel/bpf_record.h"
#include "user/record/kernel/module_writer.h"
#include "user/record/kernel/symbols_again.h"
#include "user/record/maps/map_writer.h"
#include "user/record/maps/native.h"
#include "user/record/state/living.h"

struct spans {
	struct map_writer *maps;
	struct module_writer *modules; /* NULL: the kernel is not sampled */
	struct bpf_record *programs;   /* NULL: BPF programs are not recorded */
	struct living *living;         /* NULL: the state of live processes is not followed */
	struct symbols_again *symbols; /* NULL: the kernel is not sampled */
	struct native_records *native; /* NULL: the perf rings contain no MMAP2 */
	struct record_layout layout;   /* the same for all events */
	struct record_counts counts;
	struct record_list list; /* of the current span */
};

void spans__free(struct spans *spans);

/*
 * Writes @size bytes of whole records to the file. Returns 0 or -errno; -EBADMSG if they are not
 * records.
 */
int spans__write(struct spans *spans, const void *records, size_t size, struct error *err);

#endif
