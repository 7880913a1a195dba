/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which parts of a program an ELF file has. The file may be made to harm its reader, so a confined
 * process reads it. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_ELF_PARTS_H
#define PERFSTAMP_CLI_PUSH_ELF_PARTS_H

#include <stdbool.h>

#include "user/base/error.h"

struct elf_parts {
	bool code;  /* false: a skeleton (store/cache/skeleton.h), or symbols alone */
	bool dwarf; /* debug information */
};

/* Returns 0; -EBADMSG with text where no ELF file could be read; or -errno. */
int elf_parts__read(struct elf_parts *ret, int fd, struct error *err);

#endif
