// SPDX-License-Identifier: GPL-2.0-only
/* See array.h. */
#include "user/base/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 8

int array__reserve(void *v, size_t *room, size_t n, size_t size)
{
	size_t more = *room ? *room : ROOM_FIRST;
	void *array;

	if (n <= *room)
		return 0;
	while (more < n) {
		if (more > SIZE_MAX / 2 / size)
			return -ENOMEM;
		more *= 2;
	}
	/* The same for any type of pointer. */
	memcpy(&array, v, sizeof(array));
	array = realloc(array, more * size);
	if (!array)
		return -ENOMEM;
	memcpy(v, &array, sizeof(array));
	*room = more;
	return 0;
}

int array__reserve_numbered(void *v, size_t *room, size_t n, size_t size)
{
	return n > UINT32_MAX ? -ENOMEM : array__reserve(v, room, n, size);
}
