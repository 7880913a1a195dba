/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Handles the kernel's own records of mappings from the perf rings, which are MMAP3, or MMAP2 with
 * build-id: all of them on the rungs without BPF, otherwise only those of data mappings. They are
 * completed, and written as MMAP2 with our extension, which every perf reads. All other records are
 * written unchanged.
 */
#ifndef PERFSTAMP_RECORD_NATIVE_H
#define PERFSTAMP_RECORD_NATIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "perfstamp/record.h"
#include "user/base/error.h"
#include "user/event/types.h"
#include "user/parse/event/record_scan.h"
#include "user/record/maps/map_writer.h"
#include "user/source/bpf/bpf.h"

struct event_decoder;

struct native_records {
	struct event_decoder *decoder;
	struct map_writer *maps;
	bool data_only;                   /* BPF reports mappings of code */
	struct bpf_identities identities; /* for MMAP3: counts by the source in each record */
	char path[PERFSTAMP_PATH_MAX];
};

/* Takes ownership of @decoder, which knows the attributes of the records. */
void native_records__init(struct native_records *native, struct map_writer *maps,
	struct event_decoder *decoder, bool data_only);
void native_records__free(struct native_records *native);

/* The kernel's records of mappings. */
#define NATIVE_TYPES (RECORD_TYPE(PERF_RECORD_MMAP2) | RECORD_TYPE(PERFDATA_RECORD_MMAP3))

/* Writes such a record as it was read from a perf ring. Returns 0 or -errno. */
int native_records__write(
	struct native_records *native, const struct record_view *view, struct error *err);

#endif
