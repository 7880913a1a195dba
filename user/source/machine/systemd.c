// SPDX-License-Identifier: GPL-2.0-only
/* See systemd.h. */
#include "user/source/machine/systemd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#define JOURNAL_SOCKET "/run/systemd/journal/socket"
#define FIELDS_MAX 64

int systemd__find_journal(struct error *err)
{
	/* If the socket is missing, libsystemd reports success. */
	if (access(JOURNAL_SOCKET, W_OK) < 0)
		return error__errno(err, -errno,
			"cannot write to the journal: %s (is systemd-journald running?)",
			JOURNAL_SOCKET);
	return 0;
}

int systemd__write_journal(int priority, const char *message, const char *fields, size_t size)
{
	struct iovec v[FIELDS_MAX];
	char level[sizeof("PRIORITY=") + 12], *text;
	const char *at = fields, *end = fields + size;
	int n = 0, code;

	if (asprintf(&text, "MESSAGE=%s", message) < 0)
		return -ENOMEM;
	snprintf(level, sizeof(level), "PRIORITY=%d", priority);
	v[n++] = (struct iovec){text, strlen(text)};
	v[n++] = (struct iovec){level, strlen(level)};
	for (; at < end && n < FIELDS_MAX; at += strlen(at) + 1)
		v[n++] = (struct iovec){(void *)at, strlen(at)};
	code = sd_journal_sendv(v, n);
	free(text);
	return code;
}

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

bool systemd__is_service(void)
{
	return is_set("INVOCATION_ID") || systemd__listens();
}

bool systemd__listens(void)
{
	return is_set("NOTIFY_SOCKET");
}

void systemd__notify(const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list args;

	if (!systemd__listens())
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	sd_notifyf(0, "%s\n", text);
}

uint64_t systemd__watchdog_ns(void)
{
	uint64_t us;

	return sd_watchdog_enabled(0, &us) > 0 ? us * 1000 / 2 : 0;
}
