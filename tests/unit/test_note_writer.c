// SPDX-License-Identifier: GPL-2.0-only
/* The numbers of notes, where more are given than there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>

#include "notes_fixture.h"

/* Modules take numbers, too, and what is remembered may not lose its own to them. */
static void a_number_that_is_remembered_is_not_given_again(void **state)
{
	const struct encode_trailer trailer = {.sample_type = NOTES_SAMPLE_TYPE, .id = NOTES_ID};
	const struct event map = {.kind = EVENT_MAP,
		.pid = 7,
		.map = {.addr = 0x400000,
			.len = 0x1000,
			.prot = 5,
			.executable = true,
			.path = "/opt/a",
			.identity = {.dev_major = 8,
				.ino = 4711,
				.cgroup_id = 9,
				.build_id_size = 20,
				.build_id = {0xa0, 0xa1}}}};
	const struct event module = {.kind = EVENT_MODULE,
		.type = PERF_RECORD_MMAP2,
		.module = {.path = "/lib/modules/sunrpc.ko"}};
	struct event_decoder *decoder;
	struct note_writer writer = {0};
	struct event back;
	struct buffer out;

	(void)state;
	decoder = notes__decoder();
	buffer__init(&out, 0);
	for (uint32_t i = 0; i < 70000; i++) {
		const struct event *event = i % 1000 ? &module : &map;

		buffer__reset(&out);
		assert_int_equal(note_writer__put(&writer, &out, event, &trailer), 0);
		assert_int_equal(notes__decode(decoder, &out, &back), 0);
		if (event == &module)
			continue;
		assert_int_equal(back.kind, EVENT_MAP);
		assert_true(back.map.stamped);
		assert_int_equal(back.map.identity.ino, 4711);
		assert_int_equal(back.map.identity.cgroup_id, 9);
	}
	note_writer__free(&writer);
	buffer__free(&out);
	event_decoder__free(decoder);
}

/* A check is a note at its own time, which is no earlier than what it says. */
static void a_check_comes_back(void **state)
{
	const struct encode_trailer trailer = {.sample_type = NOTES_SAMPLE_TYPE, .id = NOTES_ID};
	struct event check = {.kind = EVENT_CHECK, .time_ns = 70, .check = {.since_ns = 50}};
	struct event_decoder *decoder;
	struct event back;
	struct buffer out;

	(void)state;
	decoder = notes__decoder();
	buffer__init(&out, 0);
	assert_int_equal(notes__encode(&out, &check, &trailer), 0);
	assert_int_equal(notes__decode(decoder, &out, &back), 0);
	assert_int_equal(back.kind, EVENT_CHECK);
	assert_int_equal(back.time_ns, 70);
	assert_int_equal(back.check.since_ns, 50);
	check.check.since_ns = 71;
	buffer__reset(&out);
	assert_int_equal(notes__encode(&out, &check, &trailer), 0);
	assert_int_equal(notes__decode(decoder, &out, &back), -EBADMSG);
	buffer__free(&out);
	event_decoder__free(decoder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_that_is_remembered_is_not_given_again),
		cmocka_unit_test(a_check_comes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
