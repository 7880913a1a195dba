/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the maps of modules with one name in a file, and makes the path by which perf
 * distinguishes the next one: see module_writer.c.
 */
#ifndef PERFSTAMP_RECORD_MODULE_NAMES_H
#define PERFSTAMP_RECORD_MODULE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct module_name;

/* All zero: empty. */
struct module_names {
	struct module_name *v;
	size_t n;
	size_t room;
};

/*
 * Counts a map with this name. *@ret is the number of such maps, including this one. Returns 0 or
 * -ENOMEM.
 */
int module_names__count(struct module_names *names, const char *name, uint32_t *ret);
void module_names__reset(struct module_names *names);
void module_names__free(struct module_names *names);

/* Writes @path with "_rN" before ".ko", cut to @size including its NUL. */
void module_names__alias(char *ret, size_t size, const char *path, uint32_t ordinal);

#endif
