/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of the modules that perf considers loaded in the current file, for module_writer.c. */
#ifndef PERFSTAMP_RECORD_MODULE_KNOWN_H
#define PERFSTAMP_RECORD_MODULE_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"

struct known {
	struct perfstamp_module_state state;
	bool alive;
	bool going;        /* it was being unloaded when the snapshot saw it */
	bool init_written; /* perf has a symbol for the text of its init */
	bool init_done;
	bool seen;  /* by the current look */
	char *path; /* of its file, or "" */
	uint64_t loaded_ns;
	uint64_t gone_ns;
	uint16_t gone_flags;
};

/* All zero: there are none. */
struct known_modules {
	struct known *v;
	size_t n;
	size_t n_gone; /* of these, not alive */
};

/* With a copy of @path, which may be NULL. NULL: no memory. */
struct known *known_modules__add(
	struct known_modules *modules, const struct known *known, const char *path);
/* Removes an entry; the last one replaces it. */
void known_modules__remove(struct known_modules *modules, size_t i);
/* The loaded module with this name at @addr, or NULL. */
struct known *known_modules__alive(struct known_modules *modules, const char *name, uint64_t addr);
/*
 * The one that is alive where @state is. @loose: it may be known by /sys, by which place and
 * size of the text are a little off. NULL: there is none.
 */
struct known *known_modules__find(
	struct known_modules *modules, const struct perfstamp_module_state *state, bool loose);
/* Whether @known, which was found so, is the same build. */
bool known__is(const struct known *known, const struct perfstamp_module_state *state, bool loose);
/* The same build as @state at the same place, which has gone, or NULL. */
struct known *known_modules__gone(
	struct known_modules *modules, const struct perfstamp_module_state *state);
void known_modules__free(struct known_modules *modules);

#endif
