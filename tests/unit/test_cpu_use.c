// SPDX-License-Identifier: GPL-2.0-only
/* Samples against CPU time: by which name they count, and what is more than chance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "user/model/cpu_use.h"

#define MS 1000000ull

static struct cpu_use *use;

static int set_up(void **state)
{
	(void)state;
	return cpu_use__new(&use);
}

static int tear_down(void **state)
{
	(void)state;
	cpu_use__free(use);
	return 0;
}

static void comm(uint32_t pid, uint32_t tid, const char *name)
{
	const struct event event = {.kind = EVENT_COMM, .pid = pid, .tid = tid, .comm.comm = name};

	assert_int_equal(cpu_use__apply(use, &event), 0);
}

static void fork_of(uint32_t parent, uint32_t child, uint16_t misc)
{
	const struct event event = {.kind = EVENT_FORK,
		.misc = misc,
		.pid = child,
		.tid = child,
		.fork = {parent, parent}};

	assert_int_equal(cpu_use__apply(use, &event), 0);
}

static void sample(uint32_t pid, int n)
{
	for (int i = 0; i < n; i++)
		assert_int_equal(cpu_use__sample(use, pid, MS), 0);
}

static void compare(const struct cpu_use_facts *facts)
{
	assert_int_equal(cpu_use__compare(use, facts), 0);
}

static const struct cpu_use_row *row(const char *name)
{
	for (size_t i = 0; i < cpu_use__n_rows(use); i++)
		if (!strcmp(cpu_use__row(use, i)->name, name))
			return cpu_use__row(use, i);
	fail_msg("no row of %s", name);
	return NULL;
}

static const struct cpu_use_facts FACTS = {.period = MS};

static void test_a_process_goes_by_its_last_name(void **state)
{
	(void)state;
	comm(1, 1, "sh");
	fork_of(1, 2, 0);
	sample(2, 3);
	comm(2, 2, "true");
	sample(2, 4);
	comm(2, 3, "a thread's");
	sample(2, 1);
	sample(1, 5);
	sample(0, 100); /* idle */
	/* The number is another process's now. */
	fork_of(1, 2, 0);
	sample(2, 2);
	compare(&FACTS);
	assert_int_equal(row("true")->samples, 8);
	assert_int_equal(row("sh")->samples, 7);
	assert_int_equal(cpu_use__n_rows(use), 2);
	assert_int_equal(cpu_use__all(use)->samples, 15);
}

static void test_a_snapshot_is_no_new_process(void **state)
{
	(void)state;
	comm(7, 7, "old");
	sample(7, 2);
	fork_of(1, 7, PERF_RECORD_MISC_FORK_EXEC);
	sample(7, 2);
	compare(&FACTS);
	assert_int_equal(row("old")->samples, 4);
}

static void test_names_meet_in_their_escaped_form(void **state)
{
	(void)state;
	comm(1, 1, "a\033[31m\n");
	sample(1, 100);
	assert_int_equal(cpu_use__add_time(use, "a\\x1b[31m\\n", 100 * MS, 1), 0);
	compare(&FACTS);
	assert_int_equal(cpu_use__n_rows(use), 1);
	assert_int_equal(cpu_use__row(use, 0)->verdict, CPU_USE_AGREES);
}

/* With @n samples where a thousand are expected, beside another that has all of its own. */
static void judge(int n, enum cpu_use_verdict verdict, bool far, const struct cpu_use_facts *facts)
{
	comm(1, 1, "one");
	comm(2, 2, "two");
	sample(1, n);
	sample(2, 100000);
	assert_int_equal(cpu_use__add_time(use, "one", 1000 * MS, 1), 0);
	assert_int_equal(cpu_use__add_time(use, "two", 100000 * MS, 1), 0);
	compare(facts);
	assert_int_equal(row("one")->verdict, verdict);
	assert_int_equal(row("one")->far, far);
	assert_int_equal(row("two")->verdict, CPU_USE_AGREES);
	tear_down(NULL);
	set_up(NULL);
}

/* 4 sqrt(1000) + 2 + 50 is 178.5. */
static void test_chance_has_its_bounds(void **state)
{
	const struct cpu_use_facts slack = {.period = MS, .slack_ns = 20 * MS};

	(void)state;
	judge(1000, CPU_USE_AGREES, false, &FACTS);
	judge(822, CPU_USE_AGREES, false, &FACTS);
	judge(821, CPU_USE_FEWER, false, &FACTS);
	judge(821, CPU_USE_AGREES, false, &slack);
	judge(801, CPU_USE_FEWER, false, &slack);
	judge(1178, CPU_USE_AGREES, false, &FACTS);
	judge(1179, CPU_USE_MORE, false, &FACTS);
	judge(250, CPU_USE_FEWER, false, &FACTS);
	judge(245, CPU_USE_FEWER, true, &FACTS);
	judge(0, CPU_USE_FEWER, true, &FACTS);
	judge(4000, CPU_USE_MORE, false, &FACTS);
	judge(4200, CPU_USE_MORE, true, &FACTS);
}

static void test_few_samples_prove_nothing(void **state)
{
	(void)state;
	assert_int_equal(cpu_use__add_time(use, "brief", 10 * MS, 10), 0);
	comm(1, 1, "idle");
	sample(1, 5);
	compare(&FACTS);
	assert_int_equal(row("brief")->verdict, CPU_USE_AGREES);
	assert_int_equal(row("idle")->verdict, CPU_USE_AGREES);
}

static void test_slack_is_for_no_more_processes_than_there_are_cpus(void **state)
{
	const struct cpu_use_facts facts = {.period = MS, .slack_ns = 10 * MS, .cpus = 2};

	(void)state;
	assert_int_equal(cpu_use__add_time(use, "many", 1000 * MS, 1000), 0);
	compare(&facts);
	assert_int_equal(row("many")->verdict, CPU_USE_FEWER);
	assert_true(row("many")->far);
}

static void test_what_is_not_known_is_nobodys_fault(void **state)
{
	const struct cpu_use_facts other = {.period = MS, .other_ns = 1000 * MS};
	const struct cpu_use_facts missed = {.period = MS, .missed = 1};

	(void)state;
	/* Samples without a name may be those that are missing. */
	assert_int_equal(cpu_use__add_time(use, "one", 1000 * MS, 1), 0);
	sample(5, 1000);
	compare(&FACTS);
	assert_int_equal(cpu_use__unnamed(use), 1000);
	assert_int_equal(row("one")->verdict, CPU_USE_AGREES);
	assert_int_equal(cpu_use__all(use)->verdict, CPU_USE_AGREES);
	tear_down(NULL);
	set_up(NULL);
	/* Time without a name may be that of the samples. */
	comm(1, 1, "one");
	sample(1, 1000);
	compare(&other);
	assert_int_equal(row("one")->verdict, CPU_USE_AGREES);
	assert_int_equal(cpu_use__all(use)->verdict, CPU_USE_AGREES);
	tear_down(NULL);
	set_up(NULL);
	comm(1, 1, "one");
	sample(1, 1000);
	assert_int_equal(cpu_use__add_time(use, "two", MS, 1), 0);
	compare(&missed);
	assert_int_equal(row("one")->verdict, CPU_USE_AGREES);
}

static void test_the_likely_cause(void **state)
{
	struct cpu_use_facts facts = {.period = MS};

	(void)state;
	assert_int_equal(cpu_use__add_time(use, "true", 1000 * MS, 1000), 0);
	assert_int_equal(cpu_use__add_time(use, "sh", 200 * MS, 1), 0);
	compare(&facts);
	assert_int_equal(row("true")->cause, CPU_USE_SHORT);
	/* It shares its children's fate. */
	assert_int_equal(row("sh")->cause, CPU_USE_SHORT);
	tear_down(NULL);
	set_up(NULL);
	assert_int_equal(cpu_use__add_time(use, "long", 1000 * MS, 1), 0);
	compare(&facts);
	assert_int_equal(row("long")->cause, CPU_USE_UNKNOWN);
	tear_down(NULL);
	set_up(NULL);
	facts.throttled = 1;
	assert_int_equal(cpu_use__add_time(use, "long", 1000 * MS, 1), 0);
	compare(&facts);
	assert_int_equal(row("long")->cause, CPU_USE_THROTTLED);
	tear_down(NULL);
	set_up(NULL);
	facts.lost = 600;
	assert_int_equal(cpu_use__add_time(use, "long", 1000 * MS, 1), 0);
	compare(&facts);
	assert_int_equal(row("long")->cause, CPU_USE_LOST);
}

/* Nothing is wrong with one name more than with another. */
static void test_late_timers(void **state)
{
	(void)state;
	comm(1, 1, "a");
	comm(2, 2, "b");
	sample(1, 100);
	sample(2, 200);
	assert_int_equal(cpu_use__add_time(use, "a", 1000 * MS, 1), 0);
	assert_int_equal(cpu_use__add_time(use, "b", 2000 * MS, 1), 0);
	compare(&FACTS);
	assert_int_equal(row("a")->verdict, CPU_USE_FEWER);
	assert_int_equal(row("a")->cause, CPU_USE_ALIKE);
	assert_false(row("a")->far);
	assert_false(row("b")->far);
	assert_int_equal(cpu_use__all(use)->verdict, CPU_USE_FEWER);
}

/* Cycles: how many a second has is not known, but that all have as many. */
static void test_shares(void **state)
{
	const struct cpu_use_facts facts = {.shares = true};

	(void)state;
	comm(1, 1, "a");
	comm(2, 2, "b");
	for (int i = 0; i < 2000; i++)
		assert_int_equal(cpu_use__sample(use, 1 + (i % 4 == 0), 3000000), 0);
	assert_int_equal(cpu_use__add_time(use, "a", 1500 * MS, 1), 0);
	assert_int_equal(cpu_use__add_time(use, "b", 500 * MS, 1), 0);
	assert_int_equal(cpu_use__add_time(use, "c", 2000 * MS, 1), 0);
	compare(&facts);
	assert_int_equal((int)row("c")->expected, 1000);
	assert_true(row("c")->far);
	assert_int_equal(row("a")->verdict, CPU_USE_MORE);
	assert_false(row("a")->far);
	assert_int_equal(cpu_use__all(use)->verdict, CPU_USE_AGREES);
	assert_string_equal(cpu_use__row(use, 0)->name, "c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_a_process_goes_by_its_last_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_a_snapshot_is_no_new_process, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_names_meet_in_their_escaped_form, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_chance_has_its_bounds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_few_samples_prove_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_slack_is_for_no_more_processes_than_there_are_cpus, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_what_is_not_known_is_nobodys_fault, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_likely_cause, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_timers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_shares, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
