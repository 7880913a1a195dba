// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process as short as can be: no C library, a moment's work, and the end. What forker.c
 * starts by the thousand, under an emulator too.
 */
#include <sys/syscall.h>

#define TURNS 20000

#if defined(__x86_64__)
#define EXIT() __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0))
#elif defined(__aarch64__)
#define EXIT()                                                                                     \
	do {                                                                                       \
		register long nr __asm__("x8") = SYS_exit_group;                                   \
		register long status __asm__("x0") = 0;                                            \
		__asm__ volatile("svc #0" : : "r"(nr), "r"(status));                               \
	} while (0)
#endif

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
	EXIT();
	__builtin_unreachable();
}
