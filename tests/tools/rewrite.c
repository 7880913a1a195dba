// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rewrites a file as fast as it can with two contents by turns, in bursts, while a child
 * maps it executable all the time: whoever records that sees files change under it. The
 * pauses are long enough for what was read then to be taken for settled. Prints, for
 * judge.c, which content it was that stayed, from when to when, in which inode.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define PAGE 4096
#define SIZE_MAX_FILE (1 << 20)
#define WRITE_MS 10 /* as fast as it can; */
#define REST_MS 40  /* then the content stays for a moment, */
#define BURST 5     /* so many times; */
#define PAUSE_MS 2600
#define MAP_BURST_US 300   /* between two mappings */
#define MAP_PAUSE_US 10000 /* the same in a pause */
#define KEEP_US 5000       /* with -k, from a mapping to its end */
/* However busy the machine, so often it is mapped meanwhile, and there are so many pauses. */
#define MAPPED_REST 10
#define MAPPED_PAUSE 100
#define SETTLED_MS 2300 /* after which mappings count, in a pause */
#define PAUSES_MIN 3

static const char USAGE[] =
	"Usage: rewrite [-r | -k] HOW FILE CONTENT-A CONTENT-B SECONDS\n"
	"HOW: pwrite, mmap (the first page, through a shared mapping), rename (a new file moved\n"
	"over it), truncate (and written again), utimes (pwrite, and the mtime set back), reuse\n"
	"(removed and made again, with the same mtime). With -r it is read before it is mapped,\n"
	"in pauses; with -k it stays mapped for some milliseconds.\n";

struct content {
	char bytes[SIZE_MAX_FILE];
	size_t size;
};

struct shared {
	volatile bool pause;
	volatile unsigned long mapped;
};

static struct content contents[2];
static const char *file;
static bool reads, keeps;
static char temporary[4096];

static void read_content(struct content *content, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		fail(path);
	n = read(fd, content->bytes, sizeof(content->bytes));
	if (n < PAGE)
		fail(path);
	content->size = n;
	close(fd);
}

static int open_to_write(const char *path, int flags)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | flags, 0700);

	if (fd < 0)
		fail(path);
	return fd;
}

static void write_to(int fd, const struct content *content)
{
	if (pwrite(fd, content->bytes, content->size, 0) != (ssize_t)content->size)
		fail("pwrite");
}

static void set_back(int fd)
{
	const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

	if (futimens(fd, times))
		fail("futimens");
}

static void by_pwrite(const struct content *content)
{
	int fd = open_to_write(file, 0);

	write_to(fd, content);
	close(fd);
}

/*
 * The stores that follow the first one leave no trace in the inode; on tmpfs not even the
 * first, where the page was read before.
 */
static void by_mmap(const struct content *content)
{
	int fd = open_to_write(file, 0);
	char *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	int i;

	if (at == MAP_FAILED)
		fail("mmap");
	(void)*(volatile char *)at;
	for (i = 0; i < 50; i++) {
		memcpy(at, contents[i % 2].bytes, PAGE);
		usleep(i % 10);
	}
	memcpy(at, content->bytes, PAGE);
	munmap(at, PAGE);
	close(fd);
}

static void by_rename(const struct content *content)
{
	int fd = open_to_write(temporary, O_CREAT | O_TRUNC);

	write_to(fd, content);
	close(fd);
	if (rename(temporary, file))
		fail("rename");
}

static void by_truncate(const struct content *content)
{
	int fd = open_to_write(file, O_TRUNC);

	write_to(fd, content);
	close(fd);
}

static void by_utimes(const struct content *content)
{
	int fd = open_to_write(file, 0);

	write_to(fd, content);
	set_back(fd);
	close(fd);
}

static void by_reuse(const struct content *content)
{
	int fd;

	if (unlink(file))
		fail("unlink");
	fd = open_to_write(file, O_CREAT | O_EXCL);
	write_to(fd, content);
	set_back(fd);
	close(fd);
}

static const struct way {
	const char *name;
	void (*once)(const struct content *content);
} WAYS[] = {
	{"pwrite", by_pwrite},
	{"mmap", by_mmap},
	{"rename", by_rename},
	{"truncate", by_truncate},
	{"utimes", by_utimes},
	{"reuse", by_reuse},
};

static void map_for_ever(struct shared *shared)
{
	void *at;
	char byte;
	int fd;

	for (;;) {
		fd = open(file, O_RDONLY | O_CLOEXEC);
		/* It may be away for a moment. */
		if (fd >= 0) {
			/* What is to be known later is in memory, however short that is. */
			if (reads && shared->pause && pread(fd, &byte, 1, 0) < 0)
				fail("pread");
			at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
			if (at == MAP_FAILED)
				fail("mmap");
			if (keeps)
				usleep(KEEP_US);
			munmap(at, PAGE);
			close(fd);
			shared->mapped++;
		}
		usleep(shared->pause ? MAP_PAUSE_US : MAP_BURST_US);
	}
}

/* Lets the content be: the second part of the time until it was mapped so often. */
static void stay(int content, int first_ms, int second_ms, const struct shared *shared, int times)
{
	uint64_t begin = now_ns(CLOCK_MONOTONIC);
	unsigned long before;
	struct stat st;

	if (stat(file, &st))
		fail(file);
	usleep(first_ms * 1000);
	before = shared->mapped;
	usleep(second_ms * 1000);
	while (shared->mapped < before + times)
		usleep(1000);
	printf("%d %" PRIu64 " %" PRIu64 " %ju\n", content, begin, now_ns(CLOCK_MONOTONIC),
		(uintmax_t)st.st_ino);
}

int main(int argc, char **argv)
{
	unsigned long n = 0, stays = 0;
	const struct way *way = NULL;
	struct shared *shared;
	uint64_t end, until;
	size_t i;
	pid_t pid;
	int fd;

	if (argc > 1 && (!strcmp(argv[1], "-r") || !strcmp(argv[1], "-k"))) {
		reads = argv[1][1] == 'r';
		keeps = !reads;
		argv++;
		argc--;
	}
	for (i = 0; argc == 6 && i < sizeof(WAYS) / sizeof(*WAYS); i++)
		if (!strcmp(argv[1], WAYS[i].name))
			way = &WAYS[i];
	if (!way) {
		fputs(USAGE, stderr);
		return 2;
	}
	file = argv[2];
	snprintf(temporary, sizeof(temporary), "%s.new", file);
	read_content(&contents[0], argv[3]);
	read_content(&contents[1], argv[4]);
	fd = open_to_write(file, O_CREAT | O_TRUNC);
	write_to(fd, &contents[0]);
	/* Nothing is taken for settled while someone could write. */
	close(fd);
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		fail("mmap");
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid)
		map_for_ever(shared);
	end = now_ns(CLOCK_MONOTONIC) + strtoul(argv[5], NULL, 10) * 1000000000ull;
	while (now_ns(CLOCK_MONOTONIC) < end || stays < PAUSES_MIN * BURST) {
		shared->pause = false;
		for (i = 0; i < BURST; i++) {
			until = now_ns(CLOCK_MONOTONIC) + WRITE_MS * 1000000;
			do
				way->once(&contents[n++ % 2]);
			while (now_ns(CLOCK_MONOTONIC) < until);
			/* By turns they stay; so many that both have a pause, too. */
			if ((n - 1) % 2 != stays++ % 2)
				way->once(&contents[n++ % 2]);
			shared->pause = i == BURST - 1;
			if (shared->pause)
				stay((n - 1) % 2, SETTLED_MS, PAUSE_MS - SETTLED_MS, shared,
					MAPPED_PAUSE);
			else
				stay((n - 1) % 2, 0, REST_MS, shared, MAPPED_REST);
		}
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	fprintf(stderr, "%s: rewritten=%lu mapped=%lu\n", way->name, n, shared->mapped);
	return 0;
}
