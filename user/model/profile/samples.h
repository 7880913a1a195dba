/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums of samples: samples that agree in everything that a report distinguishes become one, with a
 * count. Call chains are paths in one tree, from the outermost caller down. The memory follows the
 * number of distinct samples. Pure: the model locates each address at the time of its sample.
 */
#ifndef PERFSTAMP_MODEL_SAMPLES_H
#define PERFSTAMP_MODEL_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/model.h"
#include "user/model/profile/code_names.h"
#include "user/model/profile/texts.h"

#define SAMPLES_NONE UINT32_MAX

/* Options: how samples are distinguished besides their place, and which samples to ignore. */
struct samples_options {
	bool pid, tid, comm, cpu, cgroup;
	uint64_t quantum_ns; /* length of a time step; 0: time does not distinguish samples */
	bool chains;
	uint64_t from_ns, to_ns; /* 0: from the beginning, or to the end */
	/* Whether samples with this thread name count; NULL: all count. */
	bool (*wants_comm)(void *ctx, const char *comm);
	/* Whether samples of this thread count; NULL: all count. */
	bool (*wants_thread)(void *ctx, uint32_t pid, uint32_t tid);
	/* Whether a sample counts in the totals of percentages; NULL: all count. */
	bool (*takes)(void *ctx, const struct event *event);
	void *filter_ctx; /* context of these three functions */
	/* Limit for entries of a call chain, with the sample itself; 0: no limit. */
	uint32_t max_stack;
	/*
	 * Returns the group of a sample, which distinguishes it, or SAMPLES_NONE. NULL: all have
	 * group 0.
	 */
	uint32_t (*group)(void *ctx, const struct model *model, const struct event *event);
	void *group_ctx;
	bool parallel; /* the groups are numbers of running threads: see samples__passed_over() */
	/*
	 * With chains: sets *@ret to the callers in user space of a sample with a copy of its
	 * stack, the innermost first. Each has an address inside its call instruction. *@ret is
	 * valid until the next call. Returns 0, or -errno, which samples__apply() then returns.
	 * NULL: stacks are not unwound.
	 */
	int (*unwind)(void *ctx, const struct model *model, const struct event *event,
		const uint64_t **ret, size_t *ret_n);
	void *unwind_ctx;
	/*
	 * The sealed names of code made at run time, or NULL. They have to live as long as the
	 * samples.
	 */
	const struct code_names *code_names;
	bool later_names; /* also use names that were written after the sample */
};

/* One address in one content, sampled in any process. */
struct place {
	enum model_text text;
	bool in_kernel;
	uint32_t sighting;  /* SAMPLES_NONE: in no sighting */
	uint64_t offset;    /* see struct model_place */
	uint64_t map_pgoff; /* offset of a mapping in which it was sampled */
	uint64_t map_len;   /* the length of this mapping in bytes */
	uint64_t map_start; /* the first address of this mapping */
	/*
	 * For code made at run time: .code is its number in the names, or CODE_NAMES_NONE. If it
	 * has a name, .offset is the address of the function, or with source lines that of the
	 * sample.
	 */
	enum code_verdict verdict;
	uint32_t code;
};

/* A frame of a call chain: @place, called from the frame @parent. */
struct frame {
	uint32_t parent; /* SAMPLES_NONE: it is the outermost */
	uint32_t place;
	uint32_t depth;
};

struct sample_sum {
	uint32_t event; /* index of the event in the recording */
	uint32_t frame; /* the innermost frame, whose place is that of the sample */
	uint32_t pid, tid, cpu;
	uint32_t comm; /* index in .texts */
	uint32_t group;
	uint64_t cgroup;
	uint64_t time_ns; /* begin of its time step; 0: samples are not grouped by time */
	uint64_t n;
	uint64_t period;
};

/* Samples of one event. */
struct samples_total {
	uint64_t n;
	uint64_t period;
	double latency; /* with .parallel: the sum of the periods, each divided by its group */
};

struct samples;

/* Returns 0 or -ENOMEM. @options are copied. */
int samples__new(struct samples **ret, const struct samples_options *options);
void samples__free(struct samples *samples);

/*
 * Applies the next event in time order; apply it to @model first. @event_index and @period are used
 * for samples only. Returns 0, -ENOMEM, or the error of unwind().
 */
int samples__apply(struct samples *samples, const struct model *model, const struct event *event,
	uint32_t event_index, uint64_t period);

/*
 * Changes the group of all samples to the result of @fn, and merges samples that are then equal.
 * Returns 0 or -ENOMEM.
 */
int samples__regroup(struct samples *samples, uint32_t (*fn)(void *ctx, uint32_t group), void *ctx);

size_t samples__n(const struct samples *samples);
/*
 * Returns the sum that the last event was counted in; SAMPLES_NONE: it was not counted, or is no
 * sample.
 */
uint32_t samples__counted(const struct samples *samples);
const struct sample_sum *samples__at(const struct samples *samples, size_t i);
size_t samples__n_frames(const struct samples *samples);
const struct frame *samples__frame(const struct samples *samples, uint32_t i);
size_t samples__n_places(const struct samples *samples);
const struct place *samples__place(const struct samples *samples, uint32_t i);
const char *samples__text(const struct samples *samples, uint32_t i);
/*
 * Returns the symbol from which the offsets of kernel addresses count ("_text"); NULL: not known.
 */
const char *samples__kernel_reference(const struct samples *samples);
/* Returns the samples of @event that .wants_comm or .wants_thread refused. */
struct samples_total samples__passed_over(const struct samples *samples, uint32_t event);
/* Returns the number of events that samples belong to; their indexes are below it. */
uint32_t samples__n_events(const struct samples *samples);
bool samples__has_chains(const struct samples *samples);

#endif
