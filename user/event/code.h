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
 * Makes *@ret an EVENT_CODE if @body, which follows the padded name of a KSYMBOL, begins
 * with our code extension of version 1. Otherwise does not change *@ret. A contradictory
 * extension fails @body.
 */
void event_code__decode(struct cursor *body, struct event *ret);

/*
 * The same, from the fields of struct perfstamp_code_extension after its size in @in, and
 * the bytes that follow the struct in @behind. A contradictory extension fails @behind.
 */
void event_code__decode_fields(struct cursor *in, struct cursor *behind, struct event *ret);

/*
 * Whether a mapping with this name can contain code made at run time: names of the kernel
 * and /proc for memory without a file, or for shared memory.
 */
bool event_code__is_memory(const char *path);

#endif
