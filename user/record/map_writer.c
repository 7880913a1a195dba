// SPDX-License-Identifier: GPL-2.0-only
/* See map_writer.h. */
#include "user/record/map_writer.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "user/event/live.h"
#include "user/source/cgroup.h"
#include "user/source/completion.h"

static int write_event(struct map_writer *writer, const struct event *event)
{
	writer->events++;
	return perfdata_writer__event(writer->writer, event, writer->attr_index, &writer->error);
}

static int write_path(struct map_writer *writer, uint64_t id, const char *path)
{
	const struct event event = {
		.kind = EVENT_CGROUP,
		.type = PERF_RECORD_CGROUP,
		.cpu = UINT32_MAX,
		.cgroup = {.id = id, .path = path},
	};

	return write_event(writer, &event);
}

/* The path of a cgroup, before the first record that has its id. */
static int write_cgroup(struct map_writer *writer, uint64_t id)
{
	char path[PATH_MAX];
	int code;

	code = tally__new_cgroup(writer->tally, id);
	if (code <= 0)
		return code;
	/* One that is gone already stays a number. */
	if (!writer->cgroups || cgroup_paths__find(writer->cgroups, id, path, sizeof(path)))
		return 0;
	return write_path(writer, id, path);
}

static int add_cgroup(void *ctx, uint64_t id, const char *path)
{
	struct map_writer *writer = ctx;
	int code = tally__new_cgroup(writer->tally, id);

	return code > 0 ? write_path(writer, id, path) : code;
}

int map_writer__cgroups(struct map_writer *writer)
{
	int code = writer->cgroups ? cgroup_paths__walk(writer->cgroups, add_cgroup, writer) : 0;

	return code ? error__errno(&writer->error, code, "cgroups") : 0;
}

static void complete_vdso(
	struct map_writer *writer, const struct event *event, struct perfstamp_identity *identity)
{
	bool shared = completion__shares_vdso(event->map.addr);
	struct perfstamp_identity *known = &writer->vdso;

	if (shared && known->build_id_size) {
		memcpy(identity->build_id, known->build_id, sizeof(known->build_id));
		identity->build_id_size = known->build_id_size;
		identity->source = known->source;
		identity->reason = known->reason;
		return;
	}
	if (!completion__read_vdso(event->pid, event->map.addr, event->map.len, identity) && shared)
		*known = *identity;
}

static void complete(struct map_writer *writer, struct event *event)
{
	struct event_map *map = &event->map;

	if (!strcmp(map->path, "[vdso]")) {
		complete_vdso(writer, event, &map->identity);
		return;
	}
	if (!completion__is_wanted(&map->identity))
		return;
	if (completion__read(event->pid, map->addr, map->len, &map->identity) == -EPERM)
		writer->no_permission = true;
}

int map_writer__event(struct map_writer *writer, struct event *event)
{
	int code;

	if (event->kind == EVENT_MAP && !event->map.kernel) {
		/*
		 * Of data, ELF files alone have an id. perf takes a path that comes
		 * with one here and without there for two files.
		 */
		if (event->map.executable || event->map.path[0] == '/')
			complete(writer, event);
		code = tally__map(writer->tally, &event->map);
		if (!code && event->map.identity.cgroup_id)
			code = write_cgroup(writer, event->map.identity.cgroup_id);
		if (code)
			return error__errno(&writer->error, code, "map record");
	}
	return write_event(writer, event);
}

static int write_thread(struct map_writer *writer, const struct perfstamp_record *record)
{
	struct event fork, comm;
	int code;

	code = event__from_thread_record(&fork, &comm, record, record->size, &writer->error);
	if (code)
		return code;
	if (!writer->starting) {
		/* perf drops what it knows of a thread that is forked again. */
		comm.time_ns = clock_conversion__from_monotonic(writer->clock, record->time_ns);
		return write_event(writer, &comm);
	}
	fork.time_ns = comm.time_ns = 0;
	code = write_event(writer, &fork);
	return code ? code : write_event(writer, &comm);
}

int map_writer__record(const struct perfstamp_record *record, void *map_writer)
{
	struct map_writer *writer = map_writer;
	bool snapshot;
	struct event event;
	int code;

	if (record->type == PERFSTAMP_RECORD_THREAD)
		return writer->starting || writer->telling_threads ? write_thread(writer, record)
								   : 0;
	if (record->type != PERFSTAMP_RECORD_MAP)
		return 0;
	code = event__from_map_record(&event, record, record->size, &writer->error);
	if (code)
		return code;
	snapshot = record->flags & PERFSTAMP_MAP_SNAPSHOT;
	writer->records += !snapshot;
	event.time_ns = snapshot && writer->starting
				? 0
				: clock_conversion__from_monotonic(writer->clock, record->time_ns);
	return map_writer__event(writer, &event);
}
