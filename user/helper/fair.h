/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Divides places and turns among owners, so that one owner's flood costs the others neither. Pure;
 * does not know what is divided, nor who owns it: an owner is a number below FAIR_OWNERS.
 */
#ifndef PERFSTAMP_HELPER_FAIR_H
#define PERFSTAMP_HELPER_FAIR_H

#include <stdbool.h>
#include <stdint.h>

#define FAIR_OWNERS 256

/* Places of which there is a fixed number; all zeros: none is taken. */
struct fair_places {
	unsigned int taken;
	unsigned int of[FAIR_OWNERS];
};

/*
 * Whether @owner may take one of @all places: it may have no more than it leaves to others. The
 * first owner thus gets half of all, a second one half of the rest, and so on.
 */
bool fair_places__may_take(const struct fair_places *places, uint32_t owner, unsigned int all);
void fair_places__take(struct fair_places *places, uint32_t owner);
void fair_places__give_back(struct fair_places *places, uint32_t owner);

/* In which order to serve requests: those of an owner one after another, owners by turns. */
struct fair_turns {
	uint64_t served; /* the turn of the last request that was served */
	uint64_t last[FAIR_OWNERS];
};

/* The turn of a new request of @owner. Of those that wait, the lowest turn is to be served. */
uint64_t fair_turns__next(struct fair_turns *turns, uint32_t owner);
/* The request with this turn is served. */
void fair_turns__serve(struct fair_turns *turns, uint64_t turn);

#endif
