// SPDX-License-Identifier: GPL-2.0-only
/* See code_paths.h. */
#include "user/view/list/code_paths.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

struct process {
	struct by_number by_pid;
	uint64_t newest[2]; /* perf map file and jitdump: number of the stream, plus 1; 0: none */
};

static bool is_jitdump(uint8_t kind)
{
	return kind == PERFSTAMP_CODE_JITDUMP;
}

int code_paths__add(
	struct by_number **processes, const struct event_code *code, int64_t *ret_before)
{
	struct process *process = by_number__get(processes, code->pid, sizeof(*process));
	uint64_t number = (uint64_t)code->stream + 1, *newest;

	if (!process)
		return -ENOMEM;
	newest = &process->newest[is_jitdump(code->kind)];
	if (number <= *newest)
		return 0;
	*ret_before = (int64_t)*newest - 1;
	*newest = number;
	return 1;
}

void code_paths__get(struct by_number *processes, uint32_t pid, uint8_t kind, uint32_t stream,
	char ret[CODE_PATH_SIZE])
{
	const struct process *process = by_number__find(processes, pid);
	char number[16] = "";

	if (process && process->newest[is_jitdump(kind)] != (uint64_t)stream + 1)
		snprintf(number, sizeof(number), ".%" PRIu32, stream);
	snprintf(ret, CODE_PATH_SIZE,
		is_jitdump(kind) ? "jit-%" PRIu32 "%s.dump" : "perf-%" PRIu32 "%s.map", pid,
		number);
}
