/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every record of a recording, and its header, readable. Text or JSON is the
 * caller's choice of struct fields.
 */
#ifndef PERFSTAMP_VIEW_DUMP_DUMP_H
#define PERFSTAMP_VIEW_DUMP_DUMP_H

#include <stdbool.h>

#include "user/event/event.h"
#include "user/view/fields.h"

struct perfdata_reader;

/* One record; with @raw its bytes too. @file is where the offset is in, or NULL: in the only one.
 */
void dump__event(struct fields *fields, const struct event *event, const char *file, bool raw);
/* What the file says of itself: its form, its events, its header features. */
void dump__header(struct fields *fields, const struct perfdata_reader *reader);

#endif
