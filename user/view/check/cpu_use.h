/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of `check' that compares the samples with the CPU time that was used, as text and JSON.
 */
#ifndef PERFSTAMP_VIEW_CPU_USE_H
#define PERFSTAMP_VIEW_CPU_USE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/cpu_use.h"

struct cpu_use_view {
	bool recorded;   /* the CPU time was recorded */
	const char *why; /* why it was not recorded or is not compared, escaped; may be NULL */
	uint64_t total_ns;
	const char *event;         /* the compared event, escaped */
	const struct cpu_use *use; /* the comparison; NULL: not compared */
	const struct cpu_use_facts *facts;
};

void cpu_use_view__write(FILE *out, const struct cpu_use_view *view);
/* Returns the object under "cpu_time". The caller owns it. */
struct json_object *cpu_use_view__json(const struct cpu_use_view *view);

#endif
