/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runtimes that compile or interpret code, and the switch that makes each write the names
 * of its functions. They are recognized by the files that their processes map. Pure.
 */
#ifndef PERFSTAMP_PARSE_RUNTIME_H
#define PERFSTAMP_PARSE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#define RUNTIMES_MAX 32 /* their numbers are below it */

struct runtime {
	const char *file; /* the names of its files begin with it */
	const char *name;
	const char *how;
	bool interprets; /* what runs is in its own file */
};

/* By a file that is mapped; NULL: it is no runtime's. */
const struct runtime *runtime__of_file(const char *path);
/* Its number. A runtime has one, however many files it is known by. */
size_t runtime__number(const struct runtime *runtime);

#endif
