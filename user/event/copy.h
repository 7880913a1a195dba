/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies an event with everything that it points to, in one allocation.
 */
#ifndef PERFSTAMP_EVENT_COPY_H
#define PERFSTAMP_EVENT_COPY_H

#include <stddef.h>

#include "user/event/event.h"

/*
 * Returns a copy of *@ret_size bytes, to be freed by free(), or NULL. .raw is copied too,
 * and pointers into it point into the copy.
 */
struct event *event__copy(const struct event *event, size_t *ret_size);

#endif
