// SPDX-License-Identifier: GPL-2.0-only
/* See array.h. */
#include "user/base/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 8

static int resize(void *v, size_t room, size_t size)
{
	void *array;

	if (room > SIZE_MAX / size)
		return -ENOMEM;
	/* The same for any type of pointer. */
	memcpy(&array, v, sizeof(array));
	array = realloc(array, room * size);
	if (!array)
		return -ENOMEM;
	memcpy(v, &array, sizeof(array));
	return 0;
}

int array__reserve(void *v, size_t *room, size_t n, size_t size)
{
	size_t more = *room ? *room : ROOM_FIRST;

	if (n <= *room)
		return 0;
	while (more < n) {
		if (more > SIZE_MAX / 2)
			return -ENOMEM;
		more *= 2;
	}
	if (resize(v, more, size))
		return -ENOMEM;
	*room = more;
	return 0;
}

int array__reserve_numbered(void *v, size_t *room, size_t n, size_t size)
{
	return n > UINT32_MAX ? -ENOMEM : array__reserve(v, room, n, size);
}

int array__extend(void *v, size_t n, size_t size)
{
	if (n & (n - 1))
		return 0;
	return n > SIZE_MAX / 2 ? -ENOMEM : resize(v, n ? 2 * n : 1, size);
}

int array__reach(void *v, size_t *n, size_t i, size_t size)
{
	size_t room = *n;
	char *bytes;

	if (i < *n)
		return 0;
	if (i == SIZE_MAX || array__reserve(v, &room, i + 1, size))
		return -ENOMEM;
	memcpy(&bytes, v, sizeof(bytes));
	memset(bytes + *n * size, 0, (room - *n) * size);
	*n = room;
	return 0;
}
