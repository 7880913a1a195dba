/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Divides places and turns among owners, so that one owner's flood does not block the
 * others. Pure; does not know what is divided, nor the owners: an owner is a number below
 * FAIR_OWNERS.
 */
#ifndef PERFSTAMP_HELPER_FAIR_H
#define PERFSTAMP_HELPER_FAIR_H

#include <stdbool.h>
#include <stdint.h>

#define FAIR_OWNERS 256

/* A fixed number of places; all zeros: none is taken. */
struct fair_places {
	unsigned int taken;
	unsigned int of[FAIR_OWNERS];
};

/*
 * Whether @owner may take one of @all places. An owner may have at most as many as it
 * leaves free for others, so the first owner gets half of all places, a second one half of
 * the rest, and so on.
 */
bool fair_places__may_take(const struct fair_places *places, uint32_t owner, unsigned int all);
void fair_places__take(struct fair_places *places, uint32_t owner);
void fair_places__give_back(struct fair_places *places, uint32_t owner);

/*
 * The order in which requests are served: the owners take turns, and each owner's requests
 * are in order.
 */
struct fair_turns {
	uint64_t served; /* the turn of the last request that was served */
	uint64_t last[FAIR_OWNERS];
};

/*
 * The turn of a new request of @owner. Of the waiting requests, the one with the lowest
 * turn is served next.
 */
uint64_t fair_turns__next(struct fair_turns *turns, uint32_t owner);
/* Reports that the request with this turn was served. */
void fair_turns__serve(struct fair_turns *turns, uint64_t turn);

#endif
