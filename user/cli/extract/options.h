/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of perfstamp extract. */
#ifndef PERFSTAMP_CLI_EXTRACT_OPTIONS_H
#define PERFSTAMP_CLI_EXTRACT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/symbols/elf/segments.h"

#define EXTRACT_BUILDS_MAX 64

/* A time in ns: of the recording's clock, or since the epoch. */
struct extract_time {
	bool is_set;
	bool is_wall;
	uint64_t ns;
};

struct extract_build {
	uint8_t id[PERFSTAMP_BUILD_ID_MAX]; /* how it begins */
	int size;
};

struct extract_options {
	const char **paths; /* paths of the recordings; never empty */
	size_t n_paths;
	const char *out;
	struct extract_build builds[EXTRACT_BUILDS_MAX];
	size_t n_builds;
	const char *binary;       /* or NULL */
	char *binary_path;        /* absolute path of .binary, without links; set by the command */
	struct segments segments; /* segments of .binary */
	struct extract_time from;
	struct extract_time to;
	const char *container_glob; /* or NULL */
	uint32_t *pids;
	size_t n_pids;
	bool bolt;
	bool no_chains;
	bool force;
};

/* Ends the program if they are invalid. Free them at the end. */
void extract_options__parse(struct extract_options *ret, int argc, char **argv);
void extract_options__free(struct extract_options *options);

#endif
