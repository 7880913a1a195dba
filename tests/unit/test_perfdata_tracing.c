// SPDX-License-Identifier: GPL-2.0-only
/*
 * TRACING_DATA: its layout, and that a recording of tracepoints has it from the
 * first checkpoint on, whatever the rounds' sizes, compressed or not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>

#include "perfdata_fixture.h"
#include "user/perfdata/read/reader.h"
#include "user/perfdata/features/tracing_data.h"

static const char tracing_bytes[] = "what perf calls tracing data, of 41 bytes";

static void the_layout_is_that_of_perf(void **state)
{
	static const struct tracing_event events[] = {
		{"ftrace", "F"},
		{"irq", "one"},
		{"sched", "two"},
		{"sched", "three"},
	};
	static const struct tracing_data data = {
		.header_page = "page",
		.header_event = "event",
		.printk_formats = "%d",
		.events = events,
		.n_events = 4,
		.page_size = 4096,
	};
	struct buffer out, expected;

	(void)state;
	buffer__init(&out, 0);
	buffer__init(&expected, 0);
	assert_int_equal(tracing_data__encode(&out, &data), 0);

	buffer__append(&expected, "\x17\x08\x44tracing0.6", 14);
	buffer__u8(&expected, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	buffer__u8(&expected, sizeof(long));
	buffer__u32(&expected, 4096);
	buffer__append(&expected, "header_page", 12);
	buffer__u64(&expected, 4);
	buffer__append(&expected, "page", 4);
	buffer__append(&expected, "header_event", 13);
	buffer__u64(&expected, 5);
	buffer__append(&expected, "event", 5);
	buffer__u32(&expected, 1); /* events of ftrace */
	buffer__u64(&expected, 1);
	buffer__append(&expected, "F", 1);
	buffer__u32(&expected, 2); /* systems */
	buffer__append(&expected, "irq", 4);
	buffer__u32(&expected, 1);
	buffer__u64(&expected, 3);
	buffer__append(&expected, "one", 3);
	buffer__append(&expected, "sched", 6);
	buffer__u32(&expected, 2);
	buffer__u64(&expected, 3);
	buffer__append(&expected, "two", 3);
	buffer__u64(&expected, 5);
	buffer__append(&expected, "three", 5);
	buffer__u32(&expected, 0); /* kallsyms */
	buffer__u32(&expected, 2);
	buffer__append(&expected, "%d", 2);
	buffer__u64(&expected, 0); /* command lines */
	assert_int_equal(out.size, expected.size);
	assert_memory_equal(out.data, expected.data, out.size);
	buffer__free(&out);
	buffer__free(&expected);
}

static struct perfdata_writer *begin(int fd, bool pipe, int level)
{
	static const uint64_t ids[] = {11};
	struct perfdata_writer *writer;

	assert_int_equal(perfdata_writer__new(&writer, fd, "test", pipe), 0);
	assert_int_equal(perfdata_writer__add_attr(writer, &fixture_attr, "a:b", ids, 1, NULL), 0);
	assert_int_equal(perfdata_writer__feature(writer, HEADER_TRACING_DATA, tracing_bytes,
				 sizeof(tracing_bytes), NULL),
		0);
	if (level)
		assert_int_equal(perfdata_writer__compress(writer, level, NULL), 0);
	fixture__features(writer);
	assert_int_equal(perfdata_writer__begin(writer, NULL), 0);
	assert_int_equal(
		perfdata_writer__feature(writer, HEADER_TRACING_DATA, "late", 4, NULL), -EINVAL);
	return writer;
}

static void assert_samples(int fd, int n, bool unfinished)
{
	struct perfdata_reader *reader;
	struct buffer file;
	struct event event;
	struct error err;
	size_t size;
	const void *bytes;
	int i = 0, ret;

	fixture__take(fd, &file);
	assert_int_equal(
		perfdata_reader__open_memory(&reader, file.data, file.size, "test", &err), 0);
	while ((ret = perfdata_reader__next(reader, &event, &err)) == 1) {
		if (event.kind != EVENT_SAMPLE)
			continue;
		assert_int_equal(event.sample.ip, 0x400000 + 16 * i);
		i++;
	}
	if (ret)
		fail_msg("%s", err.text);
	assert_int_equal(i, n);
	if (!perfdata_reader__is_pipe(reader)) {
		bytes = perfdata_reader__feature(reader, HEADER_TRACING_DATA, &size);
		assert_int_equal(size, sizeof(tracing_bytes));
		assert_memory_equal(bytes, tracing_bytes, size);
		assert_int_equal(perfdata_reader__is_unfinished(reader), unfinished);
	}
	if (!unfinished) {
		bytes = perfdata_reader__feature(reader, HEADER_HOSTNAME, &size);
		assert_string_equal(feature__string(bytes, size, false), "host");
	}
	perfdata_reader__free(reader);
	buffer__free(&file);
}

static void put_samples(struct perfdata_writer *writer, int from, int n)
{
	for (int i = from; i < from + n; i++) {
		struct fixture_sample sample = fixture_sample(i);

		assert_int_equal(perfdata_writer__raw(writer, &sample, sizeof(sample), NULL), 0);
	}
}

static void kill_recording(int level)
{
	/* Rounds with nothing, with little, and more than is kept in memory. */
	static const int rounds[] = {3, 0, 0, 1, 0, 1, 20000, 0, 0, 0, 2};
	int fd = memfd_create("test", MFD_CLOEXEC), n = 0;
	struct perfdata_writer *writer = begin(fd, false, level);

	for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++) {
		int before = n;

		put_samples(writer, n, rounds[i]);
		n += rounds[i];
		if (i)
			assert_samples(fd, before, true);
		assert_int_equal(perfdata_writer__finish_round(writer, NULL), 0);
		assert_samples(fd, n, true);
	}
	assert_int_equal(perfdata_writer__finish(writer, NULL), 0);
	assert_samples(fd, n, false);
	perfdata_writer__free(writer);
	close(fd);
}

static void a_killed_recording_has_it(void **state)
{
	(void)state;
	kill_recording(0);
}

static void a_killed_recording_that_is_compressed_has_it(void **state)
{
	(void)state;
	kill_recording(1);
	kill_recording(22);
}

static void an_empty_recording_has_it(void **state)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	struct perfdata_writer *writer = begin(fd, false, 0);

	(void)state;
	assert_int_equal(perfdata_writer__finish(writer, NULL), 0);
	assert_samples(fd, 0, false);
	perfdata_writer__free(writer);
	close(fd);
}

static void in_a_pipe_it_is_a_record_with_bytes_behind(void **state)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	struct perfdata_writer *writer = begin(fd, true, 0);
	struct perf_event_header header;
	uint32_t size;
	struct buffer file;
	size_t at = sizeof(struct perfdata_pipe_header);

	(void)state;
	put_samples(writer, 0, 5);
	assert_int_equal(perfdata_writer__finish(writer, NULL), 0);
	perfdata_writer__free(writer);
	assert_samples(fd, 5, false);
	fixture__take(fd, &file);
	for (;; at += header.size) {
		memcpy(&header, file.data + at, sizeof(header));
		if (header.type == PERF_RECORD_HEADER_TRACING_DATA)
			break;
	}
	assert_int_equal(header.size, 16);
	memcpy(&size, file.data + at + sizeof(header), sizeof(size));
	assert_int_equal(size, (sizeof(tracing_bytes) + 7) / 8 * 8);
	assert_memory_equal(file.data + at + 16, tracing_bytes, sizeof(tracing_bytes));
	buffer__free(&file);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_layout_is_that_of_perf),
		cmocka_unit_test(a_killed_recording_has_it),
		cmocka_unit_test(a_killed_recording_that_is_compressed_has_it),
		cmocka_unit_test(an_empty_recording_has_it),
		cmocka_unit_test(in_a_pipe_it_is_a_record_with_bytes_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
