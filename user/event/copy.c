// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deep copies of events, see copy.h.
 */
#include "user/event/copy.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS_MAX 4

/* What a pointer of an event points to. */
struct target {
	const void **at;
	size_t size; /* bytes */
};

static void add(struct target *targets, size_t *n, const void **at, size_t size)
{
	if (*at)
		targets[(*n)++] = (struct target){.at = at, .size = size};
}

static void add_text(struct target *targets, size_t *n, const char **at)
{
	add(targets, n, (const void **)at, *at ? strlen(*at) + 1 : 0);
}

/* Lists the pointers of an event that are not NULL. Returns how many there are. */
static size_t list_targets(struct event *event, struct target *targets)
{
	struct event_sample *sample = &event->sample;
	size_t n = 0;

	switch (event->kind) {
	case EVENT_MAP:
		add_text(targets, &n, &event->map.path);
		break;
	case EVENT_COMM:
		add_text(targets, &n, &event->comm.comm);
		break;
	case EVENT_CGROUP:
		add_text(targets, &n, &event->cgroup.path);
		add(targets, &n, (const void **)&event->cgroup.about, event->cgroup.about_size);
		break;
	case EVENT_MODULE:
		add_text(targets, &n, &event->module.path);
		break;
	case EVENT_CODE:
		add(targets, &n, (const void **)&event->code.bytes, event->code.size);
		break;
	case EVENT_KSYMBOL:
		add_text(targets, &n, &event->ksymbol.name);
		break;
	case EVENT_SAMPLE:
		add(targets, &n, (const void **)&sample->callchain,
			sample->n_callchain * sizeof(*sample->callchain));
		add(targets, &n, (const void **)&sample->counts.bytes,
			sample->counts.n * sample->counts.words * sizeof(uint64_t));
		add(targets, &n, (const void **)&sample->branches.bytes,
			sample->branches.n * sample->branches.words * sizeof(uint64_t));
		add(targets, &n, (const void **)&sample->user.bytes, sample->user.size);
		break;
	case EVENT_NAMESPACES:
		add(targets, &n, (const void **)&event->namespaces.links,
			event->namespaces.n * sizeof(*event->namespaces.links));
		break;
	default:
		break;
	}
	return n;
}

static bool is_within(const void *inner, size_t inner_size, const void *outer, size_t outer_size)
{
	uintptr_t i = (uintptr_t)inner, o = (uintptr_t)outer;

	return i >= o && i - o <= outer_size && inner_size <= outer_size - (i - o);
}

static bool is_in_record(const struct event *event, const struct target *target)
{
	return event->raw && is_within(*target->at, target->size, event->raw, event->raw_size);
}

struct event *event__copy(const struct event *event, size_t *ret_size)
{
	struct {
		struct event event;
		alignas(8) unsigned char bytes[];
	} * copy;
	struct event shallow = *event;
	struct target targets[TARGETS_MAX];
	size_t n = list_targets(&shallow, targets), at = (event->raw_size + 7) & ~(size_t)7;

	*ret_size = sizeof(*copy) + at;
	for (size_t i = 0; i < n; i++)
		if (!is_in_record(event, &targets[i]))
			*ret_size += (targets[i].size + 7) & ~(size_t)7;
	copy = malloc(*ret_size);
	if (!copy)
		return NULL;
	copy->event = *event;
	if (event->raw) {
		memcpy(copy->bytes, event->raw, event->raw_size);
		copy->event.raw = copy->bytes;
	}
	list_targets(&copy->event, targets);
	for (size_t i = 0; i < n; i++) {
		const unsigned char *from = *targets[i].at;

		if (is_in_record(event, &targets[i])) {
			*targets[i].at = copy->bytes + (from - (const unsigned char *)event->raw);
			continue;
		}
		memcpy(copy->bytes + at, from, targets[i].size);
		*targets[i].at = copy->bytes + at;
		at += (targets[i].size + 7) & ~(size_t)7;
	}
	return &copy->event;
}
