/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which samples of a recording are extracted. The recording is read into the model, which
 * assigns each sample to a build. Then repair_choice copies the wanted records.
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

/* One boot of a machine, as identified by recordings. */
struct boot {
	char *hostname;       /* or NULL */
	uint64_t kernel_addr; /* 0: there is no record of the kernel's image */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	bool has_wall;
	int64_t wall_ns; /* add it to a time of the recording to get ns since the epoch */
};

/* What is known about one file after it was read. */
struct recording {
	const char *path;
	struct extraction *extraction;
	struct runs *runs;
	uint8_t *kept;      /* one bit for each record, in file order */
	uint64_t n_records; /* number of records that were read; .kept may have space for more */
	uint64_t n_samples; /* number of kept samples */
	uint64_t first_ns;  /* the earliest time of any record */
	bool is_first;      /* it is the first recording that is copied */
	struct boot boot;
};

/* Data shared by all files. */
struct extraction {
	const struct extract_options *options;
	struct builds builds;
	struct run_numbers *numbers;
	struct bolt *bolt; /* NULL: the output is perf.data */
	bool by_build;     /* builds are selected */
	bool several_boots;
	bool keeps_kernel;         /* records about kernel addresses are kept */
	uint64_t n_samples;        /* kept samples */
	uint64_t n_kernel_samples; /* kept samples in the kernel */
	uint64_t n_other_samples;  /* samples that are not kept */
};

/* Reads @path. Returns 0, or -errno with text. The caller frees *@ret in any case. */
int recording__read(
	struct recording *ret, struct extraction *extraction, const char *path, struct error *err);
void recording__free(struct recording *recording);
bool boot__is_same(const struct boot *one, const struct boot *other);
/*
 * A function for repair_choice; @ctx is a struct recording. Decides whether record @n is copied,
 * and changes it.
 */
bool recording__keeps(void *ctx, uint64_t n, const struct event *event);
int recording__changes(void *ctx, uint64_t n, const struct event *event, struct record_change *ret);

#endif
