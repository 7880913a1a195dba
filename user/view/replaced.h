/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaced builds, the processes that still map them, and what to restart, as text and JSON. Reads
 * neither the machine nor the model: each row is complete.
 */
#ifndef PERFSTAMP_VIEW_REPLACED_H
#define PERFSTAMP_VIEW_REPLACED_H

#include <stdio.h>

#include "user/model/replaced/replaced.h"
#include "user/view/containers.h"

struct replaced_process {
	uint32_t pid;
	char comm[PERFSTAMP_COMM_MAX];
	struct container_facts where; /* all empty if its cgroup is not known */
};

struct replaced_row {
	enum replaced_kind kind;
	const char *path;
	struct perfstamp_identity old;
	struct perfstamp_identity now;
	bool same_build_id;
	bool wall_clock;   /* .since_ns is in CLOCK_REALTIME, otherwise in the recording's clock */
	uint64_t since_ns; /* 0: not known, or before recording */
	uint32_t mnt_ns;
	const char *package; /* package that owns the path; NULL: none, or not known */
	size_t n_processes;
	size_t n_threads;
	struct replaced_process *processes; /* the shown processes, which are sorted here */
	size_t n_shown;
};

/* Errors stick to @out. */
void replaced_view__text(FILE *out, struct replaced_row *row);
void replaced_view__json(FILE *out, struct replaced_row *row);

/* Returns "replaced", "gone" or "unlinked". */
const char *replaced_view__kind(enum replaced_kind kind);

/* How to restart a process that runs a replaced build. */
enum restart_by {
	RESTART_BY_SYSTEMD, /* by systemctl, for a unit of the system or systemd itself */
	RESTART_BY_RUNTIME, /* by the runtime of a container */
	RESTART_BY_PEOPLE,  /* by hand: it belongs to a user, or there is no command */
};

/*
 * Writes how to make @process use the new build: a sentence, or a command whose words need no
 * quotes. It is cut to @size including its NUL. The caller has to escape it.
 */
enum restart_by replaced_view__advice(
	const struct replaced_process *process, char *ret, size_t size);
/*
 * Writes the container or unit of @process, or "no unit". It is cut to @size including its NUL. The
 * caller has to escape it.
 */
void replaced_view__place(const struct replaced_process *process, char *ret, size_t size);

#endif
