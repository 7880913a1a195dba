// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deep copies of events, see copy.h.
 */
#include "user/event/copy.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Returns the second pointer that an event of this kind has, or NULL. */
static const void **second_payload(struct event *event, size_t *ret_size)
{
	switch (event->kind) {
	case EVENT_CGROUP:
		*ret_size = event->cgroup.about_size;
		return (const void **)&event->cgroup.about;
	case EVENT_SAMPLE:
		*ret_size = event->sample.user.size;
		return (const void **)&event->sample.user.bytes;
	default:
		*ret_size = 0;
		return NULL;
	}
}

/* Returns the first pointer that an event of this kind has, or NULL, and the size of its target. */
static const void **payload(struct event *event, size_t *ret_size)
{
	switch (event->kind) {
	case EVENT_MAP:
		*ret_size = strlen(event->map.path) + 1;
		return (const void **)&event->map.path;
	case EVENT_COMM:
		*ret_size = strlen(event->comm.comm) + 1;
		return (const void **)&event->comm.comm;
	case EVENT_CGROUP:
		*ret_size = strlen(event->cgroup.path) + 1;
		return (const void **)&event->cgroup.path;
	case EVENT_MODULE:
		*ret_size = event->module.path ? strlen(event->module.path) + 1 : 0;
		return (const void **)&event->module.path;
	case EVENT_CODE:
		*ret_size = event->code.size;
		return (const void **)&event->code.bytes;
	case EVENT_KSYMBOL:
		*ret_size = strlen(event->ksymbol.name) + 1;
		return (const void **)&event->ksymbol.name;
	case EVENT_SAMPLE:
		*ret_size = event->sample.n_callchain * sizeof(*event->sample.callchain);
		return (const void **)&event->sample.callchain;
	case EVENT_NAMESPACES:
		*ret_size = event->namespaces.n * sizeof(*event->namespaces.links);
		return (const void **)&event->namespaces.links;
	default:
		*ret_size = 0;
		return NULL;
	}
}

static bool is_within(const void *inner, size_t inner_size, const void *outer, size_t outer_size)
{
	uintptr_t i = (uintptr_t)inner, o = (uintptr_t)outer;

	return i >= o && i - o <= outer_size && inner_size <= outer_size - (i - o);
}

/* Whether what *@at points to, if anything, is in the event's record. */
static bool is_inside(const struct event *event, const void *const *at, size_t size)
{
	return !at || !*at || is_within(*at, size, event->raw, event->raw_size);
}

/*
 * Redirects *@at from @event to the copy: to the copied record, or to @room, where it copies the
 * target.
 */
static void move_payload(const struct event *event, const void **at, size_t size,
	unsigned char *copy_of_raw, unsigned char *room)
{
	if (!at || !*at)
		return;
	if (event->raw && is_within(*at, size, event->raw, event->raw_size)) {
		*at = copy_of_raw +
		      ((const unsigned char *)*at - (const unsigned char *)event->raw);
		return;
	}
	memcpy(room, *at, size);
	*at = room;
}

struct event *event__copy(const struct event *event, size_t *ret_size)
{
	struct {
		struct event event;
		alignas(8) unsigned char bytes[];
	} * copy;
	struct event shallow = *event;
	size_t size, second_size, room = (event->raw_size + 7) & ~(size_t)7;
	const void **at = payload(&shallow, &size);
	const void **second = second_payload(&shallow, &second_size);
	bool inside = event->raw && is_inside(event, at, size) &&
		      is_inside(event, second, second_size);

	*ret_size = sizeof(*copy) + room + (inside ? 0 : size + second_size);
	copy = malloc(*ret_size);
	if (!copy)
		return NULL;
	copy->event = *event;
	if (event->raw) {
		memcpy(copy->bytes, event->raw, event->raw_size);
		copy->event.raw = copy->bytes;
	}
	at = payload(&copy->event, &size);
	move_payload(event, at, size, copy->bytes, copy->bytes + room);
	second = second_payload(&copy->event, &second_size);
	move_payload(event, second, second_size, copy->bytes, copy->bytes + room + size);
	return &copy->event;
}
