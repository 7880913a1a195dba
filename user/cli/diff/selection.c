// SPDX-License-Identifier: GPL-2.0-only
/* See selection.h. */
#include "user/cli/diff/selection.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/event/identity.h"
#include "user/model/tables/by_number.h"
#include "user/view/containers.h"

/*
 * Up to this number, all mappings of a process are searched at each change. Most processes have
 * some dozens.
 */
#define LOOK_ALWAYS 1024
/* Of the bits of matches(): both sides select it. */
#define SHARED (2 << SIDES)

/* A process that maps a selected build, or has samples. */
struct member {
	struct by_number by_pid;
	bool maps[SIDES];
	bool sampled[SIDES];
	bool shares;                 /* it maps a build that both sides select */
	enum comparison_side newest; /* the side of the newest build that it maps */
	uint32_t n_mappings;         /* number of its mappings when they were last searched */
	uint32_t n_since;            /* mappings that it made since then */
};

struct members {
	const struct selection *sides;
	const bool *active;
	struct by_number *by_pid; /* struct member */
	/* By sighting: 0 not tested, 1 tested, 2 << side: it matches, and SHARED. */
	uint8_t *matches;
	size_t n_matches;
	struct containers *containers;
	size_t n_alive[SIDES]; /* processes that map a build of the side */
	size_t n_processes[SIDES];
	uint64_t life_ns[SIDES], first_ns[SIDES], last_ns[SIDES];
	uint64_t now_ns;
	uint64_t n_of_both;
	bool no_memory;
};

/* If only one has a cookie, contents are compared by build-id. */
static bool is_same(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	if (!identity__same_build_id(a, b))
		return false;
	if (a->build_id_size && (!a->cookie_size || !b->cookie_size))
		return true;
	return identity__same_cookie(a, b);
}

bool selection__is_by_build(const struct selection *selection)
{
	return selection->path || selection->path_glob || selection->build_id_size ||
	       selection->has_identity;
}

bool selection__matches(const struct selection *selection, const struct sighting *sighting)
{
	const struct perfstamp_identity *identity = &sighting->identity;

	if (sighting->symbol)
		return false;
	if (selection->path && strcmp(selection->path, sighting->path) != 0)
		return false;
	if (selection->path_glob && fnmatch(selection->path_glob, sighting->path, 0))
		return false;
	if (selection->build_id_size &&
		(identity->build_id_size < selection->build_id_size ||
			memcmp(identity->build_id, selection->build_id, selection->build_id_size)))
		return false;
	return !selection->has_identity || is_same(&selection->identity, identity);
}

int members__new(
	struct members **ret, const struct selection sides[SIDES], const bool active[SIDES])
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->sides = sides;
	(*ret)->active = active;
	return 0;
}

void members__free(struct members *members)
{
	if (!members)
		return;
	by_number__free(&members->by_pid);
	containers__free(members->containers);
	free(members->matches);
	free(members);
}

/*
 * Returns the sides that the sighting @index selects processes for, as bits 2 << side, and SHARED
 * if it does for both.
 */
static uint8_t matches(struct members *members, const struct model *model, uint32_t index)
{
	const struct sighting *sighting = model__sighting_so_far(model, index);
	uint8_t ret = 1;

	if (array__reach(
		    &members->matches, &members->n_matches, index, sizeof(*members->matches))) {
		members->no_memory = true;
		return 0;
	}
	if (members->matches[index])
		return members->matches[index];
	for (int side = 0; side < SIDES; side++)
		if (members->active[side] && selection__is_by_build(&members->sides[side]) &&
			selection__matches(&members->sides[side], sighting))
			ret |= 2 << side;
	if (ret & 2 << BEFORE && ret & 2 << AFTER)
		ret |= SHARED;
	members->matches[index] = ret;
	return ret;
}

struct looking {
	struct members *members;
	const struct model *model;
	uint32_t n;
	uint8_t found;
};

static int look(const struct model_mapping *mapping, void *ctx)
{
	struct looking *looking = ctx;

	looking->n++;
	if (mapping->sighting != UINT32_MAX)
		looking->found |= matches(looking->members, looking->model, mapping->sighting);
	return 0;
}

/* Searches the current mappings of process @pid. */
static void look_at(struct members *members, const struct model *model, uint32_t pid)
{
	struct looking looking = {.members = members, .model = model};
	struct member *member = by_number__find(members->by_pid, pid);

	model__for_each_mapping_of(model, pid, look, &looking);
	if (!member && looking.found > 1)
		member = by_number__get(&members->by_pid, pid, sizeof(*member));
	if (!member) {
		members->no_memory |= looking.found > 1;
		return;
	}
	member->n_mappings = looking.n;
	member->n_since = 0;
	member->shares = looking.found & SHARED;
	for (int side = 0; side < SIDES; side++) {
		bool maps = looking.found & 2 << side;

		if (maps && !member->maps[side]) {
			members->n_alive[side]++;
			member->newest = side;
		}
		if (!maps && member->maps[side])
			members->n_alive[side]--;
		member->maps[side] = maps;
	}
}

/*
 * Whether to search the mappings of a process again after it mapped a build in @found. An added
 * build is noticed at once. A removed build is noticed at once in a process of usual size. In a
 * process with very many mappings, it is noticed only after as many new mappings as the process
 * had, which bounds the time.
 */
static bool must_look(struct members *members, uint32_t pid, uint8_t found)
{
	struct member *member = by_number__find(members->by_pid, pid);

	if (!member)
		return true;
	for (int side = 0; side < SIDES; side++)
		if (found & 2 << side && !member->maps[side])
			return true;
	return member->n_mappings <= LOOK_ALWAYS || ++member->n_since >= member->n_mappings;
}

static void pass_time(struct members *members, uint64_t now_ns)
{
	for (int side = 0; side < SIDES; side++) {
		const struct selection *selection = &members->sides[side];
		uint64_t from = members->now_ns, to = now_ns;

		if (!from || !members->n_alive[side])
			continue;
		if (from < selection->from_ns)
			from = selection->from_ns;
		if (selection->to_ns && to > selection->to_ns)
			to = selection->to_ns;
		if (to > from)
			members->life_ns[side] += to - from;
	}
	members->now_ns = now_ns;
}

int members__follow(struct members *members, const struct model *model, const struct event *event)
{
	struct model_mapping mapping;
	const struct member *parent;
	uint8_t found;

	if (event->time_ns > members->now_ns)
		pass_time(members, event->time_ns);
	switch (event->kind) {
	case EVENT_MAP:
		if (!event->map.kernel &&
			model__find_mapping(model, event->pid, event->map.addr, &mapping) &&
			mapping.sighting != UINT32_MAX) {
			found = matches(members, model, mapping.sighting);
			if (found > 1 && must_look(members, event->pid, found))
				look_at(members, model, event->pid);
		}
		break;
	case EVENT_FORK:
		parent = by_number__find(members->by_pid, event->fork.ppid);
		if (event->pid != event->fork.ppid && parent &&
			(parent->maps[BEFORE] || parent->maps[AFTER]))
			look_at(members, model, event->pid);
		break;
	case EVENT_COMM:
		if (event->comm.exec && by_number__find(members->by_pid, event->pid))
			look_at(members, model, event->pid);
		break;
	case EVENT_EXIT:
		if (by_number__find(members->by_pid, event->pid))
			look_at(members, model, event->pid);
		break;
	default:
		break;
	}
	return members->no_memory ? -ENOMEM : 0;
}

static bool is_in_container(struct members *members, const struct model *model,
	const struct event *event, const struct selection *selection)
{
	struct container_facts *facts = NULL;
	struct model_process process = {0};
	uint64_t id = event->sample.cgroup;

	if (!id && model__process(model, event->pid, &process))
		id = process.cgroup_id;
	if ((!members->containers && containers__new(&members->containers, model)) ||
		containers__find(members->containers, id, &facts)) {
		members->no_memory = true;
		return false;
	}
	if (!facts)
		return false;
	if (selection->container && !container_facts__matches(facts, selection->container))
		return false;
	return !selection->pod || (*facts->pod && !fnmatch(selection->pod, facts->pod, 0)) ||
	       (*facts->is.pod && !fnmatch(selection->pod, facts->is.pod, 0));
}

static bool is_selected(struct members *members, const struct model *model,
	const struct event *event, enum comparison_side side)
{
	const struct selection *selection = &members->sides[side];
	struct model_process process;
	const struct member *member;

	if (!members->active[side] || event->time_ns < selection->from_ns ||
		(selection->to_ns && event->time_ns > selection->to_ns) ||
		(selection->pid && event->pid != selection->pid))
		return false;
	if (selection__is_by_build(selection)) {
		member = by_number__find(members->by_pid, event->pid);
		if (!member || !member->maps[side])
			return false;
	}
	if (selection->comm && (!model__process(model, event->pid, &process) ||
				       fnmatch(selection->comm, process.comm, 0)))
		return false;
	return !(selection->container || selection->pod) ||
	       is_in_container(members, model, event, selection);
}

/* Returns the side of a sample whose process maps both builds, or that both sides select. */
static enum comparison_side side_of_both(
	struct members *members, const struct model *model, const struct event *event)
{
	const struct member *member = by_number__find(members->by_pid, event->pid);
	struct model_place place;
	uint8_t found = 0;

	if (!member)
		return BEFORE;
	model__locate(model, event->pid, event->misc, event->sample.ip, &place);
	if (place.sighting != UINT32_MAX)
		found = matches(members, model, place.sighting);
	if (found & 2 << BEFORE && !(found & 2 << AFTER))
		return BEFORE;
	return found & 2 << AFTER ? AFTER : member->newest;
}

/* Whether the builds that a process maps determine the side of its samples. */
static bool is_by_build(const struct members *members, const struct member *member)
{
	return selection__is_by_build(&members->sides[BEFORE]) &&
	       selection__is_by_build(&members->sides[AFTER]) && !member->shares;
}

enum comparison_side members__side(
	struct members *members, const struct model *model, const struct event *event)
{
	bool before = is_selected(members, model, event, BEFORE);
	bool after = is_selected(members, model, event, AFTER);
	enum comparison_side side = before ? BEFORE : AFTER;
	struct member *member;

	if (!before && !after)
		return SIDES;
	if (before && after)
		side = side_of_both(members, model, event);
	member = by_number__get(&members->by_pid, event->pid, sizeof(*member));
	if (!member) {
		members->no_memory = true;
		return SIDES;
	}
	if (before && after && !is_by_build(members, member))
		members->n_of_both++;
	if (!member->sampled[side])
		members->n_processes[side]++;
	member->sampled[side] = true;
	if (!members->first_ns[side])
		members->first_ns[side] = event->time_ns;
	members->last_ns[side] = event->time_ns;
	return side;
}

uint64_t members__life_ns(const struct members *members, enum comparison_side side)
{
	if (selection__is_by_build(&members->sides[side]))
		return members->life_ns[side];
	return members->last_ns[side] - members->first_ns[side];
}

size_t members__n_processes(const struct members *members, enum comparison_side side)
{
	return members->n_processes[side];
}

uint64_t members__n_of_both(const struct members *members)
{
	return members->n_of_both;
}
