/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The argument of -e, in perf's syntax: a comma-separated list of event names with modifiers, and
 * of groups of them in braces. Splits the list, and resolves the names that have the same meaning
 * on every machine; user/source/events/name.h resolves the others. Source of the grammar:
 * tools/perf/Documentation/perf-list.txt and util/parse-events.{c,l,y} of Linux.
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

/* The modifiers after the name, as in cycles:ppu. */
struct event_modifiers {
	bool exclude_user;
	bool exclude_kernel;
	bool exclude_hv;
	bool exclude_host;
	bool exclude_guest;
	bool exclude_idle;
	bool privilege_given; /* one of u, k, h was given: the exclude_* above apply */
	bool guest_given;     /* one of G, H was given */
	bool pinned;
	bool exclusive;
	bool precise_max; /* P: the highest precision of the machine */
	uint8_t precise;  /* number of p's */
	bool sample_read; /* S: the leader's samples contain the counts of all */
	bool weak;        /* W: if the group cannot be opened, open its events individually */
};

struct event_name {
	enum event_name_kind kind;
	char text[EVENT_NAME_MAX]; /* as the user wrote it */
	uint32_t type;             /* PERF_TYPE_*; FIXED only */
	uint64_t config;
	/* For a breakpoint, as in struct perf_event_attr; FIXED only. */
	uint64_t bp_addr;
	uint64_t bp_len;                  /* bytes */
	uint32_t bp_type;                 /* HW_BREAKPOINT_* */
	char base[EVENT_NAME_MAX];        /* without terms and without a group's modifiers */
	char pmu[64];                     /* PMU only */
	char terms[EVENT_NAME_MAX];       /* the text between the slashes; OTHER has none */
	struct event_modifiers modifiers; /* FIXED and PMU: those of the event and of its group */
	/* OTHER: those of the group, to be added after the event's own are known. */
	struct event_modifiers group_modifiers;
	unsigned int group; /* number of its group, from 1 on; 0: none */
	char group_name[EVENT_GROUP_NAME_MAX];
};

/* The state of reading a list. */
struct event_names {
	const char *at; /* the rest of the text */
	unsigned int n_groups;
	bool in_group;
	bool after_comma;
	struct event_modifiers modifiers; /* modifiers of the group */
	char group_letters[16];           /* the same as the user wrote them */
	char group_name[EVENT_GROUP_NAME_MAX];
};

void event_names__init(struct event_names *names, const char *text);
/*
 * Reads the next name and moves @names->at behind it. Commas between slashes do not separate names,
 * and spaces are allowed only around names. Returns 1, 0 at the end, or -EINVAL with text.
 */
int event_names__next(struct event_names *names, struct event_name *ret, struct error *err);

/* Parses the letters after a colon. Returns 0, or -EINVAL if one is not a modifier. */
int event_modifiers__parse(struct event_modifiers *ret, const char *text);
/* Adds the modifiers of a group to an event's: the result includes what either includes. */
void event_modifiers__add(struct event_modifiers *ret, const struct event_modifiers *group);
/* Sets the bits of the attribute for which the modifiers stand, and changes nothing else. */
void event_modifiers__apply(const struct event_modifiers *modifiers, struct perf_event_attr *attr);

#endif
