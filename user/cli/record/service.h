/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a long-running command reports its state: notifies systemd that it is ready, alive
 * and ending; serves metrics, and writes them to a file; and reports why it ends. Drops
 * privileges that are no longer needed.
 */
#ifndef PERFSTAMP_CLI_SERVICE_H
#define PERFSTAMP_CLI_SERVICE_H

#include <argp.h>
#include <stdbool.h>

#include "user/base/error.h"
#include "user/record/recorder.h"
#include "user/view/metrics.h"

/* What --metrics-socket and --metrics-file say; NULL: they are not given. */
struct service_paths {
	const char *metrics_socket;
	const char *metrics_file;
};
/* A child parser for them: its input is a struct service_paths *. */
extern const struct argp SERVICE_ARGP;

struct service_options {
	const char *command; /* "record" */
	struct service_paths paths;
	unsigned int needs; /* when all is attached: enum capability_need */
	bool verbose;       /* print why it ends, also where systemd does not run it */
	struct recorder *const *recorder; /* the caller's, there when it is attended to */
	/* Sets what the command knows beside the recorder, for who asks. NULL: nothing. */
	void (*fill)(void *ctx, struct metrics *metrics);
	void (*note)(const char *text, void *ctx);
	void *ctx;
};

struct service;

/* @options is copied, what it points to must outlive it. Returns 0 or -errno. */
int service__new(struct service **ret, const struct service_options *options, struct error *err);
void service__free(struct service *service);

/* The recorder's, to be called or to be given to it; the service's. */
int service__attend(void *service, enum recorder_moment moment, const char *why, struct error *err);
const struct recorder_attendant *service__attendant(const struct service *service);

#endif
