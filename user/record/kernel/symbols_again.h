/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel symbols that come and go while it is recorded (BPF programs and trampolines,
 * slots of kprobes) are reported by the perf rings. Where these lost something, what is there
 * is read anew, and what differs from the recording is written: new ones, and ends.
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
 * Before the first symbol is written: from now on @maps notifies it of those that it
 * writes. @programs (or NULL) gets new BPF programs, as bpf_record__program; @living (or
 * NULL) knows those that were loaded. Returns 0 or -ENOMEM.
 */
int symbols_again__new(struct symbols_again **ret, struct map_writer *maps,
	struct bpf_record *programs, const struct living *living);
void symbols_again__free(struct symbols_again *again);

/* A KSYMBOL of a perf ring. Returns 0 or -ENOMEM with @err. */
int symbols_again__ksymbol(
	struct symbols_again *again, const struct record_view *view, struct error *err);

/* Something was lost: begins to read. */
void symbols_again__begin(struct symbols_again *again);
/* After each drain: writes what differs, once it was read. Returns 0 or -errno. */
int symbols_again__write(struct symbols_again *again, struct error *err);
bool symbols_again__is_reading(const struct symbols_again *again);

#endif
