/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaced builds, the processes that still map them, and what to restart, as text and
 * JSON. Reads neither the machine nor the model: a row is complete.
 */
#ifndef PERFSTAMP_VIEW_REPLACED_H
#define PERFSTAMP_VIEW_REPLACED_H

#include <stdio.h>

#include "user/model/replaced/replaced.h"
#include "user/view/containers.h"

struct replaced_process {
	uint32_t pid;
	char comm[PERFSTAMP_COMM_MAX];
	struct container_facts where; /* all empty where its cgroup is not known */
};

struct replaced_row {
	enum replaced_kind kind;
	const char *path;
	struct perfstamp_identity old;
	struct perfstamp_identity now;
	bool same_build_id;
	bool wall_clock;   /* .since_ns is of CLOCK_REALTIME, else of the recording's clock */
	uint64_t since_ns; /* 0: not known, or before recording */
	uint32_t mnt_ns;
	const char *package; /* that owns the path; NULL: none, or not known */
	size_t n_processes;
	size_t n_threads;
	struct replaced_process *processes; /* those that are shown; sorted here */
	size_t n_shown;
};

/* Errors stick to @out. */
void replaced_view__text(FILE *out, struct replaced_row *row);
void replaced_view__json(FILE *out, struct replaced_row *row);

/* "replaced", "gone", "unlinked". */
const char *replaced_view__kind(enum replaced_kind kind);

/* How to restart a process that runs a replaced build. */
enum restart_by {
	RESTART_BY_SYSTEMD, /* the command is systemctl's, for a unit of the system or systemd */
	RESTART_BY_RUNTIME, /* a container's */
	RESTART_BY_PEOPLE,  /* what belongs to a user, or has no command */
};

/*
 * How to make @process use the new build, as a sentence or as a command of words that need
 * no quotes. Cut to @size with its NUL. To be escaped.
 */
enum restart_by replaced_view__advice(
	const struct replaced_process *process, char *ret, size_t size);
/* Its container or unit, or "no unit". Cut to @size with its NUL. To be escaped. */
void replaced_view__place(const struct replaced_process *process, char *ret, size_t size);

#endif
