/* SPDX-License-Identifier: GPL-2.0-only */
/* Sends journal entries and status notifications to systemd, through libsystemd. */
#ifndef PERFSTAMP_SOURCE_SYSTEMD_H
#define PERFSTAMP_SOURCE_SYSTEMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

/* Checks that a journal accepts entries. Returns 0 or -errno. */
int systemd__find_journal(struct error *err);

/*
 * Writes an entry: @message, its priority (LOG_* of syslog.h) and @fields, "KEY=value" with a NUL
 * behind each, together @size bytes. Waits if the journal is busy. Returns 0 or -errno.
 */
int systemd__write_journal(int priority, const char *message, const char *fields, size_t size);

/* Whether systemd runs us as a service. */
bool systemd__is_service(void);
/* Whether systemd expects notifications: Type=notify. */
bool systemd__listens(void);
/*
 * Sends lines of KEY=value as described in sd_notify(3), if systemd expects notifications.
 * Errors are ignored.
 */
void systemd__notify(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The interval at which to send WATCHDOG=1, in ns: half of WatchdogSec. 0: never. */
uint64_t systemd__watchdog_ns(void);

#endif
