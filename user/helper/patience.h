/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides when a process that has not answered counts as hung. Elapsed time alone does not prove
 * that, because the observer itself may have waited for the CPU. So the answer must be late at
 * several checks, some time apart. Pure.
 */
#ifndef PERFSTAMP_HELPER_PATIENCE_H
#define PERFSTAMP_HELPER_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

struct patience {
	uint64_t since_ns;  /* monotonic: time of the request, or of the last progress */
	uint64_t looked_ns; /* the last check that counted */
	unsigned int looks; /* number of counted checks at which the answer was late */
};

void patience__begin(struct patience *patience, uint64_t now_ns);
/* Whether @after_ns have passed without an answer, and the next check is due. */
bool patience__is_due(const struct patience *patience, uint64_t now_ns, uint64_t after_ns);
/* Makes a check that is due; @late: the answer should have arrived. */
void patience__look(struct patience *patience, uint64_t now_ns, bool late);
bool patience__is_over(const struct patience *patience);

#endif
