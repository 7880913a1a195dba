/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record as the fields of a journal entry: PERFSTAMP_KEY=value, each followed by a NUL. Values
 * are exact, except for bytes that are not text. Sends nothing.
 */
#ifndef PERFSTAMP_VIEW_FORMAT_JOURNAL_H
#define PERFSTAMP_VIEW_FORMAT_JOURNAL_H

#include "user/view/format/fields.h"

/* The type of a record is the field PERFSTAMP_TYPE. A flag has the value 1. */
extern const struct fields_ops FIELDS_JOURNAL;

#endif
