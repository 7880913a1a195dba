// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event names with perf's meaning, CPU lists, PMU terms and formats.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "user/parse/event/cpu_list.h"
#include "user/parse/event/name.h"
#include "user/parse/event/pmu_format.h"

static struct event_name one(const char *text)
{
	struct event_names names;
	struct event_name name;
	struct error err;

	event_names__init(&names, text);
	assert_int_equal(event_names__next(&names, &name, &err), 1);
	assert_string_equal(names.at, "");
	return name;
}

static void refused(const char *text, const char *why)
{
	struct event_names names;
	struct event_name name;
	struct error err = {{0}};
	int r;

	event_names__init(&names, text);
	while ((r = event_names__next(&names, &name, &err)) > 0)
		;
	assert_int_equal(r, -EINVAL);
	if (!strstr(err.text, why))
		fail_msg("'%s' does not say '%s'", err.text, why);
}

static void test_fixed_names(void **state)
{
	static const struct {
		const char *text;
		uint32_t type;
		uint64_t config;
	} rows[] = {
		{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
		{"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
		{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
		{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
		{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
		{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
		{"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
		{"dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY},
		{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
		{"r1a8", PERF_TYPE_RAW, 0x1a8},
		{"rFFFFFFFFFFFFFFFF", PERF_TYPE_RAW, UINT64_MAX},
		{"L1-dcache-loads", PERF_TYPE_HW_CACHE, 0},
		{"L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000},
		{"LLC-stores", PERF_TYPE_HW_CACHE, 0x102},
		{"iTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10004},
		{"node-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10206},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct event_name name = one(rows[i].text);

		assert_int_equal(name.kind, EVENT_NAME_FIXED);
		assert_int_equal(name.type, rows[i].type);
		assert_true(name.config == rows[i].config);
		assert_string_equal(name.text, rows[i].text);
	}
}

static void test_breakpoints(void **state)
{
	static const struct {
		const char *text;
		uint64_t addr;
		uint64_t len;
		uint32_t type;
		bool exclude_kernel;
	} rows[] = {
		{"mem:0x1000", 0x1000, 4, HW_BREAKPOINT_RW, false},
		{"mem:0x1000:rw", 0x1000, 4, HW_BREAKPOINT_RW, false},
		{"mem:4096:w", 0x1000, 4, HW_BREAKPOINT_W, false},
		{"mem:0xffffffffffffffff:x", UINT64_MAX, sizeof(long), HW_BREAKPOINT_X, false},
		{"mem:0x1000/8:r", 0x1000, 8, HW_BREAKPOINT_R, false},
		{"mem:0x1000/2", 0x1000, 2, HW_BREAKPOINT_RW, false},
		{"mem:0x1000:u", 0x1000, 4, HW_BREAKPOINT_RW, true},
		{"mem:0x1000/1:w:u", 0x1000, 1, HW_BREAKPOINT_W, true},
	};
	static const char *const wrong[] = {"mem:0x1000:q", "mem:0x1000:rwz", "mem:0x1000:w:q",
		"mem:0x1000/", "mem:0x1000/8/", "mem:0x1000w", "mem:0x1000/w"};
	struct event_names names;
	struct event_name name;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		name = one(rows[i].text);
		assert_int_equal(name.kind, EVENT_NAME_FIXED);
		assert_int_equal(name.type, PERF_TYPE_BREAKPOINT);
		assert_true(name.bp_addr == rows[i].addr && name.bp_len == rows[i].len);
		assert_int_equal(name.bp_type, rows[i].type);
		assert_int_equal(name.modifiers.exclude_kernel, rows[i].exclude_kernel);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		event_names__init(&names, wrong[i]);
		assert_int_equal(event_names__next(&names, &name, &err), -EINVAL);
	}
	/* Its slash begins no terms. */
	event_names__init(&names, "mem:0x1000/8:w,cpu-clock");
	assert_int_equal(event_names__next(&names, &name, NULL), 1);
	assert_string_equal(name.text, "mem:0x1000/8:w");
	assert_int_equal(event_names__next(&names, &name, NULL), 1);
	assert_string_equal(name.text, "cpu-clock");
}

static void test_other_names(void **state)
{
	static const char *const texts[] = {"sched:sched_switch", "syscalls:sys_enter_*:u",
		"INST_RETIRED:ANY_P", "skl::INST_RETIRED:ANY_P:u", "mem-loads", "r", "rxyz", "rx1",
		"r12345678901234567", "cycle", "L1-dcache-", "L1-dcache"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(one(texts[i]).kind, EVENT_NAME_OTHER);
}

static void test_list(void **state)
{
	struct event_names names;
	struct event_name name;

	(void)state;
	event_names__init(&names, "cycles:u,cpu/event=0x3c,umask=1/pp, sched:sched_switch");
	assert_int_equal(event_names__next(&names, &name, NULL), 1);
	assert_string_equal(name.text, "cycles:u");
	assert_true(name.modifiers.exclude_kernel);
	assert_int_equal(event_names__next(&names, &name, NULL), 1);
	assert_int_equal(name.kind, EVENT_NAME_PMU);
	assert_string_equal(name.pmu, "cpu");
	assert_string_equal(name.terms, "event=0x3c,umask=1");
	assert_int_equal(name.modifiers.precise, 2);
	assert_int_equal(event_names__next(&names, &name, NULL), 1);
	assert_int_equal(name.kind, EVENT_NAME_OTHER);
	assert_int_equal(event_names__next(&names, &name, NULL), 0);
	assert_int_equal(event_names__next(&names, &name, NULL), 0);
}

static void test_refused_lists(void **state)
{
	char text[EVENT_NAME_MAX + 10];

	(void)state;
	refused("cycles,", "missing");
	refused(",cycles", "missing");
	refused("cycles,,cs", "missing");
	refused("cycles cs", "space");
	refused("{cycles,cs", "brace");
	refused("cycles,cs}", "brace");
	refused("{{cycles},cs}", "brace");
	refused("{cycles,}", "missing");
	refused("{}", "missing");
	refused("{cycles},", "missing");
	refused("{cycles,cs}cs", "after a group");
	refused("{cycles,cs}:z", "modifiers");
	refused("{cycles,cs}:uuuuuuuuuuuuuuuuuuuu", "modifiers");
	refused("sched:sched_switch/period=1/", "tracepoint");
	refused("cycles:z", "modifiers");
	refused("cycles:pppp", "modifiers");
	refused("cpu/event=1", "slash");
	refused("cpu/event=1/q", "modifiers");
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	refused(text, "over");
	memset(text, 'p', 100);
	strcpy(text + 100, "/x/");
	refused(text, "too long");
}

static void test_groups(void **state)
{
	static const struct {
		const char *text;
		unsigned int group;
		const char *name;
		bool exclude_user, exclude_kernel, sample_read;
	} rows[] = {
		{"cycles", 0, "", false, false, false},
		{"cs:u", 1, "", false, true, true},
		{"cycles:ku", 1, "", false, false, true},
		{"cpu/event=1,umask=2/u", 1, "", false, true, true},
		{"sched:sched_switch:u", 1, "", false, false, false},
		{"r1a8", 2, "mine", false, false, false},
		{"cpu-clock/period=1000/", 0, "", false, false, false},
	};
	struct event_names names;
	struct event_name name;

	(void)state;
	event_names__init(&names,
		"cycles,{cs, cycles:k,cpu/event=1,umask=2/,sched:sched_switch}:Su,"
		"mine:{r1a8},cpu-clock/period=1000/");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(event_names__next(&names, &name, NULL), 1);
		assert_string_equal(name.text, rows[i].text);
		assert_int_equal(name.group, rows[i].group);
		assert_string_equal(name.group_name, rows[i].name);
		assert_int_equal(name.modifiers.exclude_user, rows[i].exclude_user);
		assert_int_equal(name.modifiers.exclude_kernel, rows[i].exclude_kernel);
		assert_int_equal(name.modifiers.sample_read, rows[i].sample_read);
		assert_int_equal(name.group_modifiers.sample_read, rows[i].group == 1);
	}
	assert_string_equal(name.base, "cpu-clock");
	assert_string_equal(name.terms, "period=1000");
	assert_int_equal(name.kind, EVENT_NAME_FIXED);
	assert_int_equal(event_names__next(&names, &name, NULL), 0);
}

static struct perf_event_attr modified(const char *text)
{
	struct event_modifiers modifiers;
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	assert_int_equal(event_modifiers__parse(&modifiers, text), 0);
	event_modifiers__apply(&modifiers, &attr);
	return attr;
}

static void test_modifiers(void **state)
{
	struct perf_event_attr attr;

	(void)state;
	attr = modified("");
	assert_true(attr.exclude_guest);
	assert_false(attr.exclude_user || attr.exclude_kernel || attr.exclude_hv ||
		     attr.exclude_host || attr.precise_ip);
	attr = modified("u");
	assert_true(!attr.exclude_user && attr.exclude_kernel && attr.exclude_hv);
	attr = modified("k");
	assert_true(attr.exclude_user && !attr.exclude_kernel && attr.exclude_hv);
	attr = modified("ku");
	assert_true(!attr.exclude_user && !attr.exclude_kernel && attr.exclude_hv);
	attr = modified("H");
	assert_true(attr.exclude_guest && !attr.exclude_host);
	attr = modified("G");
	assert_true(!attr.exclude_guest && attr.exclude_host);
	attr = modified("GH");
	assert_true(!attr.exclude_guest && !attr.exclude_host);
	attr = modified("ppu");
	assert_int_equal(attr.precise_ip, 2);
	assert_true(attr.exclude_guest && attr.exclude_kernel);
	attr = modified("P");
	assert_int_equal(attr.precise_ip, 3);
	attr = modified("ID");
	assert_true(attr.exclude_idle && attr.pinned);
}

static void check_cpus(const char *text, size_t n, const int *cpus)
{
	struct cpu_list list;

	assert_int_equal(cpu_list__parse(&list, text, NULL), 0);
	assert_int_equal(list.n, n);
	assert_memory_equal(list.cpus, cpus, n * sizeof(*cpus));
	assert_true(cpu_list__has(&list, cpus[0]));
	assert_false(cpu_list__has(&list, 77));
	cpu_list__free(&list);
}

static void test_cpu_list(void **state)
{
	static const char *const bad[] = {"", "\n", "a", "0-", "-1", "3-1", "0,,1", "0,", "65536",
		"99999999999999999999", "0 1", "1-2-3"};
	struct cpu_list list;

	(void)state;
	check_cpus("0\n", 1, (int[]){0});
	check_cpus("0-3,8\n", 5, (int[]){0, 1, 2, 3, 8});
	check_cpus("8,1-2,2", 3, (int[]){1, 2, 8});
	check_cpus("65535", 1, (int[]){65535});
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(cpu_list__parse(&list, bad[i], NULL), -EINVAL);
		cpu_list__free(&list);
	}
}

static void test_pmu_terms(void **state)
{
	const char *cursor = "event=0x3c,umask=1,edge,name=foo\n";
	struct pmu_term term;

	(void)state;
	assert_int_equal(pmu_term__next(&cursor, &term), 1);
	assert_string_equal(term.name, "event");
	assert_int_equal(term.value, 0x3c);
	assert_int_equal(pmu_term__next(&cursor, &term), 1);
	assert_int_equal(term.value, 1);
	assert_int_equal(pmu_term__next(&cursor, &term), 1);
	assert_string_equal(term.name, "edge");
	assert_false(term.has_value);
	assert_int_equal(term.value, 1);
	assert_int_equal(pmu_term__next(&cursor, &term), 1);
	assert_string_equal(term.text, "foo");
	assert_int_equal(term.value, 0);
	assert_int_equal(pmu_term__next(&cursor, &term), 0);
	cursor = "=1";
	assert_int_equal(pmu_term__next(&cursor, &term), -EINVAL);
	cursor = "a=";
	assert_int_equal(pmu_term__next(&cursor, &term), -EINVAL);
}

static void test_pmu_format(void **state)
{
	struct perf_event_attr attr;

	(void)state;
	memset(&attr, 0, sizeof(attr));
	assert_int_equal(pmu_format__apply("config:0-7\n", 0xc0, &attr), 0);
	assert_int_equal(pmu_format__apply("config:8-15", 0x1, &attr), 0);
	assert_true(attr.config == 0x1c0);
	assert_int_equal(pmu_format__apply("config:0-7,32-35", 0xabc, &attr), 0);
	assert_true(attr.config == 0xa000001bc);
	assert_int_equal(pmu_format__apply("config1:0-63", UINT64_MAX, &attr), 0);
	assert_true(attr.config1 == UINT64_MAX);
	assert_int_equal(pmu_format__apply("config2:18", 1, &attr), 0);
	assert_true(attr.config2 == 1 << 18);
	assert_int_equal(pmu_format__apply("config:0-7", 0x100, &attr), -ERANGE);
	assert_int_equal(pmu_format__apply("config9:0-7", 0, &attr), -EINVAL);
	assert_int_equal(pmu_format__apply("config:", 0, &attr), -EINVAL);
	assert_int_equal(pmu_format__apply("config:7-0", 0, &attr), -EINVAL);
	assert_int_equal(pmu_format__apply("config:0-64", 0, &attr), -EINVAL);
	assert_int_equal(pmu_format__apply("config:0-7x", 0, &attr), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_names),
		cmocka_unit_test(test_breakpoints),
		cmocka_unit_test(test_other_names),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_refused_lists),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_modifiers),
		cmocka_unit_test(test_cpu_list),
		cmocka_unit_test(test_pmu_terms),
		cmocka_unit_test(test_pmu_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
