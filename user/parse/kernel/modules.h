/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of /proc/modules, and of modules.dep, which has the file of each module. Pure. Source:
 * kernel/module/procfs.c of Linux, modules.dep(5).
 */
#ifndef PERFSTAMP_PARSE_MODULES_H
#define PERFSTAMP_PARSE_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODULE_NAME_MAX 64 /* MODULE_NAME_LEN is below that */

struct module_line {
	char name[MODULE_NAME_MAX];
	uint64_t size; /* bytes of all its regions */
	uint64_t addr; /* address of its text; 0 if kptr_restrict hides it */
	bool live;     /* neither loading nor unloading */
	bool going;    /* unloading */
};

/*
 * Reads the next line from *@cursor. Returns 1, 0 at the end, or -EBADMSG for an invalid line,
 * which is skipped.
 */
int module_line__next(const char **cursor, struct module_line *ret);

/*
 * Reads the next module from the modules.dep text at *@cursor: its path, relative to the directory
 * of modules.dep unless it begins with a slash. *@ret_path points into the text and has *@ret_size
 * bytes. Returns 1, or 0 at the end.
 */
int modules_dep__next(const char **cursor, const char **ret_path, size_t *ret_size);

/*
 * Derives the module's name from its path: without directories, .ko and .gz, .xz, .zst, and with _
 * for - as in the kernel. Returns false if it is not a module's path.
 */
bool module_name__from_path(char ret[MODULE_NAME_MAX], const char *path, size_t size);

#endif
