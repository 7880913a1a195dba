/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an address is at this moment: in which mapping of a process, or in which of
 * the kernel's texts. What model__locate() does; knows the tables, and not the model.
 */
#ifndef PERFSTAMP_MODEL_PLACE_H
#define PERFSTAMP_MODEL_PLACE_H

#include "user/model/facts.h"
#include "user/model/kernel.h"
#include "user/model/process.h"

/* As model__locate(). */
void place__find(struct model_place *ret, const struct processes *processes,
	const struct kernel_text *text, uint32_t pid, uint16_t misc, uint64_t addr);

#endif
