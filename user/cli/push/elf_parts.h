/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds which parts of a program an ELF file contains. The file may be hostile, so a confined
 * process reads it. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_ELF_PARTS_H
#define PERFSTAMP_CLI_PUSH_ELF_PARTS_H

#include <stdbool.h>

#include "user/base/error.h"

struct elf_parts {
	bool code;  /* false: a skeleton (store/cache/skeleton.h), or only symbols */
	bool dwarf; /* debug information */
};

/* Returns 0, -EBADMSG with text if it is not a readable ELF file, or -errno. */
int elf_parts__read(struct elf_parts *ret, int fd, struct error *err);

#endif
