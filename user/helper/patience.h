/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When to take one that should have answered for one that does not answer. Time alone does not
 * show that: it may be the one who looks that has waited for its turn on the CPU. So it takes
 * several looks, some time apart, at each of which the answer was late. Pure.
 */
#ifndef PERFSTAMP_HELPER_PATIENCE_H
#define PERFSTAMP_HELPER_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

struct patience {
	uint64_t since_ns;  /* monotonic: when it was asked, or was last seen to make progress */
	uint64_t looked_ns; /* the last look that came late enough after the one before */
	unsigned int looks; /* of these, at which the answer was late */
};

void patience__begin(struct patience *patience, uint64_t now_ns);
/* Whether it has gone @after_ns without an answer, and a next look is due. */
bool patience__is_due(const struct patience *patience, uint64_t now_ns, uint64_t after_ns);
/* A look, which is due; @late: the answer should be there. */
void patience__look(struct patience *patience, uint64_t now_ns, bool late);
bool patience__is_over(const struct patience *patience);

#endif
