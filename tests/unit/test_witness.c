// SPDX-License-Identifier: GPL-2.0-only
/* What two looks at a file's times prove. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "user/event/witness.h"

#define S 1000000000ull
#define MS 1000000ull

/* The first look was at this time, by a clock that began at 1,000 s. */
#define LOOK_NS (5000 * S + 500 * MS)
static const struct witness_clock clock_then = {1000 * S, LOOK_NS + 50 * MS};

static struct perfstamp_witness at(uint64_t ns)
{
	return (struct perfstamp_witness){
		.mtime_sec = ns / S,
		.ctime_sec = ns / S,
		.mtime_nsec = ns % S,
		.ctime_nsec = ns % S,
		.clock_ns = LOOK_NS - 1000 * S,
		.granularity_ns = 1,
		.flags = PERFSTAMP_WITNESS_TAKEN,
	};
}

static enum witnessed compare(struct perfstamp_witness mapped, struct perfstamp_witness later)
{
	return witness__compare(&mapped, &later, false, &clock_then);
}

static void equal_times(void **state)
{
	struct perfstamp_witness look = at(LOOK_NS - 1), running = at(LOOK_NS);

	(void)state;
	assert_int_equal(compare(look, look), WITNESSED_UNWRITTEN);
	/* The tick of the look itself. */
	assert_int_equal(compare(running, running), WITNESSED_DOUBT);
	running.flags |= PERFSTAMP_WITNESS_DENIED;
	assert_int_equal(compare(running, running), WITNESSED_UNWRITTEN);
	look = at(LOOK_NS);
	look.flags |= PERFSTAMP_WITNESS_QUERIED;
	assert_int_equal(compare(look, look), WITNESSED_UNWRITTEN);
	look = at(LOOK_NS - 60 * S);
	look.flags |= PERFSTAMP_WITNESS_WRITABLE;
	assert_int_equal(compare(look, look), WITNESSED_DOUBT);
	/* To come: of a clock that was set back. */
	look = at(LOOK_NS + 3600 * S);
	assert_int_equal(compare(look, look), WITNESSED_UNWRITTEN);
	look.ctime_sec = look.mtime_sec = UINT64_MAX / 2;
	assert_int_equal(compare(look, look), WITNESSED_UNWRITTEN);
}

static void rounded_times(void **state)
{
	struct perfstamp_witness look = at(LOOK_NS - 500 * MS);

	(void)state;
	look.granularity_ns = S;
	assert_int_equal(compare(look, look), WITNESSED_DOUBT);
	look = at(LOOK_NS - 501 * MS);
	look.granularity_ns = S;
	assert_int_equal(compare(look, look), WITNESSED_UNWRITTEN);
	look = at(LOOK_NS - 2 * S);
	look.granularity_ns = 0;
	assert_int_equal(compare(look, look), WITNESSED_DOUBT);
	look = at(LOOK_NS - 2 * S - 1);
	look.granularity_ns = 0;
	assert_int_equal(compare(look, look), WITNESSED_UNWRITTEN);
}

static void other_times(void **state)
{
	struct perfstamp_witness old = at(LOOK_NS - 60 * S), now = at(LOOK_NS), young;

	(void)state;
	assert_int_equal(compare(old, now), WITNESSED_WRITTEN);
	now = old;
	now.ctime_nsec++;
	assert_int_equal(compare(old, now), WITNESSED_WRITTEN);
	assert_int_equal(witness__compare(&old, &now, true, &clock_then), WITNESSED_UNWRITTEN);
	young = at(LOOK_NS);
	now = young;
	now.ctime_nsec++;
	assert_int_equal(witness__compare(&young, &now, true, &clock_then), WITNESSED_DOUBT);
	/* A write after it had been asked for would have set the other time, too. */
	young.flags |= PERFSTAMP_WITNESS_QUERIED;
	assert_int_equal(witness__compare(&young, &now, true, &clock_then), WITNESSED_UNWRITTEN);
	assert_int_equal(compare(young, now), WITNESSED_WRITTEN);
	now.mtime_nsec++;
	assert_int_equal(witness__compare(&young, &now, true, &clock_then), WITNESSED_WRITTEN);
	/* Not where times are rounded: it may have set them to what they were. */
	young = at(LOOK_NS);
	young.flags |= PERFSTAMP_WITNESS_QUERIED;
	young.granularity_ns = S;
	assert_int_equal(compare(young, young), WITNESSED_DOUBT);
	now = old;
	now.mtime_sec++;
	assert_int_equal(witness__compare(&old, &now, true, &clock_then), WITNESSED_WRITTEN);
}

static void last_writes(void **state)
{
	(void)state;
	assert_int_equal(witness__last_write(5, 1), 5 * S + 1 + 100 * MS);
	/* It may be rounded. */
	assert_int_equal(witness__last_write(5, 0), 7 * S + 100 * MS);
	assert_true(witness__last_write(INT64_MAX, 0) > 0);
	assert_true(witness__last_write(INT64_MIN, 0) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_times),
		cmocka_unit_test(rounded_times),
		cmocka_unit_test(other_times),
		cmocka_unit_test(last_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
