/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fills a struct cpu_use while a recording is read: with its samples, and with the CPU time that
 * the recorder wrote (docs/format.md).
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
	char event[64];           /* name of the event, escaped */
	char why[160];            /* the reason why the recorder wrote no times, escaped */
	/* Used while the recording is read: */
	size_t n_attrs; /* attributes that were examined */
	size_t chosen;  /* the attribute that is compared */
	bool has_event;
	bool may_differ; /* the event excludes the kernel or user space */
	uint64_t *ids;   /* ids of the event, sorted */
	size_t n_ids;
};

/* Returns 0 or -ENOMEM. */
int cpu_use_reading__begin(struct cpu_use_reading *reading);
/* Returns the argument for input__read_with(), valid as long as @reading. */
struct input_tap cpu_use_reading__tap(struct cpu_use_reading *reading);
/* Compares, after @input was read. Returns 0 or -ENOMEM. */
int cpu_use_reading__end(struct cpu_use_reading *reading, const struct input *input);
void cpu_use_reading__free(struct cpu_use_reading *reading);

#endif
