/* SPDX-License-Identifier: GPL-2.0-only */
/* A stream that compresses the data written to it. */
#ifndef PERFSTAMP_VIEW_EXPORT_GZIP_H
#define PERFSTAMP_VIEW_EXPORT_GZIP_H

#include <stdio.h>

/*
 * Opens a stream that writes its data to @out in gzip's format. fclose() writes the rest, and fails
 * if @out has an error. The caller owns @out. Returns NULL if memory is exhausted.
 */
FILE *gzip__open(FILE *out);

#endif
