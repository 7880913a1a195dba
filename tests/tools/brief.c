// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process as short as can be: no C library, a moment's work, and the end. What forker.c
 * starts by the thousand, under an emulator too.
 */
#include <sys/syscall.h>

#define TURNS 20000

static __attribute__((noinline)) void brief_work(void)
{
	unsigned long i;

	for (i = 0; i < TURNS; i++)
		__asm__ volatile("" : "+r"(i));
}

__attribute__((noreturn)) void _start(void);

void _start(void)
{
	brief_work();
	__asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0));
	__builtin_unreachable();
}
