/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of -e, as perf takes it: a comma-separated list of event names with modifiers,
 * and of groups of them in braces. Splits the list, and resolves the names that have the
 * same meaning on every machine; user/source/events/name.h resolves the others. Source of
 * the grammar: tools/perf Documentation/perf-list.txt and util/parse-events.{c,l,y} of
 * Linux.
 */
#ifndef PERFSTAMP_PARSE_EVENT_NAME_H
#define PERFSTAMP_PARSE_EVENT_NAME_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

#define EVENT_NAME_MAX 512

enum event_name_kind {
	/* type and config are known: cycles, cpu-clock, L1-dcache-loads, r1a8, mem:0x1000:rw */
	EVENT_NAME_FIXED,
	EVENT_NAME_PMU,   /* pmu/term=value,term/ */
	EVENT_NAME_OTHER, /* a tracepoint, or an event of this machine's PMU */
};

#define EVENT_GROUP_NAME_MAX 64

/* What follows the name, as in cycles:ppu. */
struct event_modifiers {
	bool exclude_user;
	bool exclude_kernel;
	bool exclude_hv;
	bool exclude_host;
	bool exclude_guest;
	bool exclude_idle;
	bool privilege_given; /* one of u, k, h: the exclude_* above are meant */
	bool guest_given;     /* one of G, H */
	bool pinned;
	bool exclusive;
	bool precise_max; /* P: as precise as the machine can */
	uint8_t precise;  /* number of p's */
	bool sample_read; /* S: the leader's samples carry the counts of all */
	bool weak;        /* W: if the group cannot be opened, its events are opened singly */
};

struct event_name {
	enum event_name_kind kind;
	char text[EVENT_NAME_MAX]; /* as it was given */
	uint32_t type;             /* PERF_TYPE_*; FIXED only */
	uint64_t config;
	/* Of a breakpoint, as in struct perf_event_attr; FIXED only. */
	uint64_t bp_addr;
	uint64_t bp_len;                  /* bytes */
	uint32_t bp_type;                 /* HW_BREAKPOINT_* */
	char base[EVENT_NAME_MAX];        /* without terms and without a group's modifiers */
	char pmu[64];                     /* PMU only */
	char terms[EVENT_NAME_MAX];       /* what stands between the slashes; OTHER has none */
	struct event_modifiers modifiers; /* FIXED and PMU: its own and its group's */
	/* OTHER: the group's, to be added to what turns out to be the event's own. */
	struct event_modifiers group_modifiers;
	unsigned int group; /* counted from 1; 0: none */
	char group_name[EVENT_GROUP_NAME_MAX];
};

/* The list that is being read. */
struct event_names {
	const char *at; /* what is not read yet */
	unsigned int n_groups;
	bool in_group;
	bool after_comma;
	struct event_modifiers modifiers; /* of the group */
	char group_letters[16];           /* the same, as they were written */
	char group_name[EVENT_GROUP_NAME_MAX];
};

void event_names__init(struct event_names *names, const char *text);
/*
 * Reads the next name; @names->at is moved behind it. Commas between slashes do
 * not part names, and spaces only surround them. Returns 1, 0 at the end, or
 * -EINVAL with text.
 */
int event_names__next(struct event_names *names, struct event_name *ret, struct error *err);

/* Parses the letters after a colon. Returns 0, or -EINVAL if one is not a modifier. */
int event_modifiers__parse(struct event_modifiers *ret, const char *text);
/* Adds the modifiers of a group to an event's: what either includes is included. */
void event_modifiers__add(struct event_modifiers *ret, const struct event_modifiers *group);
/* The attribute bits that the modifiers stand for; the attribute is otherwise left alone. */
void event_modifiers__apply(const struct event_modifiers *modifiers, struct perf_event_attr *attr);

#endif
