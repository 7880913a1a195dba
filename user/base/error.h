/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of an error, passed from the place that detects it to the one place that prints
 * it (user/cli). Does not know streams or the exit status.
 */
#ifndef PERFSTAMP_BASE_ERROR_H
#define PERFSTAMP_BASE_ERROR_H

#define ERROR_TEXT_MAX 1024

struct error {
	char text[ERROR_TEXT_MAX];
};

/*
 * Stores the formatted text in @err (which may be NULL) and returns @code, a negative
 * errno, so that a caller can write `return error__set(err, -EIO, …)`. The text names the
 * file, the place and the remedy; control characters in it are replaced, because paths are
 * untrusted. It is truncated at ERROR_TEXT_MAX - 1 bytes.
 */
int error__set(struct error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The same, followed by ": " and strerror(-code).
 */
int error__errno(struct error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
