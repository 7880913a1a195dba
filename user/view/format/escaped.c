// SPDX-License-Identifier: GPL-2.0-only
/*
 * See escaped.h.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/format/escaped.h"

size_t escaped__write(FILE *out, const char *text)
{
	char small[1024];
	size_t len = text__escape(small, sizeof(small), text);
	char *large;

	if (len < sizeof(small)) {
		fputs(small, out);
		return len;
	}
	large = malloc(len + 1);
	if (!large) { /* truncated, but still safe */
		fputs(small, out);
		return sizeof(small) - 1;
	}
	text__escape(large, len + 1, text);
	fputs(large, out);
	free(large);
	return len;
}

static bool is_plain(const char *word)
{
	return *word && (*word != '-' || !word[1]) && *word != '~' &&
	       !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "/._-+:@%=,")];
}

void escaped__write_word(FILE *out, const char *word)
{
	if (is_plain(word)) {
		fputs(word, out);
		return;
	}
	fputs("$'", out);
	for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1) {
		char *part = strndup(word, quote - word);

		escaped__write(out, part ? part : "");
		fputs("\\'", out);
		free(part);
	}
	escaped__write(out, word);
	fputc('\'', out);
}
