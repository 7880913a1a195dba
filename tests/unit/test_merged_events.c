// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of several recordings in one file: events that are the same become one, ids that
 * mean two events are told apart, and a record that was changed is what would have been
 * written for the changed event.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <byteswap.h>
#include <errno.h>
#include <string.h>

#include "perfdata_fixture.h"
#include "user/perfdata/read/reader.h"
#include "user/perfdata/repair/change.h"
#include "user/perfdata/repair/merged_events.h"

#define FIELDS (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER)

struct described {
	const char *name;
	struct perf_event_attr attr;
	uint64_t ids[2];
	size_t n_ids;
};

/* A recording of these events, without a record. */
static struct perfdata_reader *recording_of(
	const struct described *events, size_t n, struct buffer *ret_file)
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	struct perfdata_reader *reader;
	struct perfdata_writer *writer;

	assert_int_equal(perfdata_writer__new(&writer, fd, "input", false), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(perfdata_writer__add_attr(writer, &events[i].attr, events[i].name,
					 events[i].ids, events[i].n_ids, NULL),
			0);
	fixture__features(writer);
	assert_int_equal(perfdata_writer__begin(writer, NULL), 0);
	assert_int_equal(perfdata_writer__finish(writer, NULL), 0);
	perfdata_writer__free(writer);
	fixture__take(fd, ret_file);
	close(fd);
	assert_int_equal(perfdata_reader__open_memory(
				 &reader, ret_file->data, ret_file->size, "input", NULL),
		0);
	return reader;
}

static void add(struct merged_events *merged, const struct described *events, size_t n,
	struct input_events *ret)
{
	struct buffer file;
	struct perfdata_reader *reader = recording_of(events, n, &file);

	*ret = (struct input_events){0};
	assert_int_equal(merged_events__add(merged, reader, ret), 0);
	perfdata_reader__free(reader);
	buffer__free(&file);
}

static struct perf_event_attr without_chain(void)
{
	struct perf_event_attr attr = fixture_attr;

	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
	return attr;
}

static uint64_t changed(const struct input_events *events, uint64_t id)
{
	const struct input_id *found = input_events__find(events, id);

	assert_non_null(found);
	return found->changed;
}

static void same_events_become_one_and_ids_are_told_apart(void **unused)
{
	const struct described first[] = {
		{"cpu-clock", fixture_attr, {1, 2}, 2},
		{"faults", without_chain(), {3}, 1},
	};
	const struct described second[] = {
		{"cpu-clock", fixture_attr, {4, 3}, 2},
		{"mine", fixture_attr, {1, 5}, 2},
	};
	struct merged_events merged = {0};
	struct input_events of[2];

	(void)unused;
	add(&merged, first, 2, &of[0]);
	add(&merged, second, 2, &of[1]);
	assert_int_equal(merged_events__finish(&merged), 0);
	assert_int_equal(merged.n, 3);
	assert_string_equal(merged.attrs[0].name, "cpu-clock");
	assert_string_equal(merged.attrs[1].name, "faults");
	assert_string_equal(merged.attrs[2].name, "mine");
	assert_false(of[0].changes);
	assert_false(of[0].alike);
	assert_true(of[0].sample_id_all);
	assert_int_equal(input_events__find(&of[0], 3)->sample_type, without_chain().sample_type);
	assert_int_equal(input_events__find(&of[0], 1)->sample_type, fixture_attr.sample_type);
	assert_true(of[1].changes);
	assert_true(of[1].alike);
	assert_int_equal(changed(&of[1], 4), 4);
	assert_int_equal(changed(&of[1], 5), 5);
	assert_true(changed(&of[1], 3) > UINT32_MAX);
	assert_true(changed(&of[1], 1) > UINT32_MAX);
	assert_int_not_equal(changed(&of[1], 1), changed(&of[1], 3));
	assert_null(input_events__find(&of[1], 2));
	/* The copy lists for an event what its records have. */
	assert_int_equal(merged.attrs[0].n_ids, 4);
	assert_int_equal(merged.attrs[0].ids[3], changed(&of[1], 3));
	assert_int_equal(merged.attrs[2].ids[1], changed(&of[1], 1));
	input_events__free(&of[0]);
	input_events__free(&of[1]);
	merged_events__free(&merged);
}

static void events_of_one_input_stay_apart(void **unused)
{
	const struct described twice[] = {
		{"cpu-clock", fixture_attr, {1}, 1},
		{"cpu-clock", fixture_attr, {2}, 1},
	};
	struct merged_events merged = {0};
	struct input_events of[2];

	(void)unused;
	add(&merged, twice, 2, &of[0]);
	add(&merged, twice, 2, &of[1]);
	assert_int_equal(merged.n, 2);
	assert_false(of[1].changes);
	input_events__free(&of[0]);
	input_events__free(&of[1]);
	merged_events__free(&merged);
}

/* Several inputs are joined, each a recording or a copy of some, and have the same few ids. */
static void ids_that_a_copy_has_changed_are_told_apart_again(void **unused)
{
	const struct described first[] = {
		{"cpu-clock", fixture_attr, {1}, 1},
		{"faults", fixture_attr, {1ull << 40, 2}, 2},
	};
	const struct described later[][1] = {
		{{"mine", fixture_attr, {1}, 1}},
		{{"faults", fixture_attr, {1, (1ull << 40) + 2}, 2}},
		{{"cpu-clock", fixture_attr, {1ull << 40}, 1}},
	};
	struct merged_events merged = {0};
	struct input_events of[4];
	size_t n = 0;
	uint64_t all[8];

	(void)unused;
	add(&merged, first, 2, &of[0]);
	for (size_t i = 0; i < 3; i++)
		add(&merged, later[i], 1, &of[i + 1]);
	assert_int_equal(merged_events__finish(&merged), 0);
	assert_int_equal(merged.n, 3);
	assert_false(of[0].changes);
	for (size_t i = 0; i < merged.n; i++)
		for (size_t j = 0; j < merged.attrs[i].n_ids; j++)
			all[n++] = merged.attrs[i].ids[j];
	assert_int_equal(n, 7);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(all[i], all[j]);
	/* Nor do two ids of one event become one. */
	assert_int_not_equal(changed(&of[2], 1), changed(&of[2], (1ull << 40) + 2));
	for (size_t i = 0; i < 4; i++)
		input_events__free(&of[i]);
	merged_events__free(&merged);
}

/* A file with one event needs no ids in its records, and may list ids all the same. */
static void inputs_whose_records_have_no_ids_get_them(void **unused)
{
	struct perf_event_attr without = fixture_attr, faster;
	const struct input_events *one, *other;

	(void)unused;
	without.sample_type &= ~(uint64_t)PERF_SAMPLE_IDENTIFIER;
	faster = without;
	faster.sample_period++;
	for (size_t n_ids = 0; n_ids < 2; n_ids++) {
		const struct described first[] = {{"cpu-clock", without, {1}, n_ids}};
		const struct described second[] = {{"cpu-clock", faster, {1}, n_ids}};
		struct merged_events merged = {.adds_ids = true};
		struct input_events of[2];

		one = &of[0];
		other = &of[1];
		add(&merged, first, 1, &of[0]);
		add(&merged, second, 1, &of[1]);
		assert_int_equal(merged_events__finish(&merged), 0);
		assert_true(merged.lacks_ids && one->changes && other->changes);
		assert_int_equal(merged.n, 2);
		for (size_t i = 0; i < 2; i++) {
			assert_true(merged.attrs[i].attr.sample_type & PERF_SAMPLE_IDENTIFIER);
			assert_int_equal(merged.attrs[i].n_ids, 1);
			assert_int_equal(merged.attrs[i].ids[0], of[i].added_id);
			/* How the input is laid out stays as it was. */
			assert_int_equal(of[i].sample_type, without.sample_type);
		}
		assert_int_not_equal(one->added_id, other->added_id);
		input_events__free(&of[0]);
		input_events__free(&of[1]);
		merged_events__free(&merged);
	}
}

static void without_chains_events_that_differ_in_them_are_the_same(void **unused)
{
	const struct described with[] = {{"cpu-clock", fixture_attr, {1}, 1}};
	const struct described without[] = {{"cpu-clock", without_chain(), {2}, 1}};

	(void)unused;
	for (int omit = 0; omit < 2; omit++) {
		struct merged_events merged = {.without_chains = omit};
		struct input_events of[2];

		add(&merged, with, 1, &of[0]);
		add(&merged, without, 1, &of[1]);
		assert_int_equal(merged_events__finish(&merged), 0);
		assert_int_equal(merged.n, omit ? 1 : 2);
		assert_int_equal(merged.attrs[0].attr.sample_type,
			omit ? without_chain().sample_type : fixture_attr.sample_type);
		/* How the input is laid out stays as it was. */
		assert_int_equal(of[0].sample_type, fixture_attr.sample_type);
		input_events__free(&of[0]);
		input_events__free(&of[1]);
		merged_events__free(&merged);
	}
}

static struct input_id ids[] = {{7, 1ull << 40, FIELDS}, {8, 8, FIELDS}};
static const struct input_events EVENTS = {ids, 2, true, true, true, FIELDS, 0};

/* @event, changed, is what is written for @expected, whose id is @id. */
static void assert_changed(const struct event *event, const struct record_change *change,
	const struct event *expected, uint64_t id)
{
	const struct encode_trailer before = {.sample_type = FIELDS, .id = 7},
				    after = {.sample_type = FIELDS, .id = id};
	struct buffer record, wanted;

	buffer__init(&record, 0);
	buffer__init(&wanted, 0);
	assert_int_equal(encode__event(&record, event, &before), 0);
	assert_int_equal(encode__event(&wanted, expected, &after), 0);
	assert_int_equal(record_change__apply(&record, event, change, &EVENTS, false), 0);
	assert_int_equal(record.size, wanted.size);
	assert_memory_equal(record.data, wanted.data, wanted.size);
	buffer__free(&record);
	buffer__free(&wanted);
}

static void records_are_those_of_the_changed_event(void **unused)
{
	static const char *const PATHS[] = {"/usr/bin/server", "/x",
		"/a/path/that/is/longer/than/the/one/that/was/there/before"};
	struct event map = {.kind = EVENT_MAP,
		.type = PERF_RECORD_MMAP2,
		.pid = 1,
		.tid = 2,
		.time_ns = 3,
		.map = {.path = PATHS[0], .executable = true, .addr = 4096, .len = 8192}};
	struct event comm = {.kind = EVENT_COMM,
		.type = PERF_RECORD_COMM,
		.pid = 1,
		.tid = 2,
		.time_ns = 3,
		.comm = {"server", true}};
	struct event fork = {.kind = EVENT_FORK,
		.type = PERF_RECORD_FORK,
		.pid = 1,
		.tid = 2,
		.time_ns = 3,
		.fork = {4, 5}};
	struct record_change change;

	(void)unused;
	for (size_t i = 0; i < sizeof(PATHS) / sizeof(*PATHS); i++) {
		struct event expected = map;

		expected.pid = 101;
		expected.tid = 102;
		expected.time_ns = 103;
		expected.map.path = PATHS[i];
		change = (struct record_change){
			.pid = 101, .tid = 102, .time_ns = 103, .path = PATHS[i]};
		assert_changed(&map, &change, &expected, ids[0].changed);
	}
	for (int i = 0; i < 2; i++) {
		struct event *event = i ? &fork : &comm, expected = *event;

		expected.pid = 101;
		expected.tid = 102;
		expected.time_ns = 103;
		if (i)
			expected.fork = (struct event_fork){104, 105};
		change = (struct record_change){101, 102, 104, 105, 103, NULL, false};
		assert_changed(event, &change, &expected, ids[0].changed);
	}
	/* All but the id stays. */
	change = record_change__none(&fork);
	assert_changed(&fork, &change, &fork, ids[0].changed);
}

struct sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time, n, chain[2], n_branches;
};

struct sample_without_chain {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time, n_branches;
};

static void a_sample_loses_its_chain_and_keeps_its_time(void **unused)
{
	const struct record_change change = {
		.pid = 101, .tid = 102, .time_ns = 103, .without_chain = true};
	struct input_id id = {7, 1ull << 40, FIELDS | PERF_SAMPLE_CALLCHAIN};
	struct input_events events = {&id, 1, true, true, true, id.sample_type, 0};
	const struct event event = {.kind = EVENT_SAMPLE,
		.type = PERF_RECORD_SAMPLE,
		.pid = 1,
		.tid = 2,
		.time_ns = 3,
		.sample = {.id = 7, .n_callchain = 2, .callchain_at = offsetof(struct sample, n)}};

	(void)unused;
	for (int swap = 0; swap < 2; swap++) {
		struct sample sample = {{PERF_RECORD_SAMPLE, 2, sizeof(sample)}, 7, 1, 2, 3, 2,
			{PERF_CONTEXT_USER, 4}, 6};
		struct sample_without_chain wanted = {
			{PERF_RECORD_SAMPLE, 2, sizeof(wanted)}, id.changed, 101, 102, 3, 6};
		struct buffer record;

		if (swap) {
			fixture__swap((uint8_t *)&sample, 0, "42284488888");
			fixture__swap((uint8_t *)&wanted, 0, "42284488");
		}
		buffer__init(&record, 0);
		buffer__append(&record, &sample, sizeof(sample));
		assert_int_equal(record_change__apply(&record, &event, &change, &events, swap), 0);
		assert_int_equal(record.size, sizeof(wanted));
		assert_memory_equal(record.data, &wanted, sizeof(wanted));
		buffer__free(&record);
	}
}

struct counted_sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time, n, enabled, counts[2][2], n_chain;
};

static void the_counts_in_a_sample_are_those_of_the_changed_events(void **unused)
{
	struct input_id of_group[] = {
		{7, 1ull << 40, FIELDS | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN},
		{8, 1ull << 41, FIELDS | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN},
	};
	struct input_events events = {of_group, 2, true, true, true, of_group[0].sample_type, 0};
	struct event event = {.kind = EVENT_SAMPLE,
		.type = PERF_RECORD_SAMPLE,
		.pid = 1,
		.tid = 2,
		.time_ns = 3,
		.sample = {.id = 7, .callchain_at = offsetof(struct counted_sample, n_chain)}};
	struct record_change change = record_change__none(&event);

	(void)unused;
	change.without_chain = true;
	for (int swap = 0; swap < 2; swap++) {
		struct counted_sample sample = {{PERF_RECORD_SAMPLE, 2, sizeof(sample)}, 7, 1, 2, 3,
			2, 40, {{7, 7}, {8, 8}}, 0};
		struct counted_sample wanted = {
			{PERF_RECORD_SAMPLE, 2, offsetof(struct counted_sample, n_chain)},
			of_group[0].changed, 1, 2, 3, 2, 40,
			{{7, of_group[0].changed}, {8, of_group[1].changed}}, 0};
		struct buffer record;

		if (swap) {
			fixture__swap((uint8_t *)&sample, 0, "42284488888888");
			fixture__swap((uint8_t *)&wanted, 0, "42284488888888");
		}
		event.raw = &sample;
		event.sample.counts = (struct event_counts){
			(const uint8_t *)sample.counts, 2, 2, 1, swap};
		buffer__init(&record, 0);
		buffer__append(&record, &sample, sizeof(sample));
		assert_int_equal(record_change__apply(&record, &event, &change, &events, swap), 0);
		assert_int_equal(record.size, offsetof(struct counted_sample, n_chain));
		assert_memory_equal(record.data, &wanted, record.size);
		buffer__free(&record);
	}
}

static void a_record_gets_the_id_that_it_lacks(void **unused)
{
	const uint64_t id = 1ull << 40, without = FIELDS & ~(uint64_t)PERF_SAMPLE_IDENTIFIER;
	const struct input_events events = {NULL, 0, true, true, true, without, id};
	const struct event comm = {.kind = EVENT_COMM,
		.type = PERF_RECORD_COMM,
		.pid = 1,
		.tid = 2,
		.time_ns = 3,
		.comm = {"server", false}};
	const struct event sample = {
		.kind = EVENT_SAMPLE, .type = PERF_RECORD_SAMPLE, .pid = 1, .tid = 2, .time_ns = 3};
	const struct encode_trailer before = {.sample_type = without},
				    after = {.sample_type = FIELDS, .id = id};
	struct record_change change = record_change__none(&sample);
	struct buffer record, wanted;

	(void)unused;
	buffer__init(&record, 0);
	buffer__init(&wanted, 0);
	assert_int_equal(encode__event(&record, &comm, &before), 0);
	assert_int_equal(encode__event(&wanted, &comm, &after), 0);
	assert_int_equal(record_change__apply(&record, &comm, &change, &events, false), 0);
	assert_int_equal(record.size, wanted.size);
	assert_memory_equal(record.data, wanted.data, wanted.size);
	for (int swap = 0; swap < 2; swap++) {
		struct sample_without_chain has = {
			{PERF_RECORD_SAMPLE, 2, sizeof(has)}, id, 1, 2, 3, 6};
		size_t at = offsetof(struct sample_without_chain, id);
		uint16_t size = sizeof(has) - sizeof(id);

		if (swap) {
			fixture__swap((uint8_t *)&has, 0, "42284488");
			size = bswap_16(size);
		}
		buffer__reset(&record);
		buffer__append(&record, &has, sizeof(has));
		memcpy(record.data + offsetof(struct perf_event_header, size), &size, sizeof(size));
		memmove(record.data + at, record.data + at + sizeof(id),
			sizeof(has) - at - sizeof(id));
		buffer__truncate(&record, sizeof(has) - sizeof(id));
		assert_int_equal(record_change__apply(&record, &sample, &change, &events, swap), 0);
		assert_int_equal(record.size, sizeof(has));
		assert_memory_equal(record.data, &has, sizeof(has));
	}
	/* The largest record has no room. */
	buffer__zeros(&record, PERFDATA_RECORD_MAX - record.size);
	assert_int_equal(
		record_change__apply(&record, &sample, &change, &events, false), -EOVERFLOW);
	buffer__free(&record);
	buffer__free(&wanted);
}

static void a_record_of_no_known_event_is_refused(void **unused)
{
	const struct event event = {.kind = EVENT_COMM,
		.type = PERF_RECORD_COMM,
		.pid = 1,
		.tid = 2,
		.comm = {"server", false}};
	const struct record_change change = record_change__none(&event);
	const struct encode_trailer trailer = {.sample_type = FIELDS, .id = 99};
	struct input_events events = EVENTS;
	struct buffer record;

	(void)unused;
	buffer__init(&record, 0);
	assert_int_equal(encode__event(&record, &event, &trailer), 0);
	/* Where all events are alike it does not matter which it is. */
	assert_int_equal(record_change__apply(&record, &event, &change, &events, false), 0);
	events.alike = false;
	assert_int_equal(record_change__apply(&record, &event, &change, &events, false), -EBADMSG);
	buffer__free(&record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_events_become_one_and_ids_are_told_apart),
		cmocka_unit_test(events_of_one_input_stay_apart),
		cmocka_unit_test(ids_that_a_copy_has_changed_are_told_apart_again),
		cmocka_unit_test(inputs_whose_records_have_no_ids_get_them),
		cmocka_unit_test(without_chains_events_that_differ_in_them_are_the_same),
		cmocka_unit_test(records_are_those_of_the_changed_event),
		cmocka_unit_test(a_sample_loses_its_chain_and_keeps_its_time),
		cmocka_unit_test(the_counts_in_a_sample_are_those_of_the_changed_events),
		cmocka_unit_test(a_record_gets_the_id_that_it_lacks),
		cmocka_unit_test(a_record_of_no_known_event_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
