/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds where records continue after damage, by the bytes alone: several consecutive
 * records that can be decoded, or records up to the end of the data. Bytes within a damaged
 * record that look like records cannot be distinguished from them.
 */
#ifndef PERFSTAMP_PERFDATA_RESYNC_H
#define PERFSTAMP_PERFDATA_RESYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "user/event/decode.h"
#include "user/perfdata/input.h"

/*
 * Moves @in on to the next record behind its offset. Records stand at multiples of 8 bytes
 * from @base, in a @pipe of 4. The size in a damaged record is not used, since it may be
 * damaged. Takes time in proportion to what is skipped. Returns 1, 0 at the end of @in, or
 * read's error.
 */
int resync__find(
	struct input *in, struct event_decoder *decoder, bool swap, bool pipe, uint64_t base);

#endif
