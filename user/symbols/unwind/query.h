/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mappings for unwinding a stack, its callers, and the results of requests for files:
 * shared by the requesting side and the child that unwinds. Does not know either.
 */
#ifndef PERFSTAMP_SYMBOLS_UNWIND_QUERY_H
#define PERFSTAMP_SYMBOLS_UNWIND_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/profile/unwinding.h"
#include "user/symbols/query.h"

#define UNWIND_FRAMES_MAX 127 /* as in perf */
#define UNWIND_NO_DSO UINT64_MAX
#define UNWIND_MEMORY (UINT64_MAX - 1) /* memory without a file, which may have run-time code */

/* No padding is allowed, because mappings are compared as bytes. */
struct unwind_mapping {
	uint64_t addr;
	uint64_t len;
	uint64_t pgoff;
	uint64_t dso; /* index; UNWIND_NO_DSO; UNWIND_MEMORY */
};

/* The stack and registers to unwind. */
struct unwind_sample {
	uint32_t pid;
	uint64_t time_ns;
	const struct event_user_stack *stack;
};

struct unwind_chain {
	enum unwind_end end;
	size_t n;
	/* The sampled address in user space, then its callers: the last byte of each call. */
	uint64_t frames[UNWIND_FRAMES_MAX];
};

/* The results of requests to servers. */
struct unwind_outcome {
	bool server_failed;          /* another request would take as long */
	char said[SYMBOLS_SAID_MAX]; /* the first error text, or "" */
};

#endif
