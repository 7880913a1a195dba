/* SPDX-License-Identifier: GPL-2.0-only */
/* What all fuzz targets share. Does not know what they read. */
#ifndef PERFSTAMP_TESTS_FUZZ_H
#define PERFSTAMP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline void expect(int condition)
{
	if (!condition)
		abort();
}

/*
 * The input behind its first byte, as a text. It is allocated with just this size, so that ASan
 * finds reads behind its NUL; the caller frees it. NULL: there is no memory.
 */
static inline char *fuzz__text(const uint8_t *bytes, size_t size)
{
	char *text = malloc(size);

	if (text) {
		memcpy(text, bytes + 1, size - 1);
		text[size - 1] = '\0';
	}
	return text;
}

#endif
