/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of hide.c: what all ways share, and the ways that are other system calls than mmap().
 */
#ifndef PERFSTAMP_TESTS_HIDE_CALLS_H
#define PERFSTAMP_TESTS_HIDE_CALLS_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096ul
#define EXEC (PROT_READ | PROT_EXEC)
#define SYS_MSEAL 462   /* of all architectures; libc's headers may be older */
#define X32 0x40000000l /* added to the number of a system call */

static const char *path;
static int fd;
static long times;

static void fail(const char *what)
{
	fprintf(stderr, "hide: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static void *map_at(void *at, int prot, int flags)
{
	void *mapped = mmap(at, PAGE, prot, flags | (at ? MAP_FIXED : 0), fd, 0);

	if (mapped == MAP_FAILED)
		fail("mmap");
	return mapped;
}

static void *reserve(size_t size)
{
	void *at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		fail("mmap");
	return at;
}

/* ---- Other system calls than mmap() ---- */

/* It counts twice: what was mapped, and where it was moved. */
static long move(void)
{
	void *from = map_at(NULL, EXEC, MAP_PRIVATE), *to = reserve(PAGE);

	if (mremap(from, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED)
		fail("mremap");
	return 2;
}

static long by_mremap(void)
{
	long n = 0;

	for (long i = 0; i < times; i++)
		n += move();
	return n;
}

/*
 * From Linux 6.17 on, one call moves several mappings, and keeps the gap between them. It counts
 * twice; the other one is data.
 */
static long by_mremap_several(void)
{
	for (long i = 0; i < times; i++) {
		char *from = reserve(3 * PAGE), *to = reserve(3 * PAGE);

		map_at(from, PROT_READ, MAP_PRIVATE);
		map_at(from + 2 * PAGE, EXEC, MAP_PRIVATE);
		if (munmap(from + PAGE, PAGE) || munmap(to + PAGE, PAGE))
			fail("munmap");
		if (mremap(from, 3 * PAGE, 3 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) ==
			MAP_FAILED)
			return -1;
	}
	return 2 * times;
}

/* Such a call fails at a sealed mapping, after it has moved the one before. It counts twice. */
static long by_mremap_partial(void)
{
	unsigned char resident[2];

	for (long i = 0; i < times; i++) {
		char *from = reserve(2 * PAGE), *to = reserve(2 * PAGE);

		map_at(from, EXEC, MAP_PRIVATE);
		if (syscall(SYS_MSEAL, from + PAGE, PAGE, 0))
			return -1;
		if (mremap(from, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) !=
				MAP_FAILED ||
			!mincore(from, PAGE, resident))
			return -1;
	}
	return 2 * times;
}

static long by_mprotect(void)
{
	for (long i = 0; i < times; i++)
		if (mprotect(map_at(NULL, PROT_READ, MAP_PRIVATE), PAGE, EXEC))
			fail("mprotect");
	return times;
}

/* Where nothing is mapped, the call fails, after it has changed what is mapped before. */
static long by_mprotect_partial(void)
{
	for (long i = 0; i < times; i++) {
		char *at = reserve(2 * PAGE);

		map_at(at, PROT_READ, MAP_PRIVATE);
		if (munmap(at + PAGE, PAGE) || !mprotect(at, 2 * PAGE, EXEC))
			fail("mprotect");
	}
	return times;
}

static long by_pkey_mprotect(void)
{
	for (long i = 0; i < times; i++)
		if (syscall(SYS_pkey_mprotect, map_at(NULL, PROT_READ, MAP_PRIVATE), PAGE, EXEC,
			    -1))
			return -1;
	return times;
}

/* A mapping that asks for reading alone is executable. */
static long by_personality(void)
{
	if (personality(READ_IMPLIES_EXEC) < 0)
		return -1;
	for (long i = 0; i < times; i++)
		map_at(NULL, PROT_READ, MAP_PRIVATE);
	return times;
}

static int copy_in_memory(void)
{
	int memory = memfd_create("", MFD_CLOEXEC);
	struct stat st;

	if (memory < 0 || fstat(fd, &st) || sendfile(memory, fd, &(off_t){0}, st.st_size) < 0)
		fail("memfd");
	return memory;
}

/* It counts twice. The kernel demands a file that is open for writing. */
static long by_remap_file_pages(void)
{
	int memory = copy_in_memory();
	long n = 0;

	for (long i = 0; i < times; i++) {
		void *at = mmap(NULL, 2 * PAGE, EXEC, MAP_SHARED, memory, 0);

		if (at == MAP_FAILED)
			fail("mmap");
		if (syscall(SYS_remap_file_pages, at, PAGE, 0, 1, 0))
			return -1;
		n += 2;
	}
	return n;
}

#ifdef __x86_64__

/* A system call of 32 bits, which a program of 64 bits may do as well. */
static long call_32(long nr, long a, long b, long c, long d, long e)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)ret;
}

static long by_call_32(void)
{
	for (long i = 0; i < times; i++) {
		long at = call_32(192 /* mmap2 */, 0, PAGE, EXEC, MAP_PRIVATE, fd);

		if (at == -ENOSYS)
			return -1;
		if (at < 0 && at > -(long)PAGE) {
			errno = -at;
			fail("mmap2");
		}
	}
	return times;
}

/* The first mmap(), with its arguments in memory. */
static long by_call_32_old(void)
{
	uint32_t *arguments = mmap(
		NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (arguments == MAP_FAILED)
		fail("mmap");
	memcpy(arguments, (uint32_t[]){0, PAGE, EXEC, MAP_PRIVATE, fd, 0}, 24);
	for (long i = 0; i < times; i++)
		if (call_32(90, (long)arguments, 0, 0, 0, 0) == -ENOSYS)
			return -1;
	return times;
}

/*
 * The first shmat(): the kernel stores the address where the third argument points to. The name of
 * the mapping has the key.
 */
static long attach_by_call_32(uint32_t *at, int key)
{
	int id = shmget(key | (getpid() & 0xffff), PAGE, IPC_CREAT | 0700);
	long code = 0;

	if (id < 0)
		fail("shmget");
	for (long i = 0; i < times && (!code || code == -EFAULT); i++)
		code = call_32(117 /* ipc */, 21 /* SHMAT */, id, SHM_EXEC, (long)at, 0);
	shmctl(id, IPC_RMID, NULL);
	return code == (at ? 0 : -EFAULT) ? times : -1;
}

static long by_ipc_shmat(void)
{
	uint32_t *at = mmap(
		NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (at == MAP_FAILED)
		fail("mmap");
	return attach_by_call_32(at, 0x69010000);
}

/* Without a place for the address, the call fails, and the memory is attached. */
static long by_ipc_shmat_nowhere(void)
{
	return attach_by_call_32(NULL, 0x69020000);
}

static long by_call_x32(void)
{
	for (long i = 0; i < times; i++) {
		long at = syscall(X32 | SYS_mmap, NULL, PAGE, EXEC, MAP_PRIVATE, fd, 0);

		if (at == -1 && errno == ENOSYS)
			return -1;
	}
	return times;
}

#endif

#endif
