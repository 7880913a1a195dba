/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perf rings report kernel symbols that are added and removed during a recording (BPF
 * programs and trampolines, slots of kprobes). After a loss, the existing symbols are read
 * again, and the differences from the recording are written: new symbols, and removals.
 */
#ifndef PERFSTAMP_RECORD_SYMBOLS_AGAIN_H
#define PERFSTAMP_RECORD_SYMBOLS_AGAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/parse/event/record_scan.h"
#include "user/record/kernel/bpf_record.h"
#include "user/record/maps/map_writer.h"

struct living;
struct symbols_again;

/*
 * Must be called before the first symbol is written: @maps then notifies the result of the symbols
 * that it writes. @programs (or NULL) gets new BPF programs, as with bpf_record__program(); @living
 * (or NULL) knows those that were loaded. Returns 0 or -ENOMEM.
 */
int symbols_again__new(struct symbols_again **ret, struct map_writer *maps,
	struct bpf_record *programs, const struct living *living);
void symbols_again__free(struct symbols_again *again);

/* Handles a KSYMBOL of a perf ring. Returns 0 or -ENOMEM with @err. */
int symbols_again__ksymbol(
	struct symbols_again *again, const struct record_view *view, struct error *err);

/* Starts reading after a loss. */
void symbols_again__begin(struct symbols_again *again);
/* Called after each drain: writes the differences when reading has ended. Returns 0 or -errno. */
int symbols_again__write(struct symbols_again *again, struct error *err);
bool symbols_again__is_reading(const struct symbols_again *again);

#endif
