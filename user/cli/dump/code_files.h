/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Restores perf map files and jitdumps from a recording, for stock perf. If a file was rewritten
 * during the recording, each content is restored (user/view/list/code_paths.h). A part of dump.
 */
#ifndef PERFSTAMP_CLI_DUMP_CODE_FILES_H
#define PERFSTAMP_CLI_DUMP_CODE_FILES_H

#include "user/base/error.h"
#include "user/event/event.h"
#include "user/model/tables/by_number.h"

struct code_files {
	int directory; /* the directory for the files, owned by the caller */
	uint64_t n;    /* files that were created */
	struct by_number *names;
};

/* Writes the bytes of an EVENT_CODE to their file. Returns 0 or -errno. */
int code_files__take(struct code_files *files, const struct event_code *code, struct error *err);
/* Frees what it has allocated. */
void code_files__free(struct code_files *files);

#endif
