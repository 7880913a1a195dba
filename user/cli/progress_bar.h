/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line on the terminal that shows how far long work is, and how long the rest will take. It
 * is written to standard error if that is a terminal, after a second of work; to anything else
 * nothing is written. A process has one line. cli__fail() removes it before it prints;
 * whatever else prints meanwhile calls progress_bar__hide() first.
 */
#ifndef PERFSTAMP_CLI_PROGRESS_BAR_H
#define PERFSTAMP_CLI_PROGRESS_BAR_H

#include <stdint.h>

enum progress_unit { PROGRESS_BYTES, PROGRESS_ITEMS };

/*
 * Begins work. @what is kept by the caller; it reads like "reading", and @detail names of what,
 * is copied and may be anybody's text. Work that begins within other work is not shown.
 */
void progress_bar__begin(enum progress_unit unit, const char *what, const char *detail);
/* The next part of the same work. */
void progress_bar__detail(const char *detail);
/* How much is done; a @total of 0 is not known. Cheap: the clock is read now and then. */
void progress_bar__set(uint64_t done, uint64_t total);
/* A download, in bytes, that the work waits for: shown instead, until progress_bar__set. */
void progress_bar__download(const char *url, uint64_t done, uint64_t total);
void progress_bar__end(void);
/* Removes the line before something else is printed; the next step shows it again. */
void progress_bar__hide(void);

#endif
