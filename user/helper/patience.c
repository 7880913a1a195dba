// SPDX-License-Identifier: GPL-2.0-only
/* See patience.h. */
#include "user/helper/patience.h"

#define LOOKS 3
#define LOOK_NS 500000000ull

void patience__begin(struct patience *patience, uint64_t now_ns)
{
	*patience = (struct patience){.since_ns = now_ns, .looked_ns = now_ns};
}

bool patience__is_due(const struct patience *patience, uint64_t now_ns, uint64_t after_ns)
{
	return now_ns - patience->since_ns >= after_ns && now_ns - patience->looked_ns >= LOOK_NS;
}

void patience__look(struct patience *patience, uint64_t now_ns, bool late)
{
	patience->looked_ns = now_ns;
	patience->looks += late;
}

bool patience__is_over(const struct patience *patience)
{
	return patience->looks >= LOOKS;
}
