/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the maps of modules with one name in a file, and makes the paths by which perf
 * distinguishes the next one: see module_writer.c.
 */
#ifndef PERFSTAMP_RECORD_MODULE_NAMES_H
#define PERFSTAMP_RECORD_MODULE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct module_name;

/* All zero: there are none. */
struct module_names {
	struct module_name *v;
	size_t n;
	size_t room;
};

/* How many maps of this name perf has got, this one included. Returns 0 or -ENOMEM. */
int module_names__count(struct module_names *names, const char *name, uint32_t *ret);
void module_names__reset(struct module_names *names);
void module_names__free(struct module_names *names);

/* @path with "_rN" before ".ko", cut to @size with its NUL. */
void module_names__alias(char *ret, size_t size, const char *path, uint32_t ordinal);

#endif
