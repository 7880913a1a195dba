/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges functions that were counted as several: if its source file was renamed, or it was
 * moved to another DSO. Pure.
 */
#ifndef PERFSTAMP_MODEL_COMPARE_UNITE_H
#define PERFSTAMP_MODEL_COMPARE_UNITE_H

#include "user/model/compare/comparison.h"

/*
 * To be called once, when all is counted. Functions of one name in one DSO stay apart only
 * where the same files have one on both sides. One that was sampled in a single DSO before
 * and in a single other one after is one function, which has moved. Returns 0 or -ENOMEM.
 */
int comparison__unite(struct comparison *comparison);

#endif
