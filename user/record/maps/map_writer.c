// SPDX-License-Identifier: GPL-2.0-only
/* See map_writer.h. */
#include "user/record/maps/map_writer.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/event/live.h"
#include "user/model/ksymbols.h"
#include "user/parse/container.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/write/mixed_paths.h"
#include "user/record/capture/code_capture.h"
#include "user/record/capture/dso_capture.h"
#include "user/record/maps/held_maps.h"
#include "user/record/maps/pending.h"
#include "user/record/maps/stream.h"
#include "user/record/state/living.h"
#include "user/source/containers/cgroup.h"
#include "user/source/content/completion.h"
#include "user/source/containers/names.h"
#include "user/source/containers/process_home.h"

struct map_writer {
	struct map_writer_parts parts;
	enum map_writer_phase phase;
	struct living *living; /* or NULL */
	uint64_t records;      /* live records from BPF */
	uint64_t events;       /* written events */
	/* pids since the last call of map_writer__take_missed() */
	uint32_t missed[MAP_WRITER_MISSED_MAX];
	size_t n_missed;
	uint64_t missed_seen;           /* how often the kernel side reported such a pid */
	struct held_maps *held;         /* NULL: nothing is completed in user space */
	struct perfstamp_identity vdso; /* identity of most processes' vDSO, after it was read */
	struct pending_maps pending;
	struct mixed_paths mixed;  /* paths in the file of .parts.writer */
	struct ksymbols *ksymbols; /* or NULL */
	bool no_permission;        /* a completion failed because a capability is missing */
	uint64_t refused;          /* completions that failed because a device does not answer */
	struct error error;        /* error of the failed call */
};

void map_writer__set_phase(struct map_writer *writer, enum map_writer_phase phase)
{
	writer->phase = phase;
}

enum map_writer_phase map_writer__phase(const struct map_writer *writer)
{
	return writer->phase;
}

void map_writer__set_living(struct map_writer *writer, struct living *living)
{
	writer->living = living;
}

void map_writer__set_symbols(struct map_writer *writer, struct ksymbols *symbols)
{
	writer->ksymbols = symbols;
}

void map_writer__set_file(struct map_writer *writer, struct perfdata_writer *file)
{
	writer->parts.writer = file;
}

uint64_t map_writer__time(const struct map_writer *writer, uint64_t monotonic_ns)
{
	return clock_conversion__from_monotonic(writer->parts.clock, monotonic_ns);
}

struct error *map_writer__error(struct map_writer *writer)
{
	return &writer->error;
}

int map_writer__explain(
	const struct map_writer *writer, int code, const char *what, struct error *err)
{
	return writer->error.text[0] ? error__set(err, code, "%s", writer->error.text)
				     : error__errno(err, code, "%s", what);
}

uint64_t map_writer__n_records(const struct map_writer *writer)
{
	return writer->records;
}

uint64_t map_writer__n_events(const struct map_writer *writer)
{
	return writer->events;
}

size_t map_writer__take_missed(
	struct map_writer *writer, uint32_t ret_pids[static MAP_WRITER_MISSED_MAX])
{
	size_t n = writer->n_missed;

	memcpy(ret_pids, writer->missed, n * sizeof(*ret_pids));
	writer->n_missed = 0;
	return n;
}

bool map_writer__has_missed(const struct map_writer *writer)
{
	return writer->n_missed;
}

uint64_t map_writer__n_missed_seen(const struct map_writer *writer)
{
	return writer->missed_seen;
}

uint64_t map_writer__n_refused(const struct map_writer *writer)
{
	return writer->refused + (writer->held ? held_maps__n_unanswered(writer->held) : 0);
}

bool map_writer__lacks_permission(const struct map_writer *writer)
{
	return writer->no_permission;
}

uint64_t map_writer__n_untracked(const struct map_writer *writer)
{
	return writer->mixed.untracked;
}

/* ---- Events ---- */

static int remember_symbol(struct ksymbols *symbols, const struct event_ksymbol *symbol)
{
	if (!(symbol->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER))
		return ksymbols__add(
			symbols, symbol->addr, symbol->len, symbol->ksym_type, symbol->name);
	ksymbols__remove(symbols, symbol->addr);
	return 0;
}

int map_writer__unfollowed(struct map_writer *writer, const struct event *event)
{
	struct event copy;
	int cookie;

	writer->events++;
	if (writer->parts.stream)
		return stream__event(writer->parts.stream, event, &writer->error);
	cookie = event->kind == EVENT_MAP ? mixed_paths__see(&writer->mixed, &event->map) : 0;
	if (cookie < 0)
		return error__errno(&writer->error, cookie, "map record");
	if (cookie) {
		copy = *event;
		copy.map.cookie_for_perf = true;
		event = &copy;
	}
	return perfdata_writer__event(
		writer->parts.writer, event, writer->parts.attr_index, &writer->error);
}

int map_writer__raw(struct map_writer *writer, const void *records, size_t size, struct error *err)
{
	return writer->parts.stream
		       ? stream__raw(writer->parts.stream, records, size, err)
		       : perfdata_writer__raw(writer->parts.writer, records, size, err);
}

static int write_event(struct map_writer *writer, const struct event *event)
{
	int code = writer->living ? living__event(writer->living, event) : 0;

	if (event->kind == EVENT_KSYMBOL && writer->ksymbols &&
		remember_symbol(writer->ksymbols, &event->ksymbol))
		return error__errno(&writer->error, -ENOMEM, "kernel symbols");
	return code ? error__errno(&writer->error, code, "what is alive")
		    : map_writer__unfollowed(writer, event);
}

/* A disk usually answers sooner. After this time, user space completes the record. */
#define PENDING_NS 250000000ull

/*
 * Writes the path of a cgroup. @named: only if the container's names are known. Returns 0 if it was
 * written or not known, 1 if the names are not known yet, or -errno.
 */
static int write_path(struct map_writer *writer, uint64_t id, const char *path, bool named)
{
	struct event event = {
		.kind = EVENT_CGROUP,
		.type = PERF_RECORD_CGROUP,
		.cpu = UINT32_MAX,
		.cgroup = {.id = id, .path = path},
	};
	struct container container;
	struct buffer about;
	int code;

	buffer__init(&about, PERFSTAMP_CONTAINER_TEXT_MAX);
	container__parse(&container, path);
	/* If the container's names are unavailable, the path is written. */
	if (!container_names__find(&container, &about)) {
		event.cgroup.about = (const char *)about.data;
		event.cgroup.about_size = about.size;
	}
	code = named && !event.cgroup.about_size ? 1 : write_event(writer, &event);
	buffer__free(&about);
	return code;
}

/* Writes the path of a cgroup before the first record with its id. */
static int write_cgroup(struct map_writer *writer, uint64_t id)
{
	char path[PATH_MAX];

	if (!tally__new_cgroup(writer->parts.tally, id))
		return 0;
	/* If the cgroup was already removed, it has no path, or the kernel's own record follows. */
	if (!writer->parts.cgroups ||
		cgroup_paths__find(writer->parts.cgroups, id, path, sizeof(path))) {
		tally__forget_cgroup(writer->parts.tally, id);
		return 0;
	}
	return write_path(writer, id, path, false);
}

int map_writer__name_cgroup(
	struct map_writer *writer, const struct record_view *view, struct error *err)
{
	const char *path = (const char *)(view->header + 1) + sizeof(uint64_t);
	size_t room = view->header->size - sizeof(*view->header);
	uint64_t id;
	int code;

	if (room <= sizeof(id) || !memchr(path, '\0', room - sizeof(id)))
		return 0;
	memcpy(&id, view->header + 1, sizeof(id));
	if (!tally__new_cgroup(writer->parts.tally, id))
		return 0;
	code = write_path(writer, id, path, true);
	/* The runtime may be about to write the names: the first mapping searches them again. */
	if (code > 0)
		tally__forget_cgroup(writer->parts.tally, id);
	return code < 0 ? error__set(err, code, "%s", writer->error.text) : 0;
}

static int add_cgroup(void *ctx, uint64_t id, const char *path)
{
	struct map_writer *writer = ctx;

	return tally__new_cgroup(writer->parts.tally, id) ? write_path(writer, id, path, false) : 0;
}

int map_writer__cgroups(struct map_writer *writer)
{
	int code = writer->parts.cgroups
			   ? cgroup_paths__walk(writer->parts.cgroups, add_cgroup, writer)
			   : 0;

	return code ? error__errno(&writer->error, code, "cgroups") : 0;
}

/* Completes a vDSO that is the same as this process's own one. */
static void complete_vdso(
	struct map_writer *writer, uint64_t len, struct perfstamp_identity *identity)
{
	struct perfstamp_identity *known = &writer->vdso;

	if (known->build_id_size) {
		memcpy(identity->build_id, known->build_id, sizeof(known->build_id));
		identity->build_id_size = known->build_id_size;
		identity->source = known->source;
		identity->reason = known->reason;
		return;
	}
	if (!completion__read_own_vdso(len, identity))
		*known = *identity;
}

static int write_map(struct map_writer *writer, const struct event *event)
{
	uint64_t cgroup_id = event->map.identity.cgroup_id;
	int code = cgroup_id ? write_cgroup(writer, cgroup_id) : 0;

	if (writer->parts.capture)
		dso_capture__see(writer->parts.capture, event);
	if (writer->parts.code)
		code_capture__see(writer->parts.code, event);
	return code ? code : write_event(writer, event);
}

static int count_and_write_map(struct map_writer *writer, const struct event *event)
{
	int code = tally__map(writer->parts.tally, &event->map);

	return code ? error__errno(&writer->error, code, "map record") : write_map(writer, event);
}

/* A held_map_fn. */
static int write_held(void *map_writer, struct event *event, enum held_outcome outcome,
	const struct perfstamp_identity *before, int code)
{
	struct map_writer *writer = map_writer;

	writer->no_permission |= code == -EPERM;
	writer->refused += code == -EBUSY;
	if (outcome != HELD_LATE)
		return count_and_write_map(writer, event);
	event->time_ns = map_writer__time(writer, event->time_ns);
	event->map.flags |= PERFSTAMP_MAP_SNAPSHOT | PERFSTAMP_MAP_LATE;
	code = tally__late(writer->parts.tally, &event->map, before);
	return code ? error__errno(&writer->error, code, "map record") : write_map(writer, event);
}

static void find_home(struct map_writer *writer, uint32_t pid, struct perfstamp_identity *identity)
{
	struct process_home home = process_homes__find(writer->parts.homes, pid);

	if (!identity->cgroup_id)
		identity->cgroup_id = home.cgroup_id;
	if (!identity->mnt_ns)
		identity->mnt_ns = home.mnt_ns;
}

/* Returns 1 if the event has to be written unchanged. */
static int hold(struct map_writer *writer, const struct event *event)
{
	int code = held_maps__hold(writer->held, event);

	writer->refused += code == 1;
	if (code < 0 && !writer->error.text[0])
		error__errno(&writer->error, code, "completion of a map record");
	return code;
}

static int write_user_map(struct map_writer *writer, struct event *event)
{
	struct event_map *map = &event->map;
	bool vdso = !strcmp(map->path, "[vdso]") && !map->identity.build_id_size;
	int code;

	if (writer->phase == MAP_WRITER_STARTING && writer->parts.no_first_maps &&
		map->flags & PERFSTAMP_MAP_SNAPSHOT)
		return 0;

	if (writer->parts.homes)
		find_home(writer, event->pid, &map->identity);
	if (vdso && completion__shares_vdso(map->addr)) {
		complete_vdso(writer, map->len, &map->identity);
	} else if (writer->held && (vdso || (completion__is_wanted(&map->identity) &&
						    (map->executable || map->path[0] == '/')))) {
		/*
		 * For data mappings, only ELF files have an id. perf treats a path with an id
		 * in one record, and without in another, as two files.
		 */
		code = hold(writer, event);
		if (code <= 0)
			return code;
	}
	return count_and_write_map(writer, event);
}

int map_writer__event(struct map_writer *writer, struct event *event)
{
	return event->kind == EVENT_MAP && !event->map.kernel ? write_user_map(writer, event)
							      : write_event(writer, event);
}

static int write_thread(struct map_writer *writer, const struct perfstamp_record *record)
{
	struct event fork, comm;
	int code;

	code = event__from_thread_record(&fork, &comm, record, record->size, &writer->error);
	if (code)
		return code;
	if (writer->phase != MAP_WRITER_STARTING) {
		/* perf removes a known thread at a repeated FORK. */
		comm.time_ns = map_writer__time(writer, record->time_ns);
		return write_event(writer, &comm);
	}
	fork.time_ns = comm.time_ns = 0;
	code = write_event(writer, &fork);
	return code ? code : write_event(writer, &comm);
}

static int write_record(struct map_writer *writer, const struct perfstamp_record *record)
{
	bool snapshot;
	struct event event;
	int code;

	code = event__from_map_record(&event, record, record->size, &writer->error);
	if (code)
		return code;
	event.map.flags &= ~PERFSTAMP_MAP_PENDING;
	snapshot = record->flags & PERFSTAMP_MAP_SNAPSHOT;
	event.time_ns = snapshot && writer->phase == MAP_WRITER_STARTING
				? 0
				: map_writer__time(writer, record->time_ns);
	return map_writer__event(writer, &event);
}

static int write_and_free(struct map_writer *writer, struct perfstamp_map *map)
{
	int code = write_record(writer, &map->record);

	free(map);
	return code;
}

/* If the kernel side has to wait for a disk, it writes two records for one mapping. */
static int merge_map(struct map_writer *writer, const struct perfstamp_record *record)
{
	const struct perfstamp_map *map = (const void *)record;
	struct perfstamp_map *first;
	struct event event;
	int code;

	/* This also checks the record. */
	code = event__from_map_record(&event, record, record->size, &writer->error);
	if (code)
		return code;
	if (record->flags & PERFSTAMP_MAP_PENDING) {
		code = pending_maps__add(&writer->pending, map);
		return code == -ENOSPC ? write_record(writer, record) : code;
	}
	first = pending_maps__take(&writer->pending, map);
	return first ? write_and_free(writer, first) : 0;
}

/*
 * If there are more pids than room, the kernel side's counters cause a snapshot of all
 * processes.
 */
static void note_missed(struct map_writer *writer, uint32_t pid)
{
	size_t i;

	for (i = 0; i < writer->n_missed && writer->missed[i] != pid; i++)
		;
	if (i == MAP_WRITER_MISSED_MAX)
		return;
	if (i == writer->n_missed)
		writer->missed[writer->n_missed++] = pid;
	writer->missed_seen++;
}

int map_writer__record(const struct perfstamp_record *record, void *map_writer)
{
	struct map_writer *writer = map_writer;

	if (record->type == PERFSTAMP_RECORD_MISSED)
		note_missed(writer, record->pid);
	if (record->type == PERFSTAMP_RECORD_THREAD)
		return writer->phase != MAP_WRITER_LIVE ? write_thread(writer, record) : 0;
	if (record->type != PERFSTAMP_RECORD_MAP)
		return 0;
	writer->records += !(record->flags & PERFSTAMP_MAP_SNAPSHOT);
	if (record->flags & (PERFSTAMP_MAP_PENDING | PERFSTAMP_MAP_AGAIN))
		return merge_map(writer, record);
	return write_record(writer, record);
}

int map_writer__write_old(struct map_writer *writer, bool last)
{
	uint64_t before_ns = last ? UINT64_MAX : clock__now(CLOCK_MONOTONIC) - PENDING_NS;
	struct perfstamp_map *map;
	int code = 0;

	while (!code && (map = pending_maps__take_old(&writer->pending, before_ns)))
		code = write_and_free(writer, map);
	return code ? code : (int)writer->pending.n;
}

int map_writer__end_file(struct map_writer *writer, struct error *err)
{
	struct buffer table;
	int code;

	buffer__init(&table, 0);
	code = mixed_paths__table(&writer->mixed, &table);
	if (code)
		error__errno(err, code, "header feature build-ids");
	else if (table.size)
		code = perfdata_writer__feature(
			writer->parts.writer, HEADER_BUILD_ID, table.data, table.size, err);
	buffer__free(&table);
	return code;
}

void map_writer__begin_file(struct map_writer *writer, struct perfdata_writer *file)
{
	writer->parts.writer = file;
	writer->error.text[0] = '\0'; /* of the file before */
	mixed_paths__clear(&writer->mixed);
	tally__begin_file(writer->parts.tally);
}

void map_writer__allow(struct map_writer *writer, int wait_ms)
{
	if (writer->held)
		held_maps__allow(writer->held, wait_ms);
}

int map_writer__settle(struct map_writer *writer, bool last, struct error *err)
{
	int code = writer->held ? held_maps__settle(writer->held, last) : 0;

	return code ? map_writer__explain(writer, code, "completion of map records", err) : 0;
}

int map_writer__new(struct map_writer **ret, const struct map_writer_parts *parts)
{
	struct map_writer *writer = calloc(1, sizeof(*writer));
	int code = 0;

	*ret = NULL;
	if (!writer)
		return -ENOMEM;
	writer->parts = *parts;
	if (parts->completer)
		code = held_maps__new(&writer->held, parts->completer, parts->cgroups,
			parts->clock->clockid, write_held, writer);
	if (code)
		free(writer);
	else
		*ret = writer;
	return code;
}

void map_writer__free(struct map_writer *writer)
{
	if (!writer)
		return;
	held_maps__free(writer->held);
	pending_maps__free(&writer->pending);
	mixed_paths__clear(&writer->mixed);
	free(writer);
}
