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

/* A time in ns: by the clock of the recording, or since the epoch. */
struct extract_time {
	bool is_set;
	bool is_wall;
	uint64_t ns;
};

struct extract_build {
	uint8_t id[PERFSTAMP_BUILD_ID_MAX]; /* its first bytes */
	int size;
};

struct extract_options {
	const char **paths; /* paths of the recordings; never empty */
	size_t n_paths;
	const char *out;
	struct extract_build builds[EXTRACT_BUILDS_MAX];
	size_t n_builds;
	const char *binary; /* or NULL */
	/* Absolute path of .binary with links resolved; set by the command. */
	char *binary_path;
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

/* Exits if the options are invalid. The caller frees @ret at the end. */
void extract_options__parse(struct extract_options *ret, int argc, char **argv);
void extract_options__free(struct extract_options *options);

#endif
