/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A relocatable ELF file that has nothing but a module's build-id and the
 * symbols of its text, for a module whose own file is not to be had. perf takes
 * it from the store as it takes a module's file. Pure.
 */
#ifndef PERFSTAMP_STORE_MODULE_ELF_H
#define PERFSTAMP_STORE_MODULE_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

struct module_symbol {
	uint64_t offset; /* from the start of the module's text */
	const char *name;
};

/*
 * Appends the file to @out; @text_size bytes of text are claimed, and none
 * are there. Returns 0, -EINVAL for a build-id of more than 20 bytes, or the
 * buffer's error.
 */
int module_elf__build(struct buffer *out, const uint8_t *build_id, size_t size, uint64_t text_size,
	const struct module_symbol *symbols, size_t n);

#endif
