// SPDX-License-Identifier: GPL-2.0-only
/* See option_value.h. */
#include "user/cli/option_value.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/cli.h"

/* Parses the digits at the begin of @text, and sets *@ret_end behind them. Returns 0 or -EINVAL. */
static int parse_digits(const char *text, uint64_t *ret, const char **ret_end)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	*ret_end = end;
	return errno ? -EINVAL : 0;
}

int option_value__number(const char *text, uint64_t least, uint64_t most, uint64_t *ret)
{
	const char *end;

	if (parse_digits(text, ret, &end))
		return -EINVAL;
	return *end || *ret < least || *ret > most ? -EINVAL : 0;
}

int option_value__bytes(const char *text, uint64_t *ret)
{
	static const char UNITS[] = "BKMG";
	const char *unit, *end;
	uint64_t value;

	if (parse_digits(text, &value, &end) || !value)
		return -EINVAL;
	unit = *end ? strchr(UNITS, toupper((unsigned char)*end)) : UNITS;
	if (!unit || (*end && end[1]) || value > UINT64_MAX >> (10 * (unit - UNITS)))
		return -EINVAL;
	*ret = value << (10 * (unit - UNITS));
	return 0;
}

/* For arguments that can be a size or a time, perf decides by the case of the letter. */
int option_value__size(const char *text, uint64_t *ret)
{
	size_t length = strlen(text);

	return length && strchr("BKMG", text[length - 1]) ? option_value__bytes(text, ret)
							  : -EINVAL;
}

int option_value__seconds(const char *text, const char *units, uint64_t *ret)
{
	static const struct {
		char unit;
		uint32_t seconds;
	} UNITS[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
	const char *end;
	uint64_t value;

	if (parse_digits(text, &value, &end) || !value || value > UINT32_MAX)
		return -EINVAL;
	if (!*end || end[1] || !strchr(units, *end))
		return -EINVAL;
	for (size_t i = 0; i < sizeof(UNITS) / sizeof(*UNITS); i++)
		if (UNITS[i].unit == *end)
			*ret = value * UNITS[i].seconds;
	return 0;
}

int option_value__time(const char *text, uint64_t *ret_ns)
{
	uint64_t seconds;

	if (option_value__seconds(text, "smhd", &seconds) || seconds > UINT64_MAX / 1000000000ull)
		return -EINVAL;
	*ret_ns = seconds * 1000000000ull;
	return 0;
}

static size_t count_commas(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == ',';
	return n;
}

size_t option_value__ids(pid_t **ids, int key, const char *text, struct argp_state *state)
{
	const size_t n = count_commas(text) + 1;
	const char *at = text;
	uint64_t id = 0;

	free(*ids);
	*ids = calloc(n, sizeof(**ids));
	if (!*ids) {
		argp_failure(state, CLI_FAILED, 0, "out of memory");
		return 0;
	}
	for (size_t i = 0; i < n; i++, at++) {
		if (parse_digits(at, &id, &at) || !id || id > INT_MAX ||
			*at != (i + 1 < n ? ',' : '\0'))
			argp_error(state, "-%c requires numbers, separated by commas: `%s'", key,
				text);
		(*ids)[i] = (pid_t)id;
	}
	return n;
}
