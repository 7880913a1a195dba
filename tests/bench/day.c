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
#include "tests/lib/made_recording.h"

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

static void put(struct event event)
{
	event.cpu = event.pid % 8;
	put_event(event);
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
	struct event event;
	char path[64];

	if (file < PROGRAMS)
		snprintf(path, sizeof(path), "/usr/local/bin/program-%u", file);
	else
		snprintf(path, sizeof(path), "/usr/lib/x86_64-linux-gnu/libsome-%u.so.1", file);
	event = made_map(time_ns, pid, BASE + slot * 0x200000ull, 0x100000, &id, path, flags);
	event.map.pgoff = 0x1000;
	put(event);
}

static void name(uint64_t time_ns, uint32_t pid, uint32_t program, bool exec)
{
	char comm[16];

	snprintf(comm, sizeof(comm), "program-%u", program);
	put(made_comm(time_ns, pid, comm, exec));
}

static void sample(uint64_t time_ns, uint32_t pid, uint64_t ip)
{
	put_sample(PERF_RECORD_MISC_USER,
		(struct made_sample){EVENT_ID, ip, pid, pid, time_ns, pid % 8, 0, 1000000});
}

static uint32_t pid_of(uint64_t process)
{
	return FIRST_PID + DAEMONS + process % PIDS;
}

static void begin_process(uint64_t process, uint64_t time_ns, uint32_t build)
{
	uint32_t container = process % CONTAINERS, program = process * 7 % PROGRAMS;
	uint32_t pid = pid_of(process);

	put(made_task(EVENT_FORK, time_ns, pid, FIRST_PID + process % DAEMONS, 0));
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
		put(made_task(EVENT_FORK, 0, FIRST_PID + i, 1, PERF_RECORD_MISC_FORK_EXEC));
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
			put(made_task(EVENT_EXIT, time_ns + 5000, pid_of(i - ALIVE),
				FIRST_PID + (i - ALIVE) % DAEMONS, 0));
		if (i % 64 == 63)
			ok(perfdata_writer__finish_round(writer, &error));
	}
}

int main(int argc, char **argv)
{
	const struct perf_event_attr attr = made_attr(99);
	const uint32_t cpus[] = {8, 8};
	uint64_t id = EVENT_ID;
	int fd;

	if (argc != 3 || atoll(argv[2]) <= 0)
		errx(2, "Usage: day FILE PROCESSES");
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		err(1, "%s", argv[1]);
	begin_recording(fd, argv[1], &attr, &id, 1);
	ok(perfdata_writer__feature(writer, HEADER_NRCPUS, cpus, sizeof(cpus), &error));
	ok(perfdata_writer__begin(writer, &error));
	begin_day();
	live_through(atoll(argv[2]));
	end_recording();
	return close(fd) ? 1 : 0;
}
