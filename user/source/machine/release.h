/* SPDX-License-Identifier: GPL-2.0-only */
/* The release of the running kernel, for what cannot be asked of it in another way. */
#ifndef PERFSTAMP_SOURCE_MACHINE_RELEASE_H
#define PERFSTAMP_SOURCE_MACHINE_RELEASE_H

#include <stdbool.h>

/* Whether it is Linux @major.@minor or newer. False where that is not known. */
bool release__is_from(unsigned int major, unsigned int minor);

#endif
