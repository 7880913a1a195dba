/* SPDX-License-Identifier: GPL-2.0-only */
/* A stream that compresses what is written to it. */
#ifndef PERFSTAMP_VIEW_EXPORT_GZIP_H
#define PERFSTAMP_VIEW_EXPORT_GZIP_H

#include <stdio.h>

/*
 * What is written to the stream is written to @out in gzip's format, all of it once the stream
 * is closed by fclose(), which fails where @out did not take it. @out stays the caller's. NULL
 * without memory.
 */
FILE *gzip__open(FILE *out);

#endif
