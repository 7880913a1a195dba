// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPUs, as the kernel writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "user/parse/event/cpu_list.h"

static void the_highest_cpu_decides_the_end(void **state)
{
	(void)state;
	assert_int_equal(cpu_list__end("0\n"), 1);
	assert_int_equal(cpu_list__end("0-3\n"), 4);
	/* Firmware may leave CPUs out. */
	assert_int_equal(cpu_list__end("0,2-5\n"), 6);
	assert_int_equal(cpu_list__end("\n"), 0);
	assert_int_equal(cpu_list__end("some"), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_highest_cpu_decides_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
