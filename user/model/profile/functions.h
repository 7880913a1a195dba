/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers for the places of samples: which DSO, function and line each place is in, so that places
 * are compared without texts. Only computes.
 */
#ifndef PERFSTAMP_MODEL_FUNCTIONS_H
#define PERFSTAMP_MODEL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/samples.h"
#include "user/model/profile/symbol.h"

/* What is known about a place. The resolver owns the texts. */
struct resolved {
	const char *name;                   /* NULL: none */
	const char *srcline;                /* "file.c:12"; NULL: not known */
	const struct symbol_source *source; /* NULL: not known, or not asked for */
	const char *const *inlined; /* functions that were inlined there, the outermost first */
	size_t n_inlined;
	const struct symbol_call *calls; /* of each of these; NULL: not requested */
	uint64_t address;                /* in the ELF file, as its symbols have it */
	bool has_address;                /* the file was read, and has this place */
	enum symbol_origin origin;
	enum symbol_lack lack;
};

/* SAMPLES_NONE if there is no such thing. One content at one path is one DSO. */
struct place_numbers {
	uint32_t dso, sym, srcline, srcfile, build_id;
};

/*
 * Functions with one name in two DSOs are two functions. Addresses without a name are one
 * function each, or, folded, one for each DSO without symbols.
 */
struct function {
	uint32_t place;      /* any of its places */
	uint32_t sym;        /* the number of its name; SAMPLES_NONE: it has none */
	const char *inlined; /* its name, where it was inlined into another; or NULL */
};

struct functions;

struct functions_options {
	bool by_line; /* each line is a function */
	bool fold;    /* the addresses in a DSO without symbols are one function */
};

/* Whether nothing in the DSO of @resolved has a name, so that addresses say nothing about
 * functions. */
bool resolved__is_without_symbols(const struct resolved *resolved);
/*
 * @resolved has one for each place, @identities one for each sighting: what names were
 * found by. @samples and @resolved have to live as long as the functions. Returns 0 or
 * -ENOMEM; to be freed in either case.
 */
int functions__new(struct functions **ret, const struct samples *samples, struct model *model,
	const struct resolved *resolved, const struct perfstamp_identity *identities,
	struct functions_options options);
void functions__free(struct functions *functions);
const struct place_numbers *functions__numbers(const struct functions *functions, uint32_t place);
/* The text of a number of a name, line or file. */
const char *functions__text(const struct functions *functions, uint32_t number);
/* What distinguishes a place without a name from another one: its offset, or one number for all. */
uint64_t functions__address(const struct functions *functions, uint32_t place);
/*
 * The functions that a place is in: the one that has a symbol, and then those that were
 * inlined into it there, the outermost first.
 */
const uint32_t *functions__of(const struct functions *functions, uint32_t place, size_t *ret_n);
const struct function *functions__at(const struct functions *functions, uint32_t function);

#endif
