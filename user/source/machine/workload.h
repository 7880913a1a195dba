/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command after `--`: starts it, holds it before its exec until everything is ready to
 * observe it, and waits for it. Prints nothing.
 */
#ifndef PERFSTAMP_SOURCE_WORKLOAD_H
#define PERFSTAMP_SOURCE_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "user/base/error.h"

struct workload;

/*
 * Whether the program of @argv is there and may be executed, as execvp would look
 * for it. Returns 0, or -ENOENT or -EACCES with the text that workload__start
 * would give; 0 is no promise: a script's interpreter may be missing.
 */
int workload__check(char *const *argv, struct error *err);

/*
 * Forks a child that will execute @argv (NULL-terminated; kept by the caller).
 * @keep_stdout false: its standard output is our standard error, because
 * ours carries the recording. Returns 0 or -errno.
 */
int workload__new(struct workload **ret, char *const *argv, bool keep_stdout, struct error *err);
/* Ends a child that still runs with SIGTERM and waits for it. */
void workload__free(struct workload *workload);

pid_t workload__pid(const struct workload *workload);
/* Readable when the child has ended. */
int workload__fd(const struct workload *workload);
/* Lets it execute. Returns 0, or -errno of a failed exec, with text. */
int workload__start(struct workload *workload, struct error *err);
/*
 * Its end as a shell reports it: the exit status, or 128 plus the signal.
 * With @terminate a child that still runs gets SIGTERM first. Waits.
 */
int workload__wait(struct workload *workload, bool terminate);

#endif
