// SPDX-License-Identifier: GPL-2.0-only
/*
 * Error texts, see error.h.
 */
#include "user/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "user/base/text.h"

static void format(struct error *err, const char *fmt, va_list args)
{
	if (vsnprintf(err->text, sizeof(err->text), fmt, args) < 0)
		err->text[0] = '\0';
}

int error__set(struct error *err, int code, const char *fmt, ...)
{
	va_list args;

	if (err) {
		va_start(args, fmt);
		format(err, fmt, args);
		va_end(args);
		text__sanitize(err->text);
	}
	return code;
}

int error__errno(struct error *err, int code, const char *fmt, ...)
{
	char reason[128];
	va_list args;
	size_t len;

	if (!err)
		return code;
	va_start(args, fmt);
	format(err, fmt, args);
	va_end(args);
	/*
	 * This is GNU's strerror_r(), which may return another string instead of filling @reason.
	 */
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %s",
		strerror_r(-code, reason, sizeof(reason)));
	text__sanitize(err->text);
	return code;
}
