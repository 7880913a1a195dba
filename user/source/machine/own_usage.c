// SPDX-License-Identifier: GPL-2.0-only
/* See own_usage.h. */
#include "user/source/machine/own_usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "user/source/proc/file.h"

static double cpu_of(int who)
{
	struct rusage usage;

	if (getrusage(who, &usage))
		return 0;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

double own_usage__cpu_s(bool children)
{
	return cpu_of(RUSAGE_SELF) + (children ? cpu_of(RUSAGE_CHILDREN) : 0);
}

uint64_t own_usage__memory(void)
{
	uint64_t pages = 0;
	char *text;

	if (proc_file__read(&text, NULL, "/proc/self/statm"))
		return 0;
	if (sscanf(text, "%*u %" SCNu64, &pages) != 1)
		pages = 0;
	free(text);
	return pages * sysconf(_SC_PAGESIZE);
}
