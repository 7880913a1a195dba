/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The identity of one kernel, from any source: release, machine, its build-id and those of
 * its modules; and the differences of two. Pure.
 */
#ifndef PERFSTAMP_PARSE_KERNEL_IDS_H
#define PERFSTAMP_PARSE_KERNEL_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/parse/elf/note.h"
#include "user/parse/kernel/modules.h"

#define KERNEL_RELEASE_MAX 65      /* that of struct utsname, with its NUL */
#define KERNEL_MODULES_MAX 100000u /* of one kernel: more is no kernel's answer */

struct kernel_dso {
	char name[MODULE_NAME_MAX]; /* a module's, with _ for -; "" is the kernel */
	uint8_t build_id[ELF_BUILD_ID_MAX];
	uint8_t size; /* bytes of it; 0: none is known */
};

struct kernel_ids {
	char release[KERNEL_RELEASE_MAX]; /* "" if it is not known, as is .machine */
	char machine[KERNEL_RELEASE_MAX];
	struct kernel_dso kernel;
	const char *why;            /* there is no build-id of the kernel; static, or NULL */
	bool knows_modules;         /* a copied notes file has none */
	struct kernel_dso *modules; /* sorted by name and id once kernel_ids__sort was called */
	size_t n_modules;
	size_t room;
};

void kernel_ids__init(struct kernel_ids *ids);
void kernel_ids__free(struct kernel_ids *ids);
/*
 * One more module; a name may come several times, with other ids: it was reloaded. @size 0
 * if it has none. Returns 0, -ENOMEM, -E2BIG beyond KERNEL_MODULES_MAX, -EBADMSG for what
 * is no module's name.
 */
int kernel_ids__add_module(
	struct kernel_ids *ids, const char *name, const uint8_t *build_id, size_t size);
/*
 * The build-id in the bytes of a notes file, whatever their alignment and byte order, into
 * @dso. False if there is none.
 */
bool kernel_dso__take_notes(struct kernel_dso *dso, const void *notes, size_t size);
/* Sorts, and removes duplicates. */
void kernel_ids__sort(struct kernel_ids *ids);

struct kernel_comparison {
	bool kernel_known; /* on both sides */
	bool kernel_same;
	bool modules_known; /* on both sides */
	size_t same;        /* modules that both have, with the same builds */
	size_t different;   /* that both have, with other builds */
	size_t unknown;     /* that both have, and at least one side without a build-id */
	size_t only[2];     /* that only one has */
};

/* @side 0 or 1: @dso is there, and not on the other side. */
typedef void kernel_difference_fn(void *ctx, int side, const struct kernel_dso *dso);

/*
 * Compares two that are sorted: @fn gets each build of what both sides have
 * that only one of them has it in, the kernel first. @fn may be NULL.
 */
void kernel_ids__compare(const struct kernel_ids *a, const struct kernel_ids *b,
	struct kernel_comparison *ret, kernel_difference_fn *fn, void *ctx);
/* Both are known, and equal in everything that both have. */
bool kernel_comparison__equal(const struct kernel_comparison *comparison);

#endif
