/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which samples of a recording are extracted: it is read into the model, which assigns each
 * sample to a build. Then the records that are wanted are copied, by repair_choice.
 */
#ifndef PERFSTAMP_CLI_EXTRACT_CHOICE_H
#define PERFSTAMP_CLI_EXTRACT_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/cli/extract/bolt.h"
#include "user/cli/extract/builds.h"
#include "user/cli/extract/options.h"
#include "user/model/runs.h"
#include "user/perfdata/repair/repair.h"

/* One boot of a machine, as far as recordings show it. */
struct boot {
	char *hostname;       /* or NULL */
	uint64_t kernel_addr; /* 0: no record of the kernel's image */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	bool has_wall;
	int64_t wall_ns; /* to be added to a time of the recording: ns since the epoch */
};

/* What is known of one file when it was read. */
struct recording {
	const char *path;
	struct extraction *extraction;
	struct runs *runs;
	uint8_t *kept;      /* a bit for each record, in file order */
	uint64_t n_records; /* that were read; .kept has room for more */
	uint64_t n_samples; /* that are kept */
	uint64_t first_ns;  /* the first time of any of its records */
	bool is_first;      /* it is the first of the copied recordings */
	struct boot boot;
};

/* Data shared by all files. */
struct extraction {
	const struct extract_options *options;
	struct builds builds;
	struct run_numbers *numbers;
	struct bolt *bolt; /* NULL: perf.data is written */
	bool by_build;     /* builds are selected */
	bool several_boots;
	bool keeps_kernel;         /* records about the kernel's addresses are kept */
	uint64_t n_samples;        /* that are kept */
	uint64_t n_kernel_samples; /* the kept ones in the kernel */
	uint64_t n_other_samples;  /* that are not kept */
};

/* Reads @path. Free *@ret in any case. Returns 0, or -errno with the text in @err. */
int recording__read(
	struct recording *ret, struct extraction *extraction, const char *path, struct error *err);
void recording__free(struct recording *recording);
bool boot__is_same(const struct boot *one, const struct boot *other);
/* For repair_choice: decides which records of the recording @ctx are copied, and changes them. */
bool recording__keeps(void *ctx, uint64_t n, const struct event *event);
int recording__changes(void *ctx, uint64_t n, const struct event *event, struct record_change *ret);

#endif
