// SPDX-License-Identifier: GPL-2.0-only
/* See probes.h. */
#include "user/parse/probes.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

const char *probe__kind_name(enum probe_kind kind)
{
	static const char *const NAMES[] = {
		[PROBE_KPROBE] = "kprobe", [PROBE_UPROBE] = "uprobe", [PROBE_SDT] = "sdt"};

	return NAMES[kind];
}

/* Whether it is a valid name of a group or an event for the kernel. */
static bool is_name(const char *text, size_t len)
{
	if (!len || len >= PROBE_NAME_MAX || isdigit((unsigned char)*text))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return true;
}

static bool is_printable(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			return false;
	return true;
}

static bool take_name(char ret[PROBE_NAME_MAX], const char *text, size_t len)
{
	if (!is_name(text, len))
		return false;
	memcpy(ret, text, len);
	ret[len] = '\0';
	return true;
}

/* Whether it is 0x and digits; for a uprobe, a second number in parentheses may follow. */
static bool is_offset(const char *text, size_t len)
{
	size_t digits;

	if (len < 3 || strncmp(text, "0x", 2) != 0)
		return false;
	for (digits = 2; digits < len && isxdigit((unsigned char)text[digits]); digits++)
		;
	if (digits == 2 || digits == len)
		return digits == len && digits > 2;
	return text[digits] == '(' && text[len - 1] == ')' &&
	       is_offset(text + digits + 1, len - digits - 2);
}

/* Parses the command in @ret->command: [pr][MAXACTIVE]:GROUP/EVENT PLACE[ ARGS] */
static bool take_command(struct probe *ret)
{
	const char *at = ret->command, *end = at + ret->command_len, *colon, *slash, *blank;

	if (at == end || (*at != 'p' && *at != 'r'))
		return false;
	ret->returns = *at++ == 'r';
	while (at < end && isdigit((unsigned char)*at))
		at++;
	if (at == end || *at++ != ':')
		return false;
	slash = memchr(at, '/', end - at);
	blank = memchr(at, ' ', end - at);
	if (!slash || !blank || slash > blank || !take_name(ret->group, at, slash - at) ||
		!take_name(ret->event, slash + 1, blank - slash - 1))
		return false;
	ret->place = blank + 1;
	blank = memchr(ret->place, ' ', end - ret->place);
	ret->args = blank ? blank + 1 : end;
	ret->args_len = end - ret->args;
	if (!blank)
		blank = end;
	if (blank == ret->place)
		return false;
	colon = *ret->place == '/' ? memrchr(ret->place, ':', blank - ret->place) : NULL;
	if (!colon) {
		ret->place_len = blank - ret->place;
		return ret->kind != PROBE_SDT && *ret->place != '/';
	}
	if (ret->kind != PROBE_SDT)
		ret->kind = PROBE_UPROBE;
	ret->place = colon + 1;
	ret->place_len = blank - ret->place;
	return is_offset(ret->place, ret->place_len);
}

static int walk(const char *text, size_t size, probe_fn *fn, void *ctx, struct error *err)
{
	const char *end = text + size, *line = text;
	struct probe probe = {0};
	bool sdt = false;
	int code = 0;

	for (size_t number = 1; !code && line < end; number++) {
		const char *newline = memchr(line, '\n', end - line);
		size_t len = (newline ? newline : end) - line;

		if (!newline || len >= PROBE_COMMAND_MAX || !is_printable(line, len))
			return error__set(err, -EBADMSG,
				"line %zu is cut off, too long, or not text", number);
		if (*line == '#' || *line == '%') {
			sdt = *line == '%';
			probe.spec = line + 1;
			probe.spec_len = len - 1;
		} else {
			probe.kind = sdt ? PROBE_SDT : PROBE_KPROBE;
			probe.command = line;
			probe.command_len = len;
			if (!probe.spec || !take_command(&probe))
				return error__set(err, -EBADMSG,
					"line %zu is not a probe definition", number);
			code = fn ? fn(ctx, &probe) : 0;
		}
		line = newline + 1;
	}
	return code;
}

int probes__for_each(const char *text, size_t size, probe_fn *fn, void *ctx, struct error *err)
{
	int code = walk(text, size, NULL, NULL, err);

	return code ? code : walk(text, size, fn, ctx, err);
}

/* GROUP/EVENT of a command. */
struct name {
	const char *text;
	size_t len;
};

struct merge {
	struct buffer *out;
	const char *spec;   /* the line that was appended last */
	struct name *names; /* names of the new definitions */
	size_t n, room;
};

static struct name name_of(const struct probe *probe)
{
	/* The command was parsed, so it has both separators. */
	const char *at = memchr(probe->command, ':', probe->command_len) + 1;

	return (struct name){at, strlen(probe->group) + 1 + strlen(probe->event)};
}

static int compare_names(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static int note_name(void *ctx, const struct probe *probe)
{
	struct merge *merge = ctx;

	if (array__reserve(&merge->names, &merge->room, merge->n + 1, sizeof(*merge->names)))
		return -ENOMEM;
	merge->names[merge->n++] = name_of(probe);
	return 0;
}

static int keep(void *ctx, const struct probe *probe)
{
	struct merge *merge = ctx;
	struct name name = name_of(probe);

	if (merge->n &&
		bsearch(&name, merge->names, merge->n, sizeof(*merge->names), compare_names))
		return 0;
	if (merge->spec != probe->spec)
		buffer__append(merge->out, probe->spec - 1, probe->spec_len + 2);
	merge->spec = probe->spec;
	return buffer__append(merge->out, probe->command, probe->command_len + 1);
}

int probes__merge(struct buffer *out, const char *old, size_t old_size, const char *new,
	size_t new_size, struct error *err)
{
	struct merge merge = {.out = out};
	int code = probes__for_each(new, new_size, note_name, &merge, err);

	if (!code && merge.n)
		qsort(merge.names, merge.n, sizeof(*merge.names), compare_names);
	if (!code)
		code = probes__for_each(old, old_size, keep, &merge, err);
	free(merge.names);
	if (!code)
		code = buffer__append(out, new, new_size);
	if (code == -ENOBUFS)
		return error__set(err, code, "too many definitions for one file");
	return code == -ENOMEM ? error__set(err, code, "out of memory") : code;
}

bool probe__takes_path(const char *path)
{
	return is_printable(path, strlen(path)) && !strchr(path, ' ');
}

int probe__command_at(struct buffer *out, const struct probe *probe, const char *path)
{
	size_t head = probe->place - probe->command;

	if (probe->kind != PROBE_KPROBE) {
		/* Includes the blank before the path. */
		head = (const char *)memchr(probe->command, ' ', head) - probe->command + 1;
		buffer__append(out, probe->command, head);
		buffer__printf(out, "%s:", path);
	} else {
		buffer__append(out, probe->command, head);
	}
	buffer__append(out, probe->place, probe->place_len);
	if (probe->args_len)
		buffer__printf(out, " %.*s", (int)probe->args_len, probe->args);
	return buffer__u8(out, '\n');
}

/* ---- Requests ---- */

void probe_wish__group(const char *path, char ret[PROBE_NAME_MAX])
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	int len = 0;

	while (isalnum((unsigned char)name[len]) || name[len] == '_')
		len++;
	snprintf(ret, PROBE_NAME_MAX, "probe_%.*s", len, name);
}

static int bad(struct error *err, const char *text, const char *what)
{
	return error__set(err, -EINVAL,
		"%s: %s; expected [[GROUP:]EVENT=]FUNCTION[+OFFSET|%%return] [ARG...]", text, what);
}

/* Parses FUNCTION[+OFFSET|%return] of @len characters. */
static int take_place(
	const char *text, const char *at, size_t len, struct probe_wish *ret, struct error *err)
{
	char place[sizeof(ret->function)], *mark, *end;

	if (!len || len >= sizeof(place))
		return bad(err, text, "the function's name is missing, or too long");
	memcpy(place, at, len);
	place[len] = '\0';
	mark = strpbrk(place, "+%");
	if (mark && *mark == '%') {
		if (strcmp(mark, "%return") != 0)
			return bad(err, text, "only %return can follow the function");
		ret->returns = true;
	} else if (mark) {
		if (!isdigit((unsigned char)mark[1]))
			return bad(err, text, "the offset is not a number");
		errno = 0;
		ret->offset = strtoull(mark + 1, &end, 0);
		if (*end || errno)
			return bad(err, text, "the offset is not a number");
	}
	if (mark)
		*mark = '\0';
	if (!*place || !is_printable(place, strlen(place)))
		return bad(err, text, "the function's name is missing, or not text");
	memcpy(ret->function, place, strlen(place) + 1);
	return 0;
}

int probe_wish__parse(
	const char *text, const char *group, struct probe_wish *ret, struct error *err)
{
	size_t len = strcspn(text, " "), name_len;
	const char *equals = memchr(text, '=', len), *place = equals ? equals + 1 : text;
	const char *colon = equals ? memchr(text, ':', equals - text) : NULL;
	const char *event = colon ? colon + 1 : text;
	int code;

	memset(ret, 0, sizeof(*ret));
	code = take_place(text, place, text + len - place, ret, err);
	if (code)
		return code;
	if (colon ? !take_name(ret->group, text, colon - text)
		  : !take_name(ret->group, group, strlen(group)))
		return bad(err, text, "the group may only have letters, digits and _");
	name_len = equals ? (size_t)(equals - event) : strlen(ret->function);
	if (!take_name(ret->event, equals ? event : ret->function, name_len))
		return bad(err, text, "the event may only have letters, digits and _");
	/* perf's name for it, so that both probes of a function have different names. */
	if (!equals && ret->returns) {
		if (strlen(ret->event) + strlen("__return") >= PROBE_NAME_MAX)
			return bad(err, text, "the event's name is too long");
		strncat(ret->event, "__return", PROBE_NAME_MAX - 1 - strlen(ret->event));
	}
	ret->args = text + len + strspn(text + len, " ");
	if (!is_printable(ret->args, strlen(ret->args)) || strlen(ret->args) > 2048)
		return bad(err, text, "the arguments are not text, or too long");
	return 0;
}

int probe_wish__append(struct buffer *out, const struct probe_wish *wish, const char *place)
{
	const char *blank = *wish->args ? " " : "";

	buffer__printf(out, "#%s:%s=%s", wish->group, wish->event, wish->function);
	if (wish->offset)
		buffer__printf(out, "+%llu", (unsigned long long)wish->offset);
	buffer__printf(out, "%s%s%s\n", wish->returns ? "%return" : "", blank, wish->args);
	return buffer__printf(out, "%c:%s/%s %s%s%s\n", wish->returns ? 'r' : 'p', wish->group,
		wish->event, place, blank, wish->args);
}
