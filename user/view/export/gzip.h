/* SPDX-License-Identifier: GPL-2.0-only */
/* A stream that compresses what is written to it. */
#ifndef PERFSTAMP_VIEW_EXPORT_GZIP_H
#define PERFSTAMP_VIEW_EXPORT_GZIP_H

#include <stdio.h>

/*
 * Opens a stream whose data is written to @out in gzip's format. fclose() writes the rest,
 * and fails if @out has an error. The caller owns @out. NULL without memory.
 */
FILE *gzip__open(FILE *out);

#endif
