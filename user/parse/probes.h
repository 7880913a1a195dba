/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probe definitions as text: the file "probes" of perf's cache (tools/perf/util/probe-file.c of
 * Linux). It has a line "#SPEC" for each kprobe or uprobe, or "%SPEC" for each SDT marker, followed
 * by the commands for tracefs (Documentation/trace/kprobetrace.rst, uprobetracer.rst). Pure.
 */
#ifndef PERFSTAMP_PARSE_PROBES_H
#define PERFSTAMP_PARSE_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"

/* size of the name of a group or an event, including its NUL: MAX_EVENT_NAME_LEN */
#define PROBE_NAME_MAX 64
#define PROBE_COMMAND_MAX 4096 /* bytes of one line; tracefs accepts no more at once */
#define PROBES_MAX (4u << 20)  /* bytes of one file */
/* The message for a path that probes cannot have. */
#define PROBES_PATH "probes cannot have a path with blanks or control characters"

enum probe_kind { PROBE_KPROBE, PROBE_UPROBE, PROBE_SDT };

/* One command, and the line above it. The strings point into the parsed text, and have no NUL. */
struct probe {
	enum probe_kind kind;
	bool returns; /* it is at the return of the function */
	const char *spec;
	size_t spec_len;
	const char *command;
	size_t command_len;
	char group[PROBE_NAME_MAX];
	char event[PROBE_NAME_MAX];
	const char *place; /* of a uprobe the part after "PATH:"; of a kprobe the whole place */
	size_t place_len;
	const char *args; /* without the blank before the arguments; may be empty */
	size_t args_len;
};

/* "kprobe", "uprobe" or "sdt". */
const char *probe__kind_name(enum probe_kind kind);

/*
 * Calls @fn for each command of @text, until it returns non-zero, which is then returned. Returns
 * 0, or -EBADMSG with the number of an invalid line in @err, before any call of @fn.
 */
typedef int probe_fn(void *ctx, const struct probe *probe);
int probes__for_each(const char *text, size_t size, probe_fn *fn, void *ctx, struct error *err);
/*
 * Appends to @out the definitions in @old whose group and event are not in @new, and then @new.
 * Returns 0, -EBADMSG as above, or the buffer's error, with the text in @err.
 */
int probes__merge(struct buffer *out, const char *old, size_t old_size, const char *new,
	size_t new_size, struct error *err);
/* Whether commands can name a file by @path: it has no blanks and no control characters. */
bool probe__takes_path(const char *path);
/*
 * Appends the command of @probe for the file at @path, which is ignored for a kprobe.
 * Returns 0 or the buffer's error.
 */
int probe__command_at(struct buffer *out, const struct probe *probe, const char *path);

/* A request: [[GROUP:]EVENT=]FUNCTION[+OFFSET|%return] [ARG...] */
struct probe_wish {
	char group[PROBE_NAME_MAX];
	char event[PROBE_NAME_MAX];
	char function[512];
	uint64_t offset; /* bytes after the function's start */
	bool returns;
	const char *args; /* in tracefs' syntax; points into the parsed text */
};

/*
 * Parses @text. The default for GROUP is @group, the default for EVENT the function's name. Returns
 * 0, or -EINVAL with text.
 */
int probe_wish__parse(
	const char *text, const char *group, struct probe_wish *ret, struct error *err);
/*
 * Makes perf's group for probes in @path: probe_NAME, up to the first character that is not
 * allowed.
 */
void probe_wish__group(const char *path, char ret[PROBE_NAME_MAX]);
/*
 * Appends its line and its command, at @place (FUNCTION+OFFSET of a kprobe, PATH:OFFSET of a
 * uprobe). Returns 0 or the buffer's error.
 */
int probe_wish__append(struct buffer *out, const struct probe_wish *wish, const char *place);

#endif
