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
#include "tests/lib/made_recording.h"
#include "golden_fixture.h"

#define GOLDEN "tests/golden/recording.data"
#define EVENT_ID 5
#define SEC 1000000000ull

static void event(struct event event)
{
	if (event.kind != EVENT_CGROUP && event.kind != EVENT_MAP)
		event.cpu = 1;
	put_event(event);
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
	struct event mapped = made_map(time_ns, pid, addr, 0x2000, &id, path, flags);

	mapped.map.pgoff = 0x1000;
	event(mapped);
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

static void sample(uint64_t time_ns, uint32_t pid, uint16_t misc, uint64_t ip)
{
	put_sample(misc, (struct made_sample){EVENT_ID, ip, pid, pid, time_ns, 1, 0, 250000});
}

static void round_of_a_deploy(void)
{
	kernel_map();
	event(made_task(EVENT_FORK, 0, 100, 1, PERF_RECORD_MISC_FORK_EXEC));
	event(made_comm(0, 100, "server", false));
	map(0, 100, 0x400000, "/srv/server", identity(0xaa, 42), PERFSTAMP_MAP_SNAPSHOT);
	ok(perfdata_writer__finish_init(writer, &error));
	event((struct event){.kind = EVENT_CGROUP,
		.type = PERF_RECORD_CGROUP,
		.cpu = 1,
		.time_ns = 10 * SEC,
		.cgroup = {.id = 42, .path = "/system.slice/server.service"}});
	sample(11 * SEC, 100, PERF_RECORD_MISC_USER, 0x400010);
	event(made_task(EVENT_FORK, 12 * SEC, 200, 100, 0));
	event(made_comm(12 * SEC + 1, 200, "server", true));
	map(12 * SEC + 2, 200, 0x400000, "/srv/server", identity(0xbb, 42), 0);
	map(12 * SEC + 3, 200, 0x500000, "/srv/plugin.so", cookie(), 0);
	sample(13 * SEC, 200, PERF_RECORD_MISC_USER, 0x400010);
	sample(14 * SEC, 200, PERF_RECORD_MISC_USER, 0x500010);
	sample(15 * SEC, 200, PERF_RECORD_MISC_KERNEL, 0xffffffff81000010ull);
	ok(perfdata_writer__finish_round(writer, &error));
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
	event(made_task(EVENT_EXIT, 25 * SEC, 100, 1, 0));
	ok(perfdata_writer__finish_round(writer, &error));
}

static void features(void)
{
	struct machine_info info = {.hostname = "golden", .arch = "x86_64"};
	struct buffer bytes;

	buffer__init(&bytes, 0);
	ok(feature__encode(&bytes, HEADER_HOSTNAME, &info));
	ok(perfdata_writer__feature(writer, HEADER_HOSTNAME, bytes.data, bytes.size, &error));
	buffer__reset(&bytes);
	ok(stamp__put(&bytes, "rung", "sys_exit"));
	ok(perfdata_writer__feature(writer, PERFSTAMP_FEATURE, bytes.data, bytes.size, &error));
	buffer__free(&bytes);
}

static void make(int fd)
{
	const struct perf_event_attr attr = made_attr(4000);
	uint64_t id = EVENT_ID;

	begin_recording(fd, "golden", &attr, &id, 1);
	ok(perfdata_writer__begin(writer, &error));
	round_of_a_deploy();
	round_of_trouble();
	features();
	end_recording();
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
