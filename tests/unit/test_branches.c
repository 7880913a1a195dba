// SPDX-License-Identifier: GPL-2.0-only
/* Branch records one by one: with a fourth word or without, in either byte order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <byteswap.h>
#include <linux/perf_event.h>
#include <string.h>

#include "user/event/branches.h"

#define FROM 0x1122334455667788u
#define TO 0x99aabbccddeeff00u

/* As the compiler lays it out, which is as the kernel does. */
static uint64_t flags_of(struct perf_branch_entry entry)
{
	uint64_t words[3];

	memcpy(words, &entry, sizeof(words));
	return words[2];
}

/*
 * In the other byte order bit fields begin at the other end: mispred is the highest bit of the
 * word as that machine reads it.
 */
static uint64_t swapped_flags(bool mispredicted, bool predicted)
{
	return bswap_64((uint64_t)mispredicted << 63 | (uint64_t)predicted << 62);
}

static void branches_of_both_byte_orders(void **unused)
{
	(void)unused;
	for (size_t words = 3; words <= 4; words++)
		for (int swap = 0; swap < 2; swap++) {
			uint64_t record[8] = {0};
			struct event_branches branches = {(const uint8_t *)record, 2, words, swap};

			for (int i = 0; i < 2; i++) {
				struct perf_branch_entry entry = {.mispred = i, .predicted = !i};
				uint64_t *at = record + words * i, from = FROM + i, to = TO + i;

				at[0] = swap ? bswap_64(from) : from;
				at[1] = swap ? bswap_64(to) : to;
				at[2] = swap ? swapped_flags(i, !i) : flags_of(entry);
			}
			for (int i = 0; i < 2; i++) {
				struct event_branch branch = event_branches__at(&branches, i);

				assert_int_equal(branch.from, FROM + i);
				assert_int_equal(branch.to, TO + i);
				assert_int_equal(branch.mispredicted, i);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_of_both_byte_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
