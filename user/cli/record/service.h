/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports the state of a long-running command. Notifies systemd that it is ready, alive or ending.
 * Serves metrics, or writes them to a file. Reports why the command ends. Drops privileges that are
 * no longer needed.
 */
#ifndef PERFSTAMP_CLI_SERVICE_H
#define PERFSTAMP_CLI_SERVICE_H

#include <argp.h>
#include <stdbool.h>

#include "user/base/error.h"
#include "user/record/recorder.h"
#include "user/view/metrics.h"

/* Arguments of --metrics-socket and --metrics-file; NULL: not given. */
struct service_paths {
	const char *metrics_socket;
	const char *metrics_file;
};
/* A child parser for them: its input is a struct service_paths *. */
extern const struct argp SERVICE_ARGP;

struct service_options {
	const char *command; /* the name of the command, such as "record" */
	struct service_paths paths;
	unsigned int needs; /* enum capability_need: what is needed after all is attached */
	bool verbose;       /* print why it ends, even without systemd */
	/* Owned by the caller; set when service__attend() is called. */
	struct recorder *const *recorder;
	/* Adds metrics that the command has beside the recorder's; may be NULL. */
	void (*fill)(void *ctx, struct metrics *metrics);
	void (*note)(const char *text, void *ctx);
	void *ctx;
};

struct service;

/*
 * @options are copied; the objects that they point to have to outlive *@ret. Returns 0 or -errno.
 */
int service__new(struct service **ret, const struct service_options *options, struct error *err);
void service__free(struct service *service);

/* Reports a moment: called by the command, or through the attendant by the recorder. */
int service__attend(void *service, enum recorder_moment moment, const char *why, struct error *err);
const struct recorder_attendant *service__attendant(const struct service *service);

#endif
