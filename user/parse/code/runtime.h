/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runtimes that compile or interpret code, and the option with which each writes the names of its
 * functions. A runtime is recognized by the files that its processes map. Pure.
 */
#ifndef PERFSTAMP_PARSE_RUNTIME_H
#define PERFSTAMP_PARSE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#define RUNTIMES_MAX 32 /* runtimes have numbers below this */

struct runtime {
	const char *file; /* prefix of the names of its files */
	const char *name;
	const char *how;
	bool interprets; /* it interprets: all samples are in its own file */
};

/* Finds the runtime to which a mapped file belongs; NULL: none. */
const struct runtime *runtime__of_file(const char *path);
/* Returns its number, which is the same for all of its files. */
size_t runtime__number(const struct runtime *runtime);

#endif
