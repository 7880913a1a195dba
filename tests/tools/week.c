// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes what a recorder sees in a week that has all that a timeline shows: services in
 * containers that are deployed anew, a library that is upgraded, kernel modules that are
 * reloaded, refused and replaced, losses, and names that would like to be HTML. The same
 * arguments give the same file.
 * Usage: week FILE [PATHS [SAMPLES]]: with so many more paths (0), each of up to 4 KiB, and so
 * many more samples an hour (0)
 */
#include <err.h>
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

#define EVENT_ID 7
#define HOUR 3600000000000ull
#define DAY (24 * HOUR)
#define BEGIN (5 * DAY)
#define SERVICES 9
#define CPUS 4
#define SERVICE_PID 1000 /* and 100 for each further one, and 1 for each deploy of it */
#define KERNEL 0xffffffff81000000ull
#define MODULES 0xffffffffc0000000ull
#define HOSTILE "</script><script>hostile=1</script><img src=x onerror=hostile=2>"

static uint32_t seed = 1, n_samples_more;

static uint32_t chance(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static void fill_id(uint8_t *id, uint32_t file, uint32_t build)
{
	for (uint32_t i = 0; i < PERFSTAMP_BUILD_ID_MAX; i++)
		id[i] = (file * 2654435761u + build * 2246822519u + i * 40503u) >> (8 + i % 3 * 8);
}

static void map(uint64_t time_ns, uint32_t pid, uint32_t slot, const char *path, uint32_t build,
	uint64_t cgroup_id, uint16_t flags)
{
	struct perfstamp_identity identity = {.dev_major = 253,
		.ino = 1000 + slot,
		.cgroup_id = cgroup_id,
		.mnt_ns = 4026531841u,
		.source = PERFSTAMP_SOURCE_PAGE_CACHE,
		.build_id_size = PERFSTAMP_BUILD_ID_MAX};
	uint32_t file = 0;

	for (const char *at = path; *at; at++)
		file = 31 * file + (unsigned char)*at;
	fill_id(identity.build_id, file, build);
	put_event(made_map(
		time_ns, pid, 0x400000 + slot * 0x200000ull, 0x100000, &identity, path, flags));
}

static void task(enum event_kind kind, uint64_t time_ns, uint32_t pid, uint16_t misc)
{
	put_event(made_task(kind, time_ns, pid, 1, misc));
}

static void sample(uint64_t time_ns, uint32_t pid, uint16_t misc, uint64_t ip)
{
	put_sample(misc, (struct made_sample){
				 EVENT_ID, ip, pid, pid, time_ns, pid / 100 % CPUS, 0, 1000000});
}

static void module(uint64_t time_ns, enum perfstamp_module_event what, const char *name,
	uint32_t build, uint32_t place, uint16_t flags)
{
	char path[128];
	struct event event = {.kind = EVENT_MODULE,
		.type = what == PERFSTAMP_MODULE_LOAD ? PERF_RECORD_MMAP2 : PERF_RECORD_KSYMBOL,
		.misc = PERF_RECORD_MISC_KERNEL,
		.time_ns = time_ns,
		.pid = UINT32_MAX,
		.cpu = UINT32_MAX,
		.module = {.flags = flags,
			.state = {.text_addr = MODULES + place * 0x10000ull,
				.text_size = 0x8000,
				.event = what,
				.init_result = flags & PERFSTAMP_MODULE_INIT_FAILED ? -5 : 0,
				.source = PERFSTAMP_SOURCE_KERNEL,
				.build_id_size = PERFSTAMP_BUILD_ID_MAX},
			.path = path}};

	snprintf(path, sizeof(path), "/lib/modules/6.12/extra/%s.ko", name);
	snprintf(event.module.state.name, sizeof(event.module.state.name), "%s", name);
	fill_id(event.module.state.build_id, place, build);
	put_event(event);
}

static void cgroup(uint64_t id, const char *path)
{
	put_event((struct event){.kind = EVENT_CGROUP,
		.type = PERF_RECORD_CGROUP,
		.time_ns = BEGIN,
		.cgroup = {.id = id, .path = path}});
}

static const char *const NAMES[SERVICES] = {
	"api", "auth", "billing", "cache", "mail", "queue", "search", "web", "worker"};

/* The daemons of before, the kernel, and modules that stay. */
static void begin(uint32_t paths)
{
	char path[PERFSTAMP_PATH_MAX];

	put_event((struct event){.kind = EVENT_MAP,
		.misc = PERF_RECORD_MISC_KERNEL,
		.pid = UINT32_MAX,
		.map = {.addr = KERNEL,
			.len = 0x2000000,
			.prot = PROT_EXEC,
			.kernel = true,
			.executable = true,
			.identity = {.source = PERFSTAMP_SOURCE_KERNEL,
				.build_id_size = 20,
				.build_id = {0xab, 0xcd}},
			.path = "[kernel.kallsyms]_text"}});
	for (uint32_t i = 0; i < 40; i++) {
		snprintf(path, sizeof(path), "steady_%u", i);
		module(0, PERFSTAMP_MODULE_LOAD, path, 1, 100 + i, PERFSTAMP_MODULE_SNAPSHOT);
	}
	task(EVENT_FORK, 0, 50, PERF_RECORD_MISC_FORK_EXEC);
	map(0, 50, 0, "/usr/sbin/sshd", 1, 1, PERFSTAMP_MAP_SNAPSHOT);
	map(0, 50, 1, "/usr/lib/x86_64-linux-gnu/libc.so.6", 1, 1, PERFSTAMP_MAP_SNAPSHOT);
	for (uint32_t i = 0; i < paths; i++) {
		int n = snprintf(path, sizeof(path), "/srv/many/%u/", i);

		for (uint32_t j = chance(PERFSTAMP_PATH_MAX - 64); j > 0; j--)
			path[n++] = "<&\n\"\x01z/"[chance(7)];
		path[n] = '\0';
		map(0, 50, 2 + i, path, 1, 1, PERFSTAMP_MAP_SNAPSHOT);
	}
	put_event((struct event){.kind = EVENT_KSYMBOL,
		.misc = PERF_RECORD_MISC_KERNEL,
		.pid = UINT32_MAX,
		.ksymbol = {.addr = MODULES - 0x100000,
			.len = 0x1000,
			.ksym_type = PERF_RECORD_KSYMBOL_TYPE_BPF,
			.name = "bpf_prog_6deef7357e7b4530_sd_fw_egress"}});
	ok(perfdata_writer__finish_init(writer, &error));
	cgroup(10, "/system.slice/docker-"
		   "0123456789ab0123456789abcdef0123456789abcdef0123456789abcdef0123.scope");
	for (uint32_t i = 1; i < SERVICES; i++) {
		snprintf(path, sizeof(path), "/kubepods.slice/pod-%s", NAMES[i]);
		cgroup(10 + i, path);
	}
	cgroup(99, "/kubepods.slice/" HOSTILE);
}

static uint32_t n_deploys(uint32_t service)
{
	return 1 + service * 3 % 5;
}

static uint32_t build_at(uint32_t service, uint64_t hour)
{
	return (uint32_t)(hour * n_deploys(service) / (7 * 24 + 1));
}

static void deploy(uint64_t time_ns, uint32_t service, uint32_t build, bool libc)
{
	uint32_t pid = SERVICE_PID + 100 * service + build;
	char path[64];

	snprintf(path, sizeof(path), "/srv/%s/bin/%s", NAMES[service], NAMES[service]);
	task(EVENT_FORK, time_ns, pid, 0);
	map(time_ns + 1, pid, 0, path, build, 10 + service, 0);
	map(time_ns + 2, pid, 1, "/usr/lib/x86_64-linux-gnu/libc.so.6", libc ? 2 : 1, 10 + service,
		0);
}

static void life_of_modules(uint64_t time_ns, uint64_t hour)
{
	if (hour == 20)
		module(time_ns, PERFSTAMP_MODULE_LOAD, "zfs", 1, 1, 0);
	if (hour == 21)
		module(time_ns, PERFSTAMP_MODULE_INIT, "zfs", 1, 1, 0);
	if (hour == 90)
		module(time_ns, PERFSTAMP_MODULE_UNLOAD, "zfs", 1, 1, 0);
	if (hour == 91)
		module(time_ns, PERFSTAMP_MODULE_LOAD, "zfs", 2, 1, 0);
	if (hour == 50)
		module(time_ns, PERFSTAMP_MODULE_LOAD, "broken", 1, 2, 0);
	if (hour == 53)
		module(time_ns - 1, PERFSTAMP_MODULE_INIT, "broken", 1, 2,
			PERFSTAMP_MODULE_INIT_FAILED);
	if (hour == 53)
		module(time_ns, PERFSTAMP_MODULE_UNLOAD, "broken", 1, 2,
			PERFSTAMP_MODULE_INIT_FAILED);
	if (hour == 60)
		module(time_ns, PERFSTAMP_MODULE_LOAD, "<b>bold</b>", 1, 4, 0);
	if (hour > 100 && hour % 2)
		module(time_ns, PERFSTAMP_MODULE_UNLOAD, "test", (uint32_t)hour / 2, 3, 0);
	if (hour >= 100 && !(hour % 2))
		module(time_ns, PERFSTAMP_MODULE_LOAD, "test", 1 + (uint32_t)hour / 2, 3, 0);
}

static void hour_of_samples(uint64_t time_ns, uint64_t hour)
{
	uint32_t n = 20 + (uint32_t)(hour % 24 > 8 ? 60 : 10) + n_samples_more;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t service = chance(SERVICES), what = chance(10);
		uint32_t pid = SERVICE_PID + 100 * service + build_at(service, hour);

		sample(time_ns + (i + 1) * (n < 100 ? HOUR / 100 : HOUR / (n + 1)), pid,
			what < 3 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
			what == 0  ? MODULES + 0x10000
			: what < 3 ? KERNEL + 0x1000
			: what < 5 ? 0x600010
				   : 0x400010);
	}
}

static void hours(void)
{
	static const char *const HOSTILE_PATHS[] = {("/srv/" HOSTILE), "/srv/new\nline\t\"'&amp;",
		"/srv/turned \xe2\x80\xae around", "/srv/no utf-8 \xff\xfe", "/srv/a\\b\x1b[31m"};

	for (uint64_t hour = 0; hour < 7 * 24; hour++) {
		uint64_t time_ns = BEGIN + hour * HOUR;

		for (uint32_t i = 0; i < SERVICES; i++)
			if (!hour || build_at(i, hour) != build_at(i, hour - 1))
				deploy(time_ns + i * 1000, i, build_at(i, hour), hour > 80);
		life_of_modules(time_ns + HOUR / 1000, hour);
		if (hour == 40)
			for (uint32_t i = 0; i < 5; i++)
				map(time_ns + HOUR / 500 + i, 50, 5000 + i, HOSTILE_PATHS[i], 1, 99,
					0);
		hour_of_samples(time_ns, hour);
		/* The old one goes a while after the new one came. */
		for (uint32_t i = 0; i < SERVICES; i++)
			if (hour > 3 && build_at(i, hour - 3) != build_at(i, hour - 4))
				task(EVENT_EXIT, time_ns + HOUR - 1000 + i,
					SERVICE_PID + 100 * i + build_at(i, hour - 4), 0);
		if (hour == 111)
			put_event((struct event){.kind = EVENT_LOST,
				.type = PERF_RECORD_LOST,
				.time_ns = time_ns + HOUR - 100,
				.pid = 50,
				.tid = 50,
				.lost = {.id = EVENT_ID, .lost = 1234}});
		ok(perfdata_writer__finish_round(writer, &error));
	}
}

static void features(void)
{
	struct machine_info info = {.hostname = "node-7 " HOSTILE,
		.osrelease = "6.12.0",
		.has_clock = true,
		.clockid = 1,
		.wall_ns = 1790000000000000000ull,
		.clock_ns = BEGIN};
	static const int IDS[] = {HEADER_HOSTNAME, HEADER_OSRELEASE, HEADER_CLOCK_DATA};
	struct buffer bytes;
	char value[96];

	buffer__init(&bytes, 0);
	for (size_t i = 0; i < sizeof(IDS) / sizeof(*IDS); i++) {
		buffer__reset(&bytes);
		ok(feature__encode(&bytes, IDS[i], &info));
		ok(perfdata_writer__feature(writer, IDS[i], bytes.data, bytes.size, &error));
	}
	buffer__reset(&bytes);
	snprintf(value, sizeof(value), "ring-full 1234 %llu %llu", BEGIN + 110 * HOUR,
		BEGIN + 112 * HOUR);
	ok(stamp__put(&bytes, "loss", value));
	ok(perfdata_writer__feature(writer, PERFSTAMP_FEATURE, bytes.data, bytes.size, &error));
	buffer__free(&bytes);
}

int main(int argc, char **argv)
{
	const struct perf_event_attr attr = made_attr(99);
	uint64_t id = EVENT_ID;
	int fd;

	if (argc < 2)
		errx(2, "Usage: week FILE [PATHS [SAMPLES]]");
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0)
		err(1, "%s", argv[1]);
	begin_recording(fd, argv[1], &attr, &id, 1);
	ok(perfdata_writer__begin(writer, &error));
	n_samples_more = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
	begin(argc > 2 ? strtoul(argv[2], NULL, 10) : 0);
	hours();
	features();
	end_recording();
	return close(fd) ? 1 : 0;
}
