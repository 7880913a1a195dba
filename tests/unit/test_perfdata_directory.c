// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings that are directories, as perf record --threads writes them: the records of
 * all files, nearly in order, whatever one of the files is.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "perfdata_fixture.h"
#include "user/perfdata/read/reader.h"

struct content {
	size_t records, samples;
	uint64_t newest_ns;
	uint64_t late_ns; /* the most that a record was older than one before it */
	int end;
	struct error error;
};

static char dir[] = "/tmp/perfstamp-directory.XXXXXX";

static void put(const char *name, const void *bytes, size_t size)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

static void take_away(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
}

static struct content read_all(void)
{
	struct content content = {};
	struct perfdata_reader *reader;
	struct event event;
	int more;

	content.end = perfdata_reader__open(&reader, dir, &content.error);
	if (content.end)
		return content;
	for (;;) {
		struct error err;

		more = perfdata_reader__next(reader, &event, &err);
		if (more == -EBADMSG && !content.end) {
			content.end = more;
			content.error = err;
		}
		if (more == -EBADMSG && perfdata_reader__skip_file(reader))
			continue;
		if (more <= 0)
			break;
		content.records++;
		content.samples += event.kind == EVENT_SAMPLE;
		if (event.time_ns && content.newest_ns > event.time_ns + content.late_ns)
			content.late_ns = content.newest_ns - event.time_ns;
		if (event.time_ns > content.newest_ns)
			content.newest_ns = event.time_ns;
	}
	if (!content.end && perfdata_reader__missing_file(reader))
		content.end = -ENOENT;
	perfdata_reader__free(reader);
	return content;
}

static struct fixture_sample sample_at(uint64_t time)
{
	struct fixture_sample sample = fixture_sample(0);

	sample.time = time;
	return sample;
}

static struct buffer file;

static int make(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/perfstamp-directory.XXXXXX");
	assert_non_null(mkdtemp(dir));
	fixture__make(&file, false);
	put("data", file.data, file.size);
	return 0;
}

static int remove_all(void **state)
{
	(void)state;
	take_away("data");
	take_away("data.0");
	take_away("data.1");
	take_away("data.2");
	assert_int_equal(rmdir(dir), 0);
	buffer__free(&file);
	return 0;
}

#define MANY ((size_t)5000)

/* Two threads' samples, of odd and even times; and what is in data. */
static void put_threads(size_t n)
{
	struct fixture_sample *samples = calloc(n, sizeof(*samples));

	for (size_t thread = 0; thread < 2; thread++) {
		for (size_t i = 0; i < n; i++)
			samples[i] = sample_at(1000 + 2 * i + thread);
		put(thread ? "data.1" : "data.0", samples, n * sizeof(*samples));
	}
	free(samples);
}

static void reads_all_files_nearly_in_order(void **state)
{
	struct content alone = read_all(), content;

	(void)state;
	put_threads(MANY);
	put("data.2", "", 0);
	content = read_all();
	assert_int_equal(alone.end, 0);
	assert_int_equal(content.end, 0);
	assert_int_equal(content.samples, alone.samples + 2 * MANY);
	assert_int_equal(content.records, alone.records + 2 * MANY);
	assert_int_equal(content.newest_ns, 1000 + 2 * MANY - 1);
	/* One turn, which is far less than a file. */
	assert_true(content.late_ns < 1000);
}

static void one_damaged_file_leaves_the_others(void **state)
{
	struct content alone = read_all(), content;
	struct fixture_sample sample = sample_at(2000);

	(void)state;
	put_threads(MANY);
	for (size_t size = 1; size < sizeof(sample); size++) {
		put("data.0", &sample, size);
		content = read_all();
		assert_int_equal(content.end, -EBADMSG);
		assert_non_null(strstr(content.error.text, "/data.0: offset 0: "));
		assert_int_equal(content.samples, alone.samples + MANY);
	}
	sample.header.size = 4;
	put("data.0", &sample, sizeof(sample));
	assert_int_equal(read_all().samples, alone.samples + MANY);
	take_away("data.0");
	content = read_all();
	assert_int_equal(content.end, -ENOENT);
	assert_int_equal(content.samples, alone.samples + MANY);
}

/* Every prefix of data, beside a thread's file that is sound. */
static void any_header_has_an_answer(void **state)
{
	(void)state;
	put_threads(2);
	for (size_t size = 0; size < file.size; size++) {
		struct content content;

		put("data", file.data, size);
		content = read_all();
		assert_true(content.end == 0 || content.end == -EBADMSG);
		assert_true(content.end == 0 || content.error.text[0]);
	}
	for (size_t at = 0; at < sizeof(struct perfdata_header); at++) {
		file.data[at] ^= 0xff;
		put("data", file.data, file.size);
		file.data[at] ^= 0xff;
		read_all();
	}
}

static void only_what_perf_has_written_is_opened(void **state)
{
	char path[64];

	(void)state;
	put_threads(2);
	take_away("data.1");
	snprintf(path, sizeof(path), "%s/data.1", dir);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_non_null(strstr(read_all().error.text, "/data.1: symbolic links"));
	take_away("data.1");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_non_null(strstr(read_all().error.text, "/data.1: not a regular file"));
	take_away("data.1");
	put("data.01", "", 0);
	assert_non_null(strstr(read_all().error.text, "/data.01: perf record does not use"));
	take_away("data.01");
	put("data.65536", "", 0);
	assert_int_equal(read_all().end, -EBADMSG);
	take_away("data.65536");
	put("data.", "", 0);
	assert_int_equal(read_all().end, -EBADMSG);
	take_away("data.");
	put("data_1", "", 0);
	assert_int_equal(read_all().end, 0);
	take_away("data_1");
	take_away("data");
	assert_int_equal(read_all().end, -EISDIR);
}

int main(void)
{
	const struct CMUnitTest TESTS[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, remove_all)
		TEST(reads_all_files_nearly_in_order),
		TEST(one_damaged_file_leaves_the_others),
		TEST(any_header_has_an_answer),
		TEST(only_what_perf_has_written_is_opened),
	};

	return cmocka_run_group_tests(TESTS, NULL, NULL);
}
