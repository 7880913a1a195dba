/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands of --control, which are perf's (tools/perf/Documentation/ perf-record.txt
 * and util/evlist.c of Linux). Pure.
 */
#ifndef PERFSTAMP_PARSE_CONTROL_H
#define PERFSTAMP_PARSE_CONTROL_H

#include <limits.h>
#include <stdbool.h>

/* "fd:3,4" or "fifo:/run/control,/run/ack"; the second part is optional. */
struct control_spec {
	bool fifo;
	int fd;
	int ack_fd; /* -1: none */
	char path[PATH_MAX];
	char ack_path[PATH_MAX]; /* empty: none */
};

enum control_command {
	CONTROL_UNKNOWN,
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_SNAPSHOT,
	CONTROL_EVLIST,
};

/* Returns 0 or -EINVAL. */
int control_spec__parse(struct control_spec *ret, const char *text);
/* @line has no newline at its end. */
enum control_command control_command__parse(const char *line);

#endif
