// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/record/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "user/cli/option_value.h"

ssize_t record_options__pages(const char *text)
{
	uint64_t page = sysconf(_SC_PAGESIZE), value;

	if (!option_value__number(text, 1, UINT64_MAX, &value))
		return value > SSIZE_MAX ? -EINVAL : (ssize_t)value;
	if (option_value__bytes(text, &value))
		return -EINVAL;
	return (value + page - 1) / page;
}

ssize_t record_options__spans(const char *text, uint32_t **ret_ms)
{
	size_t n = 2, i = 0;
	unsigned long ms;
	char *end;

	for (const char *at = text; *at; at++)
		n += 2 * (*at == ',');
	*ret_ms = calloc(n, sizeof(**ret_ms));
	if (!*ret_ms)
		return -ENOMEM;
	for (; i < n; i++, text = end + 1) {
		errno = 0;
		ms = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : INT_MAX;
		if (errno || ms >= INT_MAX || (i && ms <= (*ret_ms)[i - 1]))
			break;
		if (*end != (i + 1 == n ? '\0' : i % 2 ? ',' : '-'))
			break;
		(*ret_ms)[i] = ms;
	}
	if (i == n)
		return n;
	free(*ret_ms);
	*ret_ms = NULL;
	return -EINVAL;
}

int record_options__clockid(const char *text)
{
	/* tools/perf/util/clockid.c */
	static const struct {
		const char *name;
		int clockid;
	} CLOCKS[] = {
		{"monotonic", CLOCK_MONOTONIC},
		{"monotonic_raw", CLOCK_MONOTONIC_RAW},
		{"realtime", CLOCK_REALTIME},
		{"boottime", CLOCK_BOOTTIME},
		{"tai", CLOCK_TAI},
		{"mono", CLOCK_MONOTONIC},
		{"raw", CLOCK_MONOTONIC_RAW},
		{"real", CLOCK_REALTIME},
		{"boot", CLOCK_BOOTTIME},
	};
	char *end;
	long number;

	if (isdigit((unsigned char)*text)) {
		number = strtol(text, &end, 10);
		for (size_t i = 0; !*end && i < sizeof(CLOCKS) / sizeof(*CLOCKS); i++)
			if (CLOCKS[i].clockid == number)
				return number;
		return -EINVAL;
	}
	if (!strncasecmp(text, "CLOCK_", 6))
		text += 6;
	for (size_t i = 0; i < sizeof(CLOCKS) / sizeof(*CLOCKS); i++)
		if (!strcasecmp(CLOCKS[i].name, text))
			return CLOCKS[i].clockid;
	return -EINVAL;
}
