// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which pieces of the last part of a recording are held: by size, by time, and by number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>

#include "user/record/files/flight.h"

#define SECOND 1000000000ull
#define BEGIN 100 /* bytes that a piece begins with, behind a head of as many */
#define SIZE 1000 /* of all of it */

/* One more, which is complete; the newest is the one that is not told to grow. */
static void add_piece(struct flight *flight, uint64_t now_ns)
{
	struct error err;
	int fd;

	assert_int_equal(flight__begin(flight, now_ns, &fd, &err), 0);
	flight__begun(flight, BEGIN, 2 * BEGIN);
	flight__grown(flight, SIZE);
}

static size_t n_open(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* @n pieces, one a second: how many are held after the last, and since when. */
static void holds(const struct flight_bounds *bounds, size_t n, size_t held, uint64_t begin_ns)
{
	size_t before = n_open();
	struct flight *flight;

	assert_int_equal(flight__new(&flight, bounds), 0);
	for (uint64_t i = 1; i <= n; i++) {
		add_piece(flight, i * SECOND);
		flight__trim(flight, i * SECOND);
	}
	assert_int_equal(flight__n(flight), held);
	assert_int_equal(flight__begin_ns(flight), begin_ns);
	assert_int_equal(flight__bytes(flight), held * SIZE);
	assert_int_equal(n_open() - before, held);
	assert_int_equal(flight__reset(flight), held - 1);
	assert_int_equal(flight__begin_ns(flight), n * SECOND);
	flight__free(flight);
	assert_int_equal(n_open(), before);
}

static void by_size(void **state)
{
	(void)state;
	holds(&(struct flight_bounds){.bytes = 10 * SIZE}, 10, 10, SECOND);
	holds(&(struct flight_bounds){.bytes = 10 * SIZE}, 15, 10, 6 * SECOND);
}

static void by_time(void **state)
{
	(void)state;
	/* What is left is never shorter than was asked for. */
	holds(&(struct flight_bounds){.bytes = 100 * SIZE, .ns = 5 * SECOND}, 20, 6, 15 * SECOND);
}

static void the_newest_two_stay(void **state)
{
	(void)state;
	holds(&(struct flight_bounds){.bytes = 1}, 5, 2, 4 * SECOND);
}

/* However few bytes they have, as where one ends each time that a file is asked for in vain. */
static void by_number(void **state)
{
	(void)state;
	holds(&(struct flight_bounds){.bytes = FLIGHT_BYTES_DEFAULT}, 500, 64, 437 * SECOND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_size),
		cmocka_unit_test(by_time),
		cmocka_unit_test(the_newest_two_stay),
		cmocka_unit_test(by_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
