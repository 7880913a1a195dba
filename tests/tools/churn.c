// SPDX-License-Identifier: GPL-2.0-only
/*
 * What makes life hard for a kernel that keeps what it has read of files: they are mapped,
 * executed, rewritten in place, exchanged and dropped from memory by several processes at
 * once, while events that ask for the kernel's records (kernel-patch/) come and go. Does a
 * fixed amount of work, in an order that is the same each time, and prints what it did.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define PAGE 4096
#define PROCESSES 4
#define SHARED_FILES 8 /* of each directory */
#define FILES_PER_DIR 1000
#define PROGRAM_MAX (1 << 20)
#define FLAGS_OFFSET 40 /* of the bits in struct perf_event_attr */
#define MMAP3 (1ull << 40)

static const char USAGE[] =
	"Usage: churn rounds N DIR...  in each of 4 processes, N times something with files there\n"
	"       churn files N DIR      makes N files there, and maps each executable, once\n"
	"       churn nothing          exits\n";

enum { MAPPED, PROTECTED, EXECUTED, WRITTEN, EXCHANGED, DROPPED, OPENED, KINDS };

static const char *const KIND_NAMES[KINDS] = {
	"mapped", "mprotected", "executed", "written", "exchanged", "dropped", "opened"};

static char program[PROGRAM_MAX];
static size_t program_size;

/* xorshift */
static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void write_new(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	/* Being executed, or being made by another one. */
	if (fd < 0)
		return;
	if (write(fd, program, program_size) != (ssize_t)program_size)
		fail(path);
	close(fd);
}

static void map_file(const char *path, int prot_first)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *at;

	if (fd < 0)
		return;
	at = mmap(NULL, PAGE, prot_first, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return;
	if (!(prot_first & PROT_EXEC))
		mprotect(at, PAGE, PROT_READ | PROT_EXEC);
	munmap(at, PAGE);
}

/* What is not to be executed at the moment fails, and that is as good. */
static void execute(const char *path)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (!pid) {
		execl(path, path, "nothing", (char *)NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* The bytes that pad e_ident: the program stays one, and is another. */
static void rewrite(const char *path, uint64_t random)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	char *at;

	if (fd < 0)
		return;
	if (random & 1) {
		if (pwrite(fd, &random, EI_NIDENT - EI_PAD, EI_PAD) < 0)
			fail(path);
	} else {
		at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (at == MAP_FAILED)
			fail(path);
		/* By the kernel: in a file that is made anew meanwhile, a store is a SIGBUS. */
		if (getrandom(at + EI_PAD, EI_NIDENT - EI_PAD, 0) < 0 && errno != EFAULT)
			fail("getrandom");
		munmap(at, PAGE);
	}
	close(fd);
}

static void drop(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
}

/* One that listens, for as long as it takes to map something. */
static void listen_once(const char *path)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
		.exclude_kernel = 1,
	};
	uint64_t flags;
	void *ring;
	int fd;

	memcpy(&flags, (char *)&attr + FLAGS_OFFSET, sizeof(flags));
	flags |= MMAP3;
	memcpy((char *)&attr + FLAGS_OFFSET, &flags, sizeof(flags));
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		fail("perf_event_open");
	ring = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	map_file(path, PROT_READ | PROT_EXEC);
	if (ring != MAP_FAILED)
		munmap(ring, 2 * PAGE);
	close(fd);
}

static int one(const char *path, uint64_t random)
{
	char other[2 * PATH_MAX];

	switch (random % 16) {
	case 0 ... 3:
		map_file(path, PROT_READ | PROT_EXEC);
		return MAPPED;
	case 4:
	case 5:
		map_file(path, PROT_READ);
		return PROTECTED;
	case 6:
	case 7:
		execute(path);
		return EXECUTED;
	case 8 ... 10:
		rewrite(path, random >> 8);
		return WRITTEN;
	case 11:
		write_new(path);
		return WRITTEN;
	case 12:
		snprintf(other, sizeof(other), "%s.%d", path, getpid());
		write_new(other);
		rename(other, path);
		return EXCHANGED;
	case 13:
		unlink(path);
		write_new(path);
		return EXCHANGED;
	case 14:
		drop(path);
		return DROPPED;
	default:
		listen_once(path);
		return OPENED;
	}
}

static void rounds(unsigned long n, char **dirs, int n_dirs)
{
	unsigned long(*done)[KINDS] = mmap(NULL, PROCESSES * sizeof(*done), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned long i, sum;
	int process, kind, status, failed = 0;
	char path[PATH_MAX];
	uint64_t random;

	if (done == MAP_FAILED)
		fail("mmap");
	for (i = 0; i < (unsigned long)n_dirs * SHARED_FILES; i++) {
		snprintf(path, sizeof(path), "%s/%lu", dirs[i % n_dirs], i / n_dirs);
		write_new(path);
	}
	for (process = 0; process < PROCESSES; process++) {
		if (fork())
			continue;
		random = 0x9e3779b97f4a7c15 * (process + 1);
		for (i = 0; i < n; i++) {
			draw(&random);
			snprintf(path, sizeof(path), "%s/%d", dirs[(random >> 40) % n_dirs],
				(int)((random >> 50) % SHARED_FILES));
			done[process][one(path, draw(&random))]++;
		}
		_exit(0);
	}
	while (wait(&status) > 0)
		failed |= status;
	if (failed)
		exit(1);
	for (kind = 0; kind < KINDS; kind++) {
		sum = 0;
		for (process = 0; process < PROCESSES; process++)
			sum += done[process][kind];
		printf("%s=%lu%c", KIND_NAMES[kind], sum, kind + 1 < KINDS ? ' ' : '\n');
	}
}

/* Small, and each with a build-id of its own. */
static void write_small(const char *path, uint32_t n)
{
	struct {
		Elf64_Ehdr ehdr;
		Elf64_Phdr phdr;
		Elf64_Nhdr nhdr;
		char name[4];
		uint32_t id[5];
	} image = {
		.ehdr = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				 EV_CURRENT},
			.e_type = ET_DYN,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1},
		.phdr = {.p_type = PT_NOTE,
			.p_offset = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
			.p_filesz = sizeof(Elf64_Nhdr) + 4 + 20,
			.p_align = 4},
		.nhdr = {.n_namesz = 4, .n_descsz = 20, .n_type = NT_GNU_BUILD_ID},
		.name = "GNU",
		.id = {n, ~n, n, ~n, n},
	};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	if (fd < 0 || write(fd, &image, sizeof(image)) != sizeof(image))
		fail(path);
	close(fd);
}

static void files(unsigned long n, const char *dir)
{
	char path[PATH_MAX];
	unsigned long i;

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%lu", dir, i / FILES_PER_DIR);
		if (i % FILES_PER_DIR == 0 && mkdir(path, 0700))
			fail(path);
		snprintf(path, sizeof(path), "%s/%lu/%lu", dir, i / FILES_PER_DIR,
			i % FILES_PER_DIR);
		write_small(path, i + 1);
		map_file(path, PROT_READ | PROT_EXEC);
	}
	printf("files=%lu\n", n);
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 3 ? strtoul(argv[2], NULL, 10) : 0;
	FILE *self;

	if (argc == 2 && !strcmp(argv[1], "nothing"))
		return 0;
	if (n > 0 && !strcmp(argv[1], "rounds")) {
		self = fopen("/proc/self/exe", "re");
		program_size = self ? fread(program, 1, sizeof(program), self) : 0;
		if (program_size < PAGE || program_size == sizeof(program))
			fail("/proc/self/exe");
		fclose(self);
		rounds(n, argv + 3, argc - 3);
	} else if (n > 0 && argc == 4 && !strcmp(argv[1], "files")) {
		files(n, argv[3]);
	} else {
		fputs(USAGE, stderr);
		return 2;
	}
	return 0;
}
