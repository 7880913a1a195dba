// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spans of records as perf rings have them in, bytes of a file out: tests/golden/spans.data is,
 * byte for byte, what the recorder wrote of the spans below when each of those that need some
 * of the records still read every span for itself. PERFSTAMP_GOLDEN_WRITE=1 writes it anew.
 * `.output/unit/test_spans N' takes N samples instead, for those who count instructions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "user/event/decode.h"
#include "user/record/rounds/spans.h"
#include "golden_fixture.h"

#define GOLDEN "tests/golden/spans.data"
#define EVENT_ID 11
#define SPAN_BYTES 4096
#define MMAP_BUILD_ID (1 << 14) /* PERF_RECORD_MISC_MMAP_BUILD_ID */

static const struct perf_event_attr ATTR = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(ATTR),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_freq = 4000,
	.freq = 1,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
	.sample_id_all = 1,
	.mmap = 1,
	.mmap2 = 1,
	.comm = 1,
	.task = 1,
	.ksymbol = 1,
	.bpf_event = 1,
	.namespaces = 1,
	.cgroup = 1,
};

/* One recording from the rings' side: what spans__write needs of it. */
struct recording {
	struct perfdata_writer *writer;
	struct clock_conversion clock;
	struct counters counters;
	struct tally tally;
	struct map_writer *maps;
	struct native_records native;
	struct spans spans;
	struct error err;
};

struct span {
	_Alignas(8) unsigned char bytes[SPAN_BYTES];
	size_t size;
};

static void ok(struct recording *recording, int code)
{
	if (code)
		fail_msg("%d: %s", code, recording->err.text);
}

static struct event_decoder *make_decoder(void)
{
	const uint64_t id = EVENT_ID;
	struct event_decoder *decoder;

	assert_int_equal(event_decoder__new(&decoder, false), 0);
	assert_int_equal(event_decoder__add_attr(decoder, &ATTR, &id, 1), 0);
	return decoder;
}

/* With all that may need records, or with those alone that every recording has. */
static void begin(struct recording *recording, int fd, bool all)
{
	struct spans *spans = &recording->spans;
	const uint64_t id = EVENT_ID;
	struct map_writer_parts parts;

	memset(recording, 0, sizeof(*recording));
	ok(recording, perfdata_writer__new(&recording->writer, fd, "spans", false));
	ok(recording, perfdata_writer__add_attr(
			      recording->writer, &ATTR, "cpu-clock", &id, 1, &recording->err));
	ok(recording, perfdata_writer__begin(recording->writer, &recording->err));
	clock_conversion__init(&recording->clock, CLOCK_MONOTONIC);
	tally__init(&recording->tally, &recording->counters);
	parts = (struct map_writer_parts){.writer = recording->writer,
		.tally = &recording->tally,
		.clock = &recording->clock};
	ok(recording, map_writer__new(&recording->maps, &parts));
	spans->maps = recording->maps;
	spans->layout = record_layout__of(ATTR.sample_type);
	ok(recording,
		bpf_record__new(&spans->programs, recording->writer, false, &recording->counters));
	ok(recording, symbols_again__new(&spans->symbols, recording->maps, spans->programs, NULL));
	if (!all)
		return;
	ok(recording, living__new(&spans->living, make_decoder(), &recording->err));
	map_writer__set_living(recording->maps, spans->living);
	native_records__init(&recording->native, recording->maps, make_decoder(), false);
	spans->native = &recording->native;
}

static int write_alive(void *maps, const struct event *event)
{
	return map_writer__unfollowed(maps, event);
}

/* What is alive by now is written behind the spans, so that the golden file has that, too. */
static void end(struct recording *recording)
{
	struct spans *spans = &recording->spans;

	if (spans->living) {
		ok(recording, living__advance(spans->living, 1000000));
		ok(recording, living__synthesize(spans->living, write_alive, recording->maps));
	}
	ok(recording, perfdata_writer__finish(recording->writer, &recording->err));
	symbols_again__free(spans->symbols);
	bpf_record__free(spans->programs);
	living__free(spans->living);
	native_records__free(&recording->native);
	map_writer__free(recording->maps);
	spans__free(spans);
	tally__free(&recording->tally);
	perfdata_writer__free(recording->writer);
}

static void write_span(struct recording *recording, const struct span *span)
{
	ok(recording, spans__write(&recording->spans, span->bytes, span->size, &recording->err));
}

static void put(struct span *span, const void *bytes, size_t size)
{
	assert_true(span->size + size <= sizeof(span->bytes));
	memcpy(span->bytes + span->size, bytes, size);
	span->size += size;
}

static void put_u64(struct span *span, uint64_t value)
{
	put(span, &value, sizeof(value));
}

static void put_u32(struct span *span, uint32_t first, uint32_t second)
{
	put(span, &first, sizeof(first));
	put(span, &second, sizeof(second));
}

/* Padded to 8 bytes, as the kernel does. */
static void put_text(struct span *span, const char *text)
{
	char padded[256] = {0};

	snprintf(padded, sizeof(padded), "%s", text);
	put(span, padded, (strlen(text) + 8) / 8 * 8);
}

static size_t begin_record(struct span *span, uint32_t type, uint16_t misc)
{
	const struct perf_event_header header = {.type = type, .misc = misc};
	size_t at = span->size;

	put(span, &header, sizeof(header));
	return at;
}

static void set_size(struct span *span, size_t at)
{
	struct perf_event_header header;

	memcpy(&header, span->bytes + at, sizeof(header));
	header.size = span->size - at;
	memcpy(span->bytes + at, &header, sizeof(header));
}

static void end_record(struct span *span, size_t at, uint32_t pid, uint64_t time_ns)
{
	put_u32(span, pid, pid);
	put_u64(span, time_ns);
	put_u32(span, 1, 0); /* CPU */
	put_u64(span, EVENT_ID);
	set_size(span, at);
}

static void sample(struct span *span, uint32_t pid, uint64_t time_ns)
{
	size_t at = begin_record(span, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	put_u64(span, EVENT_ID);
	put_u64(span, 0x400010);
	put_u32(span, pid, pid);
	put_u64(span, time_ns);
	put_u32(span, 1, 0);
	put_u64(span, 250000);
	set_size(span, at);
}

static void comm(struct span *span, uint32_t pid, const char *name, uint64_t time_ns)
{
	size_t at = begin_record(span, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);

	put_u32(span, pid, pid);
	put_text(span, name);
	end_record(span, at, pid, time_ns);
}

static void task(struct span *span, uint32_t type, uint32_t pid, uint32_t ppid, uint64_t time_ns)
{
	size_t at = begin_record(span, type, 0);

	put_u32(span, pid, ppid);
	put_u32(span, pid, ppid);
	put_u64(span, time_ns);
	end_record(span, at, pid, time_ns);
}

static void map(struct span *span, uint32_t pid, uint64_t addr, uint8_t build_id, const char *path,
	uint64_t time_ns)
{
	unsigned char id[24] = {20};
	size_t at = begin_record(span, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | MMAP_BUILD_ID);

	memset(id + 4, build_id, 20);
	put_u32(span, pid, pid);
	put_u64(span, addr);
	put_u64(span, 0x2000);
	put_u64(span, 0);
	put(span, id, sizeof(id));
	put_u32(span, 5, 2); /* PROT_READ | PROT_EXEC, MAP_PRIVATE */
	put_text(span, path);
	end_record(span, at, pid, time_ns);
}

static void ksymbol(
	struct span *span, uint64_t addr, uint16_t flags, const char *name, uint64_t time_ns)
{
	const struct {
		uint64_t addr;
		uint32_t len;
		uint16_t type;
		uint16_t flags;
	} symbol = {addr, 64, PERF_RECORD_KSYMBOL_TYPE_BPF, flags};
	size_t at = begin_record(span, PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL);

	put(span, &symbol, sizeof(symbol));
	put_text(span, name);
	end_record(span, at, UINT32_MAX, time_ns);
}

static void program(struct span *span, uint16_t what, uint32_t id, uint64_t time_ns)
{
	const struct {
		uint16_t type;
		uint16_t flags;
		uint32_t id;
		uint8_t tag[8];
	} program = {what, 0, id, "taghere"};
	size_t at = begin_record(span, PERF_RECORD_BPF_EVENT, PERF_RECORD_MISC_KERNEL);

	put(span, &program, sizeof(program));
	end_record(span, at, UINT32_MAX, time_ns);
}

static void cgroup(struct span *span, uint64_t id, const char *path, uint64_t time_ns)
{
	size_t at = begin_record(span, PERF_RECORD_CGROUP, 0);

	put_u64(span, id);
	put_text(span, path);
	end_record(span, at, 100, time_ns);
}

static void namespaces(struct span *span, uint32_t pid, uint64_t time_ns)
{
	size_t at = begin_record(span, PERF_RECORD_NAMESPACES, 0);

	put_u32(span, pid, pid);
	put_u64(span, 1);
	put_u64(span, 4);
	put_u64(span, 4026531841u);
	end_record(span, at, pid, time_ns);
}

static void lost(struct span *span, uint32_t type, uint64_t n, uint64_t time_ns)
{
	size_t at = begin_record(span, type, 0);

	if (type == PERF_RECORD_LOST)
		put_u64(span, EVENT_ID);
	put_u64(span, n);
	end_record(span, at, 100, time_ns);
}

/* A program that is deployed again, with all kinds of records between its samples. */
static void deploy(struct span *first, struct span *second)
{
	sample(first, 100, 10);
	task(first, PERF_RECORD_FORK, 200, 100, 11);
	comm(first, 200, "server", 12);
	map(first, 200, 0x400000, 0xaa, "/srv/server", 13);
	cgroup(first, 42, "/system.slice/server.service", 14);
	ksymbol(first, 0xffffffffc0001000, 0, "bpf_prog_6deef7357e7b4530_one", 15);
	program(first, PERF_BPF_EVENT_PROG_LOAD, 0xfffffff0, 16);
	sample(first, 200, 17);
	map(first, 200, 0x500000, 0xbb, "/srv/plugin.so", 18);
	namespaces(first, 200, 19);
	sample(first, 200, 20);
	sample(second, 200, 21);
	lost(second, PERF_RECORD_LOST, 7, 22);
	lost(second, PERF_RECORD_LOST_SAMPLES, 3, 23);
	map(second, 200, 0x600000, 0xcc, "//anon", 24);
	map(second, 200, 0x400000, 0xdd, "/srv/server", 25);
	ksymbol(second, 0xffffffffc0001000, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER,
		"bpf_prog_6deef7357e7b4530_one", 26);
	program(second, PERF_BPF_EVENT_PROG_UNLOAD, 0xfffffff0, 27);
	task(second, PERF_RECORD_EXIT, 100, 1, 28);
	sample(second, 200, 29);
	cgroup(second, 43, "/other", 30);
}

static void make(int fd)
{
	struct span first = {.size = 0}, second = {.size = 0};
	struct recording recording;

	deploy(&first, &second);
	begin(&recording, fd, true);
	write_span(&recording, &first);
	write_span(&recording, &second);
	ok(&recording, perfdata_writer__finish_round(recording.writer, &recording.err));
	assert_int_equal(recording.spans.counts.samples, 5);
	assert_int_equal(recording.spans.counts.lost_records, 7);
	assert_int_equal(recording.spans.counts.lost_samples, 3);
	assert_int_equal(recording.counters.n[COUNTER_MAPS], 4);
	assert_int_equal(recording.counters.n[COUNTER_IDENTIFIED], 4);
	end(&recording);
}

static void spans_become_the_golden_bytes(void **state)
{
	(void)state;
	golden__compare(GOLDEN, make);
}

/* Where nobody needs any of them, records pass as they are. */
static void samples_pass_unchanged(void **state)
{
	struct span span = {.size = 0};
	struct recording recording;
	char out[SPAN_BYTES];
	int fd = memfd_create("spans", 0);
	off_t before;

	(void)state;
	for (uint64_t i = 0; i < 50; i++)
		sample(&span, 100, 10 + i);
	begin(&recording, fd, false);
	before = perfdata_writer__size(recording.writer);
	write_span(&recording, &span);
	ok(&recording, perfdata_writer__checkpoint(recording.writer, &recording.err));
	assert_int_equal(pread(fd, out, span.size, before), span.size);
	assert_memory_equal(out, span.bytes, span.size);
	assert_int_equal(recording.spans.counts.samples, 50);
	end(&recording);
	close(fd);
}

static void what_is_no_record_is_refused(void **state)
{
	struct span span = {.size = 0};
	struct recording recording;
	int fd = memfd_create("spans", 0);

	(void)state;
	sample(&span, 100, 10);
	span.bytes[6]++; /* its size is no multiple of 8 any more */
	begin(&recording, fd, false);
	assert_int_equal(
		spans__write(&recording.spans, span.bytes, span.size, &recording.err), -EBADMSG);
	assert_string_equal(recording.err.text, "perf ring: not a valid record");
	end(&recording);
	close(fd);
}

/* The work of a rotating recording for @n samples. */
static int replay(unsigned long n)
{
	struct span span = {.size = 0};
	struct recording recording;
	int fd = open("/dev/null", O_RDWR);

	while (span.size + 64 < sizeof(span.bytes))
		sample(&span, 100, 10);
	begin(&recording, fd, true);
	while (recording.spans.counts.samples < n)
		write_span(&recording, &span);
	end(&recording);
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_become_the_golden_bytes),
		cmocka_unit_test(samples_pass_unchanged),
		cmocka_unit_test(what_is_no_record_is_refused),
	};

	return argc > 1 ? replay(strtoul(argv[1], NULL, 10))
			: cmocka_run_group_tests(tests, NULL, NULL);
}
