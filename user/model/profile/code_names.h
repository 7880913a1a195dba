/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of code that processes made at run time. A name is valid for its addresses from the
 * time when it was written until any of them is reused. The names are filled in a first pass over a
 * recording, sealed, and used in a second pass. Pure; does not know the parsers.
 */
#ifndef PERFSTAMP_MODEL_CODE_NAMES_H
#define PERFSTAMP_MODEL_CODE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/profile/code_details.h"

#define CODE_NAMES_NONE UINT32_MAX

enum code_verdict {
	CODE_UNNAMED, /* no name is known */
	CODE_NAMED,
	CODE_UNDECIDED, /* the sample is in the time span in which the name changed */
	CODE_LATER,     /* only a later entry has a name there */
};

/*
 * A name for [addr, addr + size). It did not exist at .from_ns, and did exist at .sure_ns. The two
 * are equal if the exact time is known.
 */
struct code_entry {
	uint64_t addr;
	uint64_t size;
	uint64_t from_ns;
	uint64_t sure_ns;
	const char *name; /* copied; NULL: other content is there from now on */
	bool dump;        /* from a jitdump, not from a perf map file */
	uint32_t detail;  /* number in the code_details, or CODE_DETAILS_NONE */
	uint32_t life;    /* set by code_names__at: the life of the program */
};

struct code_names;

int code_names__new(struct code_names **ret);
void code_names__free(struct code_names *names);
/* Applies FORK, COMM and MAP events in time order. Returns 0 or -ENOMEM. */
int code_names__follow(struct code_names *names, const struct event *event);
/*
 * Sets *@ret to the program that ran as @pid at @time_ns. The number remains valid. Returns 0 or
 * -ENOMEM.
 */
int code_names__life(struct code_names *names, uint32_t pid, uint64_t time_ns, uint32_t *ret);
/*
 * Returns the details, valid as long as @names. Fill them before the entry that refers to them is
 * added.
 */
struct code_details *code_names__details(const struct code_names *names);
/* Adds entries in the order in which they were written. Returns 0 or -ENOMEM. */
int code_names__add(struct code_names *names, uint32_t life, const struct code_entry *entry);
/*
 * Returns the newest entry from a jitdump that begins at @addr. Only .name and .detail are set;
 * .name is NULL if there is no entry. Valid until the next add.
 */
struct code_entry code_names__newest(const struct code_names *names, uint32_t life, uint64_t addr);
/* Seals the names: allows lookups, and no more changes. Returns 0 or -ENOMEM. */
int code_names__seal(struct code_names *names);
/*
 * Looks up the code that @pid had at @addr at that time. With NAMED and LATER, *@ret is set to the
 * number of the entry, else to CODE_NAMES_NONE.
 */
enum code_verdict code_names__find(const struct code_names *names, uint32_t pid, uint64_t addr,
	uint64_t time_ns, uint32_t *ret);
/* .name is valid as long as @names. */
struct code_entry code_names__at(const struct code_names *names, uint32_t number);
/* Returns the program that ran as @pid at @time_ns, or CODE_NAMES_NONE if it is not known. */
uint32_t code_names__program(const struct code_names *names, uint32_t pid, uint64_t time_ns);
/* Whether any program that ran as @pid named code. */
bool code_names__has(const struct code_names *names, uint32_t pid);
size_t code_names__n(const struct code_names *names);

#endif
