// SPDX-License-Identifier: GPL-2.0-only
/* Comparing identities: by build-id, by cookie and by inode, each without regard to the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "user/event/identity.h"

static const struct perfstamp_identity WHOLE = {.dev_major = 8,
	.dev_minor = 1,
	.ino = 77,
	.ino_generation = 5,
	.build_id_size = 3,
	.build_id = {1, 2, 3},
	.cookie_size = 2,
	.cookie = {8, 9}};

static void build_ids_differ_by_size_and_bytes(void **state)
{
	struct perfstamp_identity other = WHOLE, none = {0};

	(void)state;
	other.cookie_size = 0;
	other.ino = 78;
	other.build_id[3] = 4; /* behind the build-id */
	assert_true(identity__same_build_id(&WHOLE, &other));
	other.build_id_size = 4;
	assert_false(identity__same_build_id(&WHOLE, &other));
	other.build_id_size = 3;
	other.build_id[2] = 4;
	assert_false(identity__same_build_id(&WHOLE, &other));
	assert_false(identity__same_build_id(&WHOLE, &none));
	assert_true(identity__same_build_id(&none, &none));
}

static void cookies_differ_by_size_and_bytes(void **state)
{
	struct perfstamp_identity other = WHOLE, none = {0};

	(void)state;
	other.build_id_size = 0;
	other.ino = 78;
	other.cookie[2] = 10;
	assert_true(identity__same_cookie(&WHOLE, &other));
	other.cookie_size = 3;
	assert_false(identity__same_cookie(&WHOLE, &other));
	other.cookie_size = 2;
	other.cookie[1] = 10;
	assert_false(identity__same_cookie(&WHOLE, &other));
	assert_false(identity__same_cookie(&WHOLE, &none));
	assert_true(identity__same_cookie(&none, &none));
}

static void an_inode_has_four_numbers(void **state)
{
	struct perfstamp_identity other = WHOLE;

	(void)state;
	other.build_id_size = other.cookie_size = 0;
	other.mnt_ns = 12;
	assert_true(identity__same_inode(&WHOLE, &other));
	other.dev_major++;
	assert_false(identity__same_inode(&WHOLE, &other));
	other = WHOLE;
	other.dev_minor++;
	assert_false(identity__same_inode(&WHOLE, &other));
	other = WHOLE;
	other.ino++;
	assert_false(identity__same_inode(&WHOLE, &other));
	other = WHOLE;
	other.ino_generation++;
	assert_false(identity__same_inode(&WHOLE, &other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(build_ids_differ_by_size_and_bytes),
		cmocka_unit_test(cookies_differ_by_size_and_bytes),
		cmocka_unit_test(an_inode_has_four_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
