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
	bool going;        /* it was being unloaded when the snapshot read it */
	bool init_written; /* perf has a symbol for its init text */
	bool init_done;
	bool seen;  /* found by the current check */
	char *path; /* path of its file, or "" */
	uint64_t loaded_ns;
	uint64_t gone_ns;
	uint16_t gone_flags;
};

/* All zero: empty. */
struct known_modules {
	struct known *v;
	size_t n;
	size_t n_gone; /* of these, unloaded */
};

/* Adds an entry with a copy of @path, which may be NULL. Returns NULL if memory is exhausted. */
struct known *known_modules__add(
	struct known_modules *modules, const struct known *known, const char *path);
/* Removes an entry; the last entry takes its place. */
void known_modules__remove(struct known_modules *modules, size_t i);
/* Finds the loaded module with this name at @addr, or NULL. */
struct known *known_modules__alive(struct known_modules *modules, const char *name, uint64_t addr);
/*
 * Finds the loaded module at the address of @state, or NULL. @loose: it may be known from /sys,
 * which has slightly different addresses and sizes of text.
 */
struct known *known_modules__find(
	struct known_modules *modules, const struct perfstamp_module_state *state, bool loose);
/* Whether @known, which was found in this way, is the same build. */
bool known__is(const struct known *known, const struct perfstamp_module_state *state, bool loose);
/* Finds the same build as @state at the same address that was unloaded, or NULL. */
struct known *known_modules__gone(
	struct known_modules *modules, const struct perfstamp_module_state *state);
void known_modules__free(struct known_modules *modules);

#endif
