/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays that grow. Their owner keeps the pointer, the number of elements, and the number of
 * elements for which there is room.
 */
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
 * The same for arrays whose elements have numbers of 32 bits. UINT32_MAX is no element's number, so
 * this also returns -ENOMEM if @n is above UINT32_MAX.
 */
int array__reserve_numbered(void *v, size_t *room, size_t n, size_t size);
/*
 * Makes room for one more element in an array of @n elements, for an owner that does not keep the
 * room. The room is always the next power of two, so memory is allocated only if @n is 0 or a power
 * of two. All elements of the array must have been added in this way. Returns 0, or -ENOMEM, in
 * which case the array is unchanged.
 */
int array__extend(void *v, size_t n, size_t size);
/*
 * Adds elements that are all zero until there is an element @i. *@n is the number of elements. It
 * at least doubles if it grows, so it does not show how many elements are in use. Returns 0, or
 * -ENOMEM, in which case the array is unchanged.
 */
int array__reach(void *v, size_t *n, size_t i, size_t size);

#endif
