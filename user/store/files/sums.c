// SPDX-License-Identifier: GPL-2.0-only
/* See sums.h. */
#include "user/store/files/sums.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/buffer.h"
#include "user/base/text.h"
#include "user/store/files/inside.h"

#define SUMS_MAX 16384 /* bytes; seven kinds of files have a few lines each */
#define LINES_MAX 8    /* of one file; earlier lines belong to replaced content */

/*
 * Reads the file. Returns "" if there is none, and NULL if memory is exhausted. The caller frees
 * it.
 */
static char *read_sums(int dir)
{
	char *text = calloc(1, SUMS_MAX + 1);
	int fd = inside__file(dir, SUMS_FILE);
	ssize_t n;

	if (fd >= 0 && text) {
		n = pread(fd, text, SUMS_MAX, 0);
		text[n < 0 ? 0 : n] = '\0';
	}
	if (fd >= 0)
		close(fd);
	return text;
}

/* Whether the line at @line, which begins with the hexadecimal digits, is for @file. */
static bool is_of(const char *line, const char *file)
{
	size_t len = strcspn(line, "\n"), name = strlen(file);

	return len == 2 * DIGEST_SIZE + 2 + name && line[2 * DIGEST_SIZE] == ' ' &&
	       !strncmp(line + len - name, file, name);
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

static int write_sums(int dir, const struct buffer *out)
{
	char temporary[64];
	int fd, code = 0;

	snprintf(temporary, sizeof(temporary), INSIDE_TEMPORARY "sum.%d", getpid());
	fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	if (write(fd, out->data, out->size) != (ssize_t)out->size)
		code = -ENOSPC;
	close(fd);
	if (!code && renameat(dir, temporary, dir, SUMS_FILE) < 0)
		code = -errno;
	if (code)
		unlinkat(dir, temporary, 0);
	return code;
}

int sums__add(int dir, const char *file, const uint8_t digest[DIGEST_SIZE])
{
	char *text = read_sums(dir), hex[2 * DIGEST_SIZE + 1];
	struct buffer out;
	int code, n = 0;

	if (!text)
		return -ENOMEM;
	text__hex(hex, sizeof(hex), digest, DIGEST_SIZE);
	buffer__init(&out, SUMS_MAX);
	buffer__printf(&out, "%s  %s\n", hex, file);
	for (const char *line = text; *line; line = next_line(line)) {
		bool same = is_of(line, file);

		n += same;
		if ((same && (n >= LINES_MAX || !strncmp(line, hex, 2 * DIGEST_SIZE))) ||
			!strchr(line, '\n'))
			continue;
		buffer__append(&out, line, next_line(line) - line);
	}
	code = out.error ? out.error : write_sums(dir, &out);
	buffer__free(&out);
	free(text);
	return code;
}

int sums__check(int dir, const char *file, int fd)
{
	char *text = read_sums(dir), hex[2 * DIGEST_SIZE + 1] = "";
	uint8_t digest[DIGEST_SIZE];
	int code = text ? -ENODATA : -ENOMEM;

	for (const char *line = text; code && text && *line; line = next_line(line)) {
		int failed;

		if (!is_of(line, file))
			continue;
		failed = *hex ? 0 : digest__sha256(fd, digest);
		if (failed) {
			code = failed;
			break;
		}
		text__hex(hex, sizeof(hex), digest, sizeof(digest));
		code = strncmp(line, hex, 2 * DIGEST_SIZE) ? -EBADMSG : 0;
	}
	free(text);
	return code;
}
