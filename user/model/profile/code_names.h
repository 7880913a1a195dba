/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of code that processes made at run time, each at its time: a name belongs to
 * its addresses from when it was written until any of them is used again. It is filled by a
 * first reading of a recording, sealed, and used in a second one. Pure; does not know the
 * parsers.
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
	CODE_UNNAMED, /* nothing names the address */
	CODE_NAMED,
	CODE_UNDECIDED, /* the sample is in the time in which its name changed */
	CODE_LATER,     /* only something later has a name there */
};

/*
 * A name for [addr, addr + size). It did not exist at .from_ns and was at .sure_ns, which
 * are the same where the moment is known.
 */
struct code_entry {
	uint64_t addr;
	uint64_t size;
	uint64_t from_ns;
	uint64_t sure_ns;
	const char *name; /* copied; NULL: something else is there from now on */
	bool dump;        /* from a jitdump; otherwise from a perf map file */
	uint32_t detail;  /* in the code_details; CODE_DETAILS_NONE: it has none */
	uint32_t life;    /* set by code_names__at: the program's */
};

struct code_names;

int code_names__new(struct code_names **ret);
void code_names__free(struct code_names *names);
/* FORK, COMM and MAP, in time order. Returns 0 or -ENOMEM. */
int code_names__follow(struct code_names *names, const struct event *event);
/* The program that ran as @pid then; valid for good. Returns 0 or -ENOMEM. */
int code_names__life(struct code_names *names, uint32_t pid, uint64_t time_ns, uint32_t *ret);
/* To be filled before an entry has its number; as long as @names. */
struct code_details *code_names__details(const struct code_names *names);
/* In the order in which they were written. Returns 0 or -ENOMEM. */
int code_names__add(struct code_names *names, uint32_t life, const struct code_entry *entry);
/*
 * The newest of a jitdump that begins at @addr by now: its .name, which is NULL if none
 * does, and its .detail. Valid until the next add.
 */
struct code_entry code_names__newest(const struct code_names *names, uint32_t life, uint64_t addr);
/*
 * Seals the names: nothing is added from now on, and they can be looked up. Returns 0 or
 * -ENOMEM.
 */
int code_names__seal(struct code_names *names);
/*
 * What @pid had at @addr then. With NAMED and LATER *@ret is the number of the entry, else
 * CODE_NAMES_NONE.
 */
enum code_verdict code_names__find(const struct code_names *names, uint32_t pid, uint64_t addr,
	uint64_t time_ns, uint32_t *ret);
/* .name is valid as long as @names. */
struct code_entry code_names__at(const struct code_names *names, uint32_t number);
/* The program that ran as @pid then; CODE_NAMES_NONE: none is known. */
uint32_t code_names__program(const struct code_names *names, uint32_t pid, uint64_t time_ns);
/* Whether any program that ran as @pid named code. */
bool code_names__has(const struct code_names *names, uint32_t pid);
size_t code_names__n(const struct code_names *names);

#endif
