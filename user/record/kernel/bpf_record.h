/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records the code and the types of BPF programs: those that exist at the start, and those loaded
 * later, which are read as soon as their load is reported. If a program is unloaded before that,
 * only its name and tag are recorded.
 */
#ifndef PERFSTAMP_RECORD_BPF_RECORD_H
#define PERFSTAMP_RECORD_BPF_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/parse/event/record_scan.h"
#include "user/perfdata/features/counters.h"
#include "user/perfdata/write/writer.h"

struct bpf_record;

/*
 * With @pipe, bpf_record__flush() writes to @writer; otherwise the features are written at the end.
 * @counters, which must outlive the result, gets COUNTER_BPF_*: the programs in the file, those
 * unloaded before they could be read, and programs and types that are hidden or too large. Returns
 * 0 or -ENOMEM.
 */
int bpf_record__new(struct bpf_record **ret, struct perfdata_writer *writer, bool pipe,
	struct counters *counters);
void bpf_record__free(struct bpf_record *record);

/* Called when program @id was loaded. Returns 0 or -errno of writing. */
int bpf_record__program(struct bpf_record *record, uint32_t id, struct error *err);
/*
 * In a pipe: writes what was read. Called before the end of the round, so that perf reads it in
 * time.
 */
int bpf_record__flush(struct bpf_record *record, struct error *err);
/* Handles a BPF_EVENT of a perf ring: records the program that was loaded. Returns 0 or -errno. */
int bpf_record__event(struct bpf_record *record, const struct record_view *view, struct error *err);
/* Passes the features to @writer at the end of a file. */
int bpf_record__finish(
	struct bpf_record *record, struct perfdata_writer *writer, struct error *err);
/*
 * Begins the next file, @writer, at @now_ns, and resets the counts. Removes programs that
 * @is_loaded reports as unloaded and that were already unloaded at @since_ns, and the types that no
 * program uses any more. Returns 0 or -ENOMEM.
 */
int bpf_record__begin_file(struct bpf_record *record, struct perfdata_writer *writer,
	uint64_t now_ns, uint64_t since_ns, bool (*is_loaded)(const void *ctx, uint32_t id),
	const void *ctx);
/* Returns the bytes kept in memory. */
size_t bpf_record__memory(const struct bpf_record *record);

#endif
