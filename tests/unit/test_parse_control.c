// SPDX-License-Identifier: GPL-2.0-only
/*
 * The language of --control.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "user/parse/control.h"

static void file_descriptors(void **state)
{
	struct control_spec spec;

	(void)state;
	assert_int_equal(control_spec__parse(&spec, "fd:3"), 0);
	assert_false(spec.fifo);
	assert_int_equal(spec.fd, 3);
	assert_int_equal(spec.ack_fd, -1);
	assert_int_equal(control_spec__parse(&spec, "fd:10,11"), 0);
	assert_int_equal(spec.fd, 10);
	assert_int_equal(spec.ack_fd, 11);
}

static void paths(void **state)
{
	struct control_spec spec;

	(void)state;
	assert_int_equal(control_spec__parse(&spec, "fifo:/run/a b"), 0);
	assert_true(spec.fifo);
	assert_string_equal(spec.path, "/run/a b");
	assert_string_equal(spec.ack_path, "");
	assert_int_equal(control_spec__parse(&spec, "fifo:a,b"), 0);
	assert_string_equal(spec.path, "a");
	assert_string_equal(spec.ack_path, "b");
}

static void what_is_neither(void **state)
{
	static const char *const TEXTS[] = {"", "3", "fd:", "fd:x", "fd:-1", "fd:1,", "fd:1,x",
		"fd:1,2,3", "fd:99999999999", "fifo:", "fifo:,a", "fifo:a,", "pipe:a"};
	char text[PATH_MAX + 16] = "fifo:";
	struct control_spec spec;

	(void)state;
	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++)
		assert_int_equal(control_spec__parse(&spec, TEXTS[i]), -EINVAL);
	memset(text + 5, 'a', PATH_MAX);
	assert_int_equal(control_spec__parse(&spec, text), -EINVAL);
}

static void commands(void **state)
{
	(void)state;
	assert_int_equal(control_command__parse("enable"), CONTROL_ENABLE);
	assert_int_equal(control_command__parse("disable"), CONTROL_DISABLE);
	assert_int_equal(control_command__parse("stop"), CONTROL_STOP);
	assert_int_equal(control_command__parse("ping"), CONTROL_PING);
	assert_int_equal(control_command__parse("snapshot"), CONTROL_SNAPSHOT);
	assert_int_equal(control_command__parse("evlist"), CONTROL_EVLIST);
	assert_int_equal(control_command__parse("stopp"), CONTROL_UNKNOWN);
	assert_int_equal(control_command__parse(""), CONTROL_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file_descriptors),
		cmocka_unit_test(paths),
		cmocka_unit_test(what_is_neither),
		cmocka_unit_test(commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
