// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which threads of a process live: each row is a story of records, of which some are lost
 * or come late, and what is known of the process behind the last. And the set of threads, at any
 * size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "user/model/task/life.h"

#define PID 10

enum step_kind { END, FORK, EXISTED, COMM, EXEC, EXIT, MAP, CHECK };

struct step {
	enum step_kind kind;
	uint64_t time_ns;
	uint32_t tid;
	uint32_t parent; /* of a FORK, its tid; of a CHECK nothing */
	uint64_t since_ns;
};

#define F(t, id, p)                                                                                \
	{                                                                                          \
		FORK, t, id, p, 0                                                                  \
	}
#define F_EXISTED(t, id, p)                                                                        \
	{                                                                                          \
		EXISTED, t, id, p, 0                                                               \
	}
#define STEP(kind, t, id)                                                                          \
	{                                                                                          \
		kind, t, id, 0, 0                                                                  \
	}
#define CHECKED(since, t)                                                                          \
	{                                                                                          \
		CHECK, t, 0, 0, since                                                              \
	}

#define GONE                                                                                       \
	{                                                                                          \
		0                                                                                  \
	}

struct story {
	const char *what;
	struct step steps[12];
	uint32_t live[6];  /* tids; none: the process is forgotten */
	unsigned int uses; /* processes that had the pid */
};

/* Processes other than 10 are its parents; threads have tids above it. */
static const struct story STORIES[] = {
	{"a process lives from its FORK to its EXIT", {F(1, 10, 1), STEP(COMM, 2, 10)}, {10}, 1},
	{"and no longer", {F(1, 10, 1), STEP(EXIT, 2, 10)}, GONE, 1},
	{"a leader may end before the others", {F(1, 10, 1), F(2, 11, 10), STEP(EXIT, 3, 10)}, {11},
		1},
	{"the process ends with the last of them, in any order",
		{F(1, 10, 1), F(2, 11, 10), F(3, 12, 10), STEP(EXIT, 4, 12), STEP(EXIT, 5, 10),
			STEP(EXIT, 6, 11)},
		GONE, 1},
	{"an exec by the leader leaves the leader",
		{F(1, 10, 1), F(2, 11, 10), STEP(EXIT, 3, 11), STEP(EXEC, 4, 10)}, {10}, 1},
	{"an exec by another thread leaves the leader's tid; it has no EXIT of its own",
		{F(1, 10, 1), F(2, 11, 10), F(3, 12, 10), STEP(EXIT, 4, 12), STEP(EXIT, 5, 10),
			STEP(EXEC, 6, 10)},
		{10}, 1},
	{"and it ends with one EXIT",
		{F(1, 10, 1), F(2, 11, 10), STEP(EXIT, 5, 10), STEP(EXEC, 6, 10),
			STEP(EXIT, 7, 10)},
		GONE, 1},
	{"an exec whose threads' EXIT were lost ends them",
		{F(1, 10, 1), F(2, 11, 10), STEP(EXEC, 4, 10), STEP(EXIT, 5, 10)}, GONE, 1},
	{"a pid is used again", {F(1, 10, 1), STEP(EXIT, 2, 10), F(3, 10, 2)}, {10}, 2},
	{"though the EXIT was lost", {F(1, 10, 1), F(2, 11, 10), F(3, 10, 2)}, {10}, 2},
	{"the EXIT of who had the pid before comes late",
		{F(1, 10, 1), F(3, 10, 2), STEP(EXIT, 2, 10)}, {10}, 2},
	{"as does that of a program before the exec",
		{F(1, 10, 1), F(2, 11, 10), STEP(EXEC, 4, 10), STEP(EXIT, 3, 10)}, {10}, 1},
	{"a tid is used again by a thread", {F(1, 10, 1), F(2, 11, 10), F(5, 11, 10)}, {10, 11}, 1},
	{"vfork: a process of its own", {F(1, 10, 1), STEP(EXEC, 2, 10)}, {10}, 1},
	{"what existed before is recorded once more",
		{F_EXISTED(0, 10, 1), F_EXISTED(0, 11, 10), F_EXISTED(7, 10, 1)}, {10, 11}, 1},
	{"the FORK of a process was lost: its thread is all that is known of it",
		{STEP(COMM, 3, 11)}, {11}, 1},
	{"and it ends with that", {STEP(COMM, 3, 11), STEP(EXIT, 4, 11)}, GONE, 1},
	{"unless its leader is seen to live",
		{STEP(COMM, 3, 11), STEP(COMM, 4, 10), STEP(EXIT, 5, 11)}, {10}, 1},
	{"or makes a thread", {F(3, 11, 10), STEP(EXIT, 4, 11)}, {10}, 1},
	{"or the process maps something: by whom does not matter",
		{STEP(COMM, 3, 11), STEP(MAP, 4, 12), STEP(EXIT, 5, 11)}, {10}, 1},
	{"a thread that makes a thread lives, though its own FORK was lost",
		{F(1, 10, 1), F(3, 12, 11), STEP(EXIT, 4, 10), STEP(EXIT, 5, 12)}, {11}, 1},
	{"a MAP that comes late brings back no leader",
		{F(1, 10, 1), F(2, 11, 10), STEP(EXIT, 4, 10), STEP(MAP, 3, 10), STEP(EXIT, 5, 11)},
		GONE, 1},
	{"nor a thread",
		{F(1, 10, 1), F(2, 11, 10), STEP(EXIT, 4, 11), STEP(MAP, 3, 11), STEP(EXIT, 5, 10)},
		GONE, 1},
	{"the EXIT of a thread that is not known changes nothing", {F(1, 10, 1), STEP(EXIT, 4, 99)},
		{10}, 1},
	{"an EXIT of no time is not late", {F(1, 10, 1), STEP(EXIT, 0, 10)}, GONE, 1},
	{"a check ends a process whose EXIT was lost", {F(1, 10, 1), CHECKED(5, 6)}, GONE, 1},
	{"and none that was recorded since it began",
		{F(1, 10, 1), STEP(COMM, 5, 10), CHECKED(5, 6)}, {10}, 1},
	{"a FORK or MAP while it runs is a proof, too",
		{F(1, 10, 1), F(2, 11, 10), F(5, 12, 10), STEP(MAP, 6, 11), CHECKED(5, 7)},
		{10, 11, 12}, 1},
	{"a record of before, which comes late, is none",
		{F(1, 10, 1), STEP(MAP, 4, 10), CHECKED(5, 6)}, GONE, 1},
	{"it proves each thread for itself",
		{F(1, 10, 1), F(2, 11, 10), F(3, 12, 10), STEP(COMM, 6, 12), CHECKED(5, 7)}, {12},
		1},
	{"the leader's EXIT was lost, and the last other thread ends behind the check",
		{F(1, 10, 1), F(2, 11, 10), STEP(COMM, 6, 11), CHECKED(5, 7), STEP(EXIT, 8, 11)},
		GONE, 1},
	{"or before it, while it ran",
		{F(1, 10, 1), F(2, 11, 10), STEP(COMM, 6, 11), STEP(EXIT, 7, 11), CHECKED(5, 8)},
		GONE, 1},
	{"a thread whose name is told twice is one",
		{F(1, 10, 1), F(2, 11, 10), STEP(COMM, 6, 11), STEP(COMM, 6, 11), STEP(COMM, 7, 11),
			CHECKED(5, 8), STEP(EXIT, 9, 11)},
		GONE, 1},
	{"what existed before the file began is no proof",
		{F_EXISTED(0, 10, 1), F_EXISTED(0, 11, 10), STEP(COMM, 5, 11), CHECKED(5, 6)}, {11},
		1},
	{"checks follow one another",
		{F(1, 10, 1), STEP(COMM, 5, 10), CHECKED(5, 6), CHECKED(15, 16)}, GONE, 1},
	{"after a check the pid is used again",
		{F(1, 10, 1), CHECKED(5, 6), F(7, 10, 3), STEP(COMM, 8, 10)}, {10}, 2},
};

struct told {
	struct process_life life;
	bool known;
	unsigned int uses;
};

static void know(struct told *told, uint32_t tid)
{
	if (told->known)
		return;
	process_life__init(&told->life, PID, tid);
	told->known = true;
	told->uses++;
}

static void forget(struct told *told)
{
	process_life__free(&told->life);
	told->known = false;
}

static void take_fork(struct told *told, const struct event *event)
{
	enum fork_result result = process_life__fork_result(
		told->known ? &told->life : NULL, event);

	if (told->known && result == FORK_PROCESS)
		forget(told);
	know(told, event->tid);
	assert_int_equal(process_life__fork(&told->life, event), 0);
}

/* As who follows processes by pid has to use it. */
static void take(struct told *told, const struct step *step)
{
	struct event event = {.time_ns = step->time_ns, .pid = PID, .tid = step->tid};
	enum process_fate fate = PROCESS_LIVES;

	switch (step->kind) {
	case FORK:
	case EXISTED:
		event.misc = step->kind == EXISTED ? PERF_RECORD_MISC_FORK_EXEC : 0;
		event.fork.ptid = step->parent;
		event.fork.ppid = step->tid == PID ? step->parent : PID;
		take_fork(told, &event);
		break;
	case COMM:
	case EXEC:
		event.comm.exec = step->kind == EXEC;
		know(told, step->tid);
		assert_int_equal(process_life__comm(&told->life, &event), 0);
		break;
	case MAP:
		know(told, PID);
		if (!process_life__is_older(&told->life, &event))
			process_life__map(&told->life, step->tid, step->time_ns);
		break;
	case EXIT:
		if (told->known)
			fate = process_life__exit(&told->life, &event);
		break;
	case CHECK:
		if (told->known)
			fate = process_life__check(&told->life, step->since_ns);
		break;
	case END:
		break;
	}
	if (told->known && fate == PROCESS_OVER)
		forget(told);
}

static void check_story(const struct story *story)
{
	struct told told = {0};
	size_t n = 0;

	for (const struct step *step = story->steps; step->kind != END; step++)
		take(&told, step);
	for (const uint32_t *tid = story->live; *tid; tid++, n++)
		if (!told.known || (*tid == PID ? told.life.leader != LEADER_LIVES
						: !process_life__has(&told.life, *tid)))
			fail_msg("%s: %u does not live", story->what, *tid);
	if (told.known != (n > 0) || (n && process_life__n_threads(&told.life) != n))
		fail_msg("%s: %zu threads live", story->what,
			told.known ? process_life__n_threads(&told.life) : 0);
	if (told.uses != story->uses)
		fail_msg("%s: %u processes", story->what, told.uses);
	if (told.known)
		forget(&told);
}

static void records_leave_what_lives(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(STORIES) / sizeof(STORIES[0]); i++)
		check_story(&STORIES[i]);
}

/* Against a plain table, through all sizes up and down again. */
static void a_set_of_threads_is_exact(void **state)
{
	static uint64_t seen[4096]; /* by tid; 0: not in it */
	struct threads threads = {0};
	uint32_t random = 1;
	size_t n = 0;

	(void)state;
	for (uint64_t i = 1; i < 40000; i++) {
		uint32_t tid, limit = i / 10000 % 2 ? 16 : 4096;

		random = random * 1664525 + 1013904223;
		tid = 1 + (random >> 8) % (limit - 1);
		if (random >> 30) {
			n += !seen[tid];
			seen[tid] = i;
			assert_int_equal(threads__see(&threads, tid, i), 0);
			assert_int_equal(threads__see(&threads, tid, 1), 0);
		} else {
			n -= seen[tid] != 0;
			seen[tid] = 0;
			threads__remove(&threads, tid);
		}
		if (i % 5000 == 0) {
			for (tid = 0; tid < 4096; tid++) {
				n -= seen[tid] && seen[tid] < i - 2000;
				seen[tid] = seen[tid] < i - 2000 ? 0 : seen[tid];
			}
			threads__remove_unseen(&threads, i - 2000);
		}
		assert_int_equal(threads.n, n);
		if (i % 1000)
			continue;
		for (tid = 0; tid < 4096; tid++)
			assert_int_equal(threads__has(&threads, tid), seen[tid] != 0);
	}
	assert_int_equal(threads__see(&threads, 0, 1), 0);
	assert_false(threads__has(&threads, 0));
	threads__remove_unseen(&threads, UINT64_MAX);
	assert_int_equal(threads__memory(&threads), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_leave_what_lives),
		cmocka_unit_test(a_set_of_threads_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
