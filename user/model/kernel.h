/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel text: the image, the modules, and text that only has a symbol (BPF programs, trampolines).
 * Finds the text that contains an address.
 */
#ifndef PERFSTAMP_MODEL_KERNEL_H
#define PERFSTAMP_MODEL_KERNEL_H

#include "user/model/sighting.h"

struct kernel_text {
	struct maps *image; /* kept apart, because its range may overlap the modules */
	struct maps *modules;
	struct maps *symbols;
};

/*
 * Sets @ret to the DSO name of a kernel map as in perf, which is its path. For the image, the
 * symbol that addresses are relative to is removed ("_text" of "[kernel.kallsyms]_text"). Truncates
 * the name to @size with its NUL.
 */
void kernel_text__name(const char *path, char *ret, size_t size);
/* Adds @mapping of the file or image at @path. Returns 0 or -ENOMEM. */
int kernel_text__map(struct kernel_text *text, const char *path, const struct mapping *mapping,
	struct sightings *sightings, uint64_t now_ns);
/*
 * Adds a symbol that was registered at @time_ns (0: before the recording), or removes one together
 * with its module. Each symbol has a sighting, named after it. Returns 0 or -ENOMEM.
 */
int kernel_text__symbol(struct kernel_text *text, const struct event_ksymbol *symbol,
	struct sightings *sightings, uint64_t time_ns, uint64_t now_ns);
enum kernel_text_kind {
	KERNEL_TEXT_NONE, /* no known text */
	KERNEL_TEXT_IMAGE,
	KERNEL_TEXT_MODULE,
	KERNEL_TEXT_SYMBOL,
};

/* Returns the mapping that contains @addr, or NULL. It is valid until the text changes. */
const struct mapping *kernel_text__find(
	const struct kernel_text *text, uint64_t addr, enum kernel_text_kind *ret_kind);
/* Removes the module at [@addr, @end). Returns 0 or -ENOMEM. */
int kernel_text__unload(struct kernel_text *text, uint64_t addr, uint64_t end,
	struct sightings *sightings, uint64_t now_ns);
/* Returns the mapping of @path at @addr, or NULL. */
struct mapping *kernel_text__at(const struct kernel_text *text, const char *path, uint64_t addr);
void kernel_text__free(struct kernel_text *text, struct sightings *sightings);

#endif
