// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two builds of one program, for tests of replaced files. Each spends its time in
 * the function that is named for the build, and the two have changed places: who
 * takes one build for the other shows the other's function. Made with -DBUILD=1 or 2,
 * -fno-toplevel-reorder, as a program, or with -DLIBRARY as a library whose
 * constructor does the work.
 */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

/* Of the same code, so that both builds have them at the same two places. */
#define FUNCTION(name)                                                                             \
	__attribute__((noinline, noclone, aligned(64))) void name(void);                           \
	void name(void)                                                                            \
	{                                                                                          \
		for (unsigned long i = 0; i < 200000; i++)                                         \
			sink += i;                                                                 \
	}

#if BUILD == 1
FUNCTION(in_build_1)
FUNCTION(in_build_2)
#define WORK in_build_1
#else
FUNCTION(in_build_2)
FUNCTION(in_build_1)
#define WORK in_build_2
#endif

/* For so long on a CPU, however busy the machine is. */
static void work(long ms)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		WORK();
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

#ifdef LIBRARY
__attribute__((constructor)) static void begin(void)
{
	const char *ms = getenv("SWAPPED_MS");

	work(ms ? atol(ms) : 100);
}
#else
int main(int argc, char **argv)
{
	work(argc > 1 ? atol(argv[1]) : 100);
	return 0;
}
#endif
