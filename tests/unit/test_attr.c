// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options to perf_event_attr: what record's options promise, and how features
 * are taken back from older kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "user/parse/event/attr.h"

#define COMMON_SAMPLE_TYPE                                                                         \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static const struct attr_options defaults = {
	.freq = 4000,
	.inherit = true,
	.clockid = CLOCK_MONOTONIC,
	.lost_count = true,
};

static struct perf_event_attr cycles(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	return attr;
}

static void test_defaults(void **state)
{
	struct perf_event_attr attr = cycles();

	(void)state;
	attr__sampling(&attr, &defaults);
	assert_int_equal(attr.size, 128);
	assert_int_equal(attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(attr.sample_type, COMMON_SAMPLE_TYPE | PERF_SAMPLE_PERIOD);
	assert_int_equal(attr.read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
	assert_true(attr.freq);
	assert_int_equal(attr.sample_freq, 4000);
	assert_true(attr.disabled);
	assert_true(attr.inherit);
	assert_true(attr.sample_id_all);
	assert_true(attr.use_clockid);
	assert_int_equal(attr.clockid, CLOCK_MONOTONIC);
	assert_int_equal(attr.precise_ip, 0);
	assert_false(attr.enable_on_exec);
	assert_false(attr.exclude_kernel);
	assert_false(attr.watermark);
	/* All sideband records come with the other event. */
	assert_false(attr.comm || attr.task || attr.mmap || attr.mmap2);
}

static void test_period_leaves_out_period_and_freq(void **state)
{
	struct attr_options options = defaults;
	struct perf_event_attr attr = cycles();

	(void)state;
	options.period = 100003;
	attr__sampling(&attr, &options);
	assert_false(attr.freq);
	assert_int_equal(attr.sample_period, 100003);
	assert_int_equal(attr.sample_type, COMMON_SAMPLE_TYPE);
}

static void test_own_period_stays(void **state)
{
	struct perf_event_attr attr = cycles();

	(void)state;
	attr.sample_period = 77;
	attr__sampling(&attr, &defaults);
	assert_false(attr.freq);
	assert_int_equal(attr.sample_period, 77);
}

static void test_tracepoint(void **state)
{
	struct perf_event_attr attr;

	(void)state;
	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_TRACEPOINT;
	attr__sampling(&attr, &defaults);
	assert_false(attr.freq);
	assert_int_equal(attr.sample_period, 1);
	assert_int_equal(attr.sample_type,
		COMMON_SAMPLE_TYPE | PERF_SAMPLE_RAW | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD);
}

static void test_dwarf_call_chains(void **state)
{
	struct attr_options options = defaults;
	struct perf_event_attr attr = cycles();

	(void)state;
	options.callchain = true;
	assert_int_equal(attr__stack_size(&options.dwarf_stack, 8190), 0);
	attr__sampling(&attr, &options);
	assert_int_equal(attr.sample_type, COMMON_SAMPLE_TYPE | PERF_SAMPLE_PERIOD |
						   PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
						   PERF_SAMPLE_STACK_USER);
	assert_int_equal(attr.sample_stack_user, 8192);
	assert_int_equal(attr.sample_regs_user, attr__user_regs());
	assert_true(attr.exclude_callchain_user);
#ifdef __x86_64__
	assert_int_equal(attr.sample_regs_user, 0xff0fff);
#endif
}

static void test_stack_sizes(void **state)
{
	uint32_t size;

	(void)state;
	assert_int_equal(attr__stack_size(&size, 1), 0);
	assert_int_equal(size, 8);
	assert_int_equal(attr__stack_size(&size, 65528), 0);
	assert_int_equal(size, 65528);
	assert_int_equal(attr__stack_size(&size, 0), -EINVAL);
	assert_int_equal(attr__stack_size(&size, 65529), -EINVAL);
	assert_int_equal(attr__stack_size(&size, UINT64_MAX), -EINVAL);
}

static void test_lbr_call_chains(void **state)
{
	struct attr_options options = defaults;
	struct perf_event_attr attr = cycles();

	(void)state;
	options.callchain = true;
	options.lbr = true;
	attr__sampling(&attr, &options);
	assert_int_equal(attr.sample_type, COMMON_SAMPLE_TYPE | PERF_SAMPLE_PERIOD |
						   PERF_SAMPLE_CALLCHAIN |
						   PERF_SAMPLE_BRANCH_STACK);
	assert_int_equal(attr.branch_sample_type,
		PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
			PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_NO_FLAGS |
			PERF_SAMPLE_BRANCH_HW_INDEX);
	/* It knows user space's calls only: as perf, without user space it is left out. */
	attr = cycles();
	options.exclude_user = true;
	attr__sampling(&attr, &options);
	assert_int_equal(attr.sample_type & PERF_SAMPLE_BRANCH_STACK, 0);
	assert_int_equal(attr.branch_sample_type, 0);
}

static void test_options(void **state)
{
	struct attr_options options = defaults;
	struct perf_event_attr attr = cycles();

	(void)state;
	options.callchain = true;
	options.has_cpu = true;
	options.inherit = false;
	options.enable_on_exec = true;
	options.exclude_kernel = true;
	options.clockid = -1;
	options.extra.sample_type = PERF_SAMPLE_ADDR;
	options.wakeup_watermark = 4096;
	options.lost_count = false;
	attr__sampling(&attr, &options);
	assert_int_equal(attr.sample_type, COMMON_SAMPLE_TYPE | PERF_SAMPLE_PERIOD |
						   PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN |
						   PERF_SAMPLE_ADDR);
	assert_false(attr.inherit);
	assert_true(attr.enable_on_exec);
	assert_true(attr.exclude_kernel);
	assert_true(attr.exclude_hv);
	assert_false(attr.use_clockid);
	assert_true(attr.watermark);
	assert_int_equal(attr.wakeup_watermark, 4096);
	assert_int_equal(attr.read_format, PERF_FORMAT_ID);
}

static void test_sideband(void **state)
{
	struct attr_options options = defaults;
	struct perf_event_attr attr;

	(void)state;
	options.has_cpu = true;
	options.callchain = true;
	options.enable_on_exec = true;
	attr__sideband(&attr, &options);
	assert_int_equal(attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr.config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr.sample_type, COMMON_SAMPLE_TYPE | PERF_SAMPLE_CPU);
	assert_true(attr.exclude_kernel);
	assert_true(attr.comm && attr.comm_exec && attr.task && attr.namespaces);
	assert_true(attr.ksymbol && attr.bpf_event && attr.cgroup);
	assert_false(attr.mmap || attr.mmap2 || attr.build_id || attr.mmap_data);
	/* It is there from the start, or the exec itself would be missed. */
	assert_false(attr.enable_on_exec);
	options.mmap_records = true;
	attr__sideband(&attr, &options);
	assert_true(attr.mmap && attr.mmap2 && attr.build_id);
}

/* Where perf puts the trailer's fields must be the same for all events of a file. */
static void test_trailers_agree(void **state)
{
	const uint64_t trailer = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct perf_event_attr attr = cycles(), sideband;
		struct attr_options options = defaults;

		options.has_cpu = i & 1;
		options.extra.sample_type = i & 2 ? PERF_SAMPLE_CPU | PERF_SAMPLE_CGROUP : 0;
		attr__sampling(&attr, &options);
		attr__sideband(&sideband, &options);
		assert_int_equal(attr.sample_type & trailer, sideband.sample_type & trailer);
		assert_int_equal(attr.read_format, sideband.read_format);
		assert_int_equal(attr.clockid, sideband.clockid);
	}
}

static void test_drop_newest_order(void **state)
{
	struct attr_options options = defaults;
	struct perf_event_attr attr;
	const char *text;

	(void)state;
	options.mmap_records = true;
	attr__sideband(&attr, &options);
	text = attr__drop_newest(&attr);
	assert_non_null(strstr(text, "5.12"));
	assert_true(!attr.build_id && attr.cgroup && attr.mmap2);
	text = attr__drop_newest(&attr);
	assert_non_null(strstr(text, "5.7"));
	assert_true(!attr.cgroup && attr.bpf_event);
	text = attr__drop_newest(&attr);
	assert_non_null(strstr(text, "5.1"));
	assert_true(!attr.bpf_event && attr.ksymbol);
	text = attr__drop_newest(&attr);
	assert_true(!attr.ksymbol && attr.namespaces);
	text = attr__drop_newest(&attr);
	assert_non_null(strstr(text, "4.12"));
	assert_false(attr.namespaces);
	assert_null(attr__drop_newest(&attr));
	/* What every supported kernel has stays. */
	assert_true(attr.comm && attr.comm_exec && attr.task && attr.mmap2 && attr.use_clockid);
}

static void test_drop_newest_of_a_sample(void **state)
{
	struct attr_options options = defaults;
	struct perf_event_attr attr = cycles();

	(void)state;
	options.extra.sample_type = PERF_SAMPLE_CGROUP;
	attr__sampling(&attr, &options);
	assert_non_null(attr__drop_newest(&attr));
	assert_int_equal(attr.sample_type, COMMON_SAMPLE_TYPE | PERF_SAMPLE_PERIOD);
	assert_null(attr__drop_newest(&attr));
}

static void test_drop_kernel(void **state)
{
	struct perf_event_attr attr = cycles();

	(void)state;
	assert_true(attr__drop_kernel(&attr));
	assert_true(attr.exclude_kernel && attr.exclude_hv);
	assert_false(attr__drop_kernel(&attr));
}

static void test_leader_sampling(void **state)
{
	struct attr_options options = defaults;
	struct perf_event_attr leader = cycles(), member = cycles();

	(void)state;
	options.enable_on_exec = true;
	options.callchain = true;
	attr__sampling(&leader, &options);
	attr__sampling(&member, &options);
	attr__group(&leader, &leader, 2, true);
	attr__group(&member, &leader, 2, true);
	assert_true(leader.disabled && leader.enable_on_exec && leader.sample_freq == 4000);
	/* It is counted when the leader is, and is in the leader's samples. */
	assert_false(
		member.disabled || member.enable_on_exec || member.freq || member.sample_period);
	assert_true(leader.sample_type & PERF_SAMPLE_READ);
	assert_int_equal(member.sample_type, leader.sample_type);
	assert_int_equal(leader.read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST | PERF_FORMAT_GROUP);
	assert_int_equal(member.read_format, leader.read_format);
	assert_false(leader.inherit || member.inherit);
	/* In other groups each is sampled. */
	member = cycles();
	attr__sampling(&member, &options);
	attr__group(&member, &leader, 2, false);
	assert_true(!member.disabled && member.freq && member.inherit);
	assert_false(member.sample_type & PERF_SAMPLE_READ);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leader_sampling),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_period_leaves_out_period_and_freq),
		cmocka_unit_test(test_own_period_stays),
		cmocka_unit_test(test_tracepoint),
		cmocka_unit_test(test_dwarf_call_chains),
		cmocka_unit_test(test_stack_sizes),
		cmocka_unit_test(test_lbr_call_chains),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_sideband),
		cmocka_unit_test(test_trailers_agree),
		cmocka_unit_test(test_drop_newest_order),
		cmocka_unit_test(test_drop_newest_of_a_sample),
		cmocka_unit_test(test_drop_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
