/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts the samples of a report that have no names, by DSO and cause. Pure. */
#ifndef PERFSTAMP_MODEL_LACKS_H
#define PERFSTAMP_MODEL_LACKS_H

#include "user/model/profile/report.h"

struct lack {
	uint32_t place; /* any place in it, for the DSO */
	enum symbol_lack lack;
	uint64_t n; /* samples whose own address has no name */
};

struct lacks {
	struct lack *v; /* most samples first */
	size_t n;
	uint64_t samples; /* samples in all rows */
};

/* Counts the samples in the rows of @report, of all events together. Returns 0 or -ENOMEM. */
int lacks__find(struct lacks *ret, const struct report *report, const struct resolved *resolved);
void lacks__free(struct lacks *lacks);

#endif
