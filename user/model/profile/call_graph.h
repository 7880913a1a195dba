/* SPDX-License-Identifier: GPL-2.0-only */
/* A call graph: a tree of call chains from either end, with the samples of each branch. Pure. */
#ifndef PERFSTAMP_MODEL_CALL_GRAPH_H
#define PERFSTAMP_MODEL_CALL_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/samples.h"

struct call_node {
	uint32_t function;
	uint32_t n_children;
	uint32_t child; /* the child with the largest period, or SAMPLES_NONE */
	uint32_t next;  /* the next child of the same parent, or SAMPLES_NONE */
	uint64_t own;   /* period of the chains that end here */
	uint64_t period;
};

struct call_graph;

/* Returns 0 or -ENOMEM. */
int call_graph__new(struct call_graph **ret);
void call_graph__free(struct call_graph *graph);
/* Adds a chain that begins at the root. Returns 0 or -ENOMEM. */
int call_graph__add(struct call_graph *graph, const uint32_t *functions, size_t n, uint64_t period);
/* Sorts the children. Call it once, after all chains are added. Returns 0 or -ENOMEM. */
int call_graph__sort(struct call_graph *graph);
/* Returns the root, which is above all functions. */
const struct call_node *call_graph__root(const struct call_graph *graph);
const struct call_node *call_graph__node(const struct call_graph *graph, uint32_t i);

#endif
