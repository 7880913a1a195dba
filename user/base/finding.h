/* SPDX-License-Identifier: GPL-2.0-only */
/* A finding about this machine, and what would improve it. */
#ifndef PERFSTAMP_BASE_FINDING_H
#define PERFSTAMP_BASE_FINDING_H

#define FINDING_TEXT_MAX 512

enum finding_state {
	FINDING_GOOD,
	FINDING_LESS,    /* it works, but not completely */
	FINDING_MISSING, /* something does not work */
	FINDING_FACT,    /* neither good nor bad */
};

struct finding {
	const char *name; /* a static string */
	enum finding_state state;
	char value[FINDING_TEXT_MAX];
	char advice[FINDING_TEXT_MAX]; /* what to change; may be empty */
};

#endif
