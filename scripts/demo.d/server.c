// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server of two releases, for `make demo`: release 1 sorts by bubble sort,
 * release 2 by Shell sort. The two functions change places in the program, and
 * have room alike: at the address where one release has its work, the other has
 * the function that it does not use. Who takes one build for the other names the
 * wrong function.
 */
#include <stdint.h>
#include <unistd.h>

#define N 2000
#define SECONDS_MAX 60 /* it does not outlive a demo that was killed */

/* The default script of GNU ld sorts these sections by name (binutils 2.36 on). */
#define PLACE(n) __attribute__((noinline, noclone, used, aligned(1024), section(".text.sorted." n)))

#if RELEASE == 1
#define BUBBLE_SORT PLACE("1")
#define SHELL_SORT PLACE("2")
#define SORT bubble_sort
#else
#define BUBBLE_SORT PLACE("2")
#define SHELL_SORT PLACE("1")
#define SORT shell_sort
#endif

static uint32_t values[N];

BUBBLE_SORT static void bubble_sort(void)
{
	for (int last = N - 1; last > 0; last--) {
		for (int i = 0; i < last; i++) {
			uint32_t value = values[i];

			if (value > values[i + 1]) {
				values[i] = values[i + 1];
				values[i + 1] = value;
			}
		}
	}
}

SHELL_SORT static void shell_sort(void)
{
	for (int gap = N / 2; gap > 0; gap /= 2) {
		for (int i = gap; i < N; i++) {
			uint32_t value = values[i];
			int at = i;

			for (; at >= gap && values[at - gap] > value; at -= gap)
				values[at] = values[at - gap];
			values[at] = value;
		}
	}
}

int main(void)
{
	uint32_t random = 1;

	alarm(SECONDS_MAX);
	for (;;) {
		for (int i = 0; i < N; i++)
			values[i] = random = random * 1664525 + 1013904223;
		SORT();
	}
}
