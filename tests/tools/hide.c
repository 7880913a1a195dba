// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a process may try so that code that it maps is in no recording: unusual system calls, races
 * against those who look, other tasks that do it, and places that are hard to read. Each way maps
 * one file, and prints how often, so that whoever judges a recording knows what must be in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hide_calls.h"

#define STACK (256ul << 10) /* bytes, of a task that shares memory */
#define DEPTH 30            /* the kernel allows 32 namespaces of users in one another */

static const char USAGE[] =
	"Usage: hide WAY FILE [TIMES]\n"
	"Maps FILE executable in this WAY, TIMES times (1), prints \"WAY: N\", the number of such\n"
	"mappings that there were, or \"WAY: -\" where the kernel refuses it, and ends at once.\n"
	"hide -l lists the ways.\n";

/* ---- Races: another thread acts on the same address, or keeps the memory's lock busy ---- */

static atomic_bool ended;
static void *contested;

static void *keep_unmapping(void *unused)
{
	while (!ended)
		munmap(contested, PAGE);
	return unused;
}

static void *keep_replacing(void *unused)
{
	while (!ended)
		(void)!mmap(
			contested, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	return unused;
}

static void *keep_locking(void *unused)
{
	void *at = reserve(64 * PAGE);

	/* A mapping that is cut into pieces, and is whole again. */
	while (!ended) {
		for (int i = 0; i < 64; i += 2)
			mprotect((char *)at + i * PAGE, PAGE, PROT_READ);
		mprotect(at, 64 * PAGE, PROT_NONE);
	}
	return unused;
}

static pthread_t begin_thread(void *(*run)(void *))
{
	pthread_t thread;

	ended = false;
	errno = pthread_create(&thread, NULL, run, NULL);
	if (errno)
		fail("thread");
	return thread;
}

static void end_thread(pthread_t thread)
{
	ended = true;
	pthread_join(thread, NULL);
}

static long race(void *(*run)(void *))
{
	pthread_t thread;

	contested = reserve(PAGE);
	thread = begin_thread(run);
	for (long i = 0; i < times; i++)
		map_at(contested, EXEC, MAP_PRIVATE);
	end_thread(thread);
	return times;
}

static long race_unmapped(void)
{
	return race(keep_unmapping);
}

static long race_replaced(void)
{
	return race(keep_replacing);
}

static long race_locked(void)
{
	return race(keep_locking);
}

static long by_mremap_locked(void)
{
	pthread_t thread = begin_thread(keep_locking);
	long n = by_mremap();

	end_thread(thread);
	return n;
}

/* ---- Others do it ---- */

#ifdef __x86_64__

/* A tracer has the process that it traces call mmap(). */
static long injected(void)
{
	struct user_regs_struct regs, before;
	long done = 0, word;
	int status;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
		ptrace(PTRACE_GETREGS, pid, NULL, &before))
		return -1;
	/* It stopped in kill(): the two bytes before are the instruction that calls the kernel. */
	word = ptrace(PTRACE_PEEKTEXT, pid, (void *)(before.rip - 2), NULL);
	if ((word & 0xffff) != 0x050f)
		return -1;
	for (; done < times; done++) {
		regs = before;
		regs.rip -= 2;
		regs.rax = SYS_mmap;
		regs.orig_rax = -1;
		regs.rdi = 0;
		regs.rsi = PAGE;
		regs.rdx = EXEC;
		regs.r10 = MAP_PRIVATE;
		regs.r8 = fd;
		regs.r9 = 0;
		if (ptrace(PTRACE_SETREGS, pid, NULL, &regs) ||
			ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) ||
			waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			fail("ptrace");
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return done;
}

#endif

static int map_and_end(void *unused)
{
	(void)unused;
	map_at(NULL, EXEC, MAP_PRIVATE);
	return 0;
}

/* A process of its own number that shares the memory: the mapping is there when it is gone. */
static long shared_memory(void)
{
	static char stack[STACK];

	for (long i = 0; i < times; i++) {
		pid_t pid = clone(map_and_end, stack + STACK, CLONE_VM | SIGCHLD, NULL);

		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			fail("clone");
	}
	return times;
}

#ifdef __x86_64__

static int map_contested(void *unused)
{
	(void)unused;
	map_at(contested, EXEC, MAP_PRIVATE);
	return 0;
}

/* The same, and the one that did not map the code runs it, for so long that it is sampled. */
static long shared_code(void)
{
	static char stack[STACK];
	const struct itimerval end = {.it_value = {.tv_usec = 500000}};
	void (*loop)(void);
	int memory = memfd_create("shared-code", MFD_CLOEXEC);
	pid_t pid;

	if (memory < 0 || ftruncate(memory, PAGE) || pwrite(memory, "\xeb\xfe", 2, 0) != 2)
		fail("memfd");
	fd = memory;
	pid = fork();
	if (!pid) {
		contested = reserve(PAGE);
		pid = clone(map_contested, stack + STACK, CLONE_VM | SIGCHLD, NULL);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			fail("clone");
		setitimer(ITIMER_PROF, &end, NULL);
		*(void **)&loop = contested;
		loop();
	}
	waitpid(pid, NULL, 0);
	return 1;
}

#endif

/* Processes that do nothing else, and end. */
static long brief(void)
{
	for (long i = 0; i < times; i++) {
		pid_t pid = fork();

		if (!pid) {
			syscall(SYS_mmap, NULL, PAGE, EXEC, MAP_PRIVATE, fd, 0);
			syscall(SYS_exit_group, 0);
		}
		if (pid < 0)
			fail("fork");
		waitpid(pid, NULL, 0);
	}
	return times;
}

/* A program that has no name anywhere. */
static long by_fexecve(void)
{
	int memory = copy_in_memory(), status;

	for (long i = 0; i < times; i++) {
		char *const argv[] = {"", "over", NULL}, *const envp[] = {NULL};
		pid_t pid = fork();

		if (!pid) {
			fexecve(memory, argv, envp);
			_exit(99);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			fail("fexecve");
	}
	return times;
}

/* ---- Places ---- */

static void write_text(const char *file, const char *text)
{
	int to = open(file, O_WRONLY | O_CLOEXEC);

	if (to < 0 || write(to, text, strlen(text)) < 0)
		fail(file);
	close(to);
}

/* Whoever has no number in a namespace of users can make no other below it. */
static bool enter_namespaces(void)
{
	char users[32], groups[32];

	snprintf(users, sizeof(users), "0 %u 1", geteuid());
	snprintf(groups, sizeof(groups), "0 %u 1", getegid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC))
		return false;
	write_text("/proc/self/setgroups", "deny");
	write_text("/proc/self/uid_map", users);
	write_text("/proc/self/gid_map", groups);
	return true;
}

static long nested(int depth)
{
	int status;
	pid_t pid;

	if (!depth) {
		for (long i = 0; i < times; i++)
			map_at(NULL, EXEC, MAP_PRIVATE);
		return times;
	}
	if (!enter_namespaces())
		return -1;
	pid = fork();
	if (!pid)
		_exit(nested(depth - 1) < 0);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		return -1;
	return times;
}

static long in_namespaces(void)
{
	return nested(DEPTH);
}

/* What is mounted over the file is what its path leads to; the descriptor is of the file. */
static long below_mounts(void)
{
	char *dir = strdup(path), *slash = strrchr(dir, '/');

	if (slash)
		*slash = 0;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) && unshare(CLONE_NEWNS))
		return -1;
	for (int i = 0; i < 20; i++)
		if (mount("none", slash ? dir : ".", "tmpfs", 0, NULL))
			return -1;
	free(dir);
	for (long i = 0; i < times; i++)
		map_at(NULL, EXEC, MAP_PRIVATE);
	return times;
}

/* Pages that are not there before somebody answers, which nobody does. */
static long unanswered(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};
	int memory = memfd_create("unanswered", MFD_CLOEXEC);
	int faults = syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);

	if (faults < 0)
		faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (memory < 0 || ftruncate(memory, 16 * PAGE) || faults < 0 ||
		ioctl(faults, UFFDIO_API, &api))
		return -1;
	for (long i = 0; i < times; i++) {
		void *at = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);

		range.range.start = (uintptr_t)at;
		range.range.len = 16 * PAGE;
		if (at == MAP_FAILED || ioctl(faults, UFFDIO_REGISTER, &range) ||
			mprotect(at, 16 * PAGE, EXEC))
			return -1;
	}
	return times;
}

/* The rings of io_uring are memory of the kernel, with a file. */
static long of_io_uring(void)
{
	struct io_uring_params params = {0};
	int ring = syscall(SYS_io_uring_setup, 4, &params);

	if (ring < 0)
		return -1;
	for (long i = 0; i < times; i++)
		if (mmap(NULL, PAGE, EXEC, MAP_SHARED, ring, IORING_OFF_SQ_RING) == MAP_FAILED)
			return -1;
	return times;
}

static const struct {
	const char *name;
	long (*map)(void);
} WAYS[] = {
	{"race-unmapped", race_unmapped},
	{"race-replaced", race_replaced},
	{"race-locked", race_locked},
	{"mremap", by_mremap},
	{"mremap-locked", by_mremap_locked},
	{"mremap-several", by_mremap_several},
	{"mremap-partial", by_mremap_partial},
	{"mprotect", by_mprotect},
	{"mprotect-partial", by_mprotect_partial},
	{"pkey_mprotect", by_pkey_mprotect},
	{"personality", by_personality},
	{"remap_file_pages", by_remap_file_pages},
#ifdef __x86_64__
	{"call-32", by_call_32},
	{"call-32-old", by_call_32_old},
	{"ipc-shmat", by_ipc_shmat},
	{"ipc-shmat-nowhere", by_ipc_shmat_nowhere},
	{"call-x32", by_call_x32},
	{"injected", injected},
#endif
	{"shared-memory", shared_memory},
#ifdef __x86_64__
	{"shared-code", shared_code},
#endif
	{"brief", brief},
	{"fexecve", by_fexecve},
	{"namespaces", in_namespaces},
	{"below-mounts", below_mounts},
	{"unanswered", unanswered},
	{"io_uring", of_io_uring},
};

#define WAYS_N (sizeof(WAYS) / sizeof(WAYS[0]))

int main(int argc, char **argv)
{
	long n;

	if (argc == 2 && !strcmp(argv[1], "-l")) {
		for (size_t i = 0; i < WAYS_N; i++)
			puts(WAYS[i].name);
		return 0;
	}
	if (argc != 3 && argc != 4) {
		fputs(USAGE, stderr);
		return 2;
	}
	path = argv[2];
	times = argc == 4 ? atol(argv[3]) : 1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail(path);
	for (size_t i = 0; i < WAYS_N; i++) {
		if (strcmp(WAYS[i].name, argv[1]))
			continue;
		n = WAYS[i].map();
		if (n < 0)
			printf("%s: -\n", argv[1]);
		else
			printf("%s: %ld\n", argv[1], n);
		return 0;
	}
	fputs(USAGE, stderr);
	return 2;
}
