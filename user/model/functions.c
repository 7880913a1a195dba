// SPDX-License-Identifier: GPL-2.0-only
/*
 * functions: see functions.h. A DSO is a content at a path: two builds at one path are
 * two, whatever their functions are called.
 */
#include "user/model/functions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/model/hash.h"

struct function_key {
	uint64_t address; /* where there is no name */
	uint32_t dso, sym, srcline;
	uint32_t in_kernel;
};

struct function_entry {
	UT_hash_handle hh;
	struct function_key key;
	uint32_t index;
};

struct functions {
	struct texts texts;
	struct place_numbers *numbers; /* by place */
	uint32_t *of;                  /* by place */
	struct function *v;            /* no more than there are places */
	uint32_t n;
	struct function_entry *by_key;
};

/* The path and the content at it, as one text. */
static int number_dso(struct functions *functions, const struct sighting *of,
	const struct perfstamp_identity *identity, struct place_numbers *ret)
{
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1] = "", cookie[2 * PERFSTAMP_COOKIE_MAX + 1] = "";
	char *text;
	int err;

	text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
	/* A build-id of one content is told by itself, with its cookie or without. */
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

static int number_texts(
	struct functions *functions, const struct resolved *resolved, struct place_numbers *ret)
{
	int err = 0;

	if (resolved->name)
		err = texts__add(&functions->texts, resolved->name, &ret->sym);
	if (!err && resolved->srcline)
		err = texts__add(&functions->texts, resolved->srcline, &ret->srcline);
	return err;
}

static int find_function(struct functions *functions, const struct place *place, uint32_t index,
	bool by_line, uint32_t *ret)
{
	const struct place_numbers *numbers = &functions->numbers[index];
	struct function_entry *entry;
	struct function_key key;

	memset(&key, 0, sizeof(key));
	key.dso = numbers->dso;
	key.sym = numbers->sym;
	key.srcline = by_line ? numbers->srcline : SAMPLES_NONE;
	key.in_kernel = place->in_kernel;
	if (key.sym == SAMPLES_NONE)
		key.address = place->offset;
	HASH_FIND(hh, functions->by_key, &key, sizeof(key), entry);
	if (entry) {
		*ret = entry->index;
		return 0;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->key = key;
	entry->index = *ret = functions->n;
	HASH_ADD(hh, functions->by_key, key, sizeof(key), entry);
	if (!hash__added(entry)) {
		free(entry);
		return -ENOMEM;
	}
	functions->v[functions->n++] = (struct function){.place = index};
	return 0;
}

int functions__new(struct functions **ret, const struct samples *samples, struct model *model,
	const struct resolved *resolved, const struct perfstamp_identity *identities, bool by_line)
{
	struct functions *functions = calloc(1, sizeof(*functions));
	size_t n = samples__n_places(samples);
	int err = 0;

	*ret = functions;
	if (!functions)
		return -ENOMEM;
	functions->numbers = calloc(n + 1, sizeof(*functions->numbers));
	functions->of = calloc(n + 1, sizeof(*functions->of));
	functions->v = calloc(n + 1, sizeof(*functions->v));
	if (!functions->numbers || !functions->of || !functions->v)
		return -ENOMEM;
	for (size_t i = 0; i < n && !err; i++) {
		const struct place *place = samples__place(samples, i);
		struct place_numbers *numbers = &functions->numbers[i];
		uint32_t sighting = place->sighting;

		*numbers = (struct place_numbers){
			SAMPLES_NONE, SAMPLES_NONE, SAMPLES_NONE, SAMPLES_NONE};
		if (sighting != SAMPLES_NONE)
			err = number_dso(functions, model__sighting(model, sighting),
				&identities[sighting], numbers);
		if (!err)
			err = number_texts(functions, &resolved[i], numbers);
		if (!err)
			err = find_function(functions, place, i, by_line, &functions->of[i]);
	}
	return err;
}

void functions__free(struct functions *functions)
{
	struct function_entry *entry, *next;

	if (!functions)
		return;
	HASH_ITER (hh, functions->by_key, entry, next) {
		HASH_DEL(functions->by_key, entry);
		free(entry);
	}
	texts__free(&functions->texts);
	free(functions->numbers);
	free(functions->of);
	free(functions->v);
	free(functions);
}

const struct place_numbers *functions__numbers(const struct functions *functions, uint32_t place)
{
	return &functions->numbers[place];
}

uint32_t functions__of(const struct functions *functions, uint32_t place)
{
	return functions->of[place];
}

const struct function *functions__at(const struct functions *functions, uint32_t function)
{
	return &functions->v[function];
}
