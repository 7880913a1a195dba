/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record as the fields of a journal entry: PERFSTAMP_KEY=value, each with a NUL
 * behind it. Values are exact, except what cannot be text. Sends nothing.
 */
#ifndef PERFSTAMP_VIEW_FORMAT_JOURNAL_H
#define PERFSTAMP_VIEW_FORMAT_JOURNAL_H

#include "user/view/format/fields.h"

/* The type of a record is PERFSTAMP_TYPE. A flag is 1. */
extern const struct fields_ops FIELDS_JOURNAL;

#endif
