/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes untrusted text to a stream, escaped by base/text.
 */
#ifndef PERFSTAMP_VIEW_FORMAT_ESCAPED_H
#define PERFSTAMP_VIEW_FORMAT_ESCAPED_H

#include <stddef.h>
#include <stdio.h>

/* Returns the number of bytes written. Errors stick to @out. */
size_t escaped__write(FILE *out, const char *text);
/*
 * Writes a word of a command line that can be pasted into a shell. The escapes of
 * escaped__write() are those that bash and zsh accept between $' and '.
 */
void escaped__write_word(FILE *out, const char *word);

#endif
