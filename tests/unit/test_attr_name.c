// SPDX-License-Identifier: GPL-2.0-only
/* What an event is called where only its attributes are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "user/parse/event/attr_name.h"

static void names(const struct perf_event_attr *attr, const char *expected)
{
	char name[ATTR_NAME_MAX];

	attr_name__write(name, sizeof(name), attr);
	assert_string_equal(name, expected);
}

static void test_names(void **state)
{
	(void)state;
	names(&(struct perf_event_attr){.type = PERF_TYPE_HARDWARE}, "cycles");
	names(&(struct perf_event_attr){.type = PERF_TYPE_HARDWARE, .config = 4ull << 32 | 1},
		"instructions");
	names(&(struct perf_event_attr){.type = PERF_TYPE_SOFTWARE}, "cpu-clock");
	names(&(struct perf_event_attr){.type = PERF_TYPE_HW_CACHE,
		      .config = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_RESULT_MISS << 16},
		"L1-dcache-load-misses");
	names(&(struct perf_event_attr){.type = PERF_TYPE_HW_CACHE,
		      .config = PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_OP_PREFETCH << 8},
		"LLC-prefetches");
	names(&(struct perf_event_attr){.type = PERF_TYPE_RAW, .config = 0x1c2}, "raw 0x1c2");
	names(
		&(struct perf_event_attr){
			.type = PERF_TYPE_BREAKPOINT, .bp_addr = 0x1000, .bp_type = 3},
		"mem:0x1000:rw");
	names(&(struct perf_event_attr){.type = PERF_TYPE_TRACEPOINT, .config = 312},
		"tracepoint 312");
}

static void test_modifiers(void **state)
{
	(void)state;
	names(&(struct perf_event_attr){.exclude_kernel = 1, .exclude_hv = 1}, "cycles:u");
	names(&(struct perf_event_attr){.exclude_user = 1, .precise_ip = 2}, "cycles:khpp");
	names(&(struct perf_event_attr){.precise_ip = 3}, "cycles:ppp");
}

static void test_unknown(void **state)
{
	(void)state;
	names(&(struct perf_event_attr){.type = PERF_TYPE_SOFTWARE, .config = 99},
		"type 1 config 0x63");
	names(&(struct perf_event_attr){.type = PERF_TYPE_HW_CACHE, .config = 0xffffff},
		"type 3 config 0xffffff");
	names(&(struct perf_event_attr){.type = UINT32_MAX, .config = UINT64_MAX, .precise_ip = 3},
		"type 4294967295 config 0xffffffffffffffff:ppp");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_modifiers),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
