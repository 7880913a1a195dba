/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of push. */
#ifndef PERFSTAMP_CLI_PUSH_OPTIONS_H
#define PERFSTAMP_CLI_PUSH_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

#define PUSH_LABELS_MAX 16
#define PUSH_GLOBS_MAX 64

/* The protocol for an HTTP receiver. */
enum push_protocol {
	PUSH_OTLP,
	PUSH_OTLP15,    /* the same, with opentelemetry-proto 1.5 */
	PUSH_PYROSCOPE, /* pprof in a push.v1.PushRequest */
	PUSH_PARCA,     /* pprof in a WriteRawRequest, for its gateway */
};

struct push_label {
	char *name;
	char *value; /* escaped by text__escape */
};

struct push_command {
	const char *url;
	char **paths; /* points into argv */
	size_t n_paths;
	bool follow;
	bool force;
	bool verbose;
	const char *host;        /* NULL: the host name in the recording */
	const char *buildid_dir; /* NULL: perf's default */
	const char *headers;     /* NULL: none */
	const char *cacert;      /* NULL: the certificates of the system */
	unsigned int timeout_s;  /* 0: not given */
	const char *metrics;     /* address to serve metrics at; NULL: not served */
	enum push_protocol protocol;
	struct push_label labels[PUSH_LABELS_MAX];
	size_t n_labels;
	bool binaries;
	const char *globs[PUSH_GLOBS_MAX]; /* patterns for paths of binaries; none: all are sent */
	size_t n_globs;
	uint64_t budget;   /* limit of bytes of binaries for each recording; 0: none */
	const char *state; /* NULL: derived from the URL and the paths */
};

extern const struct argp PUSH_ARGP; /* its input is a zeroed struct push_command */

/* How to send requests to a server. */
struct push_server {
	/* Lines of --headers or of a systemd credential, or NULL; the caller frees them. */
	char *headers;
	const char *authorities; /* NULL: the certificates of the system */
	unsigned int timeout_s;
};

/*
 * Returns 0, or -errno with text, also if --cacert cannot be read. The caller frees .headers in any
 * case.
 */
int push_command__server(
	const struct push_command *command, struct push_server *ret, struct error *err);

#endif
