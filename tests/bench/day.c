// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes what a recorder sees on a busy host in a day: FILE with PROCESSES short
 * processes, from fork over exec and the mappings of their libraries to exit, in
 * some hundred containers, under daemons that were there before. Half of the
 * programs are replaced at half of the day. The same arguments give the same file.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/perfdata/layout.h"
#include "user/perfdata/write/writer.h"

#define DAEMONS 300
#define DAEMON_MAPS 30
#define PROGRAMS 400
#define LIBRARIES 200
#define CONTAINERS 300
#define ALIVE 64 /* short processes at a time */
#define MAPS 5   /* of each: the program, the loader and three libraries */
#define SAMPLES 2
#define FIRST_PID 1000
#define PIDS 4000000
#define DAY_NS 86400000000000ull
#define EVENT_ID 7
#define BASE 0x7f0000000000ull

static struct perfdata_writer *writer;
static struct error error;

static void ok(int result)
{
	if (result)
		errx(1, "%s", error.text);
}

static void put(struct event event)
{
	event.cpu = event.pid % 8;
	ok(perfdata_writer__event(writer, &event, 0, &error));
}

/* The id of what is at a path: another one for each build. */
static struct perfstamp_identity identity(uint32_t path, uint32_t build, uint32_t container)
{
	struct perfstamp_identity id = {.dev_major = 253,
		.ino = 1000 + path,
		.ino_generation = build,
		.file_size = 100000 + path,
		.cgroup_id = 5000 + container,
		.mnt_ns = 4026531841u + container,
		.source = PERFSTAMP_SOURCE_PAGE_CACHE,
		.build_id_size = PERFSTAMP_BUILD_ID_MAX,
		.cookie_size = 17,
		.cookie = {1}};

	for (size_t i = 0; i < PERFSTAMP_BUILD_ID_MAX; i++)
		id.build_id[i] = (path * 2654435761u + build * 40503u) >> (i % 4 * 8);
	memcpy(id.cookie + 1, id.build_id, 16);
	return id;
}

static void map(uint64_t time_ns, uint32_t pid, unsigned int slot, uint32_t file,
	struct perfstamp_identity id, uint16_t flags)
{
	char path[64];

	if (file < PROGRAMS)
		snprintf(path, sizeof(path), "/usr/local/bin/program-%u", file);
	else
		snprintf(path, sizeof(path), "/usr/lib/x86_64-linux-gnu/libsome-%u.so.1", file);
	put((struct event){.kind = EVENT_MAP,
		.misc = PERF_RECORD_MISC_USER,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.map = {.addr = BASE + slot * 0x200000ull,
			.len = 0x100000,
			.pgoff = 0x1000,
			.prot = PROT_READ | PROT_EXEC,
			.map_flags = MAP_PRIVATE,
			.flags = flags,
			.executable = true,
			.stamped = true,
			.identity = id,
			.path = path}});
}

static void task(
	enum event_kind kind, uint64_t time_ns, uint32_t pid, uint32_t parent, uint16_t misc)
{
	put((struct event){.kind = kind,
		.misc = misc,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.fork = {parent, parent}});
}

static void name(uint64_t time_ns, uint32_t pid, uint32_t program, bool exec)
{
	char comm[16];

	snprintf(comm, sizeof(comm), "program-%u", program);
	put((struct event){.kind = EVENT_COMM,
		.misc = exec ? PERF_RECORD_MISC_COMM_EXEC : 0,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.comm = {comm, exec}});
}

static void sample(uint64_t time_ns, uint32_t pid, uint64_t ip)
{
	struct {
		struct perf_event_header header;
		uint64_t id, ip;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, reserved;
		uint64_t period;
	} record = {{PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(record)}, EVENT_ID, ip, pid,
		pid, time_ns, pid % 8, 0, 1000000};

	ok(perfdata_writer__raw(writer, &record, sizeof(record), &error));
}

static uint32_t pid_of(uint64_t process)
{
	return FIRST_PID + DAEMONS + process % PIDS;
}

static void begin_process(uint64_t process, uint64_t time_ns, uint32_t build)
{
	uint32_t container = process % CONTAINERS, program = process * 7 % PROGRAMS;
	uint32_t pid = pid_of(process);

	task(EVENT_FORK, time_ns, pid, FIRST_PID + process % DAEMONS, 0);
	name(time_ns + 1000, pid, program, true);
	for (unsigned int i = 0; i < MAPS; i++) {
		uint32_t file = i ? PROGRAMS + (program * 3 + i * i) % LIBRARIES : program;

		map(time_ns + 2000 + i, pid, i, file,
			identity(file, file % 2 ? build : 0, container), 0);
	}
	for (unsigned int i = 0; i < SAMPLES; i++)
		sample(time_ns + 3000 + i, pid, BASE + i * 0x200000ull + 0x1000 + process % 4096);
}

static void begin_day(void)
{
	for (uint32_t i = 0; i < DAEMONS; i++) {
		task(EVENT_FORK, 0, FIRST_PID + i, 1, PERF_RECORD_MISC_FORK_EXEC);
		name(0, FIRST_PID + i, i, false);
		for (unsigned int slot = 0; slot < DAEMON_MAPS; slot++) {
			uint32_t file = slot ? PROGRAMS + (i + slot) % LIBRARIES : i % PROGRAMS;

			map(0, FIRST_PID + i, slot, file, identity(file, 0, i % CONTAINERS),
				PERFSTAMP_MAP_SNAPSHOT);
		}
	}
	ok(perfdata_writer__finish_init(writer, &error));
	for (uint32_t i = 0; i < CONTAINERS; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/system.slice/container-%u.scope", i);
		put((struct event){.kind = EVENT_CGROUP,
			.time_ns = 1,
			.cgroup = {.id = 5000 + i, .path = path}});
	}
}

static void live_through(uint64_t processes)
{
	uint64_t step = DAY_NS / (processes + ALIVE);

	for (uint64_t i = 0; i < processes + ALIVE; i++) {
		uint64_t time_ns = 1000000000 + i * step;

		if (i < processes)
			begin_process(i, time_ns, i >= processes / 2);
		if (i >= ALIVE)
			task(EVENT_EXIT, time_ns + 5000, pid_of(i - ALIVE),
				FIRST_PID + (i - ALIVE) % DAEMONS, 0);
		if (i % 64 == 63)
			ok(perfdata_writer__finish_round(writer, &error));
	}
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = 99,
		.freq = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.sample_id_all = 1};
	const uint32_t cpus[] = {8, 8};
	uint64_t id = EVENT_ID;
	int fd;

	if (argc != 3 || atoll(argv[2]) <= 0)
		errx(2, "Usage: day FILE PROCESSES");
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		err(1, "%s", argv[1]);
	ok(perfdata_writer__new(&writer, fd, argv[1], false));
	ok(perfdata_writer__add_attr(writer, &attr, "cpu-clock", &id, 1, &error));
	ok(perfdata_writer__feature(writer, HEADER_NRCPUS, cpus, sizeof(cpus), &error));
	ok(perfdata_writer__begin(writer, &error));
	begin_day();
	live_through(atoll(argv[2]));
	ok(perfdata_writer__finish(writer, &error));
	perfdata_writer__free(writer);
	return close(fd) ? 1 : 0;
}
