/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fills a struct cpu_use from a recording that is read: its samples, and the CPU time in
 * its own lines (docs/format.md).
 */
#ifndef PERFSTAMP_CLI_CPU_USE_H
#define PERFSTAMP_CLI_CPU_USE_H

#include "user/cli/input.h"
#include "user/model/cpu_use.h"
#include "user/view/check/cpu_use.h"

struct cpu_use_reading {
	struct cpu_use *use;
	struct cpu_use_facts facts;
	struct cpu_use_view view; /* for check__write; set by cpu_use_reading__end */
	char event[64];           /* its name, escaped */
	char why[160];            /* the recorder's reason, escaped */
	/* While it is read: */
	size_t n_attrs; /* that were looked at */
	size_t chosen;  /* the attribute that is compared */
	bool has_event;
	bool may_differ; /* it leaves out the kernel or user space */
	uint64_t *ids;   /* its own, sorted */
	size_t n_ids;
};

/* Returns 0 or -ENOMEM. */
int cpu_use_reading__begin(struct cpu_use_reading *reading);
/* The argument for input__read_with. Valid as long as @reading. */
struct input_tap cpu_use_reading__tap(struct cpu_use_reading *reading);
/* Compares, when @input was read. Returns 0 or -ENOMEM. */
int cpu_use_reading__end(struct cpu_use_reading *reading, const struct input *input);
void cpu_use_reading__free(struct cpu_use_reading *reading);

#endif
