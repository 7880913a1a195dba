// SPDX-License-Identifier: GPL-2.0-only
/*
 * code_names: see code_names.h. The entries of a program are sorted by their ranges, and entries
 * with the same range by time. So a search by bisection is fast even for code that is made at one
 * address again and again.
 */
#include "user/model/profile/code_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/event/code.h"
#include "user/model/tables/by_number.h"
#include "user/base/hash.h"
#include "user/model/profile/texts.h"

#define OVERLAPS_MAX 4096 /* limit of searched ranges; beyond it, the name is undecided */

struct entry {
	uint64_t addr, end;
	uint64_t from_ns, sure_ns;
	uint32_t name; /* index in .texts, or CODE_NAMES_NONE */
	uint32_t life;
	uint32_t number; /* in order of appearance */
	uint32_t detail;
	bool dump;
};

/* The entries of one program with one range: [first, first + n) of .v, by time. */
struct range {
	uint64_t addr, end;
	uint64_t max_end; /* highest end of this range and of all before it */
	uint32_t first, n;
};

struct life {
	uint32_t pid;
	uint64_t start_ns;
	uint32_t before;    /* the previous life of the same pid, or NONE */
	uint32_t jump;      /* an earlier life; a search skips those in between */
	uint32_t depth;     /* number of lives before this one */
	uint32_t parent;    /* the life whose code it had when it was forked, or NONE */
	uint64_t forked_ns; /* the time of the fork */
	uint32_t first_range, n_ranges;
	bool named; /* it wrote names */
};

struct of_pid {
	struct by_number by_pid;
	uint32_t newest;
};

struct newest {
	UT_hash_handle hh;
	struct {
		uint64_t addr;
		uint64_t life;
	} key;
	uint32_t name;
	uint32_t detail;
};

struct code_names {
	struct code_details *details;
	struct texts texts;
	struct entry *v;
	size_t n, room;
	struct life *lives;
	size_t n_lives, lives_room;
	struct range *ranges;
	size_t n_ranges;
	uint32_t *at;             /* by number: the index in .v */
	struct by_number *by_pid; /* struct of_pid */
	struct newest *newest;
};

int code_names__new(struct code_names **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? code_details__new(&(*ret)->details) : -ENOMEM;
}

void code_names__free(struct code_names *names)
{
	if (!names)
		return;
	by_number__free(&names->by_pid);
	hash__free(names->newest);
	code_details__free(names->details);
	texts__free(&names->texts);
	free(names->v);
	free(names->lives);
	free(names->ranges);
	free(names->at);
	free(names);
}

/* ---- Programs ---- */

static struct of_pid *get_pid(struct code_names *names, uint32_t pid)
{
	struct of_pid *of = by_number__find(names->by_pid, pid);

	if (of)
		return of;
	of = by_number__add(&names->by_pid, pid, sizeof(*of));
	if (of)
		of->newest = CODE_NAMES_NONE;
	return of;
}

/* Two jumps of equal width become one, so each life can be reached in about 2 log n steps. */
static void set_jump(struct life *v, uint32_t i)
{
	uint32_t before = v[i].before, jump, next;

	if (before == CODE_NAMES_NONE)
		return;
	v[i].depth = v[before].depth + 1;
	v[i].jump = before;
	jump = v[before].jump;
	next = jump == CODE_NAMES_NONE ? jump : v[jump].jump;
	if (next != CODE_NAMES_NONE &&
		v[before].depth - v[jump].depth == v[jump].depth - v[next].depth)
		v[i].jump = next;
}

static int begin_life(
	struct code_names *names, uint32_t pid, uint64_t time_ns, uint32_t parent, uint32_t *ret)
{
	struct of_pid *of = get_pid(names, pid);
	struct life *v;

	if (!of || array__reserve_numbered(&names->lives, &names->lives_room, names->n_lives + 1,
			   sizeof(*names->lives)))
		return -ENOMEM;
	v = names->lives;
	v[names->n_lives] = (struct life){
		.pid = pid,
		.start_ns = time_ns,
		.before = of->newest,
		.jump = CODE_NAMES_NONE,
		.parent = parent,
		.forked_ns = time_ns,
	};
	set_jump(v, names->n_lives);
	*ret = of->newest = names->n_lives++;
	return 0;
}

/* Returns NONE if the pid is not known. Before its first life, returns the first. */
static uint32_t life_at(const struct code_names *names, uint32_t pid, uint64_t time_ns)
{
	const struct of_pid *of = by_number__find(names->by_pid, pid);
	uint32_t life = of ? of->newest : CODE_NAMES_NONE;

	while (life != CODE_NAMES_NONE && names->lives[life].start_ns > time_ns &&
		names->lives[life].before != CODE_NAMES_NONE) {
		uint32_t jump = names->lives[life].jump;

		life = names->lives[jump].start_ns > time_ns ? jump : names->lives[life].before;
	}
	return life;
}

int code_names__life(struct code_names *names, uint32_t pid, uint64_t time_ns, uint32_t *ret)
{
	*ret = life_at(names, pid, time_ns);
	return *ret == CODE_NAMES_NONE ? begin_life(names, pid, 0, CODE_NAMES_NONE, ret) : 0;
}

static int follow_fork(struct code_names *names, const struct event *event)
{
	uint32_t life, parent;

	/* Skip threads, and processes that existed before. */
	if (event->pid != event->tid || event->pid == event->fork.ppid ||
		event->misc & PERF_RECORD_MISC_FORK_EXEC)
		return 0;
	if (code_names__life(names, event->fork.ppid, event->time_ns, &parent))
		return -ENOMEM;
	return begin_life(names, event->pid, event->time_ns, parent, &life);
}

/* Applies the mapping of a file at addresses of code, which ends the code. */
static int follow_map(struct code_names *names, const struct event *event)
{
	const struct code_entry entry = {
		.addr = event->map.addr,
		.size = event->map.len,
		.from_ns = event->time_ns,
		.sure_ns = event->time_ns,
		.detail = CODE_DETAILS_NONE,
	};
	uint32_t life;

	if (event->map.kernel || !entry.size || entry.addr + entry.size < entry.addr ||
		event_code__is_memory(event->map.path))
		return 0;
	if (code_names__life(names, event->pid, event->time_ns, &life))
		return -ENOMEM;
	return code_names__add(names, life, &entry);
}

int code_names__follow(struct code_names *names, const struct event *event)
{
	uint32_t life;

	switch (event->kind) {
	case EVENT_FORK:
		return follow_fork(names, event);
	case EVENT_COMM:
		return event->comm.exec ? begin_life(names, event->pid, event->time_ns,
						  CODE_NAMES_NONE, &life)
					: 0;
	case EVENT_MAP:
		return follow_map(names, event);
	default:
		return 0;
	}
}

/* ---- Names ---- */

struct code_details *code_names__details(const struct code_names *names)
{
	return names->details;
}

static int remember_newest(
	struct code_names *names, uint32_t life, uint64_t addr, uint32_t name, uint32_t detail)
{
	struct newest *newest;
	struct newest wanted;

	memset(&wanted, 0, sizeof(wanted));
	wanted.key.addr = addr;
	wanted.key.life = life;
	HASH_FIND(hh, names->newest, &wanted.key, sizeof(wanted.key), newest);
	if (!newest) {
		newest = calloc(1, sizeof(*newest));
		if (!newest)
			return -ENOMEM;
		newest->key = wanted.key;
		HASH_ADD(hh, names->newest, key, sizeof(newest->key), newest);
		if (!hash__added(newest)) {
			free(newest);
			return -ENOMEM;
		}
	}
	newest->name = name;
	newest->detail = detail;
	return 0;
}

int code_names__add(struct code_names *names, uint32_t life, const struct code_entry *entry)
{
	uint32_t name = CODE_NAMES_NONE;

	if (array__reserve_numbered(&names->v, &names->room, names->n + 1, sizeof(*names->v)))
		return -ENOMEM;
	if (entry->name && texts__add(&names->texts, entry->name, &name))
		return -ENOMEM;
	if (entry->dump && remember_newest(names, life, entry->addr, name, entry->detail))
		return -ENOMEM;
	names->lives[life].named |= entry->name != NULL;
	names->v[names->n] = (struct entry){
		.addr = entry->addr,
		.end = entry->addr + entry->size,
		.from_ns = entry->from_ns,
		.sure_ns = entry->sure_ns,
		.name = name,
		.life = life,
		.number = names->n,
		.detail = entry->detail,
		.dump = entry->dump,
	};
	names->n++;
	return 0;
}

struct code_entry code_names__newest(const struct code_names *names, uint32_t life, uint64_t addr)
{
	struct code_entry none = {.detail = CODE_DETAILS_NONE};
	struct newest *newest, wanted;

	memset(&wanted, 0, sizeof(wanted));
	wanted.key.addr = addr;
	wanted.key.life = life;
	HASH_FIND(hh, names->newest, &wanted.key, sizeof(wanted.key), newest);
	if (!newest || newest->name == CODE_NAMES_NONE)
		return none;
	return (struct code_entry){
		.name = texts__at(&names->texts, newest->name), .detail = newest->detail};
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* For names that were read at the same time, the later one in the file counts. */
static int by_time(const struct entry *a, const struct entry *b)
{
	return a->sure_ns != b->sure_ns ? COMPARE(a->sure_ns, b->sure_ns)
					: COMPARE(a->number, b->number);
}

static int by_range(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->life != y->life)
		return COMPARE(x->life, y->life);
	if (x->addr != y->addr)
		return COMPARE(x->addr, y->addr);
	if (x->end != y->end)
		return COMPARE(x->end, y->end);
	return by_time(x, y);
}

static bool is_same_range(const struct entry *a, const struct entry *b)
{
	return a->life == b->life && a->addr == b->addr && a->end == b->end;
}

static void add_range(struct code_names *names, uint32_t first, uint32_t n)
{
	const struct entry *entry = &names->v[first];
	struct life *life = &names->lives[entry->life];
	struct range *range = &names->ranges[names->n_ranges];

	*range = (struct range){entry->addr, entry->end, entry->end, first, n};
	if (!life->n_ranges)
		life->first_range = names->n_ranges;
	else if (range[-1].max_end > range->max_end)
		range->max_end = range[-1].max_end;
	life->n_ranges++;
	names->n_ranges++;
}

int code_names__seal(struct code_names *names)
{
	size_t first = 0;

	names->ranges = calloc(names->n + 1, sizeof(*names->ranges));
	names->at = calloc(names->n + 1, sizeof(*names->at));
	if (!names->ranges || !names->at)
		return -ENOMEM;
	if (names->n)
		qsort(names->v, names->n, sizeof(*names->v), by_range);
	for (size_t i = 0; i < names->n; i++) {
		names->at[names->v[i].number] = i;
		if (i + 1 < names->n && is_same_range(&names->v[i], &names->v[i + 1]))
			continue;
		add_range(names, first, i + 1 - first);
		first = i + 1;
	}
	return 0;
}

/* ---- Lookup ---- */

/* A lookup: the address and time of a sample, and what is known about them. */
struct question {
	const struct code_names *names;
	uint64_t addr, end; /* the range of the lookup */
	uint64_t time_ns;
	const struct entry *current; /* the newest entry that certainly existed */
	const struct entry *maybe;   /* an entry that may have existed already */
	const struct entry *later;
	bool several; /* there are more such entries than .maybe */
	bool too_many;
};

static bool is_same(const struct entry *a, const struct entry *b)
{
	return a->name == b->name && a->addr == b->addr && a->end == b->end;
}

static void take_maybe(struct question *question, const struct entry *entry)
{
	if (question->maybe && !is_same(question->maybe, entry))
		question->several = true;
	question->maybe = entry;
}

static void ask_range(struct question *question, const struct range *range)
{
	const struct entry *v = question->names->v + range->first;
	uint32_t low = 0, high = range->n;

	/* Find the first entry that did not certainly exist. */
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (v[mid].sure_ns <= question->time_ns)
			low = mid + 1;
		else
			high = mid;
	}
	if (low && (!question->current || by_time(&v[low - 1], question->current) > 0))
		question->current = &v[low - 1];
	for (; low < range->n && v[low].from_ns < question->time_ns && !question->several; low++)
		take_maybe(question, &v[low]);
	if (low < range->n && v[low].from_ns >= question->time_ns &&
		(!question->later || by_time(&v[low], question->later) < 0))
		question->later = &v[low];
}

/* Searches all ranges of @life that contain the address. */
static void ask(struct question *question, const struct life *life)
{
	const struct range *ranges = question->names->ranges + life->first_range;
	uint32_t low = 0, high = life->n_ranges, looked = 0;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (ranges[mid].addr < question->end)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low > 0 && ranges[low - 1].max_end > question->addr; low--) {
		if (++looked > OVERLAPS_MAX) {
			question->too_many = true;
			return;
		}
		if (ranges[low - 1].end > question->addr)
			ask_range(question, &ranges[low - 1]);
	}
}

static enum code_verdict named(const struct entry *entry, uint32_t *ret)
{
	if (entry->name == CODE_NAMES_NONE)
		return CODE_UNNAMED;
	*ret = entry->number;
	return CODE_NAMED;
}

/* A reuse of any byte of the range, certain or possible, affects the name. */
static enum code_verdict check(
	const struct question *question, const struct life *life, uint32_t *ret)
{
	const struct entry *current = question->current;
	struct question whole = {
		.names = question->names,
		.addr = current->addr,
		.end = current->end,
		.time_ns = question->time_ns,
	};

	ask(&whole, life);
	if (whole.too_many || whole.several || (whole.maybe && !is_same(whole.maybe, current)))
		return CODE_UNDECIDED;
	return whole.current == current ? named(current, ret) : CODE_UNNAMED;
}

static enum code_verdict find_in(const struct code_names *names, uint32_t life, uint64_t addr,
	uint64_t time_ns, uint32_t *ret)
{
	struct question question = {
		.names = names, .addr = addr, .end = addr + 1, .time_ns = time_ns};

	ask(&question, &names->lives[life]);
	if (question.too_many)
		return CODE_UNDECIDED;
	if (question.current && question.current->name != CODE_NAMES_NONE)
		return check(&question, &names->lives[life], ret);
	/* No other code was at the address, so the code existed before its name was read. */
	if (question.maybe)
		return question.several ? CODE_UNDECIDED : named(question.maybe, ret);
	if (!question.later || question.later->name == CODE_NAMES_NONE)
		return CODE_UNNAMED;
	*ret = question.later->number;
	return CODE_LATER;
}

enum code_verdict code_names__find(const struct code_names *names, uint32_t pid, uint64_t addr,
	uint64_t time_ns, uint32_t *ret)
{
	uint32_t life = life_at(names, pid, time_ns);
	enum code_verdict verdict = CODE_UNNAMED;

	*ret = CODE_NAMES_NONE;
	if (addr == UINT64_MAX)
		return CODE_UNNAMED;
	/*
	 * A child runs the code that its parent had at the fork, until it makes code there itself.
	 */
	for (int depth = 0; life != CODE_NAMES_NONE && depth < 64; depth++) {
		const struct life *of = &names->lives[life];

		verdict = find_in(names, life, addr, time_ns, ret);
		if (verdict == CODE_NAMED || verdict == CODE_UNDECIDED ||
			of->parent == CODE_NAMES_NONE)
			break;
		if (time_ns > of->forked_ns)
			time_ns = of->forked_ns;
		life = of->parent;
	}
	return verdict;
}

struct code_entry code_names__at(const struct code_names *names, uint32_t number)
{
	const struct entry *entry = &names->v[names->at[number]];

	return (struct code_entry){
		.addr = entry->addr,
		.size = entry->end - entry->addr,
		.from_ns = entry->from_ns,
		.sure_ns = entry->sure_ns,
		.name = entry->name == CODE_NAMES_NONE ? NULL
						       : texts__at(&names->texts, entry->name),
		.dump = entry->dump,
		.detail = entry->detail,
		.life = entry->life,
	};
}

uint32_t code_names__program(const struct code_names *names, uint32_t pid, uint64_t time_ns)
{
	return life_at(names, pid, time_ns);
}

bool code_names__has(const struct code_names *names, uint32_t pid)
{
	const struct of_pid *of = by_number__find(names->by_pid, pid);

	for (uint32_t life = of ? of->newest : CODE_NAMES_NONE; life != CODE_NAMES_NONE;
		life = names->lives[life].before)
		if (names->lives[life].named)
			return true;
	return false;
}

size_t code_names__n(const struct code_names *names)
{
	return names->n;
}
