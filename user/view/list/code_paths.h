/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of the perf map files and jitdumps that `dump --code-files' writes. Stock perf looks
 * for perf-PID.map and jit-PID.dump, and a recording can have several streams of bytes for one of
 * them: the file was rewritten, or the pid was used again. The newest stream has that name; the
 * others have their number in the name. Does not read or write any file.
 */
#ifndef PERFSTAMP_VIEW_LIST_CODE_PATHS_H
#define PERFSTAMP_VIEW_LIST_CODE_PATHS_H

#include <stdint.h>

#include "user/event/event.h"
#include "user/model/tables/by_number.h"

#define CODE_PATH_SIZE 40

/*
 * Adds the stream of @code to a table of processes, which by_number__free() frees. Returns 1 if it
 * is newer than all others of its file, otherwise 0; or -ENOMEM. If it is newer, *@ret_before is
 * the number of the stream that was the newest before, or -1.
 */
int code_paths__add(
	struct by_number **processes, const struct event_code *code, int64_t *ret_before);
/* Writes the name of a stream of the process @pid. Streams have to be added before. */
void code_paths__get(struct by_number *processes, uint32_t pid, uint8_t kind, uint32_t stream,
	char ret[CODE_PATH_SIZE]);

#endif
