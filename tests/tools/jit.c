// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes code at run time, other code at the same address again and again, and says so as
 * runtimes do: in a jitdump (dump) or in /tmp/perf-PID.map (map). While a piece of code runs,
 * the thread has its name, so that each sample tells the truth beside what was found:
 *
 *     jit dump|map MILLISECONDS MICROSECONDS NAMES [hold]
 *     jit lines N      writes a map of N functions, then runs the last for a second
 *
 * Each piece runs for MICROSECONDS. With "hold" it stays until its standard input ends.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define CODE_SIZE 64

/* mov %edi,%eax; 1: dec %eax; jnz 1b; ret */
static const uint8_t LOOP[] = {0x89, 0xf8, 0xff, 0xc8, 0x75, 0xfc, 0xc3};

typedef void loop_fn(uint32_t n);

struct header {
	uint32_t magic, version, size, machine, padding, pid;
	uint64_t time, flags;
};

struct load {
	uint32_t type, size;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t vma, addr, code_size, index;
};

static int fd;
static uint8_t *code;

static void put(const void *bytes, size_t size)
{
	if (write(fd, bytes, size) != (ssize_t)size)
		fail("write");
}

static void open_map(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		fail(path);
}

static void open_dump(void)
{
	const struct header header = {
		0x4a695444, 1, sizeof(header), 62, 0, getpid(), now_ns(CLOCK_MONOTONIC), 0};
	char path[64];

	snprintf(path, sizeof(path), "jit-%d.dump", getpid());
	fd = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		fail(path);
	put(&header, sizeof(header));
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		fail("mmap");
}

static void tell_dump(const char *name)
{
	static uint64_t index;
	struct load load = {
		.size = sizeof(load) + strlen(name) + 1 + CODE_SIZE,
		.time = now_ns(CLOCK_MONOTONIC),
		.pid = getpid(),
		.tid = getpid(),
		.vma = (uintptr_t)code,
		.addr = (uintptr_t)code,
		.code_size = CODE_SIZE,
		.index = index++,
	};
	uint8_t record[256];
	size_t at = sizeof(load), len = strlen(name) + 1;

	memcpy(record, &load, sizeof(load));
	memcpy(record + at, name, len);
	memcpy(record + at + len, code, CODE_SIZE);
	put(record, load.size);
}

static void tell_map(const void *addr, const char *name)
{
	char line[128];
	int n = snprintf(
		line, sizeof(line), "%lx %x %s\n", (unsigned long)(uintptr_t)addr, CODE_SIZE, name);

	put(line, n);
}

static void run_for(uint64_t ns)
{
	uint64_t end_ns = now_ns(CLOCK_MONOTONIC) + ns;

	do
		((loop_fn *)(uintptr_t)code)(20000);
	while (now_ns(CLOCK_MONOTONIC) < end_ns);
}

static void run_names(int dump, uint64_t ms, uint64_t us, unsigned long names)
{
	uint64_t end_ns = now_ns(CLOCK_MONOTONIC) + ms * 1000000;
	char name[32];

	for (unsigned long i = 0; now_ns(CLOCK_MONOTONIC) < end_ns; i++) {
		snprintf(name, sizeof(name), "code%lu", i % names);
		memset(code, 0x90, CODE_SIZE);
		memcpy(code + i % 8, LOOP, sizeof(LOOP));
		if (dump)
			tell_dump(name);
		else
			tell_map(code, name);
		prctl(PR_SET_NAME, name);
		run_for(us * 1000);
		prctl(PR_SET_NAME, "between");
	}
}

static void run_lines(unsigned long n)
{
	char name[64];

	open_map();
	for (unsigned long i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "a_function_with_an_ordinary_name_%lu", i);
		tell_map((void *)((uintptr_t)code + (n - 1 - i) * CODE_SIZE), name);
	}
	memcpy(code, LOOP, sizeof(LOOP));
	run_for(1000000000);
}

int main(int argc, char **argv)
{
	char byte;

	code = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	if (code == MAP_FAILED)
		fail("mmap");
	if (argc == 3 && !strcmp(argv[1], "lines")) {
		run_lines(strtoul(argv[2], NULL, 0));
		return 0;
	}
	if (argc < 5 || strtoul(argv[4], NULL, 0) == 0) {
		fputs("usage: jit dump|map MILLISECONDS MICROSECONDS NAMES [hold]\n", stderr);
		return 2;
	}
	if (!strcmp(argv[1], "dump"))
		open_dump();
	else
		open_map();
	run_names(!strcmp(argv[1], "dump"), strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0),
		strtoul(argv[4], NULL, 0));
	while (argc > 5 && read(0, &byte, 1) > 0)
		;
	return 0;
}
