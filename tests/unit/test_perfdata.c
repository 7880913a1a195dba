// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writer to reader and back: files and pipes, both byte orders, unfinished, cut
 * off, compressed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <zstd.h>

#include "perfdata_fixture.h"
#include "user/perfdata/read/reader.h"

static struct perfdata_reader *open_bytes(const struct buffer *file)
{
	struct perfdata_reader *reader = NULL;
	struct error err = {};
	int ret = perfdata_reader__open_memory(&reader, file->data, file->size, "test", &err);

	if (ret)
		print_message("%s\n", err.text);
	assert_int_equal(ret, 0);
	return reader;
}

/* The next event that is not OTHER, and no note. */
static int next(struct perfdata_reader *reader, struct event *ret)
{
	struct error err;
	int code;

	do
		code = perfdata_reader__next(reader, ret, &err);
	while (code == 1 && (ret->kind == EVENT_OTHER || ret->kind == EVENT_NOTE));
	if (code < 0)
		print_message("%s\n", err.text);
	return code;
}

static void assert_event(struct perfdata_reader *reader, const struct event *expected)
{
	struct event event;

	assert_int_equal(next(reader, &event), 1);
	assert_int_equal(event.kind, expected->kind);
	assert_int_equal(event.time_ns, expected->time_ns);
	assert_int_equal(event.pid, expected->pid);
	if (event.kind == EVENT_COMM)
		assert_string_equal(event.comm.comm, expected->comm.comm);
	if (event.kind == EVENT_LOST)
		assert_int_equal(event.lost.lost, expected->lost.lost);
	if (event.kind != EVENT_MAP)
		return;
	assert_string_equal(event.map.path, expected->map.path);
	assert_int_equal(event.map.addr, expected->map.addr);
	assert_int_equal(event.map.flags, expected->map.flags);
	assert_true(event.map.stamped);
	assert_memory_equal(
		&event.map.identity, &expected->map.identity, sizeof(event.map.identity));
}

static void assert_sample(struct perfdata_reader *reader, int i)
{
	struct fixture_sample expected = fixture_sample(i);
	struct event event;

	assert_int_equal(next(reader, &event), 1);
	assert_int_equal(event.kind, EVENT_SAMPLE);
	assert_int_equal(event.time_ns, expected.time);
	assert_int_equal(event.cpu, expected.cpu);
	assert_int_equal(event.sample.ip, expected.ip);
	assert_int_equal(event.sample.id, expected.id);
	assert_int_equal(event.sample.period, expected.period);
	assert_int_equal(event.sample.n_callchain, 2);
	assert_memory_equal(event.sample.callchain, expected.chain, sizeof(expected.chain));
}

static void assert_all_events(struct perfdata_reader *reader)
{
	struct event event;

	for (size_t i = 0; i < FIXTURE_EVENTS; i++) {
		assert_event(reader, &fixture_events[i]);
		if (i != 3)
			continue;
		for (int j = 0; j < FIXTURE_SAMPLES; j++)
			assert_sample(reader, j);
		assert_int_equal(next(reader, &event), 1);
		assert_int_equal(event.kind, EVENT_FINISHED_ROUND);
	}
	assert_int_equal(next(reader, &event), 1);
	assert_int_equal(event.kind, EVENT_FINISHED_ROUND);
	assert_int_equal(next(reader, &event), 0);
	assert_int_equal(next(reader, &event), 0);
}

static void assert_attrs(struct perfdata_reader *reader, bool names)
{
	const struct perfdata_attr *attr;

	assert_int_equal(perfdata_reader__n_attrs(reader), 2);
	attr = perfdata_reader__attr(reader, 0);
	assert_int_equal(attr->n_ids, 2);
	assert_int_equal(attr->ids[1], 12);
	assert_int_equal(attr->attr.size, PERFDATA_ATTR_SIZE);
	assert_int_equal(attr->attr.sample_type, fixture_attr.sample_type);
	assert_int_equal(attr->attr.sample_period, fixture_attr.sample_period);
	assert_int_equal(attr->attr.clockid, 1);
	assert_true(attr->attr.sample_id_all);
	assert_true(attr->attr.use_clockid);
	assert_false(attr->attr.inherit);
	if (names)
		assert_string_equal(attr->name, "cpu-clock");
	attr = perfdata_reader__attr(reader, 1);
	assert_int_equal(attr->ids[0], 21);
	if (names)
		assert_string_equal(attr->name, "dummy:u");
	assert_null(perfdata_reader__attr(reader, 2));
}

static void assert_features(struct perfdata_reader *reader)
{
	size_t size;
	const void *bytes = perfdata_reader__feature(reader, HEADER_OSRELEASE, &size);
	char value[16];

	assert_non_null(bytes);
	assert_string_equal(feature__string(bytes, size, false), "6.1.0");
	bytes = perfdata_reader__feature(reader, HEADER_VERSION, &size);
	assert_string_equal(feature__string(bytes, size, false), "0.1.0");
	bytes = perfdata_reader__feature(reader, PERFSTAMP_FEATURE, &size);
	assert_non_null(bytes);
	assert_int_equal(stamp__get(bytes, size, "rung", value, sizeof(value)), 6);
	assert_string_equal(value, "kprobe");
	assert_int_equal(stamp__get(bytes, size, "lost.ring_full", value, 1), 1);
	assert_int_equal(stamp__get(bytes, size, "lost", value, sizeof(value)), -ENOENT);
	assert_null(perfdata_reader__feature(reader, HEADER_BUILD_ID, &size));
	assert_null(perfdata_reader__feature(reader, 1000, &size));
}

static void a_file_comes_back(void **state)
{
	struct perfdata_reader *reader;
	struct buffer file;
	size_t size;
	const uint64_t *span;

	(void)state;
	fixture__make(&file, false);
	reader = open_bytes(&file);
	assert_false(perfdata_reader__is_pipe(reader));
	assert_false(perfdata_reader__is_foreign_order(reader));
	assert_false(perfdata_reader__is_unfinished(reader));
	assert_attrs(reader, true);
	assert_features(reader);
	span = perfdata_reader__feature(reader, HEADER_SAMPLE_TIME, &size);
	assert_int_equal(size, 16);
	assert_int_equal(span[0], 20);
	assert_int_equal(span[1], 20 + FIXTURE_SAMPLES - 1);
	assert_all_events(reader);
	assert_int_equal(perfdata_reader__offset(reader), perfdata_reader__data_end(reader));
	perfdata_reader__free(reader);
	buffer__free(&file);
}

static void a_pipe_comes_back(void **state)
{
	struct perfdata_reader *reader;
	struct buffer file;

	(void)state;
	fixture__make(&file, true);
	reader = open_bytes(&file);
	assert_true(perfdata_reader__is_pipe(reader));
	assert_all_events(reader);
	assert_attrs(reader, true);
	assert_features(reader);
	perfdata_reader__free(reader);
	buffer__free(&file);
}

/* Through a real pipe, in pieces of odd sizes. */
static void a_stream_comes_back(void **state)
{
	struct perfdata_reader *reader;
	struct error err;
	struct buffer file;
	int fds[2];
	pid_t pid;

	(void)state;
	fixture__make(&file, true);
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		for (size_t at = 0; at < file.size;) {
			size_t step = at % 13 + 1, left = file.size - at;
			ssize_t n = write(fds[1], file.data + at, step < left ? step : left);

			if (n < 0)
				_exit(1);
			at += n;
		}
		_exit(0);
	}
	close(fds[1]);
	assert_int_equal(perfdata_reader__open_fd(&reader, fds[0], "pipe", &err), 0);
	assert_all_events(reader);
	assert_attrs(reader, true);
	assert_features(reader);
	perfdata_reader__free(reader);
	close(fds[0]);
	buffer__free(&file);
}

static void a_file_of_the_other_order_comes_back(void **state)
{
	struct perfdata_reader *reader;
	struct buffer file;

	(void)state;
	fixture__make(&file, false);
	fixture__swap_file(&file);
	reader = open_bytes(&file);
	assert_true(perfdata_reader__is_foreign_order(reader));
	assert_attrs(reader, false);
	assert_all_events(reader);
	perfdata_reader__free(reader);
	buffer__free(&file);
}

static void the_file_is_whole_after_each_round(void **state)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	struct perfdata_writer *writer;
	struct perfdata_reader *reader;
	struct buffer file;
	struct event event;
	int n = 0;

	(void)state;
	assert_int_equal(perfdata_writer__new(&writer, fd, "test", false), 0);
	fixture__write(writer);
	fixture__take(fd, &file);
	perfdata_writer__free(writer);
	reader = open_bytes(&file);
	assert_true(perfdata_reader__is_unfinished(reader));
	while (next(reader, &event) == 1)
		n++;
	assert_int_equal(n, 4 + FIXTURE_SAMPLES + 1);
	perfdata_reader__free(reader);
	buffer__free(&file);
	close(fd);
}

static void without_a_size_all_there_is_is_read(void **state)
{
	struct perfdata_reader *reader;
	struct perfdata_header header;
	struct buffer file;
	size_t size;

	(void)state;
	fixture__make(&file, false);
	header = fixture__header(&file);
	/* perf leaves its feature bits set when it is killed. */
	buffer__truncate(&file, header.data.offset + header.data.size);
	header.data.size = 0;
	memcpy(file.data, &header, sizeof(header));
	reader = open_bytes(&file);
	assert_true(perfdata_reader__is_unfinished(reader));
	assert_null(perfdata_reader__feature(reader, HEADER_VERSION, &size));
	assert_all_events(reader);
	perfdata_reader__free(reader);
	buffer__free(&file);
}

static void a_cut_file_gives_what_it_has(void **state)
{
	struct perfdata_reader *reader;
	struct perfdata_header header;
	struct buffer file;
	struct event event;
	struct error err;
	int n = 0, ret;

	(void)state;
	fixture__make(&file, false);
	header = fixture__header(&file);
	/* Inside the last record; FINISHED_ROUND, 8 bytes, is gone as well. */
	buffer__truncate(&file, header.data.offset + header.data.size - 12);
	reader = open_bytes(&file);
	assert_true(perfdata_reader__is_unfinished(reader));
	while ((ret = perfdata_reader__next(reader, &event, &err)) == 1)
		n++;
	assert_int_equal(ret, -EBADMSG);
	assert_non_null(strstr(err.text, "offset"));
	assert_int_equal(n, FIXTURE_EVENTS - 1 + FIXTURE_NOTES + FIXTURE_SAMPLES + 2);
	assert_int_equal(perfdata_reader__next(reader, &event, &err), -EBADMSG);
	perfdata_reader__free(reader);
	buffer__free(&file);
}

static void an_attribute_may_have_any_size(void **state)
{
	static const size_t sizes[] = {64, 72, 80, 96, 112, 136, 144, 256};
	struct buffer file, other;

	(void)state;
	fixture__make(&file, false);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct perfdata_header header = fixture__header(&file);
		uint64_t shift = 2 * sizes[i] - 2 * PERFDATA_ATTR_SIZE;
		struct perfdata_reader *reader;

		buffer__init(&other, 0);
		buffer__append(&other, file.data, header.attrs.offset);
		for (size_t j = 0; j < 2; j++) {
			const uint8_t *entry = file.data + header.attrs.offset + j * 144;
			size_t known = sizes[i] < 128 ? sizes[i] : 128;
			uint32_t told = sizes[i];
			size_t at = other.size;

			buffer__append(&other, entry, known);
			memcpy(other.data + at + 4, &told, 4);
			for (size_t k = known; k < sizes[i]; k++)
				buffer__u8(&other, 0xff); /* unknown to us */
			buffer__append(&other, entry + 128, 16);
		}
		buffer__append(&other, file.data + header.data.offset, header.data.size);
		header.attr_size = sizes[i] + 16;
		header.attrs.size = 2 * header.attr_size;
		header.data.offset += shift;
		memset(header.features, 0, sizeof(header.features));
		memcpy(other.data, &header, sizeof(header));
		reader = open_bytes(&other);
		assert_int_equal(perfdata_reader__attr(reader, 0)->attr.size, sizes[i]);
		assert_int_equal(perfdata_reader__attr(reader, 1)->ids[0], 21);
		assert_all_events(reader);
		perfdata_reader__free(reader);
		buffer__free(&other);
	}
	buffer__free(&file);
}

/* The data of @file as COMPRESSED records that end in the midst of records. */
static void compress_data(struct buffer *file, uint32_t type)
{
	struct perfdata_header header = fixture__header(file);
	ZSTD_CStream *stream = ZSTD_createCStream();
	ZSTD_inBuffer in = {file->data + header.data.offset, 0, 0};
	struct buffer out;

	buffer__init(&out, 0);
	buffer__append(&out, file->data, header.data.offset);
	while (in.size < header.data.size) {
		uint8_t bytes[1024];
		ZSTD_outBuffer piece = {bytes, sizeof(bytes), 0};
		size_t start = out.size;
		uint16_t size;

		in.size = in.size + 333 < header.data.size ? in.size + 333 : header.data.size;
		assert_int_equal(ZSTD_compressStream2(stream, &piece, &in, ZSTD_e_flush), 0);
		buffer__u32(&out, type);
		buffer__u32(&out, 0);
		if (type == PERF_RECORD_COMPRESSED2)
			buffer__u64(&out, piece.pos);
		buffer__append(&out, bytes, piece.pos);
		if (type == PERF_RECORD_COMPRESSED2)
			buffer__align(&out, start, 8);
		size = out.size - start;
		memcpy(out.data + start + 6, &size, 2);
	}
	ZSTD_freeCStream(stream);
	header.data.size = out.size - header.data.offset;
	memset(header.features, 0, sizeof(header.features));
	memcpy(out.data, &header, sizeof(header));
	buffer__free(file);
	*file = out;
}

static void compressed_data_come_back(void **state)
{
	static const uint32_t types[] = {PERF_RECORD_COMPRESSED, PERF_RECORD_COMPRESSED2};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perfdata_reader *reader;
		struct buffer file;

		fixture__make(&file, false);
		compress_data(&file, types[i]);
		reader = open_bytes(&file);
		assert_all_events(reader);
		perfdata_reader__free(reader);
		buffer__free(&file);
	}
}

static void bytes_behind_records_are_passed_over(void **state)
{
	struct perfdata_header header;
	struct perfdata_reader *reader;
	struct buffer file, more;

	(void)state;
	fixture__make(&file, false);
	header = fixture__header(&file);
	buffer__init(&more, 0);
	buffer__append(&more, file.data, header.data.offset);
	buffer__u32(&more, PERF_RECORD_AUXTRACE);
	buffer__u32(&more, 48 << 16);
	buffer__u64(&more, 24); /* bytes of trace behind it */
	buffer__zeros(&more, 32);
	buffer__append(&more, "traces are not recordsxx", 24);
	buffer__append(&more, file.data + header.data.offset, header.data.size);
	header.data.size += 48 + 24;
	memset(header.features, 0, sizeof(header.features));
	memcpy(more.data, &header, sizeof(header));
	reader = open_bytes(&more);
	assert_all_events(reader);
	perfdata_reader__free(reader);

	/* One that says more than there is. */
	memset(more.data + header.data.offset + 8, 0xff, 8);
	reader = open_bytes(&more);
	{
		struct event event;

		assert_int_equal(next(reader, &event), -EBADMSG);
	}
	perfdata_reader__free(reader);
	buffer__free(&more);
	buffer__free(&file);
}

static void what_is_not_perf_data_is_refused(void **state)
{
	static const char text[200] = "#!/bin/sh\n";
	struct perfdata_reader *reader;
	struct error err;
	uint8_t old[104] = "PERFFILE";

	(void)state;
	assert_int_equal(
		perfdata_reader__open_memory(&reader, text, sizeof(text), "t", &err), -EBADMSG);
	assert_int_equal(perfdata_reader__open_memory(&reader, NULL, 0, "t", &err), -EBADMSG);
	assert_int_equal(
		perfdata_reader__open_memory(&reader, old, sizeof(old), "t", &err), -EBADMSG);
	assert_int_equal(perfdata_reader__open(&reader, "/nonexistent", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent"));
	assert_int_equal(perfdata_reader__open(&reader, "/", &err), -EISDIR);
}

static void a_closed_pipe_is_told_once(void **state)
{
	struct perfdata_writer *writer;
	struct error err;
	int fds[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(perfdata_writer__new(&writer, fds[1], "out", true), 0);
	fixture__write(writer);
	close(fds[0]);
	assert_int_equal(perfdata_writer__finish_round(writer, &err), -EPIPE);
	assert_int_equal(perfdata_writer__finish(writer, &err), -EPIPE);
	perfdata_writer__free(writer);
	close(fds[1]);
}

static void the_writer_refuses_what_no_reader_could_read(void **state)
{
	struct perf_event_attr bare = {.sample_type = PERF_SAMPLE_IP};
	struct fixture_sample sample = fixture_sample(0);
	struct perfdata_writer *writer;
	int fd = memfd_create("test", MFD_CLOEXEC);

	(void)state;
	assert_int_equal(perfdata_writer__new(&writer, fd, "test", false), 0);
	assert_int_equal(perfdata_writer__add_attr(writer, &bare, "bare", NULL, 0, NULL), -EINVAL);
	assert_int_equal(perfdata_writer__begin(writer, NULL), -EINVAL);
	assert_int_equal(perfdata_writer__finish(writer, NULL), -EINVAL);
	assert_int_equal(perfdata_writer__add_attr(writer, &fixture_attr, "x", NULL, 0, NULL), 0);
	assert_int_equal(perfdata_writer__begin(writer, NULL), 0);
	assert_int_equal(perfdata_writer__raw(writer, &sample, sizeof(sample) - 8, NULL), -EINVAL);
	assert_int_equal(perfdata_writer__event(writer, &fixture_events[0], 1, NULL), -EINVAL);
	assert_int_equal(perfdata_writer__feature(writer, 256, "", 0, NULL), -EINVAL);
	assert_int_equal(perfdata_writer__finish(writer, NULL), 0);
	perfdata_writer__free(writer);
	close(fd);
}

static void an_empty_recording_has_a_size(void **state)
{
	struct perfdata_writer *writer;
	struct perfdata_reader *reader;
	struct buffer file;
	struct event event;
	int fd = memfd_create("test", MFD_CLOEXEC);

	(void)state;
	assert_int_equal(perfdata_writer__new(&writer, fd, "test", false), 0);
	assert_int_equal(perfdata_writer__add_attr(writer, &fixture_attr, "x", NULL, 0, NULL), 0);
	assert_int_equal(perfdata_writer__begin(writer, NULL), 0);
	assert_int_equal(perfdata_writer__finish(writer, NULL), 0);
	perfdata_writer__free(writer);
	fixture__take(fd, &file);
	assert_int_equal(fixture__header(&file).data.size, 8);
	reader = open_bytes(&file);
	assert_false(perfdata_reader__is_unfinished(reader));
	assert_int_equal(next(reader, &event), 1);
	assert_int_equal(next(reader, &event), 0);
	perfdata_reader__free(reader);
	buffer__free(&file);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_comes_back),
		cmocka_unit_test(a_pipe_comes_back),
		cmocka_unit_test(a_stream_comes_back),
		cmocka_unit_test(a_file_of_the_other_order_comes_back),
		cmocka_unit_test(the_file_is_whole_after_each_round),
		cmocka_unit_test(without_a_size_all_there_is_is_read),
		cmocka_unit_test(a_cut_file_gives_what_it_has),
		cmocka_unit_test(an_attribute_may_have_any_size),
		cmocka_unit_test(compressed_data_come_back),
		cmocka_unit_test(bytes_behind_records_are_passed_over),
		cmocka_unit_test(what_is_not_perf_data_is_refused),
		cmocka_unit_test(a_closed_pipe_is_told_once),
		cmocka_unit_test(the_writer_refuses_what_no_reader_could_read),
		cmocka_unit_test(an_empty_recording_has_a_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
