/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call chains by function: all addresses in a function become one frame. Chains that then
 * agree in everything that distinguishes rows become one, with a count. Pure.
 */
#ifndef PERFSTAMP_MODEL_CHAINS_H
#define PERFSTAMP_MODEL_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/functions.h"
#include "user/model/profile/samples.h"

/* @function, called from the frame @parent. */
struct chain_frame {
	uint32_t parent; /* SAMPLES_NONE: the outermost */
	uint32_t function;
	uint32_t depth; /* 0 for the outermost one */
};

/* A field that does not distinguish rows is 0. */
struct chain_key {
	uint32_t event;
	uint32_t frame; /* the innermost */
	uint32_t comm;  /* in the samples' texts */
	uint32_t pid, tid, cpu;
	uint32_t parent; /* the number of a name (functions.h), or SAMPLES_NONE */
	uint32_t parallelism;
	uint64_t cgroup;
	uint64_t time_ns;
};

struct chain {
	struct chain_key key;
	uint64_t n; /* samples */
	uint64_t period;
	double latency;
};

struct chains;

/*
 * Without @callers each chain is the function alone that a sample is in and that has a
 * symbol, else inlined ones are frames, too. Returns 0 or -ENOMEM; to be freed in either
 * case.
 */
int chains__new(struct chains **ret, const struct samples *samples,
	const struct functions *functions, bool callers);
void chains__free(struct chains *chains);
/* The frame, by function, of one of the samples' own frames. */
uint32_t chains__frame_of(const struct chains *chains, uint32_t frame);
/* Counts it. Returns 0 or -ENOMEM. */
int chains__add(struct chains *chains, const struct chain_key *key, uint64_t n, uint64_t period,
	double latency);
const struct chain_frame *chains__frame(const struct chains *chains, uint32_t i);
size_t chains__n(const struct chains *chains);
const struct chain *chains__at(const struct chains *chains, size_t i);

#endif
