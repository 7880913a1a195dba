// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks of a recording and what each had mapped at last; and that a recording which was made for
 * it takes no more time and memory than another one of its size: each process had a copy of its
 * parent's mappings once, 5 TB here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "user/model/profile/tasks.h"

#define MANY 1000000

static void map(struct tasks *tasks, uint32_t pid, uint64_t addr, const char *path)
{
	struct event event = {.kind = EVENT_MAP, .pid = pid, .tid = pid};

	event.map.addr = addr;
	event.map.len = 0x1000;
	event.map.executable = true;
	event.map.path = path;
	assert_int_equal(tasks__apply(tasks, &event), 0);
}

static void fork_of(struct tasks *tasks, uint32_t parent, uint32_t pid)
{
	struct event event = {.kind = EVENT_FORK, .pid = pid, .tid = pid};

	event.fork.ppid = event.fork.ptid = parent;
	assert_int_equal(tasks__apply(tasks, &event), 0);
}

static void exec(struct tasks *tasks, uint32_t pid)
{
	struct event event = {.kind = EVENT_COMM, .pid = pid, .tid = pid};

	event.comm.comm = "next";
	event.comm.exec = true;
	assert_int_equal(tasks__apply(tasks, &event), 0);
}

/* "1000 a, 2000 b": of the last task with this pid. */
static const char *mapped(const struct tasks *tasks, uint32_t pid)
{
	static char text[256];
	struct task_map *maps;
	size_t n, at = 0, task = tasks__n(tasks);

	while (task && tasks__at(tasks, task - 1)->pid != pid)
		task--;
	assert_true(task > 0);
	assert_int_equal(tasks__maps(tasks, task - 1, &maps, &n), 0);
	text[0] = '\0';
	for (size_t i = 0; i < n; i++)
		at += snprintf(text + at, sizeof(text) - at, "%s%llx %s", i ? ", " : "",
			(unsigned long long)maps[i].addr, tasks__text(tasks, maps[i].path));
	free(maps);
	return text;
}

static void test_inherited(void **state)
{
	struct tasks *tasks;

	(void)state;
	assert_int_equal(tasks__new(&tasks), 0);
	map(tasks, 1, 0x2000, "b");
	map(tasks, 1, 0x1000, "a");
	fork_of(tasks, 1, 2);
	fork_of(tasks, 2, 3);
	/* What the parent maps, and what it executes, is its own from here on. */
	map(tasks, 1, 0x3000, "c");
	map(tasks, 2, 0x2000, "other");
	assert_string_equal(mapped(tasks, 1), "1000 a, 2000 b, 3000 c");
	assert_string_equal(mapped(tasks, 2), "1000 a, 2000 other");
	assert_string_equal(mapped(tasks, 3), "1000 a, 2000 b");
	exec(tasks, 1);
	assert_string_equal(mapped(tasks, 1), "");
	map(tasks, 1, 0x4000, "d");
	assert_string_equal(mapped(tasks, 1), "4000 d");
	assert_string_equal(mapped(tasks, 2), "1000 a, 2000 other");
	assert_string_equal(mapped(tasks, 3), "1000 a, 2000 b");
	/* A pid that is used again is another task. */
	fork_of(tasks, 1, 2);
	assert_string_equal(mapped(tasks, 2), "4000 d");
	tasks__free(tasks);
}

static void test_many_mappings(void **state)
{
	struct tasks *tasks;
	struct task_map *maps;
	size_t n;

	(void)state;
	assert_int_equal(tasks__new(&tasks), 0);
	for (uint64_t i = 1; i <= MANY; i++)
		map(tasks, 1, i << 12, "a");
	/* Each again, in processes that have all of their parent's and one more. */
	for (uint32_t pid = 2; pid < MANY / 10; pid++) {
		fork_of(tasks, 1, pid);
		map(tasks, pid, 0x1000, "b");
	}
	assert_int_equal(tasks__maps(tasks, 1, &maps, &n), 0);
	assert_int_equal(n, MANY);
	assert_int_equal(maps[MANY - 1].addr, (uint64_t)MANY << 12);
	free(maps);
	assert_int_equal(tasks__maps(tasks, tasks__n(tasks) - 1, &maps, &n), 0);
	assert_int_equal(n, MANY);
	assert_string_equal(tasks__text(tasks, maps[0].path), "b");
	free(maps);
	tasks__free(tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inherited),
		cmocka_unit_test(test_many_mappings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
