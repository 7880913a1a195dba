/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows in the text format of PostgreSQL's COPY ... FROM STDIN
 * (https://www.postgresql.org/docs/15/sql-copy.html). Append the cells in order, then the end of
 * the row. Errors stick to the buffer. Pure.
 */
#ifndef PERFSTAMP_VIEW_FLEET_COPY_H
#define PERFSTAMP_VIEW_FLEET_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

/*
 * Appends untrusted text, escaped by base/text: the server accepts only UTF-8, and different texts
 * must stay different.
 */
void copy__text(struct buffer *out, const char *text);
/* The same for text that is already escaped. */
void copy__escaped(struct buffer *out, const char *text);
void copy__null(struct buffer *out);
void copy__number(struct buffer *out, uint64_t number);
void copy__bool(struct buffer *out, bool value);
/* bytea */
void copy__bytes(struct buffer *out, const void *bytes, size_t size);
/* timestamptz: @time_us since the epoch, kept between 1970 and 9999. */
void copy__time(struct buffer *out, int64_t time_us);
/* integer[] */
void copy__numbers(struct buffer *out, const uint32_t *numbers, size_t n);
void copy__end_row(struct buffer *out);

#endif
