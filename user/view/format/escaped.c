// SPDX-License-Identifier: GPL-2.0-only
/*
 * See escaped.h.
 */
#include <stdlib.h>

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
