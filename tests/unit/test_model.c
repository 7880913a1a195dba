// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the model promises: each row is a story of events and the sightings that
 * it must leave behind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "user/model/model.h"

#define LIBC "/usr/lib/libc.so.6"
#define NGINX "/usr/sbin/nginx"
#define NO_ID 0

#define EVENT(k, t, p, ...)                                                                        \
	{                                                                                          \
		.kind = (k), .time_ns = (t), .pid = (p), .tid = (p), __VA_ARGS__                   \
	}
/* A build-id is one byte here; NO_ID has the reason instead. */
#define MAP_FLAGS(t, p, start, end, file, id, f)                                                   \
	EVENT(EVENT_MAP, t, p,                                                                     \
		.map = {.addr = (start),                                                           \
			.len = (end) - (start),                                                    \
			.executable = true,                                                        \
			.path = (file),                                                            \
			.flags = (f),                                                              \
			.identity = {.build_id_size = (id) ? 1 : 0,                                \
				.build_id = {(id)},                                                \
				.ino = 7,                                                          \
				.source = (id) ? PERFSTAMP_SOURCE_PAGE_CACHE : 0,                  \
				.reason = (id) ? 0 : PERFSTAMP_REASON_NOT_RESIDENT}})
#define MAP(t, p, start, end, file, id) MAP_FLAGS(t, p, start, end, file, id, 0)
#define SNAPSHOT(t, p, start, end, file, id)                                                       \
	MAP_FLAGS(t, p, start, end, file, id, PERFSTAMP_MAP_SNAPSHOT)
/* What is no ELF file, of which the first page had this cookie then. */
#define COOKIE(t, p, start, end, file, of)                                                         \
	EVENT(EVENT_MAP, t, p,                                                                     \
		.map = {.addr = (start),                                                           \
			.len = (end) - (start),                                                    \
			.executable = true,                                                        \
			.path = (file),                                                            \
			.identity = {.cookie_size = 1,                                             \
				.cookie = {(of)},                                                  \
				.ino = (of),                                                       \
				.reason = PERFSTAMP_REASON_NOT_ELF}})
#define UNMAP(t, p, start, end)                                                                    \
	EVENT(EVENT_MAP, t, p, .map = {.addr = (start), .len = (end) - (start), .path = "//anon"})
#define FORK(t, parent, child) EVENT(EVENT_FORK, t, child, .fork = {.ppid = (parent)})
#define EXISTED(t, parent, child)                                                                  \
	EVENT(EVENT_FORK, t, child, .fork = {.ppid = (parent)}, .misc = PERF_RECORD_MISC_FORK_EXEC)
#define THREAD(t, p, id)                                                                           \
	{                                                                                          \
		.kind = EVENT_FORK, .time_ns = (t), .pid = (p), .tid = (id), .fork = {             \
			.ppid = (p)                                                                \
		}                                                                                  \
	}
#define THREAD_EXIT(t, p, id)                                                                      \
	{                                                                                          \
		.kind = EVENT_EXIT, .time_ns = (t), .pid = (p), .tid = (id)                        \
	}
#define EXIT(t, p) THREAD_EXIT(t, p, p)
#define EXEC(t, p) EVENT(EVENT_COMM, t, p, .comm = {.comm = "x", .exec = true})
#define COMM(t, p) EVENT(EVENT_COMM, t, p, .comm = {.comm = "x"})
#define TICK(t)                                                                                    \
	{                                                                                          \
		.kind = EVENT_OTHER, .time_ns = (t)                                                \
	}
#define SAMPLE(t, p, at)                                                                           \
	EVENT(EVENT_SAMPLE, t, p, .misc = PERF_RECORD_MISC_USER, .sample = {.ip = (at)})

#define NAMESPACES(t, p) EVENT(EVENT_NAMESPACES, t, p, .namespaces = {.n = 0})
#define CHECK(t, since)                                                                            \
	{                                                                                          \
		.kind = EVENT_CHECK, .time_ns = (t), .check = {.since_ns = (since) }               \
	}

#define ALIVE true
#define GONE false

struct seen {
	const char *path;
	uint8_t id;
	uint64_t first_ns;
	uint64_t last_ns;
	bool alive;
	uint64_t mappings;
	size_t processes;
	uint64_t samples;
};

struct promise {
	const char *what;
	struct event events[16]; /* up to the first of kind 0 with no time */
	struct seen seen[6];
};

static const struct promise PROMISES[] = {
	{"a file replaced at its path is two sightings, and the old one stays alive where mapped",
		{MAP(10, 1, 0x1000, 0x2000, LIBC, 0xaa), MAP(20, 2, 0x1000, 0x2000, LIBC, 0xbb),
			TICK(30)},
		{{LIBC, 0xaa, 10, 30, ALIVE, 1, 1, 0}, {LIBC, 0xbb, 20, 30, ALIVE, 1, 1, 0}}},
	{"the same content at one path is one sighting of two processes",
		{MAP(10, 1, 0x1000, 0x2000, LIBC, 0xaa), MAP(20, 2, 0x8000, 0x9000, LIBC, 0xaa)},
		{{LIBC, 0xaa, 10, 20, ALIVE, 2, 2, 0}}},
	{"the same content at two paths is two sightings",
		{MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa), MAP(20, 1, 0x3000, 0x4000, "/b", 0xaa)},
		{{"/a", 0xaa, 10, 20, ALIVE, 1, 1, 0}, {"/b", 0xaa, 20, 20, ALIVE, 1, 1, 0}}},
	{"a build-id that is missed first is never filled in from a later one",
		{MAP(10, 1, 0x1000, 0x2000, LIBC, NO_ID), MAP(20, 2, 0x1000, 0x2000, LIBC, 0xaa)},
		{{LIBC, NO_ID, 10, 20, ALIVE, 1, 1, 0}, {LIBC, 0xaa, 20, 20, ALIVE, 1, 1, 0}}},
	{"exec drops the mappings",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa), EXEC(20, 1),
			MAP(21, 1, 0x1000, 0x2000, NGINX, 0xbb), TICK(30)},
		{{NGINX, 0xaa, 10, 20, GONE, 1, 1, 0}, {NGINX, 0xbb, 21, 30, ALIVE, 1, 1, 0}}},
	{"a change of name alone drops nothing",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa), COMM(20, 1), TICK(30)},
		{{NGINX, 0xaa, 10, 30, ALIVE, 1, 1, 0}}},
	{"a child inherits what was mapped by dlopen before the fork, and keeps it alive",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa),
			MAP(11, 1, 0x5000, 0x6000, "/mod.so", 0xbb), FORK(20, 1, 2), EXIT(30, 1),
			SAMPLE(40, 2, 0x5800)},
		{{NGINX, 0xaa, 10, 40, ALIVE, 1, 2, 0}, {"/mod.so", 0xbb, 11, 40, ALIVE, 1, 2, 1}}},
	{"what a child maps after the fork is not its parent's",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa), FORK(20, 1, 2),
			MAP(30, 2, 0x5000, 0x6000, "/mod.so", 0xbb), SAMPLE(31, 1, 0x5800),
			SAMPLE(32, 2, 0x5800), EXIT(40, 2), TICK(50)},
		{{NGINX, 0xaa, 10, 50, ALIVE, 1, 2, 0}, {"/mod.so", 0xbb, 30, 40, GONE, 1, 1, 1}}},
	{"what a parent maps after the fork is not its child's",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa), FORK(20, 1, 2),
			MAP(30, 1, 0x1000, 0x2000, "/new", 0xbb), SAMPLE(31, 2, 0x1800),
			EXIT(40, 1), TICK(50)},
		{{NGINX, 0xaa, 10, 50, ALIVE, 1, 2, 1}, {"/new", 0xbb, 30, 40, GONE, 1, 1, 0}}},
	{"a child that only goes on to exec is no process of what it inherited",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa), FORK(20, 1, 2), EXEC(21, 2),
			MAP(22, 2, 0x1000, 0x2000, "/bin/ls", 0xbb), EXIT(30, 2), TICK(50)},
		{{NGINX, 0xaa, 10, 50, ALIVE, 1, 1, 0}, {"/bin/ls", 0xbb, 22, 30, GONE, 1, 1, 0}}},
	{"a child that exits, or goes on, without exec is one",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa), FORK(20, 1, 2), EXIT(21, 2),
			FORK(22, 1, 3), TICK(50)},
		{{NGINX, 0xaa, 10, 50, ALIVE, 1, 3, 0}}},
	{"a child that is sampled before its exec is one",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa), FORK(20, 1, 2), SAMPLE(21, 2, 0x1000),
			EXEC(22, 2)},
		{{NGINX, 0xaa, 10, 22, ALIVE, 1, 2, 1}}},
	{"a pid that is used again, its exit lost, starts empty",
		{MAP(10, 5, 0x1000, 0x2000, NGINX, 0xaa), FORK(20, 1, 5), SAMPLE(21, 5, 0x1800)},
		{{NGINX, 0xaa, 10, 20, GONE, 1, 1, 0}}},
	{"a pid that is used again counts once",
		{MAP(10, 5, 0x1000, 0x2000, NGINX, 0xaa), EXIT(20, 5), FORK(30, 1, 5),
			MAP(40, 5, 0x1000, 0x2000, NGINX, 0xaa), EXIT(50, 5), TICK(60)},
		{{NGINX, 0xaa, 10, 50, GONE, 2, 1, 0}}},
	{"a new mapping over the middle of an old one splits it",
		{MAP(10, 1, 0x1000, 0x9000, "/a", 0xaa), MAP(20, 1, 0x4000, 0x5000, "/b", 0xbb),
			SAMPLE(21, 1, 0x1000), SAMPLE(22, 1, 0x3fff), SAMPLE(23, 1, 0x4000),
			SAMPLE(24, 1, 0x4fff), SAMPLE(25, 1, 0x5000), SAMPLE(26, 1, 0x8fff),
			SAMPLE(27, 1, 0x9000)},
		{{"/a", 0xaa, 10, 27, ALIVE, 1, 1, 4}, {"/b", 0xbb, 20, 27, ALIVE, 1, 1, 2}}},
	{"a new mapping over the edges of two old ones cuts both",
		{MAP(10, 1, 0x1000, 0x3000, "/a", 0xaa), MAP(11, 1, 0x3000, 0x5000, "/c", 0xcc),
			MAP(20, 1, 0x2000, 0x4000, "/b", 0xbb), SAMPLE(21, 1, 0x1fff),
			SAMPLE(22, 1, 0x2000), SAMPLE(23, 1, 0x3fff), SAMPLE(24, 1, 0x4000)},
		{{"/a", 0xaa, 10, 24, ALIVE, 1, 1, 1}, {"/c", 0xcc, 11, 24, ALIVE, 1, 1, 1},
			{"/b", 0xbb, 20, 24, ALIVE, 1, 1, 2}}},
	{"a new mapping over several old ones ends them all",
		{MAP(10, 1, 0x2000, 0x3000, "/a", 0xaa), MAP(11, 1, 0x4000, 0x5000, "/c", 0xcc),
			MAP(20, 1, 0x1000, 0x9000, "/b", 0xbb), TICK(30)},
		{{"/a", 0xaa, 10, 20, GONE, 1, 1, 0}, {"/c", 0xcc, 11, 20, GONE, 1, 1, 0},
			{"/b", 0xbb, 20, 30, ALIVE, 1, 1, 0}}},
	{"a data mapping, or an unmapping, ends what it covers",
		{MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa), UNMAP(20, 1, 0x0, 0x1000),
			UNMAP(30, 1, 0x1000, 0x2000), TICK(40)},
		{{"/a", 0xaa, 10, 30, GONE, 1, 1, 0}}},
	{"the exit of a thread is not the exit of its process",
		{MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa), THREAD(11, 1, 2), THREAD_EXIT(20, 1, 2),
			TICK(30)},
		{{"/a", 0xaa, 10, 30, ALIVE, 1, 1, 0}}},
	{"threads share the mappings",
		{MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa), THREAD(11, 1, 2),
			{.kind = EVENT_SAMPLE,
				.time_ns = 12,
				.pid = 1,
				.tid = 2,
				.misc = PERF_RECORD_MISC_USER,
				.sample = {.ip = 0x1000}}},
		{{"/a", 0xaa, 10, 12, ALIVE, 1, 1, 1}}},
	{"a process outlives its leader until the last thread has gone",
		{MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa), THREAD(11, 1, 2), EXIT(20, 1),
			SAMPLE(25, 1, 0x1000), THREAD_EXIT(30, 1, 2), TICK(40)},
		{{"/a", 0xaa, 10, 30, GONE, 1, 1, 1}}},
	{"a thread other than the leader that execs takes the process over",
		{MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa), THREAD(11, 1, 2), EXIT(20, 1), EXEC(21, 1),
			MAP(22, 1, 0x1000, 0x2000, "/b", 0xbb), EXIT(30, 1), TICK(40)},
		{{"/a", 0xaa, 10, 21, GONE, 1, 1, 0}, {"/b", 0xbb, 22, 30, GONE, 1, 1, 0}}},
	{"what was mapped before recording has no first time",
		{SNAPSHOT(0, 1, 0x1000, 0x2000, "/a", 0xaa), TICK(10)},
		{{"/a", 0xaa, 0, 10, ALIVE, 1, 1, 0}}},
	{"a snapshot that is taken again tells of no new mapping",
		{MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa),
			SNAPSHOT(20, 1, 0x1000, 0x2000, "/a", 0xaa),
			SNAPSHOT(20, 1, 0x8000, 0x9000, "/b", 0xbb), TICK(30)},
		{{"/a", 0xaa, 10, 30, ALIVE, 1, 1, 0}, {"/b", 0xbb, 20, 30, ALIVE, 1, 1, 0}}},
	{"a snapshot that ran ahead of the live record tells of the same mapping",
		{SNAPSHOT(0, 1, 0x1000, 0x2000, "/a", 0xaa), MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa),
			MAP(20, 1, 0x1000, 0x2000, "/a", 0xaa)},
		{{"/a", 0xaa, 0, 20, ALIVE, 2, 1, 0}}},
	{"a snapshot after lost records replaces what is no longer there",
		{MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa),
			SNAPSHOT(20, 1, 0x1000, 0x2000, "/a", 0xbb), TICK(30)},
		{{"/a", 0xaa, 10, 20, GONE, 1, 1, 0}, {"/a", 0xbb, 20, 30, ALIVE, 1, 1, 0}}},
	{"a process that existed before inherits nothing",
		{MAP(0, 1, 0x1000, 0x2000, "/a", 0xaa), EXISTED(0, 1, 2), SAMPLE(10, 2, 0x1000)},
		{{"/a", 0xaa, 0, 10, ALIVE, 1, 1, 0}}},
	{"a process that is told of again keeps what it has",
		{MAP(10, 2, 0x1000, 0x2000, "/a", 0xaa), EXISTED(20, 1, 2), SAMPLE(30, 2, 0x1000)},
		{{"/a", 0xaa, 10, 30, ALIVE, 1, 1, 1}}},
	{"a sighting that comes back is one span",
		{MAP(10, 1, 0x1000, 0x2000, "/a", 0xaa), EXIT(20, 1),
			MAP(50, 2, 0x1000, 0x2000, "/a", 0xaa), EXIT(60, 2), TICK(70)},
		{{"/a", 0xaa, 10, 60, GONE, 2, 2, 0}}},
	{"an exit that comes late does not end the process that has the pid now",
		{FORK(10, 9, 1), MAP(11, 1, 0x1000, 0x2000, "/a", 0xaa), FORK(20, 9, 1),
			MAP(21, 1, 0x1000, 0x2000, "/b", 0xbb), EXIT(15, 1), SAMPLE(30, 1, 0x1000)},
		{{"/a", 0xaa, 11, 20, GONE, 1, 1, 0}, {"/b", 0xbb, 21, 30, ALIVE, 1, 1, 1}}},
	{"a mapping that comes late is not one of the program that runs now",
		{FORK(10, 9, 1), EXEC(20, 1), MAP(21, 1, 0x1000, 0x2000, "/b", 0xbb),
			MAP(15, 1, 0x1000, 0x2000, "/a", 0xaa), SAMPLE(30, 1, 0x1000)},
		{{"/b", 0xbb, 21, 30, ALIVE, 1, 1, 1}, {"/a", 0xaa, 15, 21, GONE, 1, 1, 0}}},
	{"a mapping up to the end of the address space is no empty one",
		{MAP(10, 1, UINT64_MAX - 0xfff, 0x1000, "/a", 0xaa), SAMPLE(20, 1, UINT64_MAX - 1)},
		{{"/a", 0xaa, 10, 20, ALIVE, 1, 1, 1}}},
	{"memory that mappings share is one, whatever is in it at a moment",
		{COOKIE(10, 1, 0x1000, 0x2000, "/dev/zero", 1),
			COOKIE(20, 1, 0x1000, 0x2000, "/dev/zero", 2), SAMPLE(21, 1, 0x1000),
			COOKIE(30, 2, 0x1000, 0x2000, "/a", 1),
			COOKIE(40, 2, 0x1000, 0x2000, "/a", 2)},
		{{"/dev/zero", NO_ID, 10, 40, ALIVE, 2, 1, 1}, {"/a", NO_ID, 30, 40, GONE, 1, 1, 0},
			{"/a", NO_ID, 40, 40, ALIVE, 1, 1, 0}}},
	{"a process whose EXIT was lost ends at the check that it is not in",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa), MAP(10, 2, 0x1000, 0x2000, "/b", 0xbb),
			COMM(20, 2), CHECK(25, 20), TICK(30)},
		{{NGINX, 0xaa, 10, 25, GONE, 1, 1, 0}, {"/b", 0xbb, 10, 30, ALIVE, 1, 1, 0}}},
	{"a process of which only NAMESPACES was recorded again lives",
		{MAP(10, 1, 0x1000, 0x2000, "/b", 0xbb), NAMESPACES(20, 1), CHECK(25, 20),
			TICK(30)},
		{{"/b", 0xbb, 10, 30, ALIVE, 1, 1, 0}}},
	{"a check whose snapshot began before the one before it says nothing",
		{MAP(10, 1, 0x1000, 0x2000, "/b", 0xbb), COMM(20, 1), CHECK(25, 19), CHECK(26, 22),
			TICK(30)},
		{{"/b", 0xbb, 10, 30, ALIVE, 1, 1, 0}}},
	{"a check that comes late says nothing",
		{MAP(10, 1, 0x1000, 0x2000, "/b", 0xbb), TICK(26), CHECK(25, 19), TICK(30)},
		{{"/b", 0xbb, 10, 30, ALIVE, 1, 1, 0}}},
	{"a thread that was recorded again keeps its process alive, and ends it",
		{MAP(10, 1, 0x1000, 0x2000, NGINX, 0xaa), THREAD(11, 1, 3), THREAD(20, 1, 4),
			CHECK(25, 19), THREAD_EXIT(30, 1, 4), EXIT(31, 1), TICK(40)},
		{{NGINX, 0xaa, 10, 30, GONE, 1, 1, 0}}},
};

static void check_promise(void **state)
{
	const struct promise *promise = *state;
	struct model *model;
	size_t n = 0;

	assert_int_equal(model__new(&model), 0);
	for (const struct event *event = promise->events; event->kind || event->time_ns; event++)
		assert_int_equal(model__apply(model, event), 0);
	while (n < 6 && promise->seen[n].path)
		n++;
	assert_int_equal(model__n_sightings(model), n);
	for (size_t i = 0; i < n; i++) {
		const struct sighting *sighting = model__sighting(model, i);
		const struct seen *seen = &promise->seen[i];

		assert_string_equal(sighting->path, seen->path);
		assert_int_equal(sighting->identity.build_id_size, seen->id ? 1 : 0);
		assert_int_equal(sighting->identity.build_id[0], seen->id);
		assert_int_equal(sighting->first_ns, seen->first_ns);
		assert_int_equal(sighting->last_ns, seen->last_ns);
		assert_int_equal(sighting->alive, seen->alive);
		assert_int_equal(sighting->mappings, seen->mappings);
		assert_int_equal(sighting->n_processes, seen->processes);
		assert_int_equal(sighting->samples, seen->samples);
	}
	model__free(model);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(PROMISES) / sizeof(PROMISES[0])];
	size_t n = sizeof(PROMISES) / sizeof(PROMISES[0]);

	for (size_t i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){
			PROMISES[i].what, check_promise, NULL, NULL, (void *)&PROMISES[i]};
	return _cmocka_run_group_tests("model", tests, n, NULL, NULL);
}
