/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow: the owner keeps the pointer, the number of elements and the room. */
#ifndef PERFSTAMP_BASE_ARRAY_H
#define PERFSTAMP_BASE_ARRAY_H

#include <stddef.h>

/*
 * Makes room for at least @n elements of @size bytes in the array whose pointer is at @v (a
 * T **; NULL for an empty array), and which has room for *@room. At least doubles the room
 * if it grows, so that n additions take O(n). Returns 0, or -ENOMEM, in which case the
 * array is unchanged. The owner frees it.
 */
int array__reserve(void *v, size_t *room, size_t n, size_t size);
/*
 * The same where elements are known by numbers of 32 bits, of which UINT32_MAX stands for none:
 * returns -ENOMEM, too, if @n is above UINT32_MAX.
 */
int array__reserve_numbered(void *v, size_t *room, size_t n, size_t size);

#endif
