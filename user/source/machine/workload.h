/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command after `--`: starts it, stops it before its exec until everything is ready to observe
 * it, and waits for its end. Prints nothing.
 */
#ifndef PERFSTAMP_SOURCE_WORKLOAD_H
#define PERFSTAMP_SOURCE_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "user/base/error.h"

struct workload;

/*
 * Checks that the program of @argv exists and may be executed, searching for it as execvp does.
 * Returns 0, or -ENOENT or -EACCES with the text that workload__start would give. Even after 0, the
 * exec can fail, for example if the interpreter of a script is missing.
 */
int workload__check(char *const *argv, struct error *err);

/*
 * Forks a child that will execute @argv, which is NULL-terminated; the caller keeps it. Unless
 * @keep_stdout, the child's standard output is our standard error, because our standard output
 * carries the recording. Returns 0 or -errno.
 */
int workload__new(struct workload **ret, char *const *argv, bool keep_stdout, struct error *err);
/* Ends a child that still runs with SIGTERM and waits for it. */
void workload__free(struct workload *workload);

pid_t workload__pid(const struct workload *workload);
/* A descriptor, readable when the child has ended. */
int workload__fd(const struct workload *workload);
/* Lets it execute. Returns 0, or -errno of a failed exec, with text. */
int workload__start(struct workload *workload, struct error *err);
/*
 * Waits for the child's end, and returns it as a shell does: the exit status, or 128 plus the
 * signal. With @terminate, first sends SIGTERM to a child that still runs.
 */
int workload__wait(struct workload *workload, bool terminate);

#endif
