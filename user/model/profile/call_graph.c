// SPDX-License-Identifier: GPL-2.0-only
/* call_graph: see call_graph.h. */
#include "user/model/profile/call_graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/hash.h"

struct node_key {
	uint32_t parent, function;
};

struct node_entry {
	UT_hash_handle hh;
	struct node_key key;
	uint32_t index;
};

struct call_graph {
	struct call_node *v; /* the first is the root */
	size_t n, room;
	struct node_entry *by_key;
};

/* Appends a node that is not linked to its parent yet. */
static int append(struct call_graph *graph, uint32_t function, uint32_t *ret)
{
	if (array__reserve(&graph->v, &graph->room, graph->n + 1, sizeof(*graph->v)))
		return -ENOMEM;
	*ret = graph->n++;
	graph->v[*ret] = (struct call_node){
		.function = function, .child = SAMPLES_NONE, .next = SAMPLES_NONE};
	return 0;
}

int call_graph__new(struct call_graph **ret)
{
	uint32_t root;

	*ret = calloc(1, sizeof(**ret));
	return *ret ? append(*ret, SAMPLES_NONE, &root) : -ENOMEM;
}

void call_graph__free(struct call_graph *graph)
{
	if (!graph)
		return;
	hash__free(graph->by_key);
	free(graph->v);
	free(graph);
}

static int find_child(struct call_graph *graph, uint32_t parent, uint32_t function, uint32_t *ret)
{
	struct node_key key;
	struct node_entry *entry;

	memset(&key, 0, sizeof(key));
	key.parent = parent;
	key.function = function;
	HASH_FIND(hh, graph->by_key, &key, sizeof(key), entry);
	if (entry) {
		*ret = entry->index;
		return 0;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry || append(graph, function, ret)) {
		free(entry);
		return -ENOMEM;
	}
	entry->key = key;
	entry->index = *ret;
	HASH_ADD(hh, graph->by_key, key, sizeof(key), entry);
	if (!hash__added(entry)) {
		free(entry);
		return -ENOMEM;
	}
	graph->v[*ret].next = graph->v[parent].child;
	graph->v[parent].child = *ret;
	graph->v[parent].n_children++;
	return 0;
}

int call_graph__add(struct call_graph *graph, const uint32_t *functions, size_t n, uint64_t period)
{
	uint32_t at = 0;

	graph->v[at].period += period;
	for (size_t i = 0; i < n; i++) {
		if (find_child(graph, at, functions[i], &at))
			return -ENOMEM;
		graph->v[at].period += period;
	}
	graph->v[at].own += period;
	return 0;
}

/* Sorts equal nodes by the number of the function, so that the order is the same each time. */
static int compare(const void *a, const void *b, void *ctx)
{
	const struct call_graph *graph = ctx;
	const struct call_node *x = &graph->v[*(const uint32_t *)a];
	const struct call_node *y = &graph->v[*(const uint32_t *)b];

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	return x->function < y->function ? -1 : x->function > y->function;
}

int call_graph__sort(struct call_graph *graph)
{
	uint32_t *order = calloc(graph->n + 1, sizeof(*order));

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < graph->n; i++) {
		uint32_t n = 0, *link = &graph->v[i].child;

		if (graph->v[i].n_children < 2)
			continue;
		for (uint32_t at = *link; at != SAMPLES_NONE; at = graph->v[at].next)
			order[n++] = at;
		qsort_r(order, n, sizeof(*order), compare, graph);
		for (uint32_t k = 0; k < n; k++) {
			*link = order[k];
			link = &graph->v[order[k]].next;
		}
		*link = SAMPLES_NONE;
	}
	free(order);
	return 0;
}

const struct call_node *call_graph__root(const struct call_graph *graph)
{
	return graph->v;
}

const struct call_node *call_graph__node(const struct call_graph *graph, uint32_t i)
{
	return &graph->v[i];
}
