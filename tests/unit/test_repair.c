// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clean copies: whatever the damage, the copy reads to its end without a fault,
 * no record in it is late, and what was whole before is there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "perfdata_fixture.h"
#include "user/event/order.h"
#include "user/perfdata/read/reader.h"
#include "user/perfdata/repair/repair.h"
#include "user/perfdata/repair/round_marks.h"

#define FIXTURE_RECORDS (FIXTURE_EVENTS + FIXTURE_NOTES + FIXTURE_SAMPLES)

/* What of a recording a copy must have too, in its order. */
struct content {
	uint64_t records; /* but marks */
	uint64_t samples;
	uint64_t hash; /* of the records' bytes */
	uint64_t late;
	size_t attrs;
	int end; /* what reading ended with */
	bool unfinished;
};

static int ignore(void *ctx, const struct event *event)
{
	(void)ctx;
	(void)event;
	return 0;
}

static struct content read_all(const struct buffer *file)
{
	struct content content = {.hash = 5381};
	struct perfdata_reader *reader;
	struct order *order;
	struct event event;

	content.end = perfdata_reader__open_memory(&reader, file->data, file->size, "test", NULL);
	if (content.end)
		return content;
	assert_int_equal(order__new(&order, ignore, NULL, 0), 0);
	while ((content.end = perfdata_reader__next(reader, &event, NULL)) == 1) {
		assert_int_equal(order__push(order, &event), 0);
		if (event.type >= PERF_RECORD_USER_TYPE_START)
			continue;
		content.records++;
		content.samples += event.kind == EVENT_SAMPLE;
		for (size_t i = 0; i < event.raw_size; i++)
			content.hash = content.hash * 33 + ((const uint8_t *)event.raw)[i];
	}
	content.late = order__late(order);
	content.attrs = perfdata_reader__n_attrs(reader);
	content.unfinished = perfdata_reader__is_unfinished(reader);
	order__free(order);
	perfdata_reader__free(reader);
	return content;
}

/* 0 with the copy in @ret, or what repair__copy returned. */
static int repair(const struct buffer *file, struct repair *ret_told, struct buffer *ret)
{
	int in = memfd_create("in", MFD_CLOEXEC), out = memfd_create("out", MFD_CLOEXEC);
	const struct repair_input input = {.fd = in, .name = "in"};
	struct error err = {};
	int code;

	assert_int_equal(write(in, file->data, file->size), file->size);
	code = repair__copy(ret_told, &input, 1, out, "out", &err);
	fixture__take(out, ret);
	close(in);
	close(out);
	if (code)
		assert_true(err.text[0]);
	return code;
}

/* Whatever @file is. Returns how many records the copy has, 0 where there is none. */
static uint64_t repair_anything(const struct buffer *file)
{
	struct content content = {};
	struct buffer copy;
	struct repair told;
	int code = repair(file, &told, &copy);

	assert_true(code == 0 || code == -EBADMSG);
	if (!code) {
		content = read_all(&copy);
		assert_int_equal(content.end, 0);
		assert_int_equal(content.late, 0);
		assert_false(content.unfinished);
	}
	buffer__free(&copy);
	return content.records;
}

static void assert_whole(
	const struct buffer *file, const struct repair *told, const struct buffer *copy)
{
	struct content before = read_all(file), after = read_all(copy);

	assert_int_equal(before.records, FIXTURE_RECORDS);
	assert_int_equal(told->dropped, 0);
	assert_int_equal(told->n_drops, 0);
	assert_int_equal(after.records, before.records);
	assert_int_equal(after.samples, FIXTURE_SAMPLES);
	assert_int_equal(after.hash, before.hash);
	assert_int_equal(after.attrs, before.attrs);
	assert_int_equal(after.end, 0);
}

static void assert_name(const struct buffer *copy, unsigned int feature, const char *value)
{
	struct perfdata_reader *reader;
	const char *string;
	const void *bytes;
	size_t size;

	assert_int_equal(
		perfdata_reader__open_memory(&reader, copy->data, copy->size, "c", NULL), 0);
	bytes = perfdata_reader__feature(reader, feature, &size);
	assert_non_null(bytes);
	string = feature__string(bytes, size, perfdata_reader__is_foreign_order(reader));
	assert_string_equal(string, value);
	perfdata_reader__free(reader);
}

static void a_sound_file_is_copied_whole(void **state)
{
	struct buffer file, copy;
	struct repair told;

	(void)state;
	fixture__make(&file, false);
	assert_int_equal(repair(&file, &told, &copy), 0);
	assert_whole(&file, &told, &copy);
	assert_name(&copy, HEADER_HOSTNAME, "host");
	assert_name(&copy, HEADER_VERSION, "0.1.0");
	assert_memory_equal(told.features_found, told.features_kept, sizeof(told.features_kept));
	buffer__free(&file);
	buffer__free(&copy);
}

static void a_pipe_becomes_a_file(void **state)
{
	struct buffer file, copy;
	struct perfdata_reader *reader;
	struct repair told;

	(void)state;
	fixture__make(&file, true);
	assert_int_equal(repair(&file, &told, &copy), 0);
	assert_whole(&file, &told, &copy);
	assert_name(&copy, HEADER_HOSTNAME, "host");
	assert_int_equal(perfdata_reader__open_memory(&reader, copy.data, copy.size, "c", NULL), 0);
	assert_false(perfdata_reader__is_pipe(reader));
	assert_string_equal(perfdata_reader__attr(reader, 1)->name, "dummy:u");
	assert_int_equal(perfdata_reader__attr(reader, 0)->n_ids, 2);
	perfdata_reader__free(reader);
	buffer__free(&file);
	buffer__free(&copy);
}

static void a_file_of_the_other_order_stays_one(void **state)
{
	struct buffer file, copy;
	struct perfdata_reader *reader;
	struct repair told;

	(void)state;
	fixture__make(&file, false);
	fixture__swap_file(&file);
	assert_int_equal(repair(&file, &told, &copy), 0);
	assert_whole(&file, &told, &copy);
	assert_name(&copy, HEADER_HOSTNAME, "unknown"); /* it has no features */
	assert_int_equal(perfdata_reader__open_memory(&reader, copy.data, copy.size, "c", NULL), 0);
	assert_true(perfdata_reader__is_foreign_order(reader));
	assert_int_equal(
		perfdata_reader__attr(reader, 0)->attr.sample_type, fixture_attr.sample_type);
	assert_int_equal(perfdata_reader__attr(reader, 0)->ids[1], 12);
	perfdata_reader__free(reader);
	buffer__free(&file);
	buffer__free(&copy);
}

static void every_prefix(void **state)
{
	uint64_t kept = 0;

	for (int pipe = 0; pipe < 2; pipe++) {
		struct buffer file, part;

		(void)state;
		fixture__make(&file, pipe);
		for (size_t size = 0; size <= file.size; size++) {
			uint64_t was = kept;

			part = (struct buffer){.data = file.data, .size = size};
			kept = repair_anything(&part);
			assert_true(size == 0 || kept >= was); /* more bytes, no fewer records */
		}
		assert_int_equal(kept, FIXTURE_RECORDS);
		buffer__free(&file);
	}
}

/* A flipped bit costs at most the record that it is in, and the one that follows it. */
static void flip_bits(struct buffer *file, size_t from, size_t to, size_t step, uint64_t least)
{
	for (size_t bit = 8 * from; bit < 8 * to; bit += step) {
		uint64_t kept;

		file->data[bit / 8] ^= 1 << bit % 8;
		kept = repair_anything(file);
		if (kept < least)
			fail_msg(
				"bit %zu of byte %zu: %" PRIu64 " records", bit % 8, bit / 8, kept);
		file->data[bit / 8] ^= 1 << bit % 8;
	}
}

static void flipped_bits_of_a_file(void **state)
{
	struct perfdata_header header;
	struct buffer file;
	size_t end;

	(void)state;
	fixture__make(&file, false);
	header = fixture__header(&file);
	end = header.data.offset + header.data.size;
	flip_bits(&file, 0, header.data.offset, 3, 0);
	flip_bits(&file, header.data.offset, end, 1, FIXTURE_RECORDS - 2);
	flip_bits(&file, end, file.size, 7, FIXTURE_RECORDS);
	buffer__free(&file);
}

static void flipped_bits_of_a_pipe(void **state)
{
	struct buffer file;

	(void)state;
	fixture__make(&file, true);
	flip_bits(&file, 0, file.size, 7, 0);
	buffer__free(&file);
}

static void records_behind_a_hole_are_found(void **state)
{
	struct perfdata_header header;
	struct buffer file, copy;
	struct repair told;

	(void)state;
	fixture__make(&file, false);
	header = fixture__header(&file);
	/* COMM and half of FORK; the hole is no multiple of 8. */
	memset(file.data + header.data.offset + 3, 0xee, 90);
	assert_int_equal(repair(&file, &told, &copy), 0);
	assert_int_equal(told.kept, read_all(&copy).records + 1); /* and FINISHED_INIT */
	assert_int_equal(read_all(&copy).records, FIXTURE_RECORDS - 2);
	assert_int_equal(told.n_drops, 1);
	assert_int_equal(told.drops[0].reason, REPAIR_DAMAGE);
	assert_int_equal(told.drops[0].count, 1);
	assert_int_equal(told.drops[0].offsets[0], header.data.offset);
	assert_int_equal(told.drops[0].bytes, told.dropped_bytes);
	buffer__free(&file);
	buffer__free(&copy);
}

/* Changes the type of the record that is the nth of its type. */
static size_t change_type(struct buffer *file, uint32_t from, uint32_t to)
{
	struct perfdata_header header = fixture__header(file);
	size_t at = header.data.offset;

	for (;;) {
		struct perf_event_header record;

		memcpy(&record, file->data + at, sizeof(record));
		if (record.type == from) {
			memcpy(file->data + at, &to, sizeof(to));
			return at;
		}
		at += record.size;
		assert_true(at < header.data.offset + header.data.size);
	}
}

static void what_not_every_perf_reads_is_dropped_and_told(void **state)
{
	static const struct {
		uint32_t from, to;
		enum repair_reason reason;
	} cases[] = {
		{PERF_RECORD_FORK, PERFDATA_RECORD_CALLCHAIN_DEFERRED, REPAIR_NOT_READABLE},
		{PERF_RECORD_FORK, 23, REPAIR_NOT_READABLE},
		{PERF_RECORD_FORK, PERF_RECORD_AUXTRACE_INFO, REPAIR_NOT_READABLE},
		{PERF_RECORD_FORK, 4711, REPAIR_NOT_READABLE},
		{PERF_RECORD_FORK, PERF_RECORD_ID_INDEX, REPAIR_CONTRADICTS},
		{PERF_RECORD_FORK, PERF_RECORD_THREAD_MAP, REPAIR_CONTRADICTS},
		{PERF_RECORD_FORK, PERF_RECORD_CPU_MAP, REPAIR_CONTRADICTS},
		{PERF_RECORD_FORK, PERF_RECORD_TIME_CONV, REPAIR_CONTRADICTS},
		{PERF_RECORD_FORK, PERF_RECORD_EVENT_UPDATE, REPAIR_CONTRADICTS},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buffer file, copy;
		struct repair told;
		size_t at;

		fixture__make(&file, false);
		at = change_type(&file, cases[i].from, cases[i].to);
		assert_int_equal(repair(&file, &told, &copy), 0);
		assert_int_equal(told.n_drops, 1);
		assert_int_equal(told.drops[0].reason, cases[i].reason);
		assert_int_equal(told.drops[0].type, cases[i].to);
		assert_int_equal(told.drops[0].offsets[0], at);
		assert_int_equal(read_all(&copy).records, FIXTURE_RECORDS - 1);
		buffer__free(&file);
		buffer__free(&copy);
	}
}

static void a_record_of_no_event_is_dropped(void **state)
{
	struct perfdata_header header;
	struct perf_event_header record;
	struct buffer file, copy;
	struct repair told;
	uint64_t id = 99;

	(void)state;
	fixture__make(&file, false);
	header = fixture__header(&file);
	memcpy(&record, file.data + header.data.offset, sizeof(record));
	memcpy(file.data + header.data.offset + record.size - sizeof(id), &id, sizeof(id));
	assert_int_equal(repair(&file, &told, &copy), 0);
	assert_int_equal(told.n_drops, 1);
	assert_int_equal(read_all(&copy).records, FIXTURE_RECORDS - 1);
	buffer__free(&file);
	buffer__free(&copy);
}

static void tracepoints_without_their_formats_are_refused(void **state)
{
	struct perfdata_header header;
	struct buffer file, copy;
	struct repair told;
	uint32_t type = PERF_TYPE_TRACEPOINT;

	(void)state;
	fixture__make(&file, false);
	header = fixture__header(&file);
	memcpy(file.data + header.attrs.offset, &type, sizeof(type));
	assert_int_equal(repair(&file, &told, &copy), -EBADMSG);
	buffer__free(&file);
	buffer__free(&copy);
}

/* Each round is one FORK at a time, in the fixture's form. */
static void make_rounds(struct buffer *ret, const uint64_t *times, size_t n)
{
	struct perf_event_attr attr = fixture_attr;
	int fd = memfd_create("rounds", MFD_CLOEXEC);
	struct perfdata_writer *writer;
	uint64_t id = 1;

	assert_int_equal(perfdata_writer__new(&writer, fd, "rounds", false), 0);
	assert_int_equal(perfdata_writer__add_attr(writer, &attr, "e", &id, 1, NULL), 0);
	assert_int_equal(perfdata_writer__begin(writer, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		struct event event = {.kind = EVENT_FORK, .pid = 8, .tid = 8, .time_ns = times[i]};

		assert_int_equal(perfdata_writer__event(writer, &event, 0, NULL), 0);
		assert_int_equal(perfdata_writer__finish_round(writer, NULL), 0);
	}
	assert_int_equal(perfdata_writer__finish(writer, NULL), 0);
	perfdata_writer__free(writer);
	fixture__take(fd, ret);
	close(fd);
}

static void ends_of_rounds_that_older_records_follow_go(void **state)
{
	static const uint64_t times[] = {10, 20, 30, 40, 15, 50, 60, 35, 70, 80, 90};
	const size_t n = sizeof(times) / sizeof(times[0]);
	struct content content;
	struct buffer file, copy;
	struct repair told;

	(void)state;
	make_rounds(&file, times, n);
	assert_int_equal(read_all(&file).late, 2);
	assert_int_equal(repair(&file, &told, &copy), 0);
	content = read_all(&copy);
	assert_int_equal(content.late, 0);
	assert_int_equal(content.records, n);
	assert_int_equal(told.dropped, 0);
	assert_int_equal(told.n_drops, 1);
	assert_int_equal(told.drops[0].reason, REPAIR_LATE_ROUND);
	/* Those that were true stay: perf need not hold all of it. */
	assert_true(told.drops[0].count < n - 4);
	buffer__free(&file);
	buffer__free(&copy);
}

static void very_many_rounds_are_joined(void **state)
{
	const uint64_t n = 3 * (uint64_t)ROUNDS_MAX + 7;
	uint64_t stayed = 0, untrue = 0, released;
	struct round_marks rounds;

	(void)state;
	round_marks__init(&rounds);
	for (uint64_t i = 1; i <= n; i++) {
		round_marks__note_time(&rounds, i * 10);
		if (i == n)
			round_marks__note_time(&rounds, n * 5); /* half of all marks are untrue */
		round_marks__note_mark(&rounds);
		round_marks__note_mark(&rounds); /* says nothing */
	}
	assert_int_equal(round_marks__settle(&rounds), 0);
	assert_true(rounds.n <= ROUNDS_MAX);
	for (uint64_t i = 1; i <= n; i++) {
		round_marks__time(&rounds, i * 10);
		if (i == n)
			round_marks__time(&rounds, n * 5);
		released = rounds.flush_ns;
		switch (round_marks__mark(&rounds)) {
		case ROUND_TRUE:
			stayed++;
			assert_true(released <= n * 5 || i == n);
			break;
		case ROUND_UNTRUE:
			untrue++;
			break;
		case ROUND_SAYS_NOTHING:
			break;
		}
		assert_int_equal(round_marks__mark(&rounds), ROUND_SAYS_NOTHING);
	}
	assert_true(stayed > n / 16);
	assert_true(untrue > n / 16);
	round_marks__free(&rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_file_is_copied_whole),
		cmocka_unit_test(a_pipe_becomes_a_file),
		cmocka_unit_test(a_file_of_the_other_order_stays_one),
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(flipped_bits_of_a_file),
		cmocka_unit_test(flipped_bits_of_a_pipe),
		cmocka_unit_test(records_behind_a_hole_are_found),
		cmocka_unit_test(what_not_every_perf_reads_is_dropped_and_told),
		cmocka_unit_test(a_record_of_no_event_is_dropped),
		cmocka_unit_test(tracepoints_without_their_formats_are_refused),
		cmocka_unit_test(ends_of_rounds_that_older_records_follow_go),
		cmocka_unit_test(very_many_rounds_are_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
