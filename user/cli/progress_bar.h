/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows the progress of long work and its remaining time in one line on standard error. The line
 * appears after one second, and only on a terminal. A process has one line. cli__fail() removes it
 * before it prints; other code that prints meanwhile calls progress_bar__hide() first.
 */
#ifndef PERFSTAMP_CLI_PROGRESS_BAR_H
#define PERFSTAMP_CLI_PROGRESS_BAR_H

#include <stdint.h>

enum progress_unit { PROGRESS_BYTES, PROGRESS_ITEMS };

/*
 * Begins work. @what is a word like "reading", which the caller keeps. @detail is the object, which
 * may be untrusted and is copied. Work that begins within other work is not shown.
 */
void progress_bar__begin(enum progress_unit unit, const char *what, const char *detail);
/* Sets the object of the next part of the same work. */
void progress_bar__detail(const char *detail);
/* Sets how much is done; @total is 0 if it is not known. Fast: it rarely reads the clock. */
void progress_bar__set(uint64_t done, uint64_t total);
/* Shows a download, in bytes, that the work waits for, until the next progress_bar__set(). */
void progress_bar__download(const char *url, uint64_t done, uint64_t total);
void progress_bar__end(void);
/* Removes the line before something else is printed. The next update shows it again. */
void progress_bar__hide(void);

#endif
