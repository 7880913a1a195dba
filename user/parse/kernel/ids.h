/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The identity of one kernel, from any source: release, machine, and the build-ids of the kernel
 * and its modules. Also the differences between two kernels. Pure.
 */
#ifndef PERFSTAMP_PARSE_KERNEL_IDS_H
#define PERFSTAMP_PARSE_KERNEL_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/parse/elf/note.h"
#include "user/parse/kernel/modules.h"

#define KERNEL_RELEASE_MAX 65      /* size in struct utsname, including the NUL */
#define KERNEL_MODULES_MAX 100000u /* of one kernel; an answer with more is refused */

struct kernel_dso {
	char name[MODULE_NAME_MAX]; /* name of a module, with _ for -; "" is the kernel */
	uint8_t build_id[ELF_BUILD_ID_MAX];
	uint8_t size; /* bytes of it; 0: not known */
};

struct kernel_ids {
	char release[KERNEL_RELEASE_MAX]; /* "" if not known; the same for .machine */
	char machine[KERNEL_RELEASE_MAX];
	struct kernel_dso kernel;
	const char *why;            /* why the kernel has no build-id, a static text; or NULL */
	bool knows_modules;         /* false for a copied notes file, which has no modules */
	struct kernel_dso *modules; /* sorted by name and id after kernel_ids__sort() */
	size_t n_modules;
	size_t room;
};

void kernel_ids__init(struct kernel_ids *ids);
void kernel_ids__free(struct kernel_ids *ids);
/*
 * Adds a module. A name may occur several times with different ids, if the module was reloaded.
 * @size is 0 if it has no build-id. Returns 0, -ENOMEM, -E2BIG beyond KERNEL_MODULES_MAX, or
 * -EBADMSG if it cannot be a module's name.
 */
int kernel_ids__add_module(
	struct kernel_ids *ids, const char *name, const uint8_t *build_id, size_t size);
/*
 * Stores the build-id from the bytes of a notes file, of any alignment and byte order, in @dso.
 * Returns false if there is none.
 */
bool kernel_dso__take_notes(struct kernel_dso *dso, const void *notes, size_t size);
/* Sorts, and removes duplicates. */
void kernel_ids__sort(struct kernel_ids *ids);

struct kernel_comparison {
	bool kernel_known; /* known on both sides */
	bool kernel_same;
	bool modules_known; /* known on both sides */
	size_t same;        /* modules that both have, with the same builds */
	size_t different;   /* modules that both have, with different builds */
	size_t unknown;     /* modules that both have, at least one without a build-id */
	size_t only[2];     /* modules that only one side has */
};

/* Receives a build that is on @side, 0 or 1, and not on the other one. */
typedef void kernel_difference_fn(void *ctx, int side, const struct kernel_dso *dso);

/*
 * Compares two sorted lists. For each name that both lists have, calls @fn for the builds that only
 * one of them has, the kernel first. @fn may be NULL.
 */
void kernel_ids__compare(const struct kernel_ids *a, const struct kernel_ids *b,
	struct kernel_comparison *ret, kernel_difference_fn *fn, void *ctx);
/* Whether both are known, and equal in everything that both have. */
bool kernel_comparison__equal(const struct kernel_comparison *comparison);

#endif
