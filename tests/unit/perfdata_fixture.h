/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small recording, as file or pipe, for the tests of reader and writer; and
 * the same file as a machine of the other byte order would have written it.
 */
#ifndef PERFSTAMP_TESTS_PERFDATA_FIXTURE_H
#define PERFSTAMP_TESTS_PERFDATA_FIXTURE_H

#include <byteswap.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/buffer.h"
#include "user/perfdata/encode.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/features/stamp.h"
#include "user/perfdata/write/writer.h"
#include "user/base/base64.h"

#define FIXTURE_SAMPLES 4

static const struct perf_event_attr fixture_attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = 1000000,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
		       PERF_SAMPLE_CALLCHAIN,
	.mmap = 1,
	.comm = 1,
	.sample_id_all = 1,
	.mmap2 = 1,
	.use_clockid = 1,
	.clockid = 1,
};

static const struct event fixture_events[] = {
	{.kind = EVENT_COMM, .pid = 7, .tid = 7, .comm = {"prog", true}},
	{.kind = EVENT_FORK, .pid = 8, .tid = 8, .time_ns = 5, .fork = {7, 7}},
	{.kind = EVENT_MAP,
		.pid = 7,
		.tid = 7,
		.time_ns = 10,
		.map = {.addr = 0x400000,
			.len = 0x1000,
			.prot = 5,
			.executable = true,
			.flags = PERFSTAMP_MAP_SNAPSHOT,
			.path = "/opt/prog",
			.identity = {.ino = 4711,
				.source = PERFSTAMP_SOURCE_PAGE_CACHE,
				.build_id_size = 20,
				.cookie_size = 20,
				.build_id = "ABCDEFGHIJKLMNOPQRS",
				.cookie = "abcdefghijklmnopqrs"}}},
	{.kind = EVENT_MAP,
		.pid = 7,
		.tid = 7,
		.time_ns = 11,
		.map = {.addr = 0x500000,
			.len = 0x1000,
			.prot = 5,
			.executable = true,
			.path = "/opt/noid",
			.identity = {.ino = 4712, .reason = PERFSTAMP_REASON_NO_NOTE}}},
	{.kind = EVENT_LOST, .time_ns = 30, .lost = {11, 3}},
	{.kind = EVENT_EXIT, .pid = 8, .tid = 8, .time_ns = 31, .fork = {7, 7}},
};

#define FIXTURE_EVENTS (sizeof(fixture_events) / sizeof(fixture_events[0]))
#define FIXTURE_NOTES 2 /* of the maps */

struct fixture_sample {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t period, n, chain[2];
};

static inline struct fixture_sample fixture_sample(int i)
{
	return (struct fixture_sample){{PERF_RECORD_SAMPLE, 2, sizeof(struct fixture_sample)}, 11,
		0x400000 + 16 * i, 7, 7, 20 + i, 1, 0, 1000, 2, {PERF_CONTEXT_USER, 0x400010}};
}

/* What a machine is taken for; @argv is the command line, of 2 words. */
static inline struct machine_info fixture__machine(const char *const *argv)
{
	static const struct machine_cpu cpus[2] = {{0, 0, 0}, {1, 0, 0}};
	static const char *const list[] = {"0-1"};

	return (struct machine_info){.hostname = "host",
		.osrelease = "6.1.0",
		.version = "0.1.0",
		.arch = "x86_64",
		.nr_cpus_online = 2,
		.nr_cpus_avail = 2,
		.total_mem_kb = 1234,
		.exe = "/usr/bin/perfstamp",
		.argv = argv,
		.argc = 2,
		.cpus = cpus,
		.packages = {list, 1},
		.cores = {list, 1},
		.dies = {list, 1},
		.has_clock = true,
		.clockid = 1,
		.clock_res_ns = 1};
}

static inline void fixture__features(struct perfdata_writer *writer)
{
	static const char *const argv[] = {"record", "-a"};
	const struct machine_info info = fixture__machine(argv);
	struct buffer buf;

	buffer__init(&buf, 0);
	for (unsigned int i = 0; i < PERFDATA_FEATURE_BITS; i++) {
		buffer__reset(&buf);
		if (!feature__encode(&buf, i, &info))
			perfdata_writer__feature(writer, i, buf.data, buf.size, NULL);
	}
	buffer__reset(&buf);
	stamp__put(&buf, "rung", "kprobe");
	stamp__put_number(&buf, "lost.ring_full", 3);
	perfdata_writer__feature(writer, PERFSTAMP_FEATURE, buf.data, buf.size, NULL);
	buffer__free(&buf);
}

static inline void fixture__write(struct perfdata_writer *writer)
{
	static const uint64_t ids[] = {11, 12}, dummy_ids[] = {21};
	struct perf_event_attr dummy = fixture_attr;

	dummy.config = PERF_COUNT_SW_DUMMY;
	dummy.sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
	assert_int_equal(
		perfdata_writer__add_attr(writer, &fixture_attr, "cpu-clock", ids, 2, NULL), 0);
	assert_int_equal(
		perfdata_writer__add_attr(writer, &dummy, "dummy:u", dummy_ids, 1, NULL), 0);
	fixture__features(writer);
	assert_int_equal(perfdata_writer__begin(writer, NULL), 0);
	for (size_t i = 0; i < FIXTURE_EVENTS; i++) {
		assert_int_equal(
			perfdata_writer__event(writer, &fixture_events[i], i % 2, NULL), 0);
		if (i != 3)
			continue;
		assert_int_equal(perfdata_writer__finish_init(writer, NULL), 0);
		for (int j = 0; j < FIXTURE_SAMPLES; j++) {
			struct fixture_sample sample = fixture_sample(j);

			assert_int_equal(
				perfdata_writer__raw(writer, &sample, sizeof(sample), NULL), 0);
		}
		assert_int_equal(perfdata_writer__finish_round(writer, NULL), 0);
	}
}

/* What was written to @fd so far. */
static inline void fixture__take(int fd, struct buffer *ret)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	buffer__init(ret, 0);
	assert_int_equal(pread(fd, buffer__extend(ret, st.st_size), st.st_size, 0), st.st_size);
}

static inline void fixture__make(struct buffer *ret, bool pipe)
{
	int fd = memfd_create("fixture", MFD_CLOEXEC);
	struct perfdata_writer *writer;

	assert_int_equal(perfdata_writer__new(&writer, fd, "fixture", pipe), 0);
	fixture__write(writer);
	assert_int_equal(perfdata_writer__finish(writer, NULL), 0);
	perfdata_writer__free(writer);
	fixture__take(fd, ret);
	close(fd);
}

static inline struct perfdata_header fixture__header(const struct buffer *file)
{
	struct perfdata_header header;

	memcpy(&header, file->data, sizeof(header));
	return header;
}

/* Swaps the words at @at whose sizes are the digits of @widths; "-" skips a byte. */
static inline size_t fixture__swap(uint8_t *bytes, size_t at, const char *widths)
{
	for (; *widths; widths++) {
		size_t n = *widths == '-' ? 1 : (size_t)(*widths - '0');

		for (size_t i = 0; i < n / 2; i++) {
			uint8_t byte = bytes[at + i];

			bytes[at + i] = bytes[at + n - 1 - i];
			bytes[at + n - 1 - i] = byte;
		}
		at += n;
	}
	return at;
}

static inline void fixture__swap_attr(uint8_t *bytes, size_t at)
{
	fixture__swap(bytes, at, "448888");
	for (size_t i = at + 40; i < at + 48; i++) {
		uint8_t byte = bytes[i];

		bytes[i] = 0;
		for (int bit = 0; bit < 8; bit++)
			bytes[i] |= (byte >> bit & 1) << (7 - bit);
	}
	fixture__swap(bytes, at + 48, "448888448422448");
}

/* A struct perfstamp_extension in base64. */
static inline void fixture__swap_note(char *text)
{
	struct buffer note, again;

	buffer__init(&note, 0);
	buffer__init(&again, 0);
	assert_int_equal(base64__parse(&note, text, strlen(text)), 0);
	fixture__swap(note.data, 0, "42222224488884");
	assert_int_equal(base64__put(&again, note.data, note.size), 0);
	memcpy(text, again.data, again.size);
	buffer__free(&note);
	buffer__free(&again);
}

static inline void fixture__swap_record(uint8_t *bytes, size_t at, size_t size)
{
	static const char trailer[] = "448448";
	struct perf_event_header header;
	size_t end = at + size;

	memcpy(&header, bytes + at, sizeof(header));
	fixture__swap(bytes, at, "422");
	at += 8;
	if (header.type < PERF_RECORD_USER_TYPE_START && header.type != PERF_RECORD_SAMPLE)
		fixture__swap(bytes, end - 32, trailer);
	switch (header.type) {
	case PERF_RECORD_SAMPLE:
		fixture__swap(bytes, at, "88448448888");
		break;
	case PERF_RECORD_COMM:
		fixture__swap(bytes, at, "44");
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		fixture__swap(bytes, at, "44448");
		break;
	case PERF_RECORD_LOST:
		fixture__swap(bytes, at, "88");
		break;
	case PERF_RECORD_MMAP2:
		at = fixture__swap(bytes, at, "44888");
		if (header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
			at += 24;
		else
			at = fixture__swap(bytes, at, "4488");
		fixture__swap(bytes, at, "44");
		break;
	case PERF_RECORD_CGROUP:
		at = fixture__swap(bytes, at, "8");
		fixture__swap_note((char *)bytes + at + strlen(PERFSTAMP_NOTE_PREFIX));
		break;
	}
}

/* @file becomes one of the other byte order, without its features. */
static inline void fixture__swap_file(struct buffer *file)
{
	struct perfdata_header header = fixture__header(file);
	uint64_t end = header.data.offset + header.data.size;
	size_t at;

	for (at = sizeof(header); at < header.attrs.offset; at += 8)
		fixture__swap(file->data, at, "8");
	for (; at < header.data.offset; at += header.attr_size) {
		fixture__swap_attr(file->data, at);
		fixture__swap(file->data, at + PERFDATA_ATTR_SIZE, "88");
	}
	while (at < end) {
		struct perf_event_header record;

		memcpy(&record, file->data + at, sizeof(record));
		fixture__swap_record(file->data, at, record.size);
		at += record.size;
	}
	memset(file->data + offsetof(struct perfdata_header, features), 0, 32);
	fixture__swap(file->data, 0, "888888888");
	buffer__truncate(file, end);
}

#endif
