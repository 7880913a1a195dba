/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BOLT's pre-aggregated format for one build: how often each branch was taken, and how often each
 * range of code between two branches was executed. Format: "File format syntax" in
 * bolt/include/bolt/Profile/DataAggregator.h of LLVM 16.
 */
#ifndef PERFSTAMP_CLI_EXTRACT_BOLT_H
#define PERFSTAMP_CLI_EXTRACT_BOLT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "user/symbols/elf/segments.h"

struct bolt;

/* A branch. Its ends are offsets in the file of the build, or outside of it. */
struct bolt_branch {
	uint64_t from;
	uint64_t to;
	bool from_in;
	bool to_in;
	bool mispredicted;
};

int bolt__new(struct bolt **ret, const struct segments *segments); /* Returns 0 or -ENOMEM */
void bolt__free(struct bolt *bolt);
/* Adds @branch. @newer is the next branch that was taken; NULL: not known. Returns 0 or -ENOMEM. */
int bolt__add(struct bolt *bolt, const struct bolt_branch *branch, const struct bolt_branch *newer);
/* Returns the number of added branches from or to the build. */
uint64_t bolt__n_branches(const struct bolt *bolt);
/*
 * Returns the number of branches with addresses outside of the file's code. This happens if a
 * build-id was truncated or forged.
 */
uint64_t bolt__n_outside(const struct bolt *bolt);
/* Writes the lines. The caller checks @out for errors. */
void bolt__write(struct bolt *bolt, FILE *out);

#endif
