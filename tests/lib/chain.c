// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with a chain of callers, for tests of stacks: chain N calls chain_a N times (2000).
 * Tests compile it, as they need it, without frame pointers. labs() is called through the PLT with
 * -fno-builtin.
 */
#include <stdlib.h>

static volatile unsigned long sum;
#define FUNCTION __attribute__((noinline, noclone)) unsigned long

FUNCTION chain_c(unsigned long n);
FUNCTION chain_b(unsigned long n);
FUNCTION chain_a(unsigned long n);

FUNCTION chain_c(unsigned long n)
{
	for (unsigned long i = 0; i < 100000; i++)
		sum += i ^ n;
	return sum + n;
}

FUNCTION chain_b(unsigned long n)
{
	volatile char room[4096];

	room[n % sizeof(room)] = (char)n;
	return chain_c(n + 1) * 3 + (unsigned long)room[n % sizeof(room)];
}

FUNCTION chain_a(unsigned long n)
{
	return chain_b(n + 1) * 5 + 1;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000, value = argc;

	for (unsigned long i = 0; i < n; i++)
		value += chain_a(i) * 7 + (unsigned long)labs((long)sum);
	return value == 1;
}
