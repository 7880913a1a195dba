/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of elf_gen are of: this machine's numbers in ELF headers, and for both classes a
 * program that waits for ever if it has no arguments, and else ends with status 0.
 */
#ifndef PERFSTAMP_TESTS_ELF_GEN_MACHINE_H
#define PERFSTAMP_TESTS_ELF_GEN_MACHINE_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

struct elf_gen_code {
	const void *bytes;
	size_t size;
};

#define CODE(...)                                                                                  \
	{                                                                                          \
		(const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})             \
	}
#define WORDS(...)                                                                                 \
	{                                                                                          \
		(const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__})           \
	}

#if defined(__aarch64__)

#define ELF_GEN_MACHINE_64 EM_AARCH64
#define ELF_GEN_MACHINE_32 EM_ARM
#define ELF_GEN_FLAGS_32 EF_ARM_EABI_VER5 /* without it the kernel takes it for no program */
/* ldr x0, [sp]; cmp x0, #1; b.ne 1f; ppoll(0, 0, 0, 0), as there is no pause(); 1: exit(0) */
static const struct elf_gen_code ELF_GEN_CODE_64 = WORDS(0xf94003e0, 0xf100041f, 0x540000e1,
	0xd2800000, 0xd2800001, 0xd2800002, 0xd2800003, 0xd2800928, 0xd4000001, 0xd2800000,
	0xd2800ba8, 0xd4000001);
/* ldr r0, [sp]; cmp r0, #1; moveq r7, #29; svceq 0; mov r0, #0; mov r7, #1; svc 0 */
static const struct elf_gen_code ELF_GEN_CODE_32 = WORDS(
	0xe59d0000, 0xe3500001, 0x03a0701d, 0x0f000000, 0xe3a00000, 0xe3a07001, 0xef000000);

#else

#if defined(__x86_64__)
#define ELF_GEN_MACHINE_64 EM_X86_64
#define ELF_GEN_MACHINE_32 EM_386
#elif defined(__powerpc64__)
#define ELF_GEN_MACHINE_64 EM_PPC64
#define ELF_GEN_MACHINE_32 EM_PPC
#elif defined(__s390x__)
#define ELF_GEN_MACHINE_64 EM_S390
#define ELF_GEN_MACHINE_32 EM_S390
#else
#define ELF_GEN_MACHINE_64 EM_NONE
#define ELF_GEN_MACHINE_32 EM_NONE
#endif
#define ELF_GEN_FLAGS_32 0
/* cmpl $1, (%rsp); jne 1f; pause(); 1: exit(0); of x86 */
static const struct elf_gen_code ELF_GEN_CODE_64 = CODE(0x83, 0x3c, 0x24, 1, 0x75, 7, 0xb8, 34, 0,
	0, 0, 0x0f, 5, 0x31, 0xff, 0xb8, 60, 0, 0, 0, 0x0f, 5);
static const struct elf_gen_code ELF_GEN_CODE_32 = CODE(0x83, 0x3c, 0x24, 1, 0x75, 7, 0xb8, 29, 0,
	0, 0, 0xcd, 0x80, 0x31, 0xdb, 0xb8, 1, 0, 0, 0, 0xcd, 0x80);

#endif

#endif
