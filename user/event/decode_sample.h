/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PERF_RECORD_SAMPLE, the only record whose layout depends on its attribute. A part of
 * decode.c, for its use only.
 */
#ifndef PERFSTAMP_EVENT_DECODE_SAMPLE_H
#define PERFSTAMP_EVENT_DECODE_SAMPLE_H

#include "user/base/buffer.h"
#include "user/base/cursor.h"
#include "user/event/attrs.h"
#include "user/event/event.h"

/* @body fails if the sample is contradictory; @scratch receives the callchain. */
void decode_sample(const struct attr_layout *layout, struct cursor *body, struct event *ret,
	struct buffer *scratch);

#endif
