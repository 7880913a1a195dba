/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums of samples: samples that agree in everything that a report distinguishes are one,
 * with a count. Call chains are paths in one tree, from the outermost caller down. The
 * memory follows the number of distinct samples, not of all samples. Pure: the model
 * locates each address at the time of its sample.
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

/* What to distinguish beyond the place, and what to ignore. */
struct samples_options {
	bool pid, tid, comm, cpu, cgroup;
	uint64_t quantum_ns; /* by time, in steps of this; 0: not distinguished by time */
	bool chains;
	uint64_t from_ns, to_ns; /* 0: from the beginning, to the end */
	/* Whether samples of this thread name count; NULL: all. */
	bool (*wants_comm)(void *ctx, const char *comm);
	/* Whether samples of this thread count; NULL: all. */
	bool (*wants_thread)(void *ctx, uint32_t pid, uint32_t tid);
	/* Whether a sample is one of those that percentages are of; NULL: all are. */
	bool (*takes)(void *ctx, const struct event *event);
	void *filter_ctx;   /* context of these three */
	uint32_t max_stack; /* entries of a call chain, from the sample on; 0: all */
	/* The group of a sample, which distinguishes it; SAMPLES_NONE: none. NULL: 0. */
	uint32_t (*group)(void *ctx, const struct model *model, const struct event *event);
	void *group_ctx;
	bool parallel; /* the groups are how many threads ran: see samples__passed_over() */
	/*
	 * With chains: the callers in user space of a sample that has its stack, the innermost
	 * first, each by an address in its call. *@ret stays valid until the next. Returns 0,
	 * or -errno, which samples__apply() returns. NULL: not asked for.
	 */
	int (*unwind)(void *ctx, const struct model *model, const struct event *event,
		const uint64_t **ret, size_t *ret_n);
	void *unwind_ctx;
	/* Sealed: the names of code made at run time, which have to live as long; or NULL. */
	const struct code_names *code_names;
	bool later_names; /* and those that were written after the sample */
};

/* One address of one content, in whatever processes it was sampled. */
struct place {
	enum model_text text;
	bool in_kernel;
	uint32_t sighting;  /* SAMPLES_NONE: in no sighting */
	uint64_t offset;    /* see struct model_place */
	uint64_t map_pgoff; /* of a mapping in which it was sampled */
	uint64_t map_len;   /* bytes */
	uint64_t map_start; /* its first address there */
	/*
	 * Of code made at run time; .code is in the names, or CODE_NAMES_NONE. With a name
	 * .offset is an address: the function's, or the sample's where there are source lines.
	 */
	enum code_verdict verdict;
	uint32_t code;
};

/* A frame of a call chain: @place, called from the frame @parent. */
struct frame {
	uint32_t parent; /* SAMPLES_NONE: the outermost */
	uint32_t place;
	uint32_t depth;
};

struct sample_sum {
	uint32_t event; /* index of the recording's event */
	uint32_t frame; /* the innermost, whose place is the sample's own */
	uint32_t pid, tid, cpu;
	uint32_t comm; /* in .texts */
	uint32_t group;
	uint64_t cgroup;
	uint64_t time_ns; /* beginning of its time step; 0: samples are not grouped by time */
	uint64_t n;
	uint64_t period;
};

/* Samples of one event. */
struct samples_total {
	uint64_t n;
	uint64_t period;
	double latency; /* with .parallel: the periods, each divided by its group */
};

struct samples;

/* Returns 0 or -ENOMEM. @options are copied. */
int samples__new(struct samples **ret, const struct samples_options *options);
void samples__free(struct samples *samples);

/*
 * Takes the next event in time order, which @model must have taken before. @event_index and @period
 * are those of a sample, and have no meaning for other events. Returns 0, -ENOMEM or what unwind()
 * returned.
 */
int samples__apply(struct samples *samples, const struct model *model, const struct event *event,
	uint32_t event_index, uint64_t period);

/*
 * Gives each group the number that @fn returns for it; what is then alike becomes one.
 * Returns 0 or -ENOMEM.
 */
int samples__regroup(struct samples *samples, uint32_t (*fn)(void *ctx, uint32_t group), void *ctx);

size_t samples__n(const struct samples *samples);
/* The sum in which the last event was counted; SAMPLES_NONE: not counted, or not a sample. */
uint32_t samples__counted(const struct samples *samples);
const struct sample_sum *samples__at(const struct samples *samples, size_t i);
size_t samples__n_frames(const struct samples *samples);
const struct frame *samples__frame(const struct samples *samples, uint32_t i);
size_t samples__n_places(const struct samples *samples);
const struct place *samples__place(const struct samples *samples, uint32_t i);
const char *samples__text(const struct samples *samples, uint32_t i);
/* The symbol that the kernel's addresses count from ("_text"); NULL: not known. */
const char *samples__kernel_reference(const struct samples *samples);
/* Samples of @event that .wants_comm or .wants_thread did not want. */
struct samples_total samples__passed_over(const struct samples *samples, uint32_t event);
/* The number of events that samples belong to: their indices are below it. */
uint32_t samples__n_events(const struct samples *samples);
bool samples__has_chains(const struct samples *samples);

#endif
