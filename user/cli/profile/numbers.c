// SPDX-License-Identifier: GPL-2.0-only
/* See numbers.h. */
#include "user/cli/profile/numbers.h"

#include <errno.h>
#include <stdlib.h>

#include "user/base/array.h"

static bool parse_number(const char **text, uint32_t *ret)
{
	char *end;
	unsigned long long n = strtoull(*text, &end, 10);

	if (**text < '0' || **text > '9' || n > UINT32_MAX)
		return false;
	*ret = n;
	*text = end;
	return true;
}

static int add(struct number_list *list, struct number_range range)
{
	if (array__extend(&list->v, list->n, sizeof(*list->v)))
		return -ENOMEM;
	list->v[list->n++] = range;
	return 0;
}

int number_list__parse(struct number_list *ret, const char *text)
{
	number_list__free(ret);
	for (;; text++) {
		struct number_range range;

		if (!parse_number(&text, &range.first))
			return -EINVAL;
		range.last = range.first;
		if (*text == '-' && (text++, !parse_number(&text, &range.last)))
			return -EINVAL;
		if (range.last < range.first || (*text && *text != ','))
			return -EINVAL;
		if (add(ret, range))
			return -ENOMEM;
		if (!*text)
			return 0;
	}
}

void number_list__free(struct number_list *list)
{
	free(list->v);
	*list = (struct number_list){0};
}

bool number_list__has(const struct number_list *list, uint32_t number)
{
	for (size_t i = 0; i < list->n; i++)
		if (number >= list->v[i].first && number <= list->v[i].last)
			return true;
	return false;
}
