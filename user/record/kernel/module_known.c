// SPDX-License-Identifier: GPL-2.0-only
/* See module_known.h. */
#include "user/record/kernel/module_known.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/event/module.h"

struct known *known_modules__add(
	struct known_modules *modules, const struct known *known, const char *path)
{
	char *copy = strdup(path ? path : "");
	struct known *added;

	if (!copy || array__extend(&modules->v, modules->n, sizeof(*modules->v))) {
		free(copy);
		return NULL;
	}
	added = &modules->v[modules->n++];
	*added = *known;
	added->path = copy;
	return added;
}

void known_modules__remove(struct known_modules *modules, size_t i)
{
	struct known *known = &modules->v[i];

	modules->n_gone -= !known->alive;
	free(known->path);
	*known = modules->v[--modules->n];
}

struct known *known_modules__alive(struct known_modules *modules, const char *name, uint64_t addr)
{
	for (size_t i = 0; i < modules->n; i++) {
		struct known *known = &modules->v[i];

		if (known->alive && known->state.text_addr == addr &&
			!strcmp(known->state.name, name))
			return known;
	}
	return NULL;
}

struct known *known_modules__gone(
	struct known_modules *modules, const struct perfstamp_module_state *state)
{
	for (size_t i = 0; i < modules->n; i++)
		if (!modules->v[i].alive && event_module__same(&modules->v[i].state, state))
			return &modules->v[i];
	return NULL;
}

void known_modules__free(struct known_modules *modules)
{
	for (size_t i = 0; i < modules->n; i++)
		free(modules->v[i].path);
	free(modules->v);
	*modules = (struct known_modules){0};
}

static bool overlaps(const struct perfstamp_module_state *a, const struct perfstamp_module_state *b)
{
	return a->text_addr < b->text_addr + b->text_size &&
	       b->text_addr < a->text_addr + a->text_size;
}

struct known *known_modules__find(
	struct known_modules *modules, const struct perfstamp_module_state *state, bool loose)
{
	struct known *known = known_modules__alive(modules, state->name, state->text_addr);

	for (size_t i = 0; !known && loose && i < modules->n; i++)
		if (modules->v[i].alive && !strcmp(modules->v[i].state.name, state->name) &&
			overlaps(&modules->v[i].state, state))
			known = &modules->v[i];
	return known;
}

bool known__is(const struct known *known, const struct perfstamp_module_state *state, bool loose)
{
	struct perfstamp_module_state there = *state;

	if (loose) {
		there.text_addr = known->state.text_addr;
		there.text_size = known->state.text_size;
	}
	return event_module__same(&known->state, &there);
}
