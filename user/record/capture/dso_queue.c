// SPDX-License-Identifier: GPL-2.0-only
/* See dso_queue.h. */
#include "user/record/capture/dso_queue.h"

#include <stddef.h>

void dso_queue__init(struct dso_queue *queue)
{
	*queue = (struct dso_queue){0};
	TAILQ_INIT(&queue->sent);
	for (uint32_t owner = 0; owner < FAIR_OWNERS; owner++)
		TAILQ_INIT(&queue->unsent[owner]);
}

bool dso_queue__has_room(const struct dso_queue *queue, uint32_t owner)
{
	return fair_places__may_take(&queue->waiting, owner, DSO_QUEUE_MAX);
}

void dso_queue__add(struct dso_queue *queue, struct dso *dso)
{
	dso->sent = false;
	TAILQ_INSERT_TAIL(&queue->unsent[dso->turns_of], dso, list);
	fair_places__take(&queue->waiting, dso->turns_of);
}

void dso_queue__remove(struct dso_queue *queue, struct dso *dso)
{
	if (dso->sent) {
		TAILQ_REMOVE(&queue->sent, dso, list);
		fair_places__give_back(&queue->being_captured, dso->turns_of);
	} else {
		TAILQ_REMOVE(&queue->unsent[dso->turns_of], dso, list);
	}
	dso->sent = false;
	fair_places__give_back(&queue->waiting, dso->turns_of);
}

struct dso *dso_queue__next(const struct dso_queue *queue)
{
	if (queue->waiting.taken == queue->being_captured.taken)
		return NULL;
	for (uint32_t i = 1; i <= FAIR_OWNERS; i++) {
		uint32_t owner = (queue->last + i) % FAIR_OWNERS;
		struct dso *dso = TAILQ_FIRST(&queue->unsent[owner]);

		if (dso && fair_places__may_take(&queue->being_captured, owner, DSO_OPEN_MAX))
			return dso;
	}
	return NULL;
}

void dso_queue__sent(struct dso_queue *queue, struct dso *dso)
{
	TAILQ_REMOVE(&queue->unsent[dso->turns_of], dso, list);
	TAILQ_INSERT_TAIL(&queue->sent, dso, list);
	fair_places__take(&queue->being_captured, dso->turns_of);
	dso->sent = true;
	queue->last = dso->turns_of;
}

void dso_queue__unsend(struct dso_queue *queue)
{
	struct dso *dso;

	/* From the last to the first, so that their order is kept before the rest of each owner. */
	while ((dso = TAILQ_LAST(&queue->sent, dsos))) {
		TAILQ_REMOVE(&queue->sent, dso, list);
		TAILQ_INSERT_HEAD(&queue->unsent[dso->turns_of], dso, list);
		fair_places__give_back(&queue->being_captured, dso->turns_of);
		dso->sent = false;
	}
}

struct dso *dso_queue__first(const struct dso_queue *queue)
{
	struct dso *dso = TAILQ_FIRST(&queue->sent);

	for (uint32_t owner = 0; !dso && owner < FAIR_OWNERS; owner++)
		dso = TAILQ_FIRST(&queue->unsent[owner]);
	return dso;
}

unsigned int dso_queue__n(const struct dso_queue *queue)
{
	return queue->waiting.taken;
}
