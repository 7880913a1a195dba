// SPDX-License-Identifier: GPL-2.0-only
/* What orc.c compiles: two functions, of which the second one takes longer. */
__attribute__((noinline)) unsigned int warm_function(unsigned int n)
{
	unsigned int s = n;

	for (unsigned int i = 0; i < n; i++)
		s = (s * 31 + i) ^ (s >> 3);
	return s;
}

__attribute__((noinline)) unsigned int hot_function(unsigned int n)
{
	unsigned int s = n;

	for (unsigned int i = 0; i < 3 * n; i++)
		s = (s * 33 + i) ^ (s >> 5);
	return s;
}

volatile unsigned int result;

void run(void)
{
	result = warm_function(20000) + hot_function(20000);
}
