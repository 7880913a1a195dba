// SPDX-License-Identifier: GPL-2.0-only
/* See control.h. */
#include "user/parse/control.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int parse_fd(int *ret, const char **at)
{
	unsigned long number;
	char *end;

	if (!isdigit((unsigned char)**at))
		return -EINVAL;
	errno = 0;
	number = strtoul(*at, &end, 10);
	if (errno || number > INT_MAX)
		return -EINVAL;
	*ret = number;
	*at = end;
	return 0;
}

static int parse_fds(struct control_spec *ret, const char *at)
{
	int err = parse_fd(&ret->fd, &at);

	if (!err && *at == ',') {
		at++;
		err = parse_fd(&ret->ack_fd, &at);
	}
	return err || *at ? -EINVAL : 0;
}

static int parse_paths(struct control_spec *ret, const char *at)
{
	size_t length = strcspn(at, ",");

	if (!length || length >= sizeof(ret->path))
		return -EINVAL;
	memcpy(ret->path, at, length);
	at += length;
	if (!*at)
		return 0;
	at++;
	if (!*at || strlen(at) >= sizeof(ret->ack_path))
		return -EINVAL;
	memcpy(ret->ack_path, at, strlen(at) + 1);
	return 0;
}

int control_spec__parse(struct control_spec *ret, const char *text)
{
	memset(ret, 0, sizeof(*ret));
	ret->fd = ret->ack_fd = -1;
	if (!strncmp(text, "fd:", 3))
		return parse_fds(ret, text + 3);
	if (strncmp(text, "fifo:", 5) != 0)
		return -EINVAL;
	ret->fifo = true;
	return parse_paths(ret, text + 5);
}

enum control_command control_command__parse(const char *line)
{
	static const struct {
		const char *name;
		enum control_command command;
	} COMMANDS[] = {
		{"enable", CONTROL_ENABLE},
		{"disable", CONTROL_DISABLE},
		{"stop", CONTROL_STOP},
		{"ping", CONTROL_PING},
		{"snapshot", CONTROL_SNAPSHOT},
		{"evlist", CONTROL_EVLIST},
	};

	for (size_t i = 0; i < sizeof(COMMANDS) / sizeof(*COMMANDS); i++)
		if (!strcmp(line, COMMANDS[i].name))
			return COMMANDS[i].command;
	return CONTROL_UNKNOWN;
}
