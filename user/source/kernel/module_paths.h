/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the file of a loaded module by the module's build-id, among the files with its
 * name. If the module has no build-id, the file in modules.dep(5) with its name is used.
 */
#ifndef PERFSTAMP_SOURCE_MODULE_PATHS_H
#define PERFSTAMP_SOURCE_MODULE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct module_paths;

/* For the running kernel; reads nothing yet. @root as in proc_kernel.h. Returns 0 or -ENOMEM. */
int module_paths__new(struct module_paths **ret, const char *root);
/*
 * Makes the search read every file from now on. Otherwise, it does not read a compressed file in
 * modules.dep that has not changed since boot: the module was loaded from it, and reading a hundred
 * files takes half a second.
 */
void module_paths__read_all(struct module_paths *paths);
void module_paths__free(struct module_paths *paths);
/*
 * Whether the absolute @path is where modules are installed; then use module_paths__find instead.
 */
bool module_paths__is_in_tree(const char *path);
/*
 * Returns the path of the module's file, without @root; it is valid as long as @paths. Returns NULL
 * if no file has the name (- is _) and the build-id. @size is 0 if the module has no build-id.
 * Looks into modules.dep, and if that does not suffice, into the whole tree of the release (kernel,
 * updates, extra) and DKMS's.
 */
const char *module_paths__find(
	struct module_paths *paths, const char *name, const uint8_t *build_id, size_t size);

#endif
