/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges units that are the same function: its source file was renamed, or it was moved to another
 * DSO. Pure.
 */
#ifndef PERFSTAMP_MODEL_COMPARE_UNITE_H
#define PERFSTAMP_MODEL_COMPARE_UNITE_H

#include "user/model/compare/comparison.h"

/*
 * Call it once, after all samples are counted. Functions with one name in one DSO remain separate
 * only if the same files define them on both sides. A function that was sampled in only one DSO
 * before, and in only one other DSO after, counts as one function that has moved. Returns 0 or
 * -ENOMEM.
 */
int comparison__unite(struct comparison *comparison);

#endif
