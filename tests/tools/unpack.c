// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads module files as the recorder does, and prints what became of each: its size, or
 * the error's number. Ends with the most memory that it took, in KiB.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "user/source/kernel/module_content.h"

int main(int argc, char **argv)
{
	struct rusage usage;
	uint8_t *bytes;
	size_t size;

	for (int i = 1; i < argc; i++) {
		int code = module_content__read(argv[i], &bytes, &size);

		if (code) {
			printf("%s: %s\n", argv[i], strerror(-code));
			continue;
		}
		printf("%s: %zu bytes\n", argv[i], size);
		free(bytes);
	}
	if (getrusage(RUSAGE_SELF, &usage) < 0)
		return 1;
	printf("%ld\n", usage.ru_maxrss);
	return 0;
}
