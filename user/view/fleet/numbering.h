/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assigns numbers to keys of any bytes, from 1 on, in the order in which they are first looked up.
 */
#ifndef PERFSTAMP_VIEW_FLEET_NUMBERING_H
#define PERFSTAMP_VIEW_FLEET_NUMBERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numbering;

int numbering__new(struct numbering **ret); /* Returns 0 or -ENOMEM */
void numbering__free(struct numbering *numbering);
/* Returns in @ret the number of the key of @size bytes, which is copied; *@ret_new: it is new. */
int numbering__find(
	struct numbering *numbering, const void *key, size_t size, uint32_t *ret, bool *ret_new);

#endif
