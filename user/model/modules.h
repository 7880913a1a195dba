/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lives of kernel modules, each from its load to its unload. Finds the module that an address
 * belongs to now. Knows neither files nor perf's records.
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
 * Applies an event of a module. If another module is known at the same place, a load ends its life.
 * Returns 0 or -ENOMEM.
 */
int module_lives__apply(
	struct module_lives *lives, const struct event_module *module, uint64_t time_ns);
/* Returns the live module that contains @addr, or NULL. */
struct module_life *module_lives__find(const struct module_lives *lives, uint64_t addr);
/* Returns the module with number @i in order of loading. */
const struct module_life *module_lives__at(const struct module_lives *lives, size_t i);
/*
 * Sets @ret to the path of a module's file, or to "[NAME]" if it is not known. The path for perf
 * can have a suffix before ".ko", for a module that was loaded again under a known name
 * (docs/format.md); it is removed. Truncates the path to @size with its NUL.
 */
void module_lives__path(const struct event_module *module, char *ret, size_t size);
void module_lives__free(struct module_lives *lives);

#endif
