/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs of tests/tools and tests/bench share: how they fail, and what time it is.
 * Knows nothing of perfstamp.
 */
#ifndef PERFSTAMP_TESTS_TOOL_H
#define PERFSTAMP_TESTS_TOOL_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Ends the program with 1, after "PROGRAM: WHAT: " and what errno stands for. */
static inline void fail(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(1);
}

static inline uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

#endif
