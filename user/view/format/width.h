/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The width of a text on a terminal, in columns: East Asian characters take two, combining
 * characters none. Does not know streams.
 */
#ifndef PERFSTAMP_VIEW_FORMAT_WIDTH_H
#define PERFSTAMP_VIEW_FORMAT_WIDTH_H

#include <stddef.h>

/* The columns of @text, which is UTF-8 without control characters (base/text.h). */
size_t width__of(const char *text);
/* Cuts @text so that it takes no more than @columns. */
void width__cut(char *text, size_t columns);

#endif
