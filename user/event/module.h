/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Module events: from the extension of a record in perf.data, and from a live
 * record. docs/format.md describes the extension.
 */
#ifndef PERFSTAMP_EVENT_MODULE_H
#define PERFSTAMP_EVENT_MODULE_H

#include <stddef.h>

#include "user/base/cursor.h"
#include "user/base/error.h"
#include "user/event/event.h"

/*
 * Makes *@ret an EVENT_MODULE if @body, which follows the padded name @path of a MMAP2 or
 * KSYMBOL, begins with our module extension of version 1. Otherwise does not change it. A
 * contradictory extension fails @body.
 */
void event_module__decode(struct cursor *body, const char *path, struct event *ret);

/*
 * Reads the fields of struct perfstamp_module_extension after its size, and the number by
 * which a record refers to it. The path is not among them. Returns 0 or -EBADMSG.
 */
int event_module__decode_fields(struct cursor *in, struct event_module *ret, uint16_t *ret_number);

/* Makes *@ret an EVENT_MODULE with @module. Does nothing if @module is of a later version. */
void event_module__set(const struct event_module *module, struct event *ret);

/*
 * Decodes a live PERFSTAMP_RECORD_MODULE of @size bytes, without its path, which has not
 * been verified. Returns 0 or -EBADMSG.
 */
int event_module__from_record(
	struct event *ret, const void *record, size_t size, struct error *err);

/* Whether both have the same content at the same address. Returns false without a build-id. */
bool event_module__same(
	const struct perfstamp_module_state *a, const struct perfstamp_module_state *b);

#endif
