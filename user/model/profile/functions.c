// SPDX-License-Identifier: GPL-2.0-only
/*
 * functions: see functions.h. A DSO is a content at a path: two builds at one path are two DSOs,
 * even if their functions have the same names.
 */
#include "user/model/profile/functions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/model/profile/numbers.h"

struct function_key {
	uint64_t address; /* set if there is no name */
	uint32_t dso, sym, srcline;
	uint32_t in_kernel;
	uint32_t inlined;
	uint32_t zero;
};

struct functions {
	const struct samples *samples;
	const struct resolved *resolved;
	struct functions_options options;
	struct texts texts;
	struct place_numbers *numbers; /* by place */
	uint32_t *of;                  /* functions of all places, in the order of places */
	/* By place: the index in .of where its functions begin and end. */
	size_t *starts;
	struct function *v; /* at most as many as .of has */
	uint32_t n;
	struct numbers by_key;
};

/* Sets the number of the DSO: of a text with its identity and its path. */
static int number_dso(struct functions *functions, const struct sighting *of,
	const struct perfstamp_identity *identity, struct place_numbers *ret)
{
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1] = "", cookie[2 * PERFSTAMP_COOKIE_MAX + 1] = "";
	char *text;
	int err;

	text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
	/* If a build-id has one content, it identifies the DSO, with its cookie or without. */
	if (!identity->build_id_size || of->n_contents > 1)
		text__hex(cookie, sizeof(cookie), identity->cookie, identity->cookie_size);
	if (asprintf(&text, "%s/%s/%s", hex, cookie, of->path) < 0)
		return -ENOMEM;
	err = texts__add(&functions->texts, text, &ret->dso);
	free(text);
	if (err)
		return err;
	return texts__add(&functions->texts, *hex ? hex : cookie, &ret->build_id);
}

/* Sets the number of the source file in a line such as "file.c:12". */
static int number_file(struct functions *functions, const char *srcline, struct place_numbers *ret)
{
	const char *colon = strrchr(srcline, ':');
	char *file = strndup(srcline, colon ? (size_t)(colon - srcline) : strlen(srcline));
	int err = file ? texts__add(&functions->texts, file, &ret->srcfile) : -ENOMEM;

	free(file);
	return err;
}

static int number_texts(
	struct functions *functions, const struct resolved *resolved, struct place_numbers *ret)
{
	int err = 0;

	if (resolved->name)
		err = texts__add(&functions->texts, resolved->name, &ret->sym);
	if (err || !resolved->srcline)
		return err;
	err = texts__add(&functions->texts, resolved->srcline, &ret->srcline);
	return err ? err : number_file(functions, resolved->srcline, ret);
}

bool resolved__is_without_symbols(const struct resolved *resolved)
{
	return !resolved->name && resolved->lack != SYMBOL_LACKS_ENTRY;
}

uint64_t functions__address(const struct functions *functions, uint32_t place)
{
	if (functions->options.fold && resolved__is_without_symbols(&functions->resolved[place]))
		return UINT64_MAX;
	return samples__place(functions->samples, place)->offset;
}

static struct function_key key_of(const struct functions *functions, const struct function *of)
{
	const struct place_numbers *numbers = &functions->numbers[of->place];
	const struct place *place = samples__place(functions->samples, of->place);
	struct function_key key;

	memset(&key, 0, sizeof(key));
	key.dso = numbers->dso;
	key.sym = of->sym;
	key.srcline = functions->options.by_line ? numbers->srcline : SAMPLES_NONE;
	key.in_kernel = place->in_kernel;
	key.inlined = of->inlined != NULL;
	if (of->sym == SAMPLES_NONE && !of->inlined)
		key.address = functions__address(functions, of->place);
	return key;
}

static bool is_function(const void *all, uint32_t number, const void *wanted)
{
	const struct functions *functions = all;
	const struct function_key key = key_of(functions, &functions->v[number]);

	return !memcmp(&key, wanted, sizeof(key));
}

/* Finds the number of @function, which may be new. */
static int find_function(
	struct functions *functions, const struct function *function, uint32_t *ret)
{
	const struct function_key key = key_of(functions, function);

	*ret = numbers__find(&functions->by_key, &key, sizeof(key), is_function, functions);
	if (*ret != NUMBERS_NONE)
		return 0;
	*ret = functions->n;
	if (numbers__add(&functions->by_key, &key, sizeof(key), *ret))
		return -ENOMEM;
	functions->v[functions->n++] = *function;
	return 0;
}

/* Stores the functions that @place is in: the inlined ones, and the one that contains them. */
static int find_functions(
	struct functions *functions, const struct resolved *resolved, uint32_t index, uint32_t *ret)
{
	struct function function = {.place = index, .sym = functions->numbers[index].sym};
	int err;

	err = find_function(functions, &function, ret);
	for (size_t i = 0; i < resolved->n_inlined && !err; i++) {
		function.inlined = resolved->inlined[i];
		err = texts__add(&functions->texts, function.inlined, &function.sym);
		if (!err)
			err = find_function(functions, &function, ret + 1 + i);
	}
	return err;
}

/* Allocates space for the functions of all places. */
static int make_room(struct functions *functions, const struct resolved *resolved, size_t n)
{
	size_t all = 0;

	functions->numbers = calloc(n + 1, sizeof(*functions->numbers));
	functions->starts = calloc(n + 1, sizeof(*functions->starts));
	if (!functions->numbers || !functions->starts)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		functions->starts[i] = all;
		all += resolved[i].n_inlined + 1;
	}
	functions->starts[n] = all;
	functions->of = calloc(all + 1, sizeof(*functions->of));
	functions->v = calloc(all + 1, sizeof(*functions->v));
	return functions->of && functions->v ? 0 : -ENOMEM;
}

int functions__new(struct functions **ret, const struct samples *samples, struct model *model,
	const struct resolved *resolved, const struct perfstamp_identity *identities,
	struct functions_options options)
{
	struct functions *functions = calloc(1, sizeof(*functions));
	size_t n = samples__n_places(samples);
	int err;

	*ret = functions;
	if (!functions)
		return -ENOMEM;
	functions->samples = samples;
	functions->resolved = resolved;
	functions->options = options;
	err = make_room(functions, resolved, n);
	for (size_t i = 0; i < n && !err; i++) {
		const struct place *place = samples__place(samples, i);
		struct place_numbers *numbers = &functions->numbers[i];
		uint32_t sighting = place->sighting;

		*numbers = (struct place_numbers){
			SAMPLES_NONE, SAMPLES_NONE, SAMPLES_NONE, SAMPLES_NONE, SAMPLES_NONE};
		if (sighting != SAMPLES_NONE)
			err = number_dso(functions, model__sighting(model, sighting),
				&identities[sighting], numbers);
		if (!err)
			err = number_texts(functions, &resolved[i], numbers);
		if (!err)
			err = find_functions(
				functions, &resolved[i], i, &functions->of[functions->starts[i]]);
	}
	return err;
}

void functions__free(struct functions *functions)
{
	if (!functions)
		return;
	numbers__free(&functions->by_key);
	texts__free(&functions->texts);
	free(functions->numbers);
	free(functions->of);
	free(functions->starts);
	free(functions->v);
	free(functions);
}

const struct place_numbers *functions__numbers(const struct functions *functions, uint32_t place)
{
	return &functions->numbers[place];
}

const char *functions__text(const struct functions *functions, uint32_t number)
{
	return texts__at(&functions->texts, number);
}

const uint32_t *functions__of(const struct functions *functions, uint32_t place, size_t *ret_n)
{
	*ret_n = functions->starts[place + 1] - functions->starts[place];
	return functions->of + functions->starts[place];
}

const struct function *functions__at(const struct functions *functions, uint32_t function)
{
	return &functions->v[function];
}
