/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the code of an ELF file is, and which build it is: for a file that the user names,
 * which is read in this process.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_SEGMENTS_H
#define PERFSTAMP_SYMBOLS_ELF_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/base/error.h"

struct segment {
	uint64_t offset; /* in the file, bytes */
	uint64_t size;   /* bytes there */
	uint64_t addr;   /* the ELF virtual address of its first byte */
};

struct segments {
	struct segment *v; /* those that are executable */
	size_t n;
	bool is_program; /* not a library: it has a fixed address, or names an interpreter */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t build_id_size;
};

/*
 * Reads the ELF file @path. Free it in any case. Returns 0; -ENOEXEC for what is not ELF,
 * -ENODATA for a file without a build-id, -errno of open(); all with the text in @err.
 */
int segments__read(struct segments *ret, const char *path, struct error *err);
void segments__free(struct segments *segments);
/* The ELF virtual address of the byte at @offset; false if that is no code. */
bool segments__address(const struct segments *segments, uint64_t offset, uint64_t *ret);

#endif
