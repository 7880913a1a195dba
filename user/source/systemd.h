/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What systemd is told, through libsystemd: entries of the journal.
 */
#ifndef PERFSTAMP_SOURCE_SYSTEMD_H
#define PERFSTAMP_SOURCE_SYSTEMD_H

#include <stddef.h>

#include "user/base/error.h"

/* Whether a journal takes entries. 0 or -errno. */
int systemd__find_journal(struct error *err);

/*
 * Writes an entry: @message, its priority (LOG_* of syslog.h) and @fields, "KEY=value"
 * with a NUL behind each, in all @size bytes. Waits where the journal does. 0 or
 * -errno.
 */
int systemd__write_journal(int priority, const char *message, const char *fields, size_t size);

#endif
