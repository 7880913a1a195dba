/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers for the places of samples: the DSO, function and line of each place. Places are then
 * compared without texts. Only computes.
 */
#ifndef PERFSTAMP_MODEL_FUNCTIONS_H
#define PERFSTAMP_MODEL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/samples.h"
#include "user/model/profile/symbol.h"

/* The result of resolving a place. The resolver owns the texts. */
struct resolved {
	const char *name;                   /* NULL: none */
	const char *srcline;                /* "file.c:12"; NULL: not known */
	const struct symbol_source *source; /* NULL: not known, or not requested */
	/* Functions that were inlined at this place, the outermost first. */
	const char *const *inlined;
	size_t n_inlined;
	const struct symbol_call *calls; /* the call of each of these; NULL: not requested */
	uint64_t address;                /* in the ELF file, as in its symbols */
	bool has_address;                /* the file was read and contains this place */
	enum symbol_origin origin;
	enum symbol_lack lack;
};

/*
 * One content at one path is one DSO. A number is SAMPLES_NONE if the place has no DSO, no name and
 * so on.
 */
struct place_numbers {
	uint32_t dso, sym, srcline, srcfile, build_id;
};

/*
 * Functions with one name in two DSOs are two functions. Each address without a name is a function;
 * with .fold, each DSO without symbols is one function.
 */
struct function {
	uint32_t place;      /* any place in it */
	uint32_t sym;        /* the number of its name, or SAMPLES_NONE */
	const char *inlined; /* its name if it was inlined into another function, or NULL */
};

struct functions;

struct functions_options {
	bool by_line; /* each line is a function */
	bool fold;    /* the addresses in a DSO without symbols are one function */
};

/* Whether the DSO of @resolved has no symbols, so that addresses do not identify functions. */
bool resolved__is_without_symbols(const struct resolved *resolved);
/*
 * @resolved has an entry for each place. @identities has one for each sighting: the identity with
 * which names were found. @samples and @resolved have to live as long as the functions. Returns 0
 * or -ENOMEM. The caller frees *@ret in either case.
 */
int functions__new(struct functions **ret, const struct samples *samples, struct model *model,
	const struct resolved *resolved, const struct perfstamp_identity *identities,
	struct functions_options options);
void functions__free(struct functions *functions);
const struct place_numbers *functions__numbers(const struct functions *functions, uint32_t place);
/* Returns the text of the number of a name, line or file. */
const char *functions__text(const struct functions *functions, uint32_t number);
/* Returns what distinguishes a place without a name: its offset, or the same number for all. */
uint64_t functions__address(const struct functions *functions, uint32_t place);
/*
 * Returns the functions that a place is in: first the one with a symbol, then those that were
 * inlined into it at this place, the outermost first.
 */
const uint32_t *functions__of(const struct functions *functions, uint32_t place, size_t *ret_n);
const struct function *functions__at(const struct functions *functions, uint32_t function);

#endif
