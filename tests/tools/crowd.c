// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes what a recorder of a large machine writes: many CPUs, threads, containers and DSOs,
 * with samples of all of them. The same arguments give the same file.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/perfdata/features/features.h"
#include "user/perfdata/write/writer.h"
#include "tests/lib/made_recording.h"

#define THREADS_EACH 10 /* of a process */
#define ROUND 4096      /* samples */
#define PID 1000

static const char USAGE[] = "Usage: crowd FILE CPUS THREADS CGROUPS DSOS SAMPLES [MAPS]";

static uint32_t cpus, threads, cgroups, dsos, samples;
static uint32_t maps = 8; /* of a process */

static uint32_t process_of(uint32_t thread)
{
	return PID + thread - thread % THREADS_EACH;
}

static uint32_t dso_of(uint32_t process, uint32_t slot)
{
	return (process / THREADS_EACH * maps + slot) % dsos;
}

static void map(uint32_t pid, uint32_t slot)
{
	uint32_t dso = dso_of(pid - PID, slot);
	char path[128];
	struct perfstamp_identity identity = {.dev_major = 253,
		.ino = 1000 + dso,
		.cgroup_id = 100 + (pid - PID) / THREADS_EACH % cgroups,
		.mnt_ns = 4026531841u,
		.source = PERFSTAMP_SOURCE_PAGE_CACHE,
		.build_id_size = PERFSTAMP_BUILD_ID_MAX};

	snprintf(path, sizeof(path), "/srv/%u/lib%u.so", dso % 97, dso);
	memcpy(identity.build_id, &dso, sizeof(dso));
	put_event(made_map(0, pid, 0x400000 + slot * 0x200000ull, 0x100000, &identity, path,
		PERFSTAMP_MAP_SNAPSHOT));
}

static void tasks(void)
{
	char text[96];

	for (uint32_t i = 0; i < cgroups; i++) {
		snprintf(text, sizeof(text), "/kubepods.slice/pod-%u/%064x", i / 4, i);
		put_event((struct event){.kind = EVENT_CGROUP,
			.type = PERF_RECORD_CGROUP,
			.cgroup = {.id = 100 + i, .path = text}});
	}
	for (uint32_t i = 0; i < threads; i++) {
		uint32_t pid = process_of(i), tid = PID + i;

		put_event((struct event){.kind = EVENT_FORK,
			.misc = pid == tid ? PERF_RECORD_MISC_FORK_EXEC : 0,
			.pid = pid,
			.tid = tid,
			.fork = {pid == tid ? 1 : pid, pid == tid ? 1 : pid}});
		snprintf(text, sizeof(text), "task-%u", i % 1000);
		put_event((struct event){
			.kind = EVENT_COMM, .pid = pid, .tid = tid, .comm = {text, false}});
		for (uint32_t slot = 0; pid == tid && slot < maps; slot++)
			map(pid, slot);
	}
	ok(perfdata_writer__finish_init(writer, &error));
	ok(perfdata_writer__finish_round(writer, &error));
}

/* Each CPU samples for itself, so that in a round they are in order by CPU only. */
static void sample_all(void)
{
	for (uint32_t i = 0; i < samples; i++) {
		uint32_t cpu = i % ROUND * cpus / ROUND, thread = i * 2654435761u % threads;

		put_sample(PERF_RECORD_MISC_USER,
			(struct made_sample){1 + cpu, 0x400010 + i % maps * 0x200000ull,
				process_of(thread), PID + thread,
				1000000000ull + i / ROUND * 1000000ull + i * 7919 % 1000000, cpu, 0,
				1000000});
		if (i % ROUND == ROUND - 1)
			ok(perfdata_writer__finish_round(writer, &error));
	}
}

static void features(void)
{
	static const char *const argv[] = {"record", "-a"};
	struct machine_cpu *all = calloc(cpus, sizeof(*all));
	char list[16];
	const char *lists[] = {list};
	struct machine_info info = {.hostname = "crowd",
		.osrelease = "6.12.0",
		.version = "0.1.0",
		.arch = "x86_64",
		.nr_cpus_online = cpus,
		.nr_cpus_avail = cpus,
		.total_mem_kb = 1ull << 30,
		.exe = "/usr/bin/perfstamp",
		.argv = argv,
		.argc = 2,
		.cpus = all,
		.packages = {lists, 1},
		.cores = {lists, 1},
		.dies = {lists, 1},
		.has_clock = true,
		.clockid = 1,
		.clock_res_ns = 1};
	struct buffer buffer;

	snprintf(list, sizeof(list), "0-%u", cpus - 1);
	for (uint32_t i = 0; i < cpus; i++)
		all[i] = (struct machine_cpu){(int)(i / 2), (int)(i / 64), 0};
	for (unsigned int i = 0; i < PERFDATA_FEATURE_BITS; i++) {
		buffer__init(&buffer, 0);
		if (!feature__encode(&buffer, i, &info))
			ok(perfdata_writer__feature(writer, i, buffer.data, buffer.size, &error));
		buffer__free(&buffer);
	}
	free(all);
}

static uint32_t number(const char *text)
{
	long value = atol(text);

	if (value < 1 || value > 100000000)
		errx(2, "%s", USAGE);
	return value;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000,
		.sample_type = MADE_SAMPLE_TYPE,
		.mmap = 1,
		.comm = 1,
		.task = 1,
		.sample_id_all = 1,
		.mmap2 = 1,
		.use_clockid = 1,
		.clockid = 1};
	uint64_t *ids;
	int fd;

	if (argc != 7 && argc != 8)
		errx(2, "%s", USAGE);
	cpus = number(argv[2]);
	threads = number(argv[3]);
	cgroups = number(argv[4]);
	dsos = number(argv[5]);
	samples = number(argv[6]);
	if (argc == 8)
		maps = number(argv[7]);
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ids = calloc(cpus, sizeof(*ids));
	if (fd < 0 || !ids)
		err(1, "%s", argv[1]);
	for (uint32_t i = 0; i < cpus; i++)
		ids[i] = 1 + i;
	begin_recording(fd, argv[1], &attr, ids, cpus);
	ok(perfdata_writer__begin(writer, &error));
	features();
	tasks();
	sample_all();
	end_recording();
	free(ids);
	return 0;
}
