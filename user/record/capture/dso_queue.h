/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents that wait to be captured, and the order in which they are requested: by turns of
 * their owners, so that a container that runs new programs without end delays and displaces no
 * other. Knows neither sockets, files nor outcomes, and never waits.
 */
#ifndef PERFSTAMP_RECORD_DSO_QUEUE_H
#define PERFSTAMP_RECORD_DSO_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "user/helper/fair.h"
#include "user/record/capture/dso_copier.h"

/* With paths of 4 KiB these take 70 MB, half of it by one owner. */
#define DSO_QUEUE_MAX 16384

/* One content. */
struct dso {
	uint64_t content;            /* tally__content; first, for a tree of them */
	TAILQ_ENTRY(dso) list;       /* one of the queue's, or of the caller's */
	struct dso_request *request; /* NULL once it is captured */
	uint64_t owner;              /* of the file in the store */
	uint32_t turns_of;           /* the owner by whose turns it is requested */
	enum dso_outcome outcome;
	bool sent;
	bool again;  /* requested once more: it is in the store, unless it was removed */
	bool shared; /* another owner mapped it after it was sent: requested again, for both */
	uint64_t cgroup_id;  /* of the last mapping whose owner was looked up */
	uint64_t settled_ns; /* CLOCK_MONOTONIC */
};

TAILQ_HEAD(dsos, dso);

struct dso_queue {
	struct dsos sent;                /* in the order in which they were sent */
	struct dsos unsent[FAIR_OWNERS]; /* of each owner, in the order in which they were added */
	struct fair_places waiting;      /* of DSO_QUEUE_MAX */
	struct fair_places being_captured; /* of DSO_OPEN_MAX: those that were sent */
	uint32_t last;                     /* the owner that had its turn last */
};

void dso_queue__init(struct dso_queue *queue);

/* Whether @owner may have one more in the queue. */
bool dso_queue__has_room(const struct dso_queue *queue, uint32_t owner);
/* Adds @dso, which stays the caller's; its .turns_of is set. */
void dso_queue__add(struct dso_queue *queue, struct dso *dso);
/* Removes @dso, which is in the queue. */
void dso_queue__remove(struct dso_queue *queue, struct dso *dso);

/* The one to be sent now; NULL if there is none, or too many of each owner were sent. */
struct dso *dso_queue__next(const struct dso_queue *queue);
/* @dso, which dso_queue__next returned, was sent. */
void dso_queue__sent(struct dso_queue *queue, struct dso *dso);
/* What was sent is to be sent again, to another process, before the rest. */
void dso_queue__unsend(struct dso_queue *queue);

/* Any of them, those that were sent first; NULL if the queue is empty. */
struct dso *dso_queue__first(const struct dso_queue *queue);
unsigned int dso_queue__n(const struct dso_queue *queue);

#endif
