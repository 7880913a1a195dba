/* SPDX-License-Identifier: GPL-2.0-only */
/* Restores perf map files and jitdumps from a recording, for stock perf. A part of dump. */
#ifndef PERFSTAMP_CLI_DUMP_CODE_FILES_H
#define PERFSTAMP_CLI_DUMP_CODE_FILES_H

#include "user/base/error.h"
#include "user/event/event.h"

struct code_files {
	int directory; /* the directory for the files, owned by the caller */
	uint64_t n;    /* files that were created */
};

/* Writes the bytes of an EVENT_CODE to their file. Returns 0 or -errno. */
int code_files__take(struct code_files *files, const struct event_code *code, struct error *err);

#endif
