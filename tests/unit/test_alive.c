// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is alive: what a next file of a recording begins with, and that what is gone
 * takes no memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/alive/alive.h"

struct fixture {
	struct alive *alive;
	char told[4096]; /* a line for each event */
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	return alive__new(&fixture->alive);
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	alive__free(fixture->alive);
	free(fixture);
	return 0;
}

static void apply(struct fixture *fixture, struct event event)
{
	assert_int_equal(alive__apply(fixture->alive, &event), 0);
}

static struct event make(enum event_kind kind, uint64_t time_ns, uint32_t pid, uint32_t tid)
{
	return (struct event){.kind = kind, .time_ns = time_ns, .pid = pid, .tid = tid};
}

static void map_flags(struct fixture *fixture, uint64_t time_ns, uint32_t pid, uint64_t addr,
	const char *path, uint8_t id, uint16_t flags)
{
	struct event event = make(EVENT_MAP, time_ns, pid, pid);

	event.map = (struct event_map){
		.addr = addr,
		.len = 0x1000,
		.prot = 5,
		.executable = true,
		.flags = flags,
		.path = path,
		.identity = {.build_id_size = id ? 1 : 0, .build_id = {id}, .cgroup_id = 77},
	};
	apply(fixture, event);
}

static void map(struct fixture *fixture, uint64_t time_ns, uint32_t pid, uint64_t addr,
	const char *path, uint8_t id)
{
	map_flags(fixture, time_ns, pid, addr, path, id, 0);
}

static void fork_of(struct fixture *fixture, uint64_t time_ns, uint32_t pid, uint32_t tid,
	uint32_t ppid, uint32_t ptid)
{
	struct event event = make(EVENT_FORK, time_ns, pid, tid);

	event.fork = (struct event_fork){ppid, ptid};
	apply(fixture, event);
}

static void comm(struct fixture *fixture, uint64_t time_ns, uint32_t pid, uint32_t tid,
	const char *name, bool exec)
{
	struct event event = make(EVENT_COMM, time_ns, pid, tid);

	event.comm = (struct event_comm){name, exec};
	apply(fixture, event);
}

static void exit_of(struct fixture *fixture, uint64_t time_ns, uint32_t pid, uint32_t tid)
{
	apply(fixture, make(EVENT_EXIT, time_ns, pid, tid));
}

/* All that lives was told again between @since_ns and @time_ns. Returns how many are gone. */
static size_t check(struct fixture *fixture, uint64_t since_ns, uint64_t time_ns)
{
	struct event event = make(EVENT_CHECK, time_ns, UINT32_MAX, UINT32_MAX);
	struct alive_counts before, after;

	event.check.since_ns = since_ns;
	alive__count(fixture->alive, &before);
	apply(fixture, event);
	alive__count(fixture->alive, &after);
	return before.processes - after.processes;
}

static int note(void *ctx, const struct event *event)
{
	struct fixture *fixture = ctx;
	size_t at = strlen(fixture->told), room = sizeof(fixture->told) - at;
	char *to = fixture->told + at;

	switch (event->kind) {
	case EVENT_FORK:
		assert_int_equal(event->misc, PERF_RECORD_MISC_FORK_EXEC);
		snprintf(to, room, "fork %u/%u of %u\n", event->pid, event->tid, event->fork.ppid);
		break;
	case EVENT_EXIT:
		snprintf(to, room, "exit %u/%u\n", event->pid, event->tid);
		break;
	case EVENT_COMM:
		snprintf(to, room, "comm %u/%u %s\n", event->pid, event->tid, event->comm.comm);
		break;
	case EVENT_MAP:
		assert_true(event->map.kernel || event->map.flags & PERFSTAMP_MAP_SNAPSHOT);
		snprintf(to, room, "map %d %jx %s %u at %ju\n", (int)event->pid,
			(uintmax_t)event->map.addr, event->map.path,
			event->map.identity.build_id[0], (uintmax_t)event->time_ns);
		break;
	case EVENT_NAMESPACES:
		snprintf(to, room, "namespaces %u/%u %ju\n", event->pid, event->tid,
			(uintmax_t)event->namespaces.links[0].ino);
		break;
	case EVENT_CGROUP:
		snprintf(to, room, "cgroup %ju %s%s%.*s\n", (uintmax_t)event->cgroup.id,
			event->cgroup.path, event->cgroup.about_size ? " " : "",
			(int)event->cgroup.about_size, (const char *)event->cgroup.about);
		break;
	case EVENT_KSYMBOL:
		snprintf(to, room, "symbol %s\n", event->ksymbol.name);
		break;
	case EVENT_BPF:
		snprintf(to, room, "program %u\n", event->bpf.id);
		break;
	default:
		fail();
	}
	return 0;
}

static void assert_told(struct fixture *fixture, uint64_t now_ns, const char *wanted)
{
	fixture->told[0] = '\0';
	assert_int_equal(alive__synthesize_image(fixture->alive, note, fixture), 0);
	assert_int_equal(alive__synthesize(fixture->alive, now_ns, note, fixture), 0);
	assert_string_equal(fixture->told, wanted);
}

static void test_process(void **state)
{
	struct fixture *fixture = *state;

	fork_of(fixture, 10, 100, 100, 1, 1);
	comm(fixture, 11, 100, 100, "server", true);
	map(fixture, 12, 100, 0x1000, "/bin/server", 1);
	fork_of(fixture, 13, 100, 101, 100, 100);
	comm(fixture, 14, 100, 101, "worker", false);
	assert_told(fixture, 20,
		"fork 100/100 of 1\ncomm 100/100 server\n"
		"fork 100/101 of 100\ncomm 100/101 worker\n"
		"map 100 1000 /bin/server 1 at 12\n");
	/* The clock was set back since. */
	assert_told(fixture, 5,
		"fork 100/100 of 1\ncomm 100/100 server\n"
		"fork 100/101 of 100\ncomm 100/101 worker\n"
		"map 100 1000 /bin/server 1 at 5\n");
	exit_of(fixture, 21, 100, 100);
	assert_told(fixture, 22,
		"fork 100/100 of 1\ncomm 100/100 server\n"
		"fork 100/101 of 100\ncomm 100/101 worker\n"
		"map 100 1000 /bin/server 1 at 12\nexit 100/100\n");
	exit_of(fixture, 23, 100, 101);
	assert_told(fixture, 24, "");
}

static void test_child(void **state)
{
	struct fixture *fixture = *state;
	const char *told = "fork 1/1 of 0\ncomm 1/1 init\nmap 1 1000 /bin/init 1 at 0\n"
			   "fork 2/2 of 1\ncomm 2/2 ls\nmap 2 5000 /bin/ls 3 at 13\n";

	comm(fixture, 0, 1, 1, "init", false);
	map(fixture, 0, 1, 0x1000, "/bin/init", 1);
	fork_of(fixture, 10, 2, 2, 1, 1);
	map(fixture, 11, 2, 0x2000, "/lib/plugin", 2);
	assert_told(fixture, 11,
		"fork 1/1 of 0\ncomm 1/1 init\nmap 1 1000 /bin/init 1 at 0\n"
		"fork 2/2 of 1\ncomm 2/2 init\nmap 2 1000 /bin/init 1 at 0\n"
		"map 2 2000 /lib/plugin 2 at 11\n");
	comm(fixture, 12, 2, 2, "ls", true);
	map(fixture, 13, 2, 0x5000, "/bin/ls", 3);
	/* It waited for its identity: the program that had it is gone. */
	map(fixture, 11, 2, 0x7000, "/lib/late", 4);
	assert_told(fixture, 14, told);
	/* Told again after a loss. */
	map_flags(fixture, 15, 2, 0x5000, "/bin/ls", 3, PERFSTAMP_MAP_SNAPSHOT);
	assert_told(fixture, 16, told);
	/* Its number is used again, and its end was lost. */
	fork_of(fixture, 17, 2, 2, 1, 1);
	assert_told(fixture, 18,
		"fork 1/1 of 0\ncomm 1/1 init\nmap 1 1000 /bin/init 1 at 0\n"
		"fork 2/2 of 1\ncomm 2/2 init\nmap 2 1000 /bin/init 1 at 0\n");
	/* The end of the one before, which comes late. */
	exit_of(fixture, 16, 2, 2);
	exit_of(fixture, 19, 1, 1);
	assert_told(fixture, 20, "fork 2/2 of 1\ncomm 2/2 init\nmap 2 1000 /bin/init 1 at 0\n");
}

static void test_late_identity(void **state)
{
	struct fixture *fixture = *state;

	map(fixture, 10, 3, 0x1000, "/bin/cold", 0);
	map_flags(fixture, 14, 3, 0x1000, "/bin/cold", 9,
		PERFSTAMP_MAP_LATE | PERFSTAMP_MAP_SNAPSHOT);
	assert_told(fixture, 20, "fork 3/3 of 0\nmap 3 1000 /bin/cold 9 at 10\n");
}

static void test_kernel(void **state)
{
	struct fixture *fixture = *state;
	struct perf_ns_link_info links[] = {{1, 4711}};
	struct event event = make(EVENT_MAP, 0, UINT32_MAX, 0);

	event.map = (struct event_map){
		.addr = 0xf000, .len = 1, .kernel = true, .path = "[kernel.kallsyms]_text"};
	apply(fixture, event);
	event = make(EVENT_KSYMBOL, 5, UINT32_MAX, 0);
	event.ksymbol = (struct event_ksymbol){.addr = 0xe000, .len = 64, .name = "bpf_prog_1"};
	apply(fixture, event);
	event = make(EVENT_BPF, 5, UINT32_MAX, 0);
	event.bpf = (struct event_bpf){.type = PERF_BPF_EVENT_PROG_LOAD, .id = 8};
	apply(fixture, event);
	event = make(EVENT_CGROUP, 5, UINT32_MAX, 0);
	/* The names of a container may come behind the kernel's own record, or before it. */
	event.cgroup = (struct event_cgroup){.id = 77, .path = "/system.slice"};
	apply(fixture, event);
	event.cgroup.about = "name=x";
	event.cgroup.about_size = strlen("name=x");
	apply(fixture, event);
	event.cgroup = (struct event_cgroup){.id = 77, .path = "/system.slice"};
	apply(fixture, event);
	comm(fixture, 6, 1, 1, "init", false);
	event = make(EVENT_NAMESPACES, 7, 1, 1);
	event.namespaces = (struct event_namespaces){1, links};
	apply(fixture, event);
	fork_of(fixture, 8, 2, 2, 1, 1);
	assert_told(fixture, 9,
		"map -1 f000 [kernel.kallsyms]_text 0 at 0\nsymbol bpf_prog_1\nprogram 8\n"
		"cgroup 77 /system.slice name=x\n"
		"fork 1/1 of 0\ncomm 1/1 init\nnamespaces 1/1 4711\n"
		"fork 2/2 of 1\ncomm 2/2 init\nnamespaces 2/2 4711\n");
	assert_true(alive__has_program(fixture->alive, 8));
	event = make(EVENT_KSYMBOL, 10, UINT32_MAX, 0);
	event.ksymbol = (struct event_ksymbol){.addr = 0xe000,
		.len = 64,
		.name = "bpf_prog_1",
		.flags = PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER};
	apply(fixture, event);
	event = make(EVENT_BPF, 10, UINT32_MAX, 0);
	event.bpf = (struct event_bpf){.type = PERF_BPF_EVENT_PROG_UNLOAD, .id = 8};
	apply(fixture, event);
	assert_int_equal(alive__leave_out(fixture->alive, ALIVE_NAMESPACES), 2);
	assert_int_equal(alive__leave_out(fixture->alive, ALIVE_CGROUPS), 1);
	exit_of(fixture, 10, 2, 2);
	assert_told(fixture, 11,
		"map -1 f000 [kernel.kallsyms]_text 0 at 0\nfork 1/1 of 0\ncomm 1/1 init\n");
	assert_false(alive__has_program(fixture->alive, 8));
}

struct gone {
	uint32_t ids[8];
	size_t n;
};

static int on_gone(void *ctx, const struct event *event)
{
	struct gone *gone = ctx;

	assert_int_equal(event->kind, EVENT_BPF);
	assert_int_equal(event->bpf.type, PERF_BPF_EVENT_PROG_UNLOAD);
	assert_in_range(gone->n, 0, 7);
	gone->ids[gone->n++] = event->bpf.id;
	return 0;
}

/* Where the ends of programs were lost, by which of them there are. */
static void test_gone_programs(void **state)
{
	static const uint32_t there[] = {3, 8, 11};
	struct fixture *fixture = *state;
	struct gone gone = {0};

	for (uint32_t id = 7; id <= 9; id++) {
		struct event event = make(EVENT_BPF, 5, UINT32_MAX, 0);

		event.bpf = (struct event_bpf){.type = PERF_BPF_EVENT_PROG_LOAD, .id = id};
		apply(fixture, event);
	}
	assert_int_equal(alive__unload_gone_programs(fixture->alive, there, 3, on_gone, &gone), 0);
	assert_int_equal(gone.n, 2);
	assert_int_equal(gone.ids[0], 7);
	assert_int_equal(gone.ids[1], 9);
	assert_int_equal(alive__unload_gone_programs(fixture->alive, NULL, 0, on_gone, &gone), 0);
	assert_int_equal(gone.n, 5);
}

/* All that is there was told again, and one of them was not. */
static void test_check(void **state)
{
	struct fixture *fixture = *state;

	comm(fixture, 1, 1, 1, "stays", false);
	comm(fixture, 1, 1, 2, "thread", false);
	comm(fixture, 1, 3, 3, "goes", false);
	map(fixture, 2, 3, 0x1000, "/bin/goes", 1);
	/* It waited for its turn, and says nothing of what is there now. */
	map(fixture, 4, 3, 0x2000, "/lib/goes", 1);
	comm(fixture, 5, 1, 1, "stays", false);
	fork_of(fixture, 6, 4, 4, 1, 1);
	assert_int_equal(check(fixture, 5, 9), 1);
	assert_told(fixture, 7, "fork 1/1 of 0\ncomm 1/1 stays\nfork 4/4 of 1\ncomm 4/4 stays\n");
}

/*
 * The FORK of a process was lost, and a thread of it is all that is known: the leader may have
 * ended, so that the next file has no record of it, and the process ends with that thread.
 */
static void test_unknown_leader(void **state)
{
	struct fixture *fixture = *state;

	comm(fixture, 1, 1, 2, "worker", false);
	assert_told(fixture, 2, "fork 1/2 of 1\ncomm 1/2 worker\n");
	exit_of(fixture, 3, 1, 2);
	assert_told(fixture, 4, "");
	/* What it maps must be known as long as the leader may run there. */
	comm(fixture, 5, 3, 4, "worker", false);
	map(fixture, 6, 3, 0x1000, "/bin/a", 1);
	exit_of(fixture, 7, 3, 4);
	assert_told(fixture, 8, "fork 3/3 of 0\nmap 3 1000 /bin/a 1 at 6\n");
}

/* Its mapping existed when its identity was read; then the process ended. */
static void test_late_map_of_ended(void **state)
{
	struct fixture *fixture = *state;

	comm(fixture, 1, 1, 1, "a", false);
	map(fixture, 2, 1, 0x1000, "/bin/a", 0);
	exit_of(fixture, 4, 1, 1);
	map_flags(fixture, 3, 1, 0x1000, "/bin/a", 1, PERFSTAMP_MAP_LATE | PERFSTAMP_MAP_SNAPSHOT);
	assert_told(fixture, 5, "");
}

/*
 * The threads of a process that is killed exit one by one. The leader's EXIT was lost; another
 * thread still ran when all were told again, and its own EXIT came.
 */
static void test_check_of_leader(void **state)
{
	struct fixture *fixture = *state;

	comm(fixture, 1, 1, 1, "killed", false);
	fork_of(fixture, 2, 1, 2, 1, 1);
	map(fixture, 3, 1, 0x1000, "/bin/killed", 1);
	comm(fixture, 1, 4, 4, "leaderless", false);
	fork_of(fixture, 2, 4, 5, 4, 4);
	fork_of(fixture, 3, 4, 6, 4, 4);
	comm(fixture, 6, 1, 2, "killed", false);
	exit_of(fixture, 7, 1, 2);
	/* What becomes known of a mapping late says nothing of who had made it. */
	map_flags(fixture, 8, 1, 0x1000, "/bin/killed", 1, PERFSTAMP_MAP_LATE);
	comm(fixture, 6, 4, 5, "leaderless", false);
	comm(fixture, 6, 4, 6, "leaderless", false);
	assert_int_equal(check(fixture, 5, 9), 1);
	assert_told(fixture, 9,
		"fork 4/4 of 0\ncomm 4/4 leaderless\n"
		"fork 4/5 of 4\ncomm 4/5 leaderless\nfork 4/6 of 4\ncomm 4/6 leaderless\n"
		"exit 4/4\n");
	/* It ends with the last of the others. */
	exit_of(fixture, 10, 4, 5);
	exit_of(fixture, 11, 4, 6);
	assert_told(fixture, 12, "");
}

/* The same where the names of threads are left out: each is known all the same. */
static void test_check_without_threads(void **state)
{
	struct fixture *fixture = *state;

	alive__leave_out(fixture->alive, ALIVE_THREAD_NAMES);
	for (uint32_t pid = 10; pid <= 30; pid += 10) {
		comm(fixture, 1, pid, pid, "p", false);
		fork_of(fixture, 2, pid, pid + 1, pid, pid);
		fork_of(fixture, 3, pid, pid + 2, pid, pid);
	}
	/* 10 and 11 are gone already, 12 exits now. */
	comm(fixture, 6, 10, 12, "p", false);
	exit_of(fixture, 7, 10, 12);
	/* 20 and 22 are gone; 21 is told twice. */
	comm(fixture, 6, 20, 21, "p", false);
	comm(fixture, 7, 20, 21, "q", false);
	/* 31 and 32 are gone. */
	comm(fixture, 6, 30, 30, "p", false);
	assert_int_equal(check(fixture, 5, 7), 1);
	assert_told(fixture, 8,
		"fork 20/20 of 0\ncomm 20/20 p\nfork 20/21 of 20\nexit 20/20\n"
		"fork 30/30 of 0\ncomm 30/30 p\n");
	exit_of(fixture, 9, 20, 21);
	exit_of(fixture, 11, 30, 30);
	assert_told(fixture, 12, "");
}

/* The last sample of a thread, whose process has ended before, is told with its name and its end.
 */
static void test_late_thread(void **state)
{
	struct fixture *fixture = *state;

	comm(fixture, 1, 1, 1, "p", false);
	exit_of(fixture, 2, 1, 1);
	comm(fixture, 3, 1, 2, "thread", false);
	assert_told(fixture, 4, "fork 1/2 of 1\ncomm 1/2 thread\n");
	exit_of(fixture, 5, 1, 2);
	assert_told(fixture, 6, "");
	/* Where its leader is known to live, it lives on. */
	comm(fixture, 7, 1, 2, "thread", false);
	comm(fixture, 8, 1, 1, "p", false);
	exit_of(fixture, 9, 1, 2);
	assert_told(fixture, 10, "fork 1/1 of 0\ncomm 1/1 p\n");
}

/* Where the names of threads are left out, their process lives as long as they do. */
static void test_no_threads(void **state)
{
	struct fixture *fixture = *state;

	comm(fixture, 1, 1, 1, "p", false);
	map(fixture, 2, 1, 0x1000, "/bin/p", 1);
	fork_of(fixture, 3, 1, 2, 1, 1);
	assert_int_equal(alive__leave_out(fixture->alive, ALIVE_THREAD_NAMES), 1);
	fork_of(fixture, 4, 1, 3, 1, 1);
	/* It gets another name, and is told again: it is one all the same. */
	comm(fixture, 4, 1, 3, "renamed", false);
	comm(fixture, 5, 1, 3, "again", false);
	exit_of(fixture, 5, 1, 1);
	exit_of(fixture, 6, 1, 2);
	assert_told(fixture, 7,
		"fork 1/1 of 0\ncomm 1/1 p\nfork 1/3 of 1\n"
		"map 1 1000 /bin/p 1 at 2\nexit 1/1\n");
	exit_of(fixture, 8, 1, 3);
	assert_told(fixture, 9, "");
}

static bool is_odd(void *ctx, uint64_t id)
{
	(void)ctx;
	return id % 2;
}

static bool is_asked(void *ctx, uint64_t id)
{
	(void)id;
	return ++*(size_t *)ctx;
}

static void test_cgroups(void **state)
{
	struct fixture *fixture = *state;
	struct event event = make(EVENT_CGROUP, 1, UINT32_MAX, 0);
	struct alive_counts counts;
	size_t asked = 0;

	for (uint64_t id = 1; id <= 100; id++) {
		event.cgroup = (struct event_cgroup){.id = id, .path = "/x"};
		apply(fixture, event);
	}
	/* In 77 there is a process, which is asked of no one. */
	map(fixture, 2, 1, 0x1000, "/bin/p", 1);
	assert_int_equal(alive__look_at_cgroups(fixture->alive, 10, is_odd, NULL), 5);
	for (int i = 0; i < 20; i++)
		alive__look_at_cgroups(fixture->alive, 10, is_odd, NULL);
	alive__count(fixture->alive, &counts);
	assert_int_equal(counts.cgroups, 50);
	/* Each is asked for once, however many may be. */
	assert_int_equal(alive__look_at_cgroups(fixture->alive, 256, is_asked, &asked), 0);
	assert_int_equal(asked, 49);
}

/* Processes that come and go, each with a program of its own: as after the first few. */
static void test_flat(void **state)
{
	struct fixture *fixture = *state;
	struct alive_counts early, late;
	char path[64];

	map(fixture, 1, 1, 0x1000, "/bin/init", 1);
	for (uint32_t i = 0; i < 1000000; i++) {
		uint32_t pid = 2 + i % 30000;
		uint64_t time_ns = 10 + 10ull * i;

		if (i == 1000)
			alive__count(fixture->alive, &early);
		fork_of(fixture, time_ns, pid, pid, 1, 1);
		comm(fixture, time_ns + 1, pid, pid, "short", true);
		snprintf(path, sizeof(path), "/run/%u/bin", i);
		map(fixture, time_ns + 2, pid, 0x4000, path, i % 255 + 1);
		map(fixture, time_ns + 3, pid, 0x9000, "/lib/libc.so.6", 1);
		fork_of(fixture, time_ns + 4, pid, pid + 100000, pid, pid);
		exit_of(fixture, time_ns + 5, pid, pid);
		exit_of(fixture, time_ns + 6, pid, pid + 100000);
	}
	alive__count(fixture->alive, &late);
	assert_int_equal(late.processes, 1);
	assert_int_equal(late.threads, 0);
	assert_int_equal(late.dsos, 1);
	assert_int_equal(late.bytes, early.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_process, setup, teardown),
		cmocka_unit_test_setup_teardown(test_child, setup, teardown),
		cmocka_unit_test_setup_teardown(test_late_identity, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kernel, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gone_programs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_check, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown_leader, setup, teardown),
		cmocka_unit_test_setup_teardown(test_late_map_of_ended, setup, teardown),
		cmocka_unit_test_setup_teardown(test_check_of_leader, setup, teardown),
		cmocka_unit_test_setup_teardown(test_check_without_threads, setup, teardown),
		cmocka_unit_test_setup_teardown(test_late_thread, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_threads, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cgroups, setup, teardown),
		cmocka_unit_test_setup_teardown(test_flat, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
