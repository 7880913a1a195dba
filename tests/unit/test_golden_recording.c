// SPDX-License-Identifier: GPL-2.0-only
/*
 * tests/golden/recording.data is, byte for byte, what the writer makes of the
 * events below: a change of the format shows here first, and golden.bats shows
 * what the commands say of it. PERFSTAMP_GOLDEN_WRITE=1 writes it anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/perfdata/features/features.h"
#include "user/perfdata/features/stamp.h"
#include "user/perfdata/write/writer.h"
#include "golden_fixture.h"

#define GOLDEN "tests/golden/recording.data"
#define EVENT_ID 5
#define SEC 1000000000ull

static struct perfdata_writer *writer;
static struct error err;

static void ok(int result)
{
	if (result)
		fail_msg("%d: %s", result, err.text);
}

static void event(struct event event)
{
	if (event.kind != EVENT_CGROUP && event.kind != EVENT_MAP)
		event.cpu = 1;
	ok(perfdata_writer__event(writer, &event, 0, &err));
}

static struct perfstamp_identity identity(uint8_t build_id, uint64_t cgroup_id)
{
	struct perfstamp_identity identity = {.dev_major = 253,
		.dev_minor = 1,
		.ino = 1000 + build_id,
		.ino_generation = 77,
		.file_size = 8192,
		.cgroup_id = cgroup_id,
		.mnt_ns = 4026531841u,
		.source = PERFSTAMP_SOURCE_PAGE_CACHE,
		.build_id_size = PERFSTAMP_BUILD_ID_MAX};

	memset(identity.build_id, build_id, sizeof(identity.build_id));
	return identity;
}

static struct perfstamp_identity cookie(void)
{
	struct perfstamp_identity id = identity(0, 42);

	id.build_id_size = 0;
	id.reason = PERFSTAMP_REASON_NO_NOTE;
	id.cookie_size = 17;
	memset(id.cookie, 0xcc, 17);
	id.cookie[0] = 1;
	return id;
}

static struct perfstamp_identity none(enum perfstamp_reason reason)
{
	return (struct perfstamp_identity){.reason = reason, .cgroup_id = 42};
}

static void map(uint64_t time_ns, uint32_t pid, uint64_t addr, const char *path,
	struct perfstamp_identity id, uint16_t flags)
{
	event((struct event){.kind = EVENT_MAP,
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_USER,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.map = {.addr = addr,
			.len = 0x2000,
			.pgoff = 0x1000,
			.prot = PROT_READ | PROT_EXEC,
			.map_flags = MAP_PRIVATE,
			.flags = flags,
			.executable = true,
			.stamped = true,
			.identity = id,
			.path = path}});
}

static void kernel_map(void)
{
	struct perfstamp_identity id = identity(0xee, 0);

	event((struct event){.kind = EVENT_MAP,
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_KERNEL,
		.pid = UINT32_MAX,
		.map = {.addr = 0xffffffff81000000ull,
			.len = 0x1000000,
			.prot = PROT_EXEC,
			.kernel = true,
			.executable = true,
			.identity = id,
			.path = "[kernel.kallsyms]_text"}});
}

static void task(enum event_kind kind, uint64_t time_ns, uint32_t pid, uint32_t ppid, uint16_t misc)
{
	event((struct event){.kind = kind,
		.type = kind == EVENT_FORK ? PERF_RECORD_FORK : PERF_RECORD_EXIT,
		.misc = misc,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.fork = {.ppid = ppid, .ptid = ppid}});
}

static void comm(uint64_t time_ns, uint32_t pid, const char *name, bool exec)
{
	event((struct event){.kind = EVENT_COMM,
		.type = PERF_RECORD_COMM,
		.misc = exec ? PERF_RECORD_MISC_COMM_EXEC : 0,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.comm = {.comm = name, .exec = exec}});
}

/* As the sample_type in make() lays it out. */
static void sample(uint64_t time_ns, uint32_t pid, uint16_t misc, uint64_t ip)
{
	struct {
		struct perf_event_header header;
		uint64_t id, ip;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, reserved;
		uint64_t period;
	} record = {{PERF_RECORD_SAMPLE, misc, sizeof(record)}, EVENT_ID, ip, pid, pid, time_ns, 1,
		0, 250000};

	ok(perfdata_writer__raw(writer, &record, sizeof(record), &err));
}

static void round_of_a_deploy(void)
{
	kernel_map();
	task(EVENT_FORK, 0, 100, 1, PERF_RECORD_MISC_FORK_EXEC);
	comm(0, 100, "server", false);
	map(0, 100, 0x400000, "/srv/server", identity(0xaa, 42), PERFSTAMP_MAP_SNAPSHOT);
	ok(perfdata_writer__finish_init(writer, &err));
	event((struct event){.kind = EVENT_CGROUP,
		.type = PERF_RECORD_CGROUP,
		.cpu = 1,
		.time_ns = 10 * SEC,
		.cgroup = {.id = 42, .path = "/system.slice/server.service"}});
	sample(11 * SEC, 100, PERF_RECORD_MISC_USER, 0x400010);
	task(EVENT_FORK, 12 * SEC, 200, 100, 0);
	comm(12 * SEC + 1, 200, "server", true);
	map(12 * SEC + 2, 200, 0x400000, "/srv/server", identity(0xbb, 42), 0);
	map(12 * SEC + 3, 200, 0x500000, "/srv/plugin.so", cookie(), 0);
	sample(13 * SEC, 200, PERF_RECORD_MISC_USER, 0x400010);
	sample(14 * SEC, 200, PERF_RECORD_MISC_USER, 0x500010);
	sample(15 * SEC, 200, PERF_RECORD_MISC_KERNEL, 0xffffffff81000010ull);
	ok(perfdata_writer__finish_round(writer, &err));
}

static void round_of_trouble(void)
{
	map(20 * SEC, 200, 0x600000, "//anon", none(PERFSTAMP_REASON_ANONYMOUS), 0);
	map(21 * SEC, 200, 0x700000, "/tmp/\x1b[2J\xff", none(PERFSTAMP_REASON_LOOKUP_FAILED),
		PERFSTAMP_MAP_DELETED);
	sample(22 * SEC, 200, PERF_RECORD_MISC_USER, 0x700010);
	sample(23 * SEC, 200, PERF_RECORD_MISC_USER, 0x900000);
	event((struct event){.kind = EVENT_LOST,
		.type = PERF_RECORD_LOST,
		.time_ns = 24 * SEC,
		.pid = 200,
		.tid = 200,
		.lost = {.id = EVENT_ID, .lost = 3}});
	task(EVENT_EXIT, 25 * SEC, 100, 1, 0);
	ok(perfdata_writer__finish_round(writer, &err));
}

static void features(void)
{
	struct machine_info info = {.hostname = "golden", .arch = "x86_64"};
	struct buffer bytes;

	buffer__init(&bytes, 0);
	ok(feature__encode(&bytes, HEADER_HOSTNAME, &info));
	ok(perfdata_writer__feature(writer, HEADER_HOSTNAME, bytes.data, bytes.size, &err));
	buffer__reset(&bytes);
	ok(stamp__put(&bytes, "rung", "sys_exit"));
	ok(perfdata_writer__feature(writer, PERFSTAMP_FEATURE, bytes.data, bytes.size, &err));
	buffer__free(&bytes);
}

static void make(int fd)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = 4000,
		.freq = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.sample_id_all = 1};
	uint64_t id = EVENT_ID;

	ok(perfdata_writer__new(&writer, fd, "golden", false));
	ok(perfdata_writer__add_attr(writer, &attr, "cpu-clock", &id, 1, &err));
	ok(perfdata_writer__begin(writer, &err));
	round_of_a_deploy();
	round_of_trouble();
	features();
	ok(perfdata_writer__finish(writer, &err));
	perfdata_writer__free(writer);
}

static void the_writer_makes_the_golden_recording(void **state)
{
	(void)state;
	golden__compare(GOLDEN, make);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_writer_makes_the_golden_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
