/* SPDX-License-Identifier: GPL-2.0-only */
/* The release of the running kernel, for features that cannot be probed. */
#ifndef PERFSTAMP_SOURCE_MACHINE_RELEASE_H
#define PERFSTAMP_SOURCE_MACHINE_RELEASE_H

#include <stdbool.h>

/* The first two numbers of Linux @ret_major.@ret_minor. False if they are not known. */
bool release__read(unsigned int *ret_major, unsigned int *ret_minor);
/* Whether it is Linux @major.@minor or newer. False if that is not known. */
bool release__is_from(unsigned int major, unsigned int minor);

#endif
