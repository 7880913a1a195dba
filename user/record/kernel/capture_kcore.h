/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies the code of the running kernel and its modules to the store that perf reads,
 * as `perf buildid-cache --kcore' does:
 *
 *	DIR/[kernel.kcore]/BUILD-ID/YYYYmmddHHMMSShh/{kcore,kallsyms,modules}
 */
#ifndef PERFSTAMP_RECORD_CAPTURE_KCORE_H
#define PERFSTAMP_RECORD_CAPTURE_KCORE_H

#include "user/base/error.h"

/*
 * Returns 0, or -errno if nothing is stored: -ENODATA without a build-id; -EPERM without the
 * privilege, under lockdown, or if addresses are hidden.
 */
int capture__kcore(const char *store, struct error *err);

#endif
