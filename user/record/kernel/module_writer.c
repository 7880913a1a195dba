// SPDX-License-Identifier: GPL-2.0-only
/*
 * See module_writer.h.
 *
 * If a module is loaded again under its name, perf uses the existing DSO, with the symbols
 * of the first build, at wrong offsets. So each load gets a map with a new name, except if
 * the same build is loaded at the same address again: then perf gets neither the unload nor
 * the load. Since this is not known at the unload, perf gets an unload only when something
 * else is loaded at the address. There can be no sample in between.
 */
#include "user/record/kernel/module_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/event/module.h"
#include "user/parse/event/record_scan.h"
#include "user/record/kernel/module_known.h"
#include "user/record/kernel/module_names.h"
#include "user/source/machine/clock.h"
#include "user/source/kernel/module_content.h"
#include "user/source/module_events.h"
#include "user/source/kernel/module_paths.h"
#include "user/source/kernel/proc_kernel.h"

#define LOOK_NS 1000000000ull /* between two checks for losses, or of the loaded modules */

struct module_writer {
	struct map_writer *maps;
	struct module_events *events; /* NULL: modules are polled */
	bool loose; /* the modules at startup are from /sys, with approximate sizes */
	struct module_paths *paths;
	struct kernel_record *kernel; /* is notified of loads, or NULL */
	struct known_modules known;
	struct module_names names;
	struct counters *counters;
	uint64_t begin_ns; /* time of the snapshot, monotonic */
	uint64_t look_ns;  /* time of the last check, monotonic */
	uint64_t now_ns;   /* time of the current check, by the samples' clock */
	uint64_t told;     /* number of records at the last check */
	uint64_t drained;
	bool looking;
	bool none; /* the kernel does not support modules */
};

int module_writer__new(struct module_writer **ret, struct map_writer *maps, bool native,
	struct counters *counters, struct error *ret_why)
{
	struct module_writer *writer = calloc(1, sizeof(*writer));
	int code;

	*ret = NULL;
	if (!writer)
		return -ENOMEM;
	writer->maps = maps;
	writer->counters = counters;
	writer->loose = native;
	code = module_events__new(&writer->events, native, ret_why);
	if (code == -ENOMEM) {
		free(writer);
		return -ENOMEM;
	}
	writer->none = code == -ENOSYS;
	writer->look_ns = clock__now(CLOCK_MONOTONIC);
	*ret = writer;
	return 0;
}

void module_writer__free(struct module_writer *writer)
{
	if (!writer)
		return;
	module_events__free(writer->events);
	module_paths__free(writer->paths);
	known_modules__free(&writer->known);
	module_names__free(&writer->names);
	free(writer);
}

void module_writer__notify(struct module_writer *writer, struct kernel_record *kernel)
{
	writer->kernel = kernel;
}

struct map_writer *module_writer__maps(const struct module_writer *writer)
{
	return writer->maps;
}

bool module_writer__is_live(const struct module_writer *writer)
{
	return writer->events;
}

bool module_writer__is_looking(const struct module_writer *writer)
{
	return !writer->events && !writer->none;
}

int module_writer__fd(const struct module_writer *writer)
{
	return module_events__fd(writer->events);
}

/* ---- Known modules ---- */

static bool overlaps(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a < b + b_size && b < a + a_size;
}

/* ---- Writing ---- */

static int write_event(struct module_writer *writer, struct event *event)
{
	event->misc = PERF_RECORD_MISC_KERNEL;
	event->pid = UINT32_MAX;
	event->cpu = UINT32_MAX;
	return map_writer__unfollowed(writer->maps, event);
}

static int write_symbol(struct module_writer *writer, uint64_t addr, uint32_t len, const char *name,
	bool gone, uint64_t time_ns)
{
	struct event event = {
		.kind = EVENT_KSYMBOL,
		.type = PERF_RECORD_KSYMBOL,
		.time_ns = time_ns,
		.ksymbol =
			{
				.addr = addr,
				.len = len,
				.flags = gone ? PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER : 0,
				.name = name,
			},
	};

	return write_event(writer, &event);
}

/* Named as perf names a section of a module other than its text. */
static int write_init(
	struct module_writer *writer, struct known *known, bool gone, uint64_t time_ns)
{
	char name[PERFSTAMP_MODULE_NAME_MAX + 16];

	if (!known->state.init_size || known->init_written == !gone)
		return 0;
	known->init_written = !gone;
	snprintf(name, sizeof(name), "[%s].init.text", known->state.name);
	return write_symbol(
		writer, known->state.init_addr, known->state.init_size, name, gone, time_ns);
}

/* Writes the event in a record that perf ignores. */
static int write_state(struct module_writer *writer, const struct perfstamp_module_state *state,
	enum perfstamp_module_event what, uint16_t flags, uint64_t time_ns)
{
	struct event event = {
		.kind = EVENT_MODULE,
		.type = PERF_RECORD_KSYMBOL,
		.time_ns = time_ns,
		.module = {.flags = flags, .state = *state},
	};

	event.module.state.event = what;
	return write_event(writer, &event);
}

static int write_load(struct module_writer *writer, struct known *known, const char *path,
	uint16_t flags, uint64_t time_ns)
{
	struct event event = {.kind = EVENT_MODULE, .type = PERF_RECORD_MMAP2, .time_ns = time_ns};
	char name[PERFSTAMP_MODULE_NAME_MAX + 32], alias[PERFSTAMP_PATH_MAX + 16];
	uint32_t n;

	if (module_names__count(&writer->names, known->state.name, &n))
		return error__set(map_writer__error(writer->maps), -ENOMEM, "out of memory");
	/*
	 * perf 6.1 searches the build-id cache only for DSOs with a path. No file can have this
	 * path.
	 */
	if (!path || path[0] != '/') {
		snprintf(name, sizeof(name), PERFSTAMP_MODULE_NOWHERE "%s.ko", known->state.name);
		path = name;
	}
	if (n > 1) {
		known->state.ordinal = n;
		module_names__alias(alias, sizeof(alias), path, n);
		path = alias;
	}
	event.module.flags = flags;
	event.module.state = known->state;
	event.module.state.event = PERFSTAMP_MODULE_LOAD;
	event.module.path = path;
	return write_event(writer, &event);
}

/* Makes perf remove a module, because something else is or will be at its address. */
static int forget(struct module_writer *writer, size_t i, uint64_t time_ns)
{
	struct known *known = &writer->known.v[i];
	int code;

	code = write_init(writer, known, true, time_ns);
	if (!code)
		code = write_symbol(writer, known->state.text_addr, known->state.text_size,
			known->state.name, true, time_ns);
	known_modules__remove(&writer->known, i);
	return code;
}

/* Removes unloaded modules that overlap what is loaded at @time_ns. */
static int forget_gone(struct module_writer *writer, uint64_t addr, uint64_t size, uint64_t time_ns)
{
	int code = 0;

	for (size_t i = writer->known.n; !code && i-- > 0;) {
		struct known *known = &writer->known.v[i];

		if (known->init_written &&
			overlaps(known->state.init_addr, known->state.init_size, addr, size))
			code = write_init(writer, known, true, time_ns);
		if (!code && !known->alive &&
			overlaps(known->state.text_addr, known->state.text_size, addr, size))
			code = forget(writer, i, time_ns);
	}
	return code;
}

/* ---- Events of modules ---- */

static int unload(
	struct module_writer *writer, struct known *known, uint16_t flags, uint64_t time_ns)
{
	int code;

	if (known->state.init_result < 0)
		flags |= PERFSTAMP_MODULE_INIT_FAILED;
	known->alive = false;
	known->gone_ns = time_ns;
	known->gone_flags = flags;
	writer->known.n_gone++;
	writer->counters->n[COUNTER_MODULES_UNLOADED]++;
	code = write_init(writer, known, true, time_ns);
	return code ? code
		    : write_state(writer, &known->state, PERFSTAMP_MODULE_UNLOAD, flags, time_ns);
}

/* Ends modules at whose address another one is now: their unload was missed. */
static int end_displaced(
	struct module_writer *writer, const struct perfstamp_module_state *state, uint64_t time_ns)
{
	int code = 0;

	for (size_t i = 0; !code && i < writer->known.n; i++) {
		struct known *known = &writer->known.v[i];

		if (known->alive && overlaps(known->state.text_addr, known->state.text_size,
					    state->text_addr, state->text_size))
			code = unload(writer, known, PERFSTAMP_MODULE_INFERRED, time_ns);
	}
	return code;
}

static int load(struct module_writer *writer, const struct perfstamp_module_state *state,
	const char *path, uint16_t flags, uint64_t time_ns)
{
	uint64_t before_ns = time_ns ? time_ns - 1 : 0;
	struct known *known = known_modules__find(&writer->known, state, writer->loose);
	struct known now = {.state = *state, .alive = true, .seen = true, .loaded_ns = time_ns};
	int code;

	if (!state->text_size)
		return 0;
	if (known && known__is(known, state, writer->loose)) {
		known->seen = true;
		return 0;
	}
	if (!(flags & PERFSTAMP_MODULE_SNAPSHOT))
		writer->counters->n[COUNTER_MODULES_LOADED]++;
	code = end_displaced(writer, state, before_ns);
	known = known_modules__gone(&writer->known, state);
	if (!code && !known)
		code = forget_gone(writer, state->text_addr, state->text_size, before_ns);
	if (!code && state->init_size)
		code = forget_gone(writer, state->init_addr, state->init_size, before_ns);
	if (code)
		return code;
	/* The entry may have moved. */
	known = known_modules__gone(&writer->known, state);
	if (known) {
		writer->known.n_gone--;
		now.state.ordinal = known->state.ordinal;
		now.path = known->path;
		*known = now;
		code = write_state(writer, &known->state, PERFSTAMP_MODULE_LOAD, flags, time_ns);
	} else {
		known = known_modules__add(&writer->known, &now, path);
		if (!known)
			return error__set(
				map_writer__error(writer->maps), -ENOMEM, "out of memory");
		code = write_load(writer, known, path, flags, time_ns);
	}
	return code ? code : write_init(writer, known, false, time_ns);
}

/* Finds the module whose init function is at @addr and has not returned yet, or NULL. */
static struct known *find_by_init(struct module_writer *writer, uint64_t addr)
{
	for (size_t i = writer->known.n; i-- > 0;) {
		struct known *known = &writer->known.v[i];

		if (known->alive && !known->init_done &&
			(addr - known->state.init_addr < known->state.init_size ||
				addr - known->state.text_addr < known->state.text_size))
			return known;
	}
	return NULL;
}

/* Handles the return of a module's init function. */
static int end_init(struct module_writer *writer, struct known *known,
	const struct perfstamp_module *record, uint64_t time_ns)
{
	int code;

	known->init_done = true;
	known->state.init_result = record->state.init_result;
	code = write_init(writer, known, true, time_ns);
	return code ? code
		    : write_state(writer, &known->state, PERFSTAMP_MODULE_INIT,
			      record->record.flags, time_ns);
}

/*
 * Returns the module's file: the one that was passed to the loading system call, or the one with
 * its build-id in the module tree. NULL if there is none.
 */
static const char *find_file(struct module_writer *writer, const struct perfstamp_module *record)
{
	const struct perfstamp_module_state *state = &record->state;
	bool whole = record->path_size && !record->path_flags;

	if (whole && !module_paths__is_in_tree(record->path) &&
		module_content__has_build_id(record->path, state->build_id, state->build_id_size))
		return record->path;
	return module_paths__find(
		writer->paths, state->name, state->build_id, state->build_id_size);
}

static int on_record(const struct perfstamp_module *record, void *ctx)
{
	struct module_writer *writer = ctx;
	uint64_t time_ns = map_writer__time(writer->maps, record->record.time_ns);
	const struct perfstamp_module_state *state = &record->state;
	const char *path;
	struct event event;
	struct known *known;
	int code;

	code = event_module__from_record(
		&event, record, record->record.size, map_writer__error(writer->maps));
	if (code)
		return code;
	writer->drained++;
	known = known_modules__find(&writer->known, state, writer->loose);
	/* The snapshot has all earlier modules, except one that was being unloaded. */
	if (record->record.time_ns < writer->begin_ns &&
		!(known && known->going && state->event == PERFSTAMP_MODULE_UNLOAD))
		return 0;
	switch (state->event) {
	case PERFSTAMP_MODULE_LOAD:
		if (!writer->paths) {
			code = module_paths__new(&writer->paths, "");
			if (code)
				return error__errno(
					map_writer__error(writer->maps), code, "modules.dep");
		}
		path = find_file(writer, record);
		if (writer->kernel)
			kernel_record__module(writer->kernel, record, path);
		return load(writer, state, path, record->record.flags, time_ns);
	case PERFSTAMP_MODULE_INIT:
		/* BPF does not know to which module it belonged. */
		if (!known)
			known = find_by_init(writer, state->init_addr);
		return known && !known->init_done ? end_init(writer, known, record, time_ns) : 0;
	default:
		return known ? unload(writer, known, record->record.flags, time_ns) : 0;
	}
}

/* ---- The next file ---- */

/* Writes a module to a new file: as existing before, unless it was loaded after @since_ns. */
static int write_again(struct module_writer *writer, struct known *known, uint64_t since_ns)
{
	bool later = known->loaded_ns > since_ns;
	int code;

	known->state.ordinal = 0;
	known->init_written = false;
	if (known->init_done)
		known->state.init_addr = known->state.init_size = 0;
	code = write_load(writer, known, known->path, later ? 0 : PERFSTAMP_MODULE_SNAPSHOT,
		later ? known->loaded_ns : 0);
	if (!code && !known->init_done)
		code = write_init(writer, known, false, later ? known->loaded_ns : 0);
	if (code || known->alive)
		return code;
	code = write_init(writer, known, true, known->gone_ns);
	return code ? code
		    : write_state(writer, &known->state, PERFSTAMP_MODULE_UNLOAD, known->gone_flags,
			      known->gone_ns);
}

int module_writer__begin_file(struct module_writer *writer, uint64_t since_ns)
{
	int code = 0;

	/* perf gets no map for it, so the name is not counted. */
	module_names__reset(&writer->names);
	for (size_t i = writer->known.n; i-- > 0;)
		if (!writer->known.v[i].alive && writer->known.v[i].gone_ns <= since_ns)
			known_modules__remove(&writer->known, i);
	for (size_t i = 0; !code && i < writer->known.n; i++)
		code = write_again(writer, &writer->known.v[i], since_ns);
	return code;
}

int module_writer__end_part(struct module_writer *writer, uint64_t since_ns)
{
	int code = 0;

	for (size_t i = writer->known.n; !code && i-- > 0;)
		if (!writer->known.v[i].alive && writer->known.v[i].gone_ns <= since_ns)
			code = forget(writer, i, since_ns);
	return code;
}

int module_writer__begin_part(struct module_writer *writer, uint64_t since_ns)
{
	struct module_names names = writer->names;
	int code = 0;

	writer->names = (struct module_names){0};
	for (size_t i = 0; !code && i < writer->known.n; i++) {
		struct known *known = &writer->known.v[i];
		uint32_t ordinal = known->state.ordinal;
		bool init_written = known->init_written;

		code = write_again(writer, known, since_ns);
		known->state.ordinal = ordinal;
		known->init_written = init_written;
	}
	module_names__free(&writer->names);
	writer->names = names;
	return code;
}

/* ---- Checks ---- */

void module_writer__begin(struct module_writer *writer)
{
	writer->begin_ns = clock__now(CLOCK_MONOTONIC);
}

int module_writer__read(void *ctx, const char *name, struct perfstamp_module_state *ret)
{
	struct module_writer *writer = ctx;
	struct perfstamp_module record;
	int code;

	if (!writer->events)
		return -EOPNOTSUPP;
	code = module_events__read(writer->events, name, &record);
	if (!code)
		*ret = record.state;
	return code;
}

int module_writer__found(struct module_writer *writer, const struct event *event)
{
	const struct event_module *module = &event->module;
	uint16_t flags = PERFSTAMP_MODULE_SNAPSHOT;
	struct known *known;
	int code;

	if (writer->looking)
		flags = PERFSTAMP_MODULE_INFERRED;
	code = load(writer, &module->state, module->path, flags, writer->now_ns);
	known = known_modules__alive(&writer->known, module->state.name, module->state.text_addr);
	if (known && module->state.event == PERFSTAMP_MODULE_UNLOAD)
		known->going = true;
	return code;
}

static int on_found(void *ctx, const struct event *event)
{
	return module_writer__found(ctx, event);
}

/* Finds events that were not reported: new modules were loaded, missing ones unloaded. */
static int look_again(struct module_writer *writer, struct error *err)
{
	struct proc_kernel_counts counts;
	int code;

	writer->looking = true;
	writer->now_ns = map_writer__time(writer->maps, clock__now(CLOCK_MONOTONIC));
	for (size_t i = 0; i < writer->known.n; i++)
		writer->known.v[i].seen = false;
	code = proc_kernel__modules("", module_writer__read, on_found, writer, &counts, err);
	/* Without addresses, it is not known which are loaded, so nothing is changed. */
	for (size_t i = 0; !code && !counts.hidden && i < writer->known.n; i++) {
		struct known *known = &writer->known.v[i];

		if (known->alive && !known->seen)
			code = unload(writer, known, PERFSTAMP_MODULE_INFERRED, writer->now_ns);
	}
	writer->looking = false;
	return code;
}

int module_writer__drain(struct module_writer *writer, bool last, struct error *err)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC), lost;
	bool missed;
	int code = 0;

	map_writer__error(writer->maps)->text[0] = '\0';
	if (writer->events)
		code = module_events__drain(
			writer->events, last, on_record, writer, map_writer__error(writer->maps));
	if (!code && (last || now_ns - writer->look_ns >= LOOK_NS)) {
		writer->look_ns = now_ns;
		if (!writer->events) {
			code = last || writer->none ? 0 : look_again(writer, err);
		} else {
			missed = !last && module_events__look_at_cpus(writer->events);
			if (last || writer->drained != writer->told) {
				writer->told = writer->drained;
				lost = module_events__lost(writer->events);
				missed |= !last &&
					  lost != writer->counters->n[COUNTER_MODULES_LOST];
				writer->counters->n[COUNTER_MODULES_LOST] = lost;
			}
			if (missed)
				code = look_again(writer, err);
		}
	}
	return code ? map_writer__explain(writer->maps, code, "kernel modules", err) : 0;
}

int module_writer__ksymbol(
	struct module_writer *writer, const struct record_view *view, struct error *err)
{
	struct record_ksymbol symbol;
	int code;

	if (!writer->known.n_gone || !view->time_ns || !record_ksymbol__read(&symbol, view) ||
		symbol.unregister)
		return 0;
	code = forget_gone(writer, symbol.addr, symbol.len, view->time_ns - 1);
	return code ? map_writer__explain(writer->maps, code, "kernel modules", err) : 0;
}
