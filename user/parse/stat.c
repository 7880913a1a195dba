// SPDX-License-Identifier: GPL-2.0-only
/* /proc/PID/stat and status. Does not know any file. */
#include "user/parse/stat.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int task_stat__parse(struct task_stat *ret, const char *text, size_t size)
{
	const char *open = memchr(text, '(', size);
	/* A comm can contain ") R 1": only the last parenthesis is certainly not a part of it. */
	const char *close = memrchr(text, ')', size);
	char rest[512];
	size_t len;

	memset(ret, 0, sizeof(*ret));
	if (!open || !close || close < open || open == text)
		return -EBADMSG;
	for (const char *p = text; p < open && isdigit((unsigned char)*p); p++)
		ret->pid = ret->pid * 10 + (*p - '0');
	len = close - open - 1;
	if (len >= sizeof(ret->comm))
		len = sizeof(ret->comm) - 1;
	memcpy(ret->comm, open + 1, len);
	len = text + size - close - 1;
	if (len >= sizeof(rest))
		len = sizeof(rest) - 1;
	memcpy(rest, close + 1, len);
	rest[len] = '\0';
	/* Field 3 is the state, 4 the parent, 22 the start time, 26 the code, 28 the stack. */
	if (sscanf(rest,
		    " %c %" SCNu32 " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		    "%*s %*s %" SCNu64 " %*s %*s %*s %" SCNu64 " %*s %" SCNu64,
		    &ret->state, &ret->ppid, &ret->start_ticks, &ret->start_code,
		    &ret->start_stack) != 5)
		return -EBADMSG;
	return 0;
}

int task_status__number(uint64_t *ret, const char *text, const char *field)
{
	size_t len = strlen(field);

	while (*text) {
		if (!strncmp(text, field, len) && text[len] == ':') {
			text += len + 1;
			text += strspn(text, " \t");
			if (!isdigit((unsigned char)*text))
				return -EBADMSG;
			*ret = strtoull(text, NULL, 10);
			return 0;
		}
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return -ENOENT;
}
