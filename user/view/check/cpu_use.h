/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of `check' on the CPU time that was used and what samples of it there are, as
 * text and JSON.
 */
#ifndef PERFSTAMP_VIEW_CPU_USE_H
#define PERFSTAMP_VIEW_CPU_USE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/cpu_use.h"

struct cpu_use_view {
	bool recorded;   /* the CPU time is */
	const char *why; /* it is not, or is not compared, escaped; NULL: no reason, or it is */
	uint64_t total_ns;
	const char *event;         /* that is compared, escaped */
	const struct cpu_use *use; /* compared; NULL: it is not */
	const struct cpu_use_facts *facts;
};

void cpu_use_view__write(FILE *out, const struct cpu_use_view *view);
/* The object under "cpu_time"; the caller's. */
struct json_object *cpu_use_view__json(const struct cpu_use_view *view);

#endif
