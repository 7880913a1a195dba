// SPDX-License-Identifier: GPL-2.0-only
/*
 * segments moved MILLISECONDS: moves the code of a function by mremap(), prints
 * /proc/self/maps, and computes for so long there. segments protect N: makes N mappings of its own
 * file executable by one mprotect(), prints /proc/self/maps and waits to be ended. segments
 * MILLISECONDS: a program with executable segments far from each other, by how it is linked
 * (tests/lib/segments.sh). Prints /proc/self/maps, then computes for so long in the function of a
 * segment of its own.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* With -DWRITABLE they can be written to: the rest of the assembler's line is a comment. */
#ifdef WRITABLE
#define APART(name) __attribute__((section(name ",\"awx\",@progbits#"), noinline, used))
#else
#define APART(name) __attribute__((section(name), noinline, used))
#endif

APART(".apart") static uint64_t compute(uint64_t n)
{
	uint64_t x = 1;

	while (n--)
		x = x * 6364136223846793005ull + n;
	return x;
}

/* Never called: only its place matters. */
APART(".apart2") static uint64_t other(uint64_t n)
{
	return n * 3;
}

static void print_maps(void)
{
	char bytes[4096];
	ssize_t n;
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		if (write(1, bytes, n) != n)
			break;
	close(fd);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

/* Pages of the file in no order: mappings that are next to each other do not merge. */
static int protect(size_t n)
{
	size_t i, page = sysconf(_SC_PAGESIZE);
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *all = mmap(NULL, n * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd < 0 || all == MAP_FAILED)
		return 1;
	for (i = 0; i < n; i++)
		if (mmap(all + i * page, page, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd,
			    i % 2 * 2 * page) == MAP_FAILED)
			return 1;
	if (mprotect(all, n * page, PROT_READ | PROT_EXEC))
		return 1;
	print_maps();
	return pause();
}

/* Its own file, mapped once more, and moved to another place: only there the code is run. */
static int run_moved(int64_t end_ms)
{
	uintptr_t page = sysconf(_SC_PAGESIZE), at = (uintptr_t)compute & ~(page - 1);
	uint64_t (*moved)(uint64_t), sum = 0;
	char *place = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (place == MAP_FAILED ||
		mremap((void *)at, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED)
		return 1;
	moved = (uint64_t(*)(uint64_t))(place + ((uintptr_t)compute - at));
	print_maps();
	while (now_ms() < end_ms)
		sum += moved(100000);
	return sum == 42;
}

int main(int argc, char **argv)
{
	int64_t end_ms = argc > 1 ? atoi(argv[1]) : 0;
	uint64_t sum = 0;

	if (argc == 3 && !strcmp(argv[1], "protect"))
		return protect(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "moved"))
		return run_moved(atoi(argv[2]));
	print_maps();
	while (now_ms() < end_ms)
		sum += compute(100000);
	return sum == 42 || (argc > 100 && other(sum) == 7);
}
