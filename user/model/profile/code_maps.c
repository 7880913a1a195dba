// SPDX-License-Identifier: GPL-2.0-only
/* See code_maps.h. */
#include "user/model/profile/code_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/event/code.h"
#include "user/model/tables/by_number.h"
#include "user/model/model.h"

/*
 * A mapped part of a function as the reader knows it: all of the function, or a part that other
 * mappings did not replace.
 */
struct piece {
	uint64_t addr, end;
	uint32_t number; /* CODE_NAMES_NONE: a part of the function is no longer mapped */
};

struct space {
	struct by_number by_pid;
	struct piece *v;
	size_t n, room;
	/* The first name of the current program that was not yet mapped for stacks. */
	uint32_t program;
	size_t next;
};

struct code_maps {
	const struct code_names *names;
	bool later;
	bool stacks;
	struct model *model;      /* the mappings of the recording */
	struct by_number *spaces; /* struct space */
	struct code_map *v;
	size_t n, room;
};

int code_maps__new(struct code_maps **ret, const struct code_names *names, bool later)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->names = names;
	(*ret)->later = later;
	return model__new(&(*ret)->model);
}

void code_maps__free(struct code_maps *maps)
{
	if (!maps)
		return;
	for (struct by_number *space = maps->spaces; space; space = space->hh.next)
		free(((struct space *)space)->v);
	by_number__free(&maps->spaces);
	model__free(maps->model);
	free(maps->v);
	free(maps);
}

static struct space *get_space(struct code_maps *maps, uint32_t pid)
{
	struct space *space = by_number__find(maps->spaces, pid);

	if (space)
		return space;
	space = by_number__add(&maps->spaces, pid, sizeof(*space));
	if (space)
		space->program = CODE_NAMES_NONE;
	return space;
}

/* Returns the index of the first piece that ends behind @addr. */
static size_t first_behind(const struct space *space, uint64_t addr)
{
	size_t low = 0, high = space->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (space->v[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Replaces pieces [from, to) by the @n pieces of @with. */
static int splice(struct space *space, size_t from, size_t to, const struct piece *with, size_t n)
{
	if (from == to && !n)
		return 0;
	if (array__reserve(&space->v, &space->room, space->n + n, sizeof(*space->v)))
		return -ENOMEM;
	memmove(space->v + from + n, space->v + to, (space->n - to) * sizeof(*space->v));
	if (n)
		memcpy(space->v + from, with, n * sizeof(*with));
	space->n += n - (to - from);
	return 0;
}

/* Applies a mapping of [addr, end): removes the parts of functions inside of it. */
static int cover(struct space *space, uint64_t addr, uint64_t end, const struct piece *by)
{
	size_t from = first_behind(space, addr), to = from, n = 0;
	struct piece left[3];

	while (to < space->n && space->v[to].addr < end)
		to++;
	if (from < to && space->v[from].addr < addr)
		left[n++] = (struct piece){space->v[from].addr, addr, CODE_NAMES_NONE};
	if (by)
		left[n++] = *by;
	if (from < to && space->v[to - 1].end > end)
		left[n++] = (struct piece){end, space->v[to - 1].end, CODE_NAMES_NONE};
	return splice(space, from, to, left, n);
}

static int map(struct code_maps *maps, const struct event *event, uint64_t addr, uint64_t end,
	uint32_t number)
{
	if (array__reserve(&maps->v, &maps->room, maps->n + 1, sizeof(*maps->v)))
		return -ENOMEM;
	maps->v[maps->n++] = (struct code_map){
		.time_ns = event->time_ns,
		.pid = event->pid,
		.addr = addr,
		.size = end - addr,
		.number = number,
	};
	return 0;
}

static bool is_mapped(
	const struct code_maps *maps, const struct piece *piece, const struct code_entry *entry)
{
	struct code_entry mapped;

	if (!piece || piece->number == CODE_NAMES_NONE || piece->addr != entry->addr ||
		piece->end - piece->addr != entry->size)
		return false;
	mapped = code_names__at(maps->names, piece->number);
	return mapped.life == entry->life && !strcmp(mapped.name, entry->name) &&
	       (!maps->stacks || mapped.detail == entry->detail);
}

/* As in report, names count only in memory for run-time code. Runtimes also name other code. */
static enum code_verdict find_name(
	const struct code_maps *maps, const struct event *event, uint64_t addr, uint32_t *ret)
{
	struct model_place place;
	enum code_verdict verdict;

	*ret = CODE_NAMES_NONE;
	model__locate(maps->model, event->pid, PERF_RECORD_MISC_USER, addr, &place);
	if (place.sighting == UINT32_MAX ||
		!event_code__is_memory(model__sighting_so_far(maps->model, place.sighting)->path))
		return CODE_UNNAMED;
	verdict = code_names__find(maps->names, event->pid, addr, event->time_ns, ret);
	return verdict == CODE_LATER && maps->later ? CODE_NAMED : verdict;
}

/* Adds a mapping, if needed, for the code that the process of @event ran at @addr. */
static int see(struct code_maps *maps, const struct event *event, uint64_t addr)
{
	struct space *space = by_number__find(maps->spaces, event->pid);
	struct piece *piece = NULL, by;
	struct code_entry entry;
	uint32_t number;
	size_t at = 0;
	int err;

	if (space) {
		at = first_behind(space, addr);
		piece = at < space->n && space->v[at].addr <= addr ? &space->v[at] : NULL;
	}
	if (find_name(maps, event, addr, &number) == CODE_NAMED) {
		entry = code_names__at(maps->names, number);
		if (is_mapped(maps, piece, &entry))
			return 0;
		space = space ? space : get_space(maps, event->pid);
		by = (struct piece){entry.addr, entry.addr + entry.size, number};
		err = space ? cover(space, by.addr, by.end, &by) : -ENOMEM;
		return err ? err : map(maps, event, by.addr, by.end, number);
	}
	if (!piece)
		return 0;
	by = *piece;
	err = splice(space, at, at + 1, NULL, 0);
	return err ? err : map(maps, event, by.addr, by.end, CODE_NAMES_NONE);
}

/* Adds mappings for names that were written since the last stack of the process. */
static int see_all(struct code_maps *maps, const struct event *event)
{
	uint32_t program = code_names__program(maps->names, event->pid, event->time_ns);
	struct space *space = get_space(maps, event->pid);
	int err = space ? 0 : -ENOMEM;

	maps->stacks = true;
	/* Most processes write no names; then there is nothing to do. */
	if (!err && !code_names__has(maps->names, event->pid))
		return 0;
	if (!err && space->program != program) {
		space->program = program;
		space->next = 0;
	}
	for (; !err && space->next < code_names__n(maps->names); space->next++) {
		const struct code_entry entry = code_names__at(maps->names, space->next);

		if (entry.life != program || !entry.name)
			continue;
		if (entry.from_ns > event->time_ns && !maps->later)
			break;
		err = see(maps, event, entry.addr);
	}
	return err;
}

static int see_sample(struct code_maps *maps, const struct event *event)
{
	uint64_t context = 0;
	int err = event->sample.user.stack_size ? see_all(maps, event) : 0;

	if (!err && (event->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER)
		err = see(maps, event, event->sample.ip);
	for (uint64_t i = 0; !err && i < event->sample.n_callchain; i++) {
		uint64_t addr = event->sample.callchain[i];

		if (addr >= PERF_CONTEXT_MAX)
			context = addr;
		else if (context == PERF_CONTEXT_USER)
			err = see(maps, event, addr);
	}
	return err;
}

static int inherit(struct code_maps *maps, const struct event *event)
{
	const struct space *parent;
	struct space *child;

	/* Skip threads, and processes that existed before. */
	if (event->pid != event->tid || event->pid == event->fork.ppid ||
		event->misc & PERF_RECORD_MISC_FORK_EXEC)
		return 0;
	child = by_number__find(maps->spaces, event->pid);
	if (child)
		child->n = 0;
	parent = by_number__find(maps->spaces, event->fork.ppid);
	if (!parent || !parent->n)
		return 0;
	/* get_space() does not move the parent, because the table holds pointers. */
	child = child ? child : get_space(maps, event->pid);
	return child ? splice(child, 0, 0, parent->v, parent->n) : -ENOMEM;
}

int code_maps__follow(struct code_maps *maps, const struct event *event)
{
	struct space *space;
	int err = model__apply(maps->model, event);

	if (err)
		return err;
	switch (event->kind) {
	case EVENT_FORK:
		return inherit(maps, event);
	/* Perf keeps mappings from before an exec until another mapping covers them. */
	case EVENT_MAP:
		space = event->map.kernel ? NULL : by_number__find(maps->spaces, event->pid);
		return space && event->map.len ? cover(space, event->map.addr,
							 event->map.addr + event->map.len, NULL)
					       : 0;
	case EVENT_SAMPLE:
		return see_sample(maps, event);
	default:
		return 0;
	}
}

bool code_maps__saw_stacks(const struct code_maps *maps)
{
	return maps->stacks;
}

const struct code_map *code_maps__all(const struct code_maps *maps, size_t *ret_n)
{
	*ret_n = maps->n;
	return maps->v;
}
