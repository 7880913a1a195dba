/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints every record of a recording, and its header. The caller chooses text or JSON by
 * struct fields.
 */
#ifndef PERFSTAMP_VIEW_DUMP_DUMP_H
#define PERFSTAMP_VIEW_DUMP_DUMP_H

#include <stdbool.h>

#include "user/event/event.h"
#include "user/view/format/fields.h"

struct perfdata_reader;

/*
 * Prints one record; with @raw, also its bytes. @file is the file of the offset, or NULL if
 * there is only one.
 */
void dump__event(struct fields *fields, const struct event *event, const char *file, bool raw);
/* Prints the file's format, its events and its header features. */
void dump__header(struct fields *fields, const struct perfdata_reader *reader);

#endif
