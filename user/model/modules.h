/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lives of kernel modules: each from its load to its unload. Answers which of them an
 * address belongs to now. Does not know files, nor the records for perf.
 */
#ifndef PERFSTAMP_MODEL_MODULES_H
#define PERFSTAMP_MODEL_MODULES_H

#include "user/model/facts.h"

struct module_life_entry;

struct module_lives {
	struct module_life_entry **v; /* in order of loading */
	size_t n;
	size_t room;
	struct module_life_entry **alive; /* by address */
	size_t n_alive;
	size_t alive_room;
};

/*
 * Applies an event of a module. A load at the place of a loaded module ends that one, if it
 * is another one. Returns 0 or -ENOMEM.
 */
int module_lives__apply(
	struct module_lives *lives, const struct event_module *module, uint64_t time_ns);
/* The one that is alive at @addr, or NULL. */
struct module_life *module_lives__find(const struct module_lives *lives, uint64_t addr);
/* The one with this number, in order of loading. */
const struct module_life *module_lives__at(const struct module_lives *lives, size_t i);
/*
 * The path of a module's file, from the path for perf: for a module that was loaded again
 * under a known name, it has a suffix before ".ko" (docs/format.md). "[NAME]" where it is
 * not known. Cut to @size with its NUL.
 */
void module_lives__path(const struct event_module *module, char *ret, size_t size);
void module_lives__free(struct module_lives *lives);

#endif
