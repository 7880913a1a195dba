// SPDX-License-Identifier: GPL-2.0-only
/*
 * Live records, see live.h.
 */
#include "user/event/live.h"

#include <errno.h>
#include <string.h>

#include "user/event/identity.h"

static int check(const struct perfstamp_record *record, size_t size, uint16_t type, size_t least,
	struct error *err)
{
	if (size < sizeof(*record) || record->size > size || record->size < least ||
		record->type != type)
		return error__set(
			err, -EBADMSG, "a live record of %zu bytes is not of type %u", size, type);
	return 0;
}

static struct event begin(const struct perfstamp_record *record, uint32_t type)
{
	return (struct event){
		.type = type,
		.time_ns = record->time_ns,
		.pid = record->pid,
		.tid = record->tid,
		.cpu = UINT32_MAX,
	};
}

int event__from_map_record(struct event *ret, const void *record, size_t size, struct error *err)
{
	const struct perfstamp_map *map = record;
	int bad = check(record, size, PERFSTAMP_RECORD_MAP, sizeof(*map), err);

	if (bad)
		return bad;
	if (!map->path_size || map->path_size > map->record.size - sizeof(*map) ||
		map->path[map->path_size - 1] || !identity__is_sound(&map->identity))
		return error__set(err, -EBADMSG, "a live map record contradicts itself");
	*ret = begin(&map->record, PERF_RECORD_MMAP2);
	ret->kind = EVENT_MAP;
	ret->misc = PERF_RECORD_MISC_USER;
	ret->cpu = map->cpu;
	ret->map = (struct event_map){
		.addr = map->addr,
		.len = map->len,
		.pgoff = map->pgoff,
		.prot = map->prot,
		.map_flags = map->map_flags,
		.flags = map->record.flags,
		.executable = true,
		.stamped = true,
		.identity = map->identity,
		.path = map->path,
		.witness = map->witness,
	};
	return 0;
}

int event__from_thread_record(struct event *ret_fork, struct event *ret_comm, const void *record,
	size_t size, struct error *err)
{
	const struct perfstamp_thread *thread = record;
	int bad = check(record, size, PERFSTAMP_RECORD_THREAD, sizeof(*thread), err);

	if (bad)
		return bad;
	if (!memchr(thread->comm, 0, sizeof(thread->comm)))
		return error__set(err, -EBADMSG, "a live thread record contradicts itself");
	*ret_fork = begin(&thread->record, PERF_RECORD_FORK);
	ret_fork->kind = EVENT_FORK;
	/* As perf does for an existing thread: it inherits nothing from another one. */
	ret_fork->misc = PERF_RECORD_MISC_FORK_EXEC;
	/* A thread's parent is its process. */
	ret_fork->fork = thread->record.pid == thread->record.tid
				 ? (struct event_fork){thread->ppid, thread->ptid}
				 : (struct event_fork){thread->record.pid, thread->record.pid};
	*ret_comm = begin(&thread->record, PERF_RECORD_COMM);
	ret_comm->kind = EVENT_COMM;
	ret_comm->comm.comm = thread->comm;
	return 0;
}
