/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code events: what a process wrote about the code that it made at run time, from the
 * extension of a KSYMBOL record in perf.data. docs/format.md describes the extension.
 */
#ifndef PERFSTAMP_EVENT_CODE_H
#define PERFSTAMP_EVENT_CODE_H

#include "user/base/cursor.h"
#include "user/event/event.h"

/*
 * Where @body, which stands behind the padded name of a KSYMBOL, begins with our code
 * extension of version 1, makes *@ret an EVENT_CODE. Else leaves it as it is. One that contradicts
 * itself fails @body.
 */
void event_code__decode(struct cursor *body, struct event *ret);

/*
 * The same from the fields of struct perfstamp_code_extension behind its size in @in, and the
 * bytes that follow it in @behind, which fails.
 */
void event_code__decode_fields(struct cursor *in, struct cursor *behind, struct event *ret);

/*
 * Whether a mapping of this name is memory that code is made in: what the kernel and /proc
 * call memory without a file, or with one that several mappings share.
 */
bool event_code__is_memory(const char *path);

#endif
