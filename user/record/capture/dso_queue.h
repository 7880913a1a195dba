/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents that wait to be captured. They are requested in turns of their owners, so that a
 * container that runs new programs without end neither delays nor displaces others. Knows neither
 * sockets, files nor outcomes, and never waits.
 */
#ifndef PERFSTAMP_RECORD_DSO_QUEUE_H
#define PERFSTAMP_RECORD_DSO_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "user/helper/fair.h"
#include "user/record/capture/dso_copier.h"

/* With paths of 4 KiB these take 70 MB; one owner can have half of that. */
#define DSO_QUEUE_MAX 16384

/* One content. */
struct dso {
	uint64_t content;            /* tally__content; the first member, as the key of a tree */
	TAILQ_ENTRY(dso) list;       /* in a list of the queue or of the caller */
	struct dso_request *request; /* NULL after it was captured */
	uint64_t owner;              /* owner of the file in the store */
	uint32_t turns_of;           /* owner in whose turns it is requested */
	enum dso_outcome outcome;
	bool sent;
	bool again; /* requested again although it was stored: it may have been removed */
	/* another owner mapped it after the request was sent: request it again for both */
	bool shared;
	uint64_t cgroup_id;  /* cgroup of the last mapping whose owner was determined */
	uint64_t settled_ns; /* CLOCK_MONOTONIC */
};

TAILQ_HEAD(dsos, dso);

struct dso_queue {
	struct dsos sent;                  /* in the order of sending */
	struct dsos unsent[FAIR_OWNERS];   /* for each owner, in the order of adding */
	struct fair_places waiting;        /* of DSO_QUEUE_MAX */
	struct fair_places being_captured; /* of DSO_OPEN_MAX: the sent requests */
	uint32_t last;                     /* the owner of the last turn */
};

void dso_queue__init(struct dso_queue *queue);

/* Whether @owner may have one more in the queue. */
bool dso_queue__has_room(const struct dso_queue *queue, uint32_t owner);
/* Adds @dso, whose .turns_of is set. The caller owns it. */
void dso_queue__add(struct dso_queue *queue, struct dso *dso);
/* Removes @dso, which is in the queue. */
void dso_queue__remove(struct dso_queue *queue, struct dso *dso);

/* Returns the next DSO to send; NULL if there is none, or each owner has sent too many. */
struct dso *dso_queue__next(const struct dso_queue *queue);
/* Reports that @dso, which dso_queue__next() returned, was sent. */
void dso_queue__sent(struct dso_queue *queue, struct dso *dso);
/* Makes all sent requests wait again, before the others: another process gets them. */
void dso_queue__unsend(struct dso_queue *queue);

/* Returns any DSO, sent ones first; NULL if the queue is empty. */
struct dso *dso_queue__first(const struct dso_queue *queue);
unsigned int dso_queue__n(const struct dso_queue *queue);

#endif
