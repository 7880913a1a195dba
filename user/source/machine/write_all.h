/* SPDX-License-Identifier: GPL-2.0-only */
/* write(2) until all is written. */
#ifndef PERFSTAMP_SOURCE_WRITE_ALL_H
#define PERFSTAMP_SOURCE_WRITE_ALL_H

#include <stddef.h>

/* 0 or -errno; part of it may have been written then. */
int write_all(int fd, const void *bytes, size_t size);

#endif
