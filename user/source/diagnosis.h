/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds out what a recording can do on this machine. It opens and loads what record would, and
 * closes it again.
 */
#ifndef PERFSTAMP_SOURCE_DIAGNOSIS_H
#define PERFSTAMP_SOURCE_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/finding.h"

#define DIAGNOSIS_MAX 32

struct diagnosis {
	struct finding findings[DIAGNOSIS_MAX];
	size_t n;
	/* Identities come from the kernel when a mapping is made, with no loss. */
	bool complete;
};

void diagnosis__make(struct diagnosis *ret);

#endif
