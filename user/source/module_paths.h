/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a module's name to its file, by the modules.dep of the running kernel.
 * Looks at no module.
 */
#ifndef PERFSTAMP_SOURCE_MODULE_PATHS_H
#define PERFSTAMP_SOURCE_MODULE_PATHS_H

struct module_paths;

/* An empty one where there is no modules.dep. Returns 0 or -ENOMEM. @root: see proc_kernel.h. */
int module_paths__new(struct module_paths **ret, const char *root);
void module_paths__free(struct module_paths *paths);

/* The absolute path, without @root, or NULL. - and _ in @name are the same. */
const char *module_paths__find(const struct module_paths *paths, const char *name);

#endif
