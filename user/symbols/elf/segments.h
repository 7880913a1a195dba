/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the code of an ELF file, and its build-id. For a file that the user names, which is read in
 * this process.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_SEGMENTS_H
#define PERFSTAMP_SYMBOLS_ELF_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/base/error.h"

struct segment {
	uint64_t offset; /* offset in the file, in bytes */
	uint64_t size;   /* bytes in the file */
	uint64_t addr;   /* ELF virtual address of the first byte */
};

struct segments {
	struct segment *v; /* the executable segments */
	size_t n;
	bool is_program; /* not a library: it has a fixed address, or an interpreter */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t build_id_size;
};

/*
 * Reads the ELF file @path. Free @ret in any case. Returns 0; -ENOEXEC if it is not ELF; -ENODATA
 * if it has no build-id; or -errno of open(); all with text in @err.
 */
int segments__read(struct segments *ret, const char *path, struct error *err);
void segments__free(struct segments *segments);
/*
 * Converts @offset to the ELF virtual address of the byte there. Returns false if it is not code.
 */
bool segments__address(const struct segments *segments, uint64_t offset, uint64_t *ret);

#endif
