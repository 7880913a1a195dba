// SPDX-License-Identifier: GPL-2.0-only
/*
 * What has to be mapped so that a reader which keeps the last mapping of an address comes to
 * the names of made code: played back by such a reader.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "user/model/profile/code_maps.h"

#define PID 7
#define MEMORY 0x10000

static struct code_names *names;
static struct code_maps *maps;
static char told[1024];

static int begin(void **state)
{
	(void)state;
	told[0] = '\0';
	return code_names__new(&names);
}

static int end(void **state)
{
	(void)state;
	code_maps__free(maps);
	code_names__free(names);
	maps = NULL;
	return 0;
}

static void name(uint32_t pid, uint64_t addr, uint64_t size, uint64_t time_ns, const char *text)
{
	const struct code_entry entry = {
		addr, size, time_ns, time_ns, text, true, CODE_DETAILS_NONE, 0};
	uint32_t life;

	assert_int_equal(code_names__life(names, pid, time_ns, &life), 0);
	assert_int_equal(code_names__add(names, life, &entry), 0);
}

static void follow(const struct event *event)
{
	assert_int_equal(code_maps__follow(maps, event), 0);
}

static void map(uint64_t addr, uint64_t len, uint64_t time_ns, const char *path)
{
	follow(&(struct event){
		.kind = EVENT_MAP,
		.pid = PID,
		.tid = PID,
		.time_ns = time_ns,
		.misc = PERF_RECORD_MISC_USER,
		.map = {.addr = addr, .len = len, .executable = true, .path = path},
	});
}

static void sample(uint32_t pid, uint64_t addr, uint64_t time_ns)
{
	follow(&(struct event){
		.kind = EVENT_SAMPLE,
		.pid = pid,
		.tid = pid,
		.time_ns = time_ns,
		.misc = PERF_RECORD_MISC_USER,
		.sample = {.ip = addr},
	});
}

static void start(void)
{
	assert_int_equal(code_names__seal(names), 0);
	assert_int_equal(code_maps__new(&maps, names, false), 0);
	map(MEMORY, 0x10000, 1, "//anon");
}

/* "TIME:PID:ADDR+SIZE=NAME " for each. */
static const char *all(void)
{
	const struct code_map *v;
	size_t n;

	v = code_maps__all(maps, &n);
	told[0] = '\0';
	for (size_t i = 0; i < n; i++)
		snprintf(told + strlen(told), sizeof(told) - strlen(told), "%d:%u:%x+%x=%s ",
			(int)v[i].time_ns, v[i].pid, (unsigned int)v[i].addr,
			(unsigned int)v[i].size,
			v[i].number == CODE_NAMES_NONE ? "-"
						       : code_names__at(names, v[i].number).name);
	return told;
}

static void test_once(void **state)
{
	(void)state;
	name(PID, 0x10100, 0x40, 2, "one");
	name(PID, 0x10200, 0x40, 2, "never run");
	start();
	sample(PID, 0x10110, 10);
	sample(PID, 0x10120, 11);
	sample(PID, 0x10300, 12); /* nobody named it */
	assert_string_equal(all(), "10:7:10100+40=one ");
}

static void test_another_name_and_none(void **state)
{
	(void)state;
	name(PID, 0x10100, 0x40, 2, "one");
	name(PID, 0x10100, 0x20, 20, "two");
	name(PID, 0x10100, 0x40, 40, "one");
	start();
	sample(PID, 0x10130, 10);
	sample(PID, 0x10110, 21);
	sample(PID, 0x10130, 22); /* what was left of the first */
	sample(PID, 0x10110, 41);
	assert_string_equal(all(), "10:7:10100+40=one 21:7:10100+20=two 22:7:10120+20=- "
				   "41:7:10100+40=one ");
}

static void test_mappings_cover(void **state)
{
	(void)state;
	name(PID, 0x10100, 0x40, 2, "one");
	start();
	sample(PID, 0x10110, 10);
	map(MEMORY, 0x10000, 11, "//anon"); /* mprotect: the code stays */
	sample(PID, 0x10110, 12);
	map(MEMORY, 0x10000, 13, "/bin/other");
	sample(PID, 0x10110, 14); /* a name counts in memory only */
	assert_string_equal(all(), "10:7:10100+40=one 12:7:10100+40=one ");
}

static void test_children(void **state)
{
	(void)state;
	name(PID, 0x10100, 0x40, 2, "one");
	start();
	sample(PID, 0x10110, 10);
	follow(&(struct event){
		.kind = EVENT_FORK,
		.pid = 8,
		.tid = 8,
		.time_ns = 11,
		.fork = {.ppid = PID, .ptid = PID},
	});
	sample(8, 0x10110, 12);
	/* The names do not know of the fork: they have none for the child. */
	assert_string_equal(all(), "10:7:10100+40=one 12:8:10100+40=- ");
}

static void test_chains(void **state)
{
	const uint64_t chain[] = {
		PERF_CONTEXT_KERNEL, 0x10110, PERF_CONTEXT_USER, 0x10110, 0x10210};

	(void)state;
	name(PID, 0x10100, 0x40, 2, "one");
	name(PID, 0x10200, 0x40, 2, "caller");
	start();
	follow(&(struct event){
		.kind = EVENT_SAMPLE,
		.pid = PID,
		.tid = PID,
		.time_ns = 10,
		.misc = PERF_RECORD_MISC_KERNEL,
		.sample = {.ip = 0x10110, .callchain = chain, .n_callchain = 5},
	});
	assert_string_equal(all(), "10:7:10100+40=one 10:7:10200+40=caller ");
}

/* Which ones are its callers shows only when it is unwound. */
static void test_a_stack_needs_all_functions(void **state)
{
	const struct event stack = {
		.kind = EVENT_SAMPLE,
		.pid = PID,
		.tid = PID,
		.time_ns = 30,
		.misc = PERF_RECORD_MISC_USER,
		.sample = {.ip = 1, .user = {.stack_size = 8}},
	};
	struct event later = stack;

	(void)state;
	name(PID, MEMORY, 0x10, 10, "a");
	name(PID, MEMORY + 0x10, 0x10, 20, "b");
	name(PID, MEMORY + 0x10, 0x10, 40, "c");
	start();
	assert_false(code_maps__saw_stacks(maps));
	follow(&stack);
	assert_true(code_maps__saw_stacks(maps));
	later.time_ns = 50;
	follow(&later);
	assert_string_equal(all(), "30:7:10000+10=a 30:7:10010+10=b 50:7:10010+10=c ");
}

static void test_later_names(void **state)
{
	(void)state;
	name(PID, MEMORY, 0x10, 40, "late");
	start();
	sample(PID, MEMORY, 20);
	assert_string_equal(all(), "");
	code_maps__free(maps);
	assert_int_equal(code_maps__new(&maps, names, true), 0);
	map(MEMORY, 0x10000, 1, "//anon");
	sample(PID, MEMORY, 20);
	assert_string_equal(all(), "20:7:10000+10=late ");
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(test_once),
		TEST(test_another_name_and_none),
		TEST(test_mappings_cover),
		TEST(test_children),
		TEST(test_chains),
		TEST(test_a_stack_needs_all_functions),
		TEST(test_later_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
