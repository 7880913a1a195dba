/* SPDX-License-Identifier: GPL-2.0-only */
/* What push is asked for. */
#ifndef PERFSTAMP_CLI_PUSH_OPTIONS_H
#define PERFSTAMP_CLI_PUSH_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

struct push_command {
	const char *url;
	char **paths; /* of argv */
	size_t n_paths;
	bool follow;
	bool force;
	bool verbose;
	const char *host;        /* NULL: as recorded */
	const char *buildid_dir; /* NULL: perf's */
	const char *headers;     /* NULL: none */
	unsigned int timeout_s;  /* 0: not given */
	const char *state;       /* NULL: made of the URL and the paths */
};

extern const struct argp PUSH_ARGP; /* its input is a zeroed struct push_command */

#endif
