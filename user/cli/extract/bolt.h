/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BOLT's pre-aggregated form: how often each branch of one build was taken, and each
 * stretch of code between two branches was run through. Format: "File format syntax" in
 * bolt/include/bolt/Profile/DataAggregator.h of LLVM 16.
 */
#ifndef PERFSTAMP_CLI_EXTRACT_BOLT_H
#define PERFSTAMP_CLI_EXTRACT_BOLT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "user/symbols/elf/segments.h"

struct bolt;

/* A branch, by offsets in the file of the build, or outside of it. */
struct bolt_branch {
	uint64_t from;
	uint64_t to;
	bool from_in;
	bool to_in;
	bool mispredicted;
};

int bolt__new(struct bolt **ret, const struct segments *segments); /* Returns 0 or -ENOMEM */
void bolt__free(struct bolt *bolt);
/* @newer was taken next; NULL: it is not known which was. Returns 0 or -ENOMEM. */
int bolt__add(struct bolt *bolt, const struct bolt_branch *branch, const struct bolt_branch *newer);
/* Branches from or to the build that were added. */
uint64_t bolt__n_branches(const struct bolt *bolt);
/* Those whose addresses are not in the code of the file: a stretched or forged build-id. */
uint64_t bolt__n_outside(const struct bolt *bolt);
/* Writes the lines; errors of @out are for the caller to find. */
void bolt__write(struct bolt *bolt, FILE *out);

#endif
