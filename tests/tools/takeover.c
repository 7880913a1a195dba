// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library for LD_PRELOAD that stands for what takes over a process by what it reads: the first
 * time a child of the program opens an ELF file or receives a request, and with TAKEOVER_PROGRAM
 * the first time that the program itself waits behind a filter of system calls, it tries the
 * attacks of tests/lib/attacks.h. To the file TAKEOVER, of 64 KiB, it writes a line each: the
 * process's name
 * ("?" where that cannot be read), the function that was taken over, the attack, and
 * "denied" or "ALLOWED".
 */
#include <dlfcn.h>
#include <libelf.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>

#include "tests/lib/attacks.h"

#define ROOM 65536

struct said {
	char text[ROOM - sizeof(size_t)];
	size_t used;
};

static struct said *said;
static pid_t program;

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("TAKEOVER");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *at = fd < 0 ? MAP_FAILED
			  : mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	program = getpid();
	said = at == MAP_FAILED ? NULL : at;
}

static void say(const char *process, const char *function, const struct attack *attack)
{
	char line[128];
	size_t len = snprintf(line, sizeof(line), "%s %s %s %s\n", process, function, attack->name,
		attack->succeeds() ? "ALLOWED" : "denied");
	size_t at = __atomic_fetch_add(&said->used, len, __ATOMIC_RELAXED);

	if (at + len <= sizeof(said->text))
		memcpy(said->text + at, line, len);
}

static void attack(const char *function)
{
	static pid_t done;
	char process[17] = "?";
	int fd;

	if (!said || getpid() == done)
		return;
	done = getpid();
	fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		ssize_t n = read(fd, process, sizeof(process) - 1);

		process[n > 0 ? n - 1 : 0] = '\0';
		close(fd);
	}
	for (size_t i = 0; i < ATTACKS_N; i++)
		say(process, function, &ATTACKS[i]);
}

static void take_over(const char *function)
{
	if (getpid() != program)
		attack(function);
}

#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

Elf *elf_begin(int fd, Elf_Cmd command, Elf *ref)
{
	take_over("elf_begin");
	return REAL(elf_begin)(fd, command, ref);
}

int epoll_wait(int fd, struct epoll_event *events, int n, int timeout)
{
	if (getpid() == program && getenv("TAKEOVER_PROGRAM") &&
		prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER)
		attack("epoll_wait");
	return REAL(epoll_wait)(fd, events, n, timeout);
}

ssize_t recv(int fd, void *to, size_t size, int flags)
{
	take_over("recv");
	return REAL(recv)(fd, to, size, flags);
}

unsigned int elf_version(unsigned int version)
{
	take_over("elf_version");
	return REAL(elf_version)(version);
}
