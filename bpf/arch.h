/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs need to know about an architecture: the page size, the registers and
 * the number of a system call, and the alignment of the kernel's direct map. A port adds
 * its part here. Without ARCH_HAS_SYSCALLS, the rung sys_exit is unavailable, and modules
 * are recorded without their file.
 */
#ifndef PERFSTAMP_BPF_ARCH_H
#define PERFSTAMP_BPF_ARCH_H

#include "bpf/kernel.h"

#define NO_SUCH_SYSCALL (-4096) /* neither a system call's number, nor the -1 of a skipped call */

#if defined(__TARGET_ARCH_x86)

#define ARCH_HAS_SYSCALLS
#define ARCH_DIRECT_MAP_ALIGN 30 /* it is randomized in steps of 1 GiB */
#define ARCH_THREAD_SIZE 16384   /* with KASAN the stack is larger, and nothing is found */

/* arch/x86/include/asm/thread_info.h, asm/unistd_64.h and _32.h */
#define TS_COMPAT 0x0002
#define X32_SYSCALL_BIT 0x40000000L

enum {
	SYS_64_mmap = 9,
	SYS_64_mprotect = 10,
	SYS_64_mremap = 25,
	SYS_64_shmat = 30,
	SYS_64_init_module = 175,
	SYS_64_remap_file_pages = 216,
	SYS_64_finit_module = 313,
	SYS_64_pkey_mprotect = 329,
	SYS_32_mmap = 90,
	SYS_32_ipc = 117,
	SYS_32_mprotect = 125,
	SYS_32_init_module = 128,
	SYS_32_mremap = 163,
	SYS_32_mmap2 = 192,
	SYS_32_remap_file_pages = 257,
	SYS_32_finit_module = 350,
	SYS_32_pkey_mprotect = 380,
	SYS_32_shmat = 397,
};

/*
 * struct pt_regs with the kernel's field names. In the uapi header, the fields have other names,
 * which are for debuggers.
 */
struct pt_regs___kernel {
	unsigned long r10;
	unsigned long r8;
	unsigned long cx;
	unsigned long dx;
	unsigned long si;
	unsigned long di;
	unsigned long bx;
	unsigned long orig_ax;
	unsigned long ip;
} __attribute__((preserve_access_index));

/*
 * Whether a system call is a 32-bit one; stores its number in @ret_nr. @load reads a field through
 * a pointer to the registers or to the task.
 */
#define ARCH_SYSCALL(task, regs, load, ret_nr)                                                     \
	({                                                                                         \
		bool compat_ = load(task, thread_info.status) & TS_COMPAT;                         \
		*(ret_nr) = load(regs, orig_ax);                                                   \
		if (!compat_)                                                                      \
			*(ret_nr) &= ~X32_SYSCALL_BIT;                                             \
		compat_;                                                                           \
	})
/* A program of 64 bits can leave anything in the upper halves, which 32-bit calls ignore. */
#define ARCH_ARG_0(regs, load, compat) ((compat) ? (u32)load(regs, bx) : load(regs, di))
#define ARCH_ARG_1(regs, load, compat) ((compat) ? (u32)load(regs, cx) : load(regs, si))
#define ARCH_ARG_2(regs, load, compat) ((compat) ? (u32)load(regs, dx) : load(regs, dx))
#define ARCH_ARG_3(regs, load, compat) ((compat) ? (u32)load(regs, si) : load(regs, r10))
#define ARCH_ARG_4(regs, load, compat) ((compat) ? (u32)load(regs, di) : load(regs, r8))

static __always_inline u64 arch__user_address(u64 addr, bool compat)
{
	return addr;
}

#elif defined(__TARGET_ARCH_arm64)

#define ARCH_HAS_SYSCALLS
/*
 * arch/arm64/include/asm/kernel-pgtable.h: ARM64_MEMSTART_ALIGN is 2^29 for pages of 64 KiB,
 * otherwise 2^30.
 */
#define ARCH_DIRECT_MAP_ALIGN 29
/*
 * arch/arm64/include/asm/memory.h: at least a page. With KASAN the stack is larger, and nothing is
 * found.
 */
#define ARCH_THREAD_SIZE (PAGE_SIZE > 16384 ? PAGE_SIZE : 16384)

/* asm-generic/unistd.h, and asm/unistd32.h of the EABI */
enum {
	SYS_64_init_module = 105,
	SYS_64_shmat = 196,
	SYS_64_mremap = 216,
	SYS_64_mmap = 222,
	SYS_64_mprotect = 226,
	SYS_64_remap_file_pages = 234,
	SYS_64_finit_module = 273,
	SYS_64_pkey_mprotect = 288,
	SYS_32_mmap = NO_SUCH_SYSCALL,
	SYS_32_ipc = NO_SUCH_SYSCALL,
	SYS_32_mprotect = 125,
	SYS_32_init_module = 128,
	SYS_32_mremap = 163,
	SYS_32_mmap2 = 192,
	SYS_32_remap_file_pages = 253,
	SYS_32_shmat = 305,
	SYS_32_finit_module = 379,
	SYS_32_pkey_mprotect = 394,
};

struct pt_regs___kernel {
	u64 regs[31];
	u64 pstate;
	u64 orig_x0; /* regs[0] as it was before the result replaced it */
	s32 syscallno;
} __attribute__((preserve_access_index));

#define ARCH_SYSCALL(task, regs, load, ret_nr)                                                     \
	({                                                                                         \
		*(ret_nr) = load(regs, syscallno);                                                 \
		(load(regs, pstate) & PSR_MODE32_BIT) != 0;                                        \
	})
#define ARCH_ARG_0(regs, load, compat) load(regs, orig_x0)
#define ARCH_ARG_1(regs, load, compat) load(regs, regs[1])
#define ARCH_ARG_2(regs, load, compat) load(regs, regs[2])
#define ARCH_ARG_3(regs, load, compat) load(regs, regs[3])
#define ARCH_ARG_4(regs, load, compat) load(regs, regs[4])

/*
 * The top byte may have a tag, which system calls on mappings ignore
 * (tagged-address-abi.rst). A 32-bit result is sign-extended.
 */
static __always_inline u64 arch__user_address(u64 addr, bool compat)
{
	return compat ? (u32)addr : addr & ((1ull << 56) - 1);
}

#else

#define ARCH_DIRECT_MAP_ALIGN 30

#endif

#endif
