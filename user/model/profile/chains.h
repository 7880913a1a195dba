/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call chains by function: all addresses in a function become one frame. Chains that then agree in
 * all fields that distinguish rows are merged and counted. Pure.
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
	uint32_t parent; /* SAMPLES_NONE: it is the outermost */
	uint32_t function;
	uint32_t depth; /* 0 for the outermost frame */
};

/* Fields that do not distinguish rows are 0. */
struct chain_key {
	uint32_t event;
	uint32_t frame; /* the innermost frame */
	uint32_t comm;  /* number in the texts of the samples */
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
 * Without @callers, each chain has only one frame: the function that contains the sample and has a
 * symbol. With @callers, inlined functions are frames, too. Returns 0 or -ENOMEM. The caller frees
 * *@ret in either case.
 */
int chains__new(struct chains **ret, const struct samples *samples,
	const struct functions *functions, bool callers);
void chains__free(struct chains *chains);
/* Returns the frame of a function for a frame of the samples. */
uint32_t chains__frame_of(const struct chains *chains, uint32_t frame);
/* Counts a chain. Returns 0 or -ENOMEM. */
int chains__add(struct chains *chains, const struct chain_key *key, uint64_t n, uint64_t period,
	double latency);
const struct chain_frame *chains__frame(const struct chains *chains, uint32_t i);
size_t chains__n(const struct chains *chains);
const struct chain *chains__at(const struct chains *chains, size_t i);

#endif
