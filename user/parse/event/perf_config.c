// SPDX-License-Identifier: GPL-2.0-only
/* See perf_config.h. Knows neither files nor the environment. */
#include "user/parse/event/perf_config.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t\r");
}

/* Copies the value up to the end of the line, without quotes, comments and surrounding blanks. */
static void take_value(const char *at, char *ret, size_t size)
{
	size_t len = 0, blanks = 0;
	bool quoted = false;

	for (; *at && *at != '\n'; at++) {
		char c = *at;

		if (c == '"') {
			quoted = !quoted;
			continue;
		}
		if (!quoted && (c == '#' || c == ';'))
			break;
		if (c == '\\' && at[1] && at[1] != '\n')
			c = *++at == 't' ? '\t' : *at == 'n' ? '\n' : *at;
		if (len + 1 >= size)
			break;
		blanks = !quoted && isspace((unsigned char)c) ? blanks + 1 : 0;
		ret[len++] = c;
	}
	ret[len - blanks] = '\0';
}

int perf_config__find(
	const char *text, const char *section, const char *key, char *ret, size_t size)
{
	bool inside = false;
	int code = -ENOENT;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *at = skip_blanks(line);
		size_t len;

		if (*at == '[') {
			len = strcspn(at + 1, "]\n");
			inside = at[1 + len] == ']' && len == strlen(section) &&
				 !strncasecmp(at + 1, section, len);
			continue;
		}
		len = strlen(key);
		if (!inside || strncasecmp(at, key, len) != 0)
			continue;
		at = skip_blanks(at + len);
		if (*at != '=')
			continue;
		take_value(skip_blanks(at + 1), ret, size);
		code = 0;
	}
	return code;
}
