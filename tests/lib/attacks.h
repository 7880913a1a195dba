/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process may try that was taken over by what it has read. For the tests that let helper
 * processes try it from inside (user/helper/sandbox.h). The current directory has a file "victim".
 */
#ifndef PERFSTAMP_TESTS_ATTACKS_H
#define PERFSTAMP_TESTS_ATTACKS_H

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static bool attack__opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool attack__read(void)
{
	return attack__opens("/etc/passwd", O_RDONLY);
}

static bool attack__change(void)
{
	return attack__opens("victim", O_WRONLY) || attack__opens("victim", O_RDWR | O_APPEND);
}

static bool attack__create(void)
{
	return attack__opens("made", O_RDWR | O_CREAT) || attack__opens(".", O_RDWR | O_TMPFILE);
}

static bool attack__truncate(void)
{
	return !truncate("victim", 0) || attack__opens("victim", O_RDONLY | O_TRUNC);
}

static bool attack__remove(void)
{
	return !rename("victim", "moved") || !unlink("victim") || !mkdir("directory", 0700) ||
	       !symlink("/", "link");
}

static bool attack__mode(void)
{
	return !chmod("victim", 04755) || !chown("victim", 0, 0);
}

static bool attack__connect(void)
{
	const struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = 0x901f, .sin_addr.s_addr = 0x0100007f};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return false;
	/* Nobody listens: who is refused by the other side was let out. */
	return !connect(fd, (const void *)&to, sizeof(to)) || errno == ECONNREFUSED;
}

static bool attack__unix(void)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd >= 0 && (!connect(fd, (const void *)&to, sizeof(to)) || errno == ENOENT);
}

static bool attack__fork(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return pid > 0;
}

static bool attack__execute(void)
{
	char *const none[] = {NULL};

	/* Allowed, it would fail as well, but for another reason. */
	execve("/nowhere/at/all", none, none);
	return errno == ENOENT;
}

static bool attack__signal(void)
{
	return !kill(getppid(), 0);
}

static bool attack__trace(void)
{
	char byte;
	struct iovec to = {&byte, 1}, from = {(void *)attack__trace, 1};

	return process_vm_readv(getppid(), &to, 1, &from, 1, 0) == 1 ||
	       !ptrace(PTRACE_SEIZE, getppid(), NULL, NULL);
}

static bool attack__code(void)
{
	void *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
		       MAP_FAILED ||
	       (data != MAP_FAILED && !mprotect(data, 4096, PROT_READ | PROT_EXEC));
}

static bool attack__kernel(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY};
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) >= 0 ||
	       syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof(map)) >= 0 || !unshare(CLONE_NEWUSER);
}

/* A program that returns 0: what reads the kernel's memory begins like that. */
static bool attack__load(void)
{
	static const struct bpf_insn program[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	union bpf_attr load = {.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
		.insns = (uintptr_t)program,
		.insn_cnt = 2,
		.license = (uintptr_t) "GPL"};

	/* The kernel takes the lower half of the first argument. */
	return syscall(SYS_bpf, BPF_PROG_LOAD, &load, sizeof(load)) >= 0 ||
	       syscall(SYS_bpf, 1ull << 32 | BPF_PROG_LOAD, &load, sizeof(load)) >= 0;
}

static bool attack__mount(void)
{
	/* Allowed, it would fail as well, but for another reason. */
	return !mount("none", "/nowhere/at/all", "tmpfs", 0, NULL) || errno == ENOENT ||
	       !unshare(CLONE_NEWNS);
}

/* In an order in which one that succeeds does not spoil the next. */
static const struct attack {
	const char *name;
	bool (*succeeds)(void);
} ATTACKS[] = {
	{"read", attack__read},
	{"change", attack__change},
	{"create", attack__create},
	{"truncate", attack__truncate},
	{"mode", attack__mode},
	{"remove", attack__remove},
	{"connect", attack__connect},
	{"unix", attack__unix},
	{"fork", attack__fork},
	{"execute", attack__execute},
	{"signal", attack__signal},
	{"trace", attack__trace},
	{"code", attack__code},
	{"kernel", attack__kernel},
	{"load", attack__load},
	{"mount", attack__mount},
};

#define ATTACKS_N (sizeof(ATTACKS) / sizeof(ATTACKS[0]))

#endif
