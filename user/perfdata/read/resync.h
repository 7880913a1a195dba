/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where records continue after damage. Only the bytes decide: several
 * records in a row that decode, or that end just where the data do. Bytes
 * within a damaged record that look like records cannot be distinguished from them.
 */
#ifndef PERFSTAMP_PERFDATA_RESYNC_H
#define PERFSTAMP_PERFDATA_RESYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "user/event/decode.h"
#include "user/perfdata/input.h"

/*
 * Moves @in on to the next record behind its offset. Records stand at multiples of 8 bytes
 * from @base, in a @pipe of 4. The size that a damaged record gives is not looked at: it
 * may be what is damaged. Takes time in proportion to what is skipped. Returns 1, 0 at the
 * end of @in, or read's error.
 */
int resync__find(
	struct input *in, struct event_decoder *decoder, bool swap, bool pipe, uint64_t base);

#endif
