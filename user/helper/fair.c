// SPDX-License-Identifier: GPL-2.0-only
/* See fair.h. */
#include "user/helper/fair.h"

bool fair_places__may_take(const struct fair_places *places, uint32_t owner, unsigned int all)
{
	return places->taken < all && places->of[owner] < all - places->taken;
}

void fair_places__take(struct fair_places *places, uint32_t owner)
{
	places->of[owner]++;
	places->taken++;
}

void fair_places__give_back(struct fair_places *places, uint32_t owner)
{
	places->of[owner]--;
	places->taken--;
}

uint64_t fair_turns__next(struct fair_turns *turns, uint32_t owner)
{
	/* An owner that made no requests does not get the turns that it missed. */
	uint64_t after = turns->last[owner] > turns->served ? turns->last[owner] : turns->served;

	turns->last[owner] = after + 1;
	return after + 1;
}

void fair_turns__serve(struct fair_turns *turns, uint64_t turn)
{
	if (turn > turns->served)
		turns->served = turn;
}
