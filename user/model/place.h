/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the current place of an address: in a mapping of a process, or in kernel text. A part of
 * model__locate(). Knows the tables, not the model.
 */
#ifndef PERFSTAMP_MODEL_PLACE_H
#define PERFSTAMP_MODEL_PLACE_H

#include "user/model/facts.h"
#include "user/model/kernel.h"
#include "user/model/process.h"

/* See model__locate(). */
void place__find(struct model_place *ret, const struct processes *processes,
	const struct kernel_text *text, uint32_t pid, uint16_t misc, uint64_t addr);

#endif
