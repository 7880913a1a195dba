// SPDX-License-Identifier: GPL-2.0-only
/*
 * See pmu_format.h. The bits of a value are distributed to the ranges in the order in which these
 * are written, lowest bit first.
 */
#include "user/parse/event/pmu_format.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int pmu_term__next(const char **cursor, struct pmu_term *ret)
{
	const char *p = *cursor;
	size_t len, name_len;
	const char *equals;
	char *end;

	memset(ret, 0, sizeof(*ret));
	p += strspn(p, " \t\n");
	if (!*p)
		return 0;
	len = strcspn(p, ",\n");
	equals = memchr(p, '=', len);
	name_len = equals ? (size_t)(equals - p) : len;
	if (!name_len || name_len >= sizeof(ret->name))
		return -EINVAL;
	memcpy(ret->name, p, name_len);
	ret->value = 1;
	if (equals) {
		size_t text_len = len - name_len - 1;

		if (!text_len || text_len >= sizeof(ret->text))
			return -EINVAL;
		memcpy(ret->text, equals + 1, text_len);
		ret->has_value = true;
		errno = 0;
		ret->value = strtoull(ret->text, &end, 0);
		if (*end || errno || !isdigit((unsigned char)ret->text[0]))
			ret->value = 0;
	}
	p += len;
	if (*p == ',')
		p++;
	*cursor = p;
	return 1;
}

static bool pick_word(
	const char *name, size_t len, struct perf_event_attr *attr, uint64_t *ret, int *ret_word)
{
	static const char *const words[] = {"config", "config1", "config2"};
	const uint64_t values[] = {attr->config, attr->config1, attr->config2};

	for (int i = 0; i < 3; i++) {
		if (strlen(words[i]) != len || strncmp(name, words[i], len))
			continue;
		*ret = values[i];
		*ret_word = i;
		return true;
	}
	return false;
}

int pmu_format__apply(const char *format, uint64_t value, struct perf_event_attr *attr)
{
	const char *p = strchr(format, ':');
	uint64_t word;
	int which;

	if (!p || !pick_word(format, p - format, attr, &word, &which))
		return -EINVAL;
	do {
		char *end;
		unsigned long low, high;
		uint64_t mask;

		p++;
		if (!isdigit((unsigned char)*p))
			return -EINVAL;
		low = high = strtoul(p, &end, 10);
		if (*end == '-') {
			if (!isdigit((unsigned char)end[1]))
				return -EINVAL;
			high = strtoul(end + 1, &end, 10);
		}
		if (low > high || high > 63)
			return -EINVAL;
		p = end;
		mask = high - low == 63 ? UINT64_MAX : (UINT64_C(1) << (high - low + 1)) - 1;
		word = (word & ~(mask << low)) | (value & mask) << low;
		value = high - low == 63 ? 0 : value >> (high - low + 1);
	} while (*p == ',');
	if (*p && *p != '\n')
		return -EINVAL;
	if (value)
		return -ERANGE;
	if (which == 0)
		attr->config = word;
	else if (which == 1)
		attr->config1 = word;
	else
		attr->config2 = word;
	return 0;
}
