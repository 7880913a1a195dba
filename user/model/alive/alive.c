// SPDX-License-Identifier: GPL-2.0-only
/*
 * alive: see alive.h. Applies events to the processes (process.c) and to the tables of the
 * kernel's objects.
 */
#include "user/model/alive/alive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/event/copy.h"
#include "user/model/alive/process.h"
#include "user/base/hash.h"

/* An event, kept as it was recorded, by a number. The number of a symbol is its address. */
struct kept {
	uint64_t key;
	size_t size;
	struct event *event;
	bool used; /* for a cgroup: a process used it at the last check */
	UT_hash_handle hh;
};

struct kept_table {
	struct kept *first;
	size_t bytes;
};

struct alive {
	struct alive_processes processes;
	struct kept_table image; /* maps of the kernel's image, by address */
	struct kept_table symbols;
	struct kept_table programs;
	struct kept_table cgroups;
	bool left_out[ALIVE_PARTS];
};

int alive__new(struct alive **ret)
{
	struct alive *alive = calloc(1, sizeof(*alive));

	if (!alive)
		return -ENOMEM;
	alive_processes__init(&alive->processes);
	*ret = alive;
	return 0;
}

static struct kept *find(const struct kept_table *table, uint64_t key)
{
	struct kept *kept;

	HASH_FIND(hh, table->first, &key, sizeof(key), kept);
	return kept;
}

static void forget(struct kept_table *table, struct kept *kept)
{
	HASH_DEL(table->first, kept);
	table->bytes -= kept->size;
	free(kept->event);
	free(kept);
}

static void forget_all(struct kept_table *table)
{
	struct kept *kept, *next;

	HASH_ITER (hh, table->first, kept, next)
		forget(table, kept);
}

void alive__free(struct alive *alive)
{
	if (!alive)
		return;
	alive_processes__free(&alive->processes);
	forget_all(&alive->image);
	forget_all(&alive->symbols);
	forget_all(&alive->programs);
	forget_all(&alive->cgroups);
	free(alive);
}

static int keep(struct kept_table *table, uint64_t key, const struct event *event)
{
	struct kept *kept = find(table, key);
	struct event *copy, plain = *event;
	size_t size;

	plain.raw = NULL;
	plain.raw_size = 0;
	plain.time_ns = 0;
	copy = event__copy(&plain, &size);
	if (!copy)
		return -ENOMEM;
	if (kept)
		forget(table, kept);
	kept = calloc(1, sizeof(*kept));
	if (!kept)
		goto enomem;
	*kept = (struct kept){.key = key, .size = size + sizeof(*kept), .event = copy};
	HASH_ADD(hh, table->first, key, sizeof(key), kept);
	if (!hash__added(kept))
		goto enomem;
	table->bytes += kept->size;
	return 0;
enomem:
	free(kept);
	free(copy);
	return -ENOMEM;
}

static void drop(struct kept_table *table, uint64_t key)
{
	struct kept *kept = find(table, key);

	if (kept)
		forget(table, kept);
}

static int apply_symbol(struct alive *alive, const struct event *event)
{
	if (!(event->ksymbol.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER))
		return keep(&alive->symbols, event->ksymbol.addr, event);
	drop(&alive->symbols, event->ksymbol.addr);
	return 0;
}

static int apply_program(struct alive *alive, const struct event *event)
{
	if (event->bpf.type == PERF_BPF_EVENT_PROG_LOAD)
		return keep(&alive->programs, event->bpf.id, event);
	if (event->bpf.type == PERF_BPF_EVENT_PROG_UNLOAD)
		drop(&alive->programs, event->bpf.id);
	return 0;
}

static int apply_cgroup(struct alive *alive, const struct event *event)
{
	const struct kept *known = find(&alive->cgroups, event->cgroup.id);

	if (alive->left_out[ALIVE_CGROUPS] ||
		(known && !strcmp(known->event->cgroup.path, event->cgroup.path) &&
			(known->event->cgroup.about_size || !event->cgroup.about_size)))
		return 0;
	return keep(&alive->cgroups, event->cgroup.id, event);
}

int alive__apply(struct alive *alive, const struct event *event)
{
	switch (event->kind) {
	case EVENT_MAP:
		return event->map.kernel ? keep(&alive->image, event->map.addr, event)
					 : alive_processes__map(&alive->processes, event);
	case EVENT_COMM:
		return alive_processes__comm(&alive->processes, event);
	case EVENT_FORK:
		return alive_processes__fork(&alive->processes, event);
	case EVENT_EXIT:
		alive_processes__exit(&alive->processes, event);
		return 0;
	case EVENT_NAMESPACES:
		return alive_processes__namespaces(&alive->processes, event);
	case EVENT_CHECK:
		alive_processes__check(&alive->processes, event->check.since_ns);
		return 0;
	case EVENT_CGROUP:
		return apply_cgroup(alive, event);
	case EVENT_KSYMBOL:
		return apply_symbol(alive, event);
	case EVENT_BPF:
		return apply_program(alive, event);
	default:
		return 0;
	}
}

static int hand_out_table(const struct kept_table *table, alive_fn *fn, void *ctx)
{
	const struct kept *kept;
	int code = 0;

	for (kept = table->first; !code && kept; kept = kept->hh.next)
		code = fn(ctx, kept->event);
	return code;
}

int alive__synthesize_image(const struct alive *alive, alive_fn *fn, void *ctx)
{
	return hand_out_table(&alive->image, fn, ctx);
}

int alive__synthesize(const struct alive *alive, uint64_t now_ns, alive_fn *fn, void *ctx)
{
	int code = hand_out_table(&alive->symbols, fn, ctx);

	if (!code)
		code = hand_out_table(&alive->programs, fn, ctx);
	if (!code)
		code = hand_out_table(&alive->cgroups, fn, ctx);
	return code ? code : alive_processes__synthesize(&alive->processes, now_ns, fn, ctx);
}

bool alive__has_program(const struct alive *alive, uint32_t id)
{
	return find(&alive->programs, id);
}

static int compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

int alive__unload_gone_programs(
	const struct alive *alive, const uint32_t *ids, size_t n, alive_fn *fn, void *ctx)
{
	const struct kept *kept;
	int code = 0;

	for (kept = alive->programs.first; !code && kept; kept = kept->hh.next) {
		uint32_t id = kept->key;
		struct event event;

		if (n && bsearch(&id, ids, n, sizeof(*ids), compare_ids))
			continue;
		event = *kept->event;
		event.bpf.type = PERF_BPF_EVENT_PROG_UNLOAD;
		code = fn(ctx, &event);
	}
	return code;
}

size_t alive__look_at_cgroups(
	struct alive *alive, size_t max, bool (*exists)(void *ctx, uint64_t id), void *ctx)
{
	const struct alive_process *process;
	struct kept *kept, *next;
	size_t n = 0, dropped = 0, left = HASH_COUNT(alive->cgroups.first);

	for (process = alive->processes.by_pid; process; process = process->hh.next) {
		kept = find(&alive->cgroups, process->cgroup_id);
		if (kept)
			kept->used = true;
	}
	HASH_ITER (hh, alive->cgroups.first, kept, next) {
		bool used = kept->used;

		/* The loop has reached those that it moved to the end. */
		if (!left--)
			break;
		kept->used = false;
		if (used || n++ >= max)
			continue;
		if (!exists(ctx, kept->key)) {
			forget(&alive->cgroups, kept);
			dropped++;
			continue;
		}
		/* Move it to the end, so that the next check begins with others. */
		HASH_DEL(alive->cgroups.first, kept);
		HASH_ADD(hh, alive->cgroups.first, key, sizeof(kept->key), kept);
		if (!hash__added(kept)) {
			alive->cgroups.bytes -= kept->size;
			free(kept->event);
			free(kept);
		}
	}
	return dropped;
}

size_t alive__leave_out(struct alive *alive, enum alive_part part)
{
	size_t n;

	alive->left_out[part] = true;
	switch (part) {
	case ALIVE_THREAD_NAMES:
		return alive_processes__leave_out_threads(&alive->processes);
	case ALIVE_NAMESPACES:
		return alive_processes__leave_out_namespaces(&alive->processes);
	default:
		n = HASH_COUNT(alive->cgroups.first);
		forget_all(&alive->cgroups);
		return n;
	}
}

void alive__count(const struct alive *alive, struct alive_counts *ret)
{
	memset(ret, 0, sizeof(*ret));
	alive_processes__count(&alive->processes, ret);
	ret->cgroups = HASH_COUNT(alive->cgroups.first);
	ret->symbols = HASH_COUNT(alive->symbols.first);
	ret->programs = HASH_COUNT(alive->programs.first);
	ret->bytes += alive->image.bytes + alive->symbols.bytes + alive->programs.bytes +
		      alive->cgroups.bytes;
}
