/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether this kernel reports mappings by PERF_RECORD_MMAP3 (user/event/native.h), found
 * out by mapping something. Keeps nothing.
 */
#ifndef PERFSTAMP_SOURCE_PERF_NATIVE_H
#define PERFSTAMP_SOURCE_PERF_NATIVE_H

#include "user/base/error.h"

/*
 * Returns 0 if it does. That it knows the attribute's bit is not enough, since another
 * kernel may use it otherwise: an event of our own must report a mapping that we make, as
 * it is. Otherwise -EOPNOTSUPP, or -errno of what could not be tried, with the text.
 */
int perf_native__probe(struct error *ret_why);

#endif
