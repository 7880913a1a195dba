// SPDX-License-Identifier: GPL-2.0-only
/*
 * Maps files executable and rewrites each of them in place some time later, 0 to 10 ms, so
 * that often the clock that sets file times has not ticked in between: such a file bears a
 * time from before the mapping. Each try has a file of its own, DIR/NUMBER, so that whoever
 * recorded this knows what was mapped there. The mappings stay for a while: what could not be
 * read when they were made may be read from them.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define BATCH 250
#define SIZE_MAX_FILE (1 << 20)
#define HOLD_MS 500

static const char USAGE[] =
	"Usage: late_write warm|cold CONTENT-A CONTENT-B TRIES DIR [MICROSECONDS]\n"
	"Each file has CONTENT-A when it is mapped and CONTENT-B at most MICROSECONDS later "
	"(10000).\n"
	"cold: its pages are dropped from memory before it is mapped.\n";

struct content {
	char bytes[SIZE_MAX_FILE];
	ssize_t size;
};

static struct content before, after;
static long delay_max_us = 10000;

static void load(struct content *content, const char *path)
{
	int fd = open(path, O_RDONLY);

	content->size = fd < 0 ? -1 : read(fd, content->bytes, sizeof(content->bytes));
	if (content->size <= 0)
		fail(path);
	close(fd);
}

static void put(const char *path, const struct content *content, int flags, bool sync)
{
	int fd = open(path, O_WRONLY | flags, 0755);

	if (fd < 0 || pwrite(fd, content->bytes, content->size, 0) != content->size ||
		(sync && fsync(fd)))
		fail(path);
	close(fd);
}

static void wait_us(long us)
{
	const struct timespec time = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&time, NULL);
}

static void drop(int fd)
{
	if (posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		fail("dropping pages");
}

static void name(char *ret, size_t size, const char *dir, long number)
{
	snprintf(ret, size, "%s/%ld", dir, number);
}

/* @ask: for the file's times before it is mapped, as loaders do. */
static void *try(const char *path, bool cold, bool ask)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	void *at;

	if (fd < 0 || (ask && fstat(fd, &st) < 0))
		fail(path);
	if (cold)
		drop(fd);
	at = mmap(NULL, before.size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		fail(path);
	close(fd);
	wait_us(random() % delay_max_us);
	put(path, &after, 0, false);
	return at;
}

static void try_batch(const char *dir, long first, long n, bool cold)
{
	void *mapped[BATCH];
	char path[4096];

	for (long i = 0; i < n; i++) {
		name(path, sizeof(path), dir, first + i);
		put(path, &before, O_CREAT | O_EXCL, cold);
	}
	/* Nothing of the first content is as young as a mapping. */
	wait_us(HOLD_MS * 1000);
	for (long i = 0; i < n; i++) {
		name(path, sizeof(path), dir, first + i);
		mapped[i] = try(path, cold, i % 2);
	}
	wait_us(HOLD_MS * 1000);
	for (long i = 0; i < n; i++) {
		munmap(mapped[i], before.size);
		name(path, sizeof(path), dir, first + i);
		unlink(path);
	}
}

int main(int argc, char **argv)
{
	long tries = argc > 5 && argc < 8 ? strtol(argv[4], NULL, 10) : 0;
	bool cold = argc > 1 && !strcmp(argv[1], "cold");

	if (argc == 7)
		delay_max_us = strtol(argv[6], NULL, 10);
	if (tries <= 0 || delay_max_us <= 0 || (!cold && strcmp(argv[1], "warm") != 0)) {
		fputs(USAGE, stderr);
		return 2;
	}
	load(&before, argv[2]);
	load(&after, argv[3]);
	if (before.size != after.size) {
		fputs("late_write: both contents must be of one size\n", stderr);
		return 2;
	}
	for (long done = 0; done < tries; done += BATCH)
		try_batch(argv[5], done, tries - done < BATCH ? tries - done : BATCH, cold);
	return 0;
}
