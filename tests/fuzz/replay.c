// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives each file named to a fuzz target, once: what libFuzzer found before is
 * tried again wherever there is a compiler, by ASan and UBSan.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

static void replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;
	long size;

	if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0)
		err(1, "%s", path);
	rewind(file);
	bytes = malloc(size ? size : 1);
	if (!bytes || fread(bytes, 1, size, file) != (size_t)size)
		err(1, "%s", path);
	fclose(file);
	fprintf(stderr, "%s\n", path); /* the last one is what fails */
	LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	return 0;
}
