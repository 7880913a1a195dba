// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of which two builds differ in what is known (tests/host/diff.bats): between
 * BUILD 1 and 2, slower() takes twice as long, inlined() becomes a part of main(), old_name()
 * is called new_name(), and moved() is in a library. steady() and other() stay as they are.
 *
 * release MS [SEED]: works for MS milliseconds of CPU time, in turns of random order, and
 * prints how long each function took, in ns, and the whole process: "NAME NS".
 *
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TURN 20000u /* rounds of a loop: some 30 us */

/*
 * Each round waits for the one before, so that it takes as long wherever the loop stands. Whoever
 * asks for the frame's address has a frame, by which the kernel finds the caller.
 */
#define SPIN(rounds)                                                                               \
	__asm__ volatile("" ::"r"(__builtin_frame_address(0)));                                    \
	for (uint64_t i = 0, x = 1; i < (rounds); i++) {                                           \
		x = x * 6364136223846793005u + i;                                                  \
		__asm__ volatile("" : "+r"(x));                                                    \
	}

void moved(void);

#if defined(LIBRARY)
void moved(void)
{
	SPIN(2 * TURN);
}
#else

#ifdef AGAIN
/* Nothing but another build-id. */
__attribute__((used)) static const char again[] = "compiled again";
#endif

#if BUILD == 1
#define MAYBE_INLINE __attribute__((noinline))
#define RENAMED old_name
#define SLOWER 1
__attribute__((noinline)) void moved(void)
{
	SPIN(2 * TURN);
}
#else
#define MAYBE_INLINE inline __attribute__((always_inline))
#define RENAMED new_name
#define SLOWER 2
#endif

static __attribute__((noinline)) void steady(void)
{
	SPIN(4 * TURN);
}

static __attribute__((noinline)) void other(void)
{
	SPIN(TURN);
}

static __attribute__((noinline)) void slower(void)
{
	SPIN(SLOWER * 2 * TURN);
}

static MAYBE_INLINE void inlined(void)
{
	SPIN(2 * TURN);
}

static __attribute__((noinline)) void RENAMED(void)
{
	SPIN(2 * TURN);
}

enum { STEADY, OTHER, SLOWER_ONE, INLINED, NAMED, MOVED, TURNS };

static uint64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	static const char *const NAMES[TURNS] = {
		"steady", "other", "slower", "inlined", "named", "moved"};
	uint64_t end = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1000) * 1000000ull;
	uint64_t random = (argc > 2 ? strtoull(argv[2], NULL, 10) : 1) * 0x9e3779b97f4a7c15u;
	uint64_t spent[TURNS] = {0}, before = now(CLOCK_PROCESS_CPUTIME_ID), after;

	while (before < end) {
		unsigned int turn;

		random = random * 6364136223846793005u + 1442695040888963407u;
		turn = (random >> 33) % TURNS;
		switch (turn) {
		case STEADY:
			steady();
			break;
		case OTHER:
			other();
			break;
		case SLOWER_ONE:
			slower();
			break;
		case INLINED:
			inlined();
			break;
		case NAMED:
			RENAMED();
			break;
		case MOVED:
			moved();
			break;
		}
		after = now(CLOCK_PROCESS_CPUTIME_ID);
		spent[turn] += after - before;
		before = after;
	}
	for (int i = 0; i < TURNS; i++)
		printf("%s %llu\n", NAMES[i], (unsigned long long)spent[i]);
	printf("all %llu\n", (unsigned long long)now(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
#endif
