// SPDX-License-Identifier: GPL-2.0-only
/* See config.h. */
#include "user/parse/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX 256 /* of a section, a key or a value; perf has similar limits */

struct config {
	const char *at;
	const char *end;
	size_t line;
	char section[TEXT_MAX];
	char key[2 * TEXT_MAX];
	char value[4 * TEXT_MAX];
};

/* Returns the next letter; at the end of the text always a newline. */
static int peek(const struct config *config)
{
	return config->at < config->end ? (unsigned char)*config->at : '\n';
}

static void skip_blanks(struct config *config)
{
	while (config->at < config->end && strchr(" \t\r", *config->at) && *config->at)
		config->at++;
}

static bool is_name(int c)
{
	return isalnum(c) || c == '-' || c == '_' || c == '.';
}

/* Appends a letter to one of the texts. -EINVAL if there is no room. */
static int append(char *text, size_t size, size_t *at, int c)
{
	if (*at + 1 >= size || !c)
		return -EINVAL;
	text[(*at)++] = c;
	text[*at] = '\0';
	return 0;
}

static int read_name(struct config *config, char *ret, size_t size)
{
	size_t n = 0;

	*ret = '\0';
	for (; is_name(peek(config)); config->at++)
		if (append(ret, size, &n, tolower(peek(config))))
			return -EINVAL;
	return n ? 0 : -EINVAL;
}

/* Reads the rest of a section after the bracket: name], or name "sub"]. */
static int read_section(struct config *config)
{
	size_t n;

	skip_blanks(config);
	if (read_name(config, config->section, sizeof(config->section)))
		return -EINVAL;
	skip_blanks(config);
	if (peek(config) == '"') {
		n = strlen(config->section);
		if (append(config->section, sizeof(config->section), &n, '.'))
			return -EINVAL;
		for (config->at++; peek(config) != '"'; config->at++)
			if (peek(config) == '\n' ||
				append(config->section, sizeof(config->section), &n, peek(config)))
				return -EINVAL;
		config->at++;
		skip_blanks(config);
	}
	if (peek(config) != ']')
		return -EINVAL;
	config->at++;
	return 0;
}

static int unescape(int c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'n':
		return '\n';
	case '\\':
	case '"':
		return c;
	default:
		return -EINVAL;
	}
}

/* Reads a value up to the end of the line or a comment, without blanks at its end. */
static int read_value(struct config *config)
{
	bool quoted = false;
	size_t n = 0, kept = 0;

	*config->value = '\0';
	skip_blanks(config);
	for (; peek(config) != '\n'; config->at++) {
		int c = peek(config);

		if (!quoted && (c == '#' || c == ';'))
			break;
		if (c == '"') {
			quoted = !quoted;
			kept = n;
			continue;
		}
		if (c == '\\') {
			config->at++;
			c = peek(config) == '\n' ? -EINVAL : unescape(peek(config));
		}
		if (c < 0 || append(config->value, sizeof(config->value), &n, c))
			return -EINVAL;
		if (quoted || !isspace(c))
			kept = n;
	}
	config->value[kept] = '\0';
	return quoted ? -EINVAL : 0;
}

static int read_pair(struct config *config, config_fn *fn, void *ctx)
{
	char name[TEXT_MAX];

	if (!*config->section || read_name(config, name, sizeof(name)))
		return -EINVAL;
	snprintf(config->key, sizeof(config->key), "%s.%s", config->section, name);
	skip_blanks(config);
	if (peek(config) == '=') {
		config->at++;
		if (read_value(config))
			return -EINVAL;
	} else if (peek(config) == '\n' || peek(config) == '#' || peek(config) == ';') {
		strcpy(config->value, "true");
	} else {
		return -EINVAL;
	}
	return fn(ctx, config->key, config->value, config->line);
}

int config__parse(const char *text, size_t size, config_fn *fn, void *ctx, size_t *ret_line)
{
	struct config config = {.at = text, .end = text + size, .line = 1};
	int r = 0;

	while (!r && config.at < config.end) {
		*ret_line = config.line;
		skip_blanks(&config);
		if (peek(&config) == '[') {
			config.at++;
			r = read_section(&config);
			skip_blanks(&config);
		} else if (peek(&config) != '\n' && peek(&config) != '#' && peek(&config) != ';') {
			r = read_pair(&config, fn, ctx);
		}
		if (r)
			break;
		if (peek(&config) == '#' || peek(&config) == ';')
			while (peek(&config) != '\n')
				config.at++;
		/* A key may follow its section on the line. */
		if (peek(&config) != '\n')
			continue;
		config.at++;
		config.line++;
	}
	return r;
}
