// SPDX-License-Identifier: GPL-2.0-only
/*
 * A full disk leaves whole records in the file, and the writer knows how many samples they have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "perfdata_fixture.h"
#include "user/perfdata/read/reader.h"

/* Of @size bytes. The records are compressed by @level; 0: not. */
static void fill_disk(size_t size, int level)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	struct perfdata_writer *writer;
	struct perfdata_reader *reader;
	struct rlimit before;
	struct error err, again;
	struct buffer file;
	struct event event;
	uint64_t samples = 0, kept;
	int ret = 0, n = 0;

	/* A limit on the file's size is like a disk that fills in the midst of a write. */
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){size, before.rlim_max}), 0);
	assert_int_equal(perfdata_writer__new(&writer, fd, "test", false), 0);
	assert_int_equal(level ? perfdata_writer__compress(writer, level, &err) : 0, 0);
	fixture__write(writer);
	for (int i = 0; i < 1000 && !ret; i++) {
		struct fixture_sample sample = fixture_sample(i);

		/* Each mark ends a COMPRESSED record. */
		for (int j = 0; j < 10; j++) {
			assert_int_equal(
				perfdata_writer__raw(writer, &sample, sizeof(sample), &err), 0);
			assert_int_equal(perfdata_writer__finish_init(writer, &err), 0);
		}
		ret = perfdata_writer__finish_round(writer, &err);
	}
	assert_int_equal(ret, -EFBIG);
	assert_non_null(strstr(err.text, "test: cannot write"));
	/* It sticks. */
	assert_int_equal(perfdata_writer__finish_round(writer, &again), -EFBIG);
	assert_string_equal(again.text, err.text);
	assert_int_equal(perfdata_writer__finish(writer, &again), -EFBIG);
	kept = perfdata_writer__samples(writer);
	perfdata_writer__free(writer);
	setrlimit(RLIMIT_FSIZE, &before);

	fixture__take(fd, &file);
	assert_int_equal(file.size, size);
	assert_int_equal(
		perfdata_reader__open_memory(&reader, file.data, file.size, "test", &err), 0);
	while ((ret = perfdata_reader__next(reader, &event, &err)) == 1) {
		n++;
		samples += event.kind == EVENT_SAMPLE;
	}
	assert_int_equal(ret, 0);
	assert_true(n > 30);
	assert_int_equal(samples, kept);
	assert_true(perfdata_reader__data_end(reader) <= file.size);
	assert_true(level ||
		    perfdata_reader__data_end(reader) + sizeof(struct fixture_sample) > file.size);
	perfdata_reader__free(reader);
	buffer__free(&file);
	close(fd);
}

static void a_full_disk_leaves_whole_records(void **state)
{
	(void)state;
	for (size_t size = 5000; size < 5200; size += 8) {
		fill_disk(size, 0);
		fill_disk(size, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_disk_leaves_whole_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
