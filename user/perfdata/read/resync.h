/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds where records continue after damage, from the bytes alone: several consecutive records that
 * can be decoded, or records up to the end of the data. Bytes inside a damaged record that look
 * like records cannot be distinguished from real ones.
 */
#ifndef PERFSTAMP_PERFDATA_RESYNC_H
#define PERFSTAMP_PERFDATA_RESYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "user/event/decode.h"
#include "user/perfdata/input.h"

/*
 * Moves @in to the next record after its offset. Records are at multiples of 8 bytes from @base; in
 * a @pipe, of 4 bytes. The size in a damaged record is not used, because it may be damaged itself.
 * The time taken is proportional to the skipped bytes. Returns 1, 0 at the end of @in, or read's
 * error.
 */
int resync__find(
	struct input *in, struct event_decoder *decoder, bool swap, bool pipe, uint64_t base);

#endif
