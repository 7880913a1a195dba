/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether this kernel reports mappings by PERF_RECORD_MMAP3 (user/event/native.h), tested
 * with a mapping. Keeps no state.
 */
#ifndef PERFSTAMP_SOURCE_PERF_NATIVE_H
#define PERFSTAMP_SOURCE_PERF_NATIVE_H

#include "user/base/error.h"

/*
 * Returns 0 if it does. It is not enough that the kernel accepts the attribute's bit, since another
 * kernel may use the bit differently: our event must report exactly a mapping that we make. Returns
 * -EOPNOTSUPP if it does not, or -errno if the test was not possible, with the text.
 */
int perf_native__probe(struct error *ret_why);

#endif
