// SPDX-License-Identifier: GPL-2.0-only
/*
 * module_lives: see modules.h.
 */
#include "user/model/modules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

struct module_life_entry {
	struct module_life life;
	char name[PERFSTAMP_MODULE_NAME_MAX];
	char *path;
};

void module_lives__path(const struct event_module *module, char *ret, size_t size)
{
	static const char nowhere[] = PERFSTAMP_MODULE_NOWHERE;
	size_t len = strlen(module->path), ending;
	char text[24], *at;

	if (!strncmp(module->path, nowhere, sizeof(nowhere) - 1)) {
		snprintf(ret, size, "[%s]", module->state.name);
		return;
	}
	if (len >= size)
		len = size - 1;
	memcpy(ret, module->path, len);
	ret[len] = '\0';
	if (!module->state.ordinal)
		return;
	ending = snprintf(text, sizeof(text), "_r%u.ko", module->state.ordinal);
	at = strrchr(ret, '/');
	at = strstr(at ? at : ret, text);
	if (at)
		memmove(at, at + ending - 3, strlen(at + ending - 3) + 1);
}

/* Returns the index of the first live module that ends behind @addr. */
static size_t first_behind(const struct module_lives *lives, uint64_t addr)
{
	size_t low = 0, high = lives->n_alive;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct module_life *life = &lives->alive[middle]->life;

		if (life->addr + life->len <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct module_life *module_lives__find(const struct module_lives *lives, uint64_t addr)
{
	size_t i = first_behind(lives, addr);

	return i < lives->n_alive && lives->alive[i]->life.addr <= addr ? &lives->alive[i]->life
									: NULL;
}

const struct module_life *module_lives__at(const struct module_lives *lives, size_t i)
{
	return &lives->v[i]->life;
}

static void end_life(struct module_lives *lives, size_t i, uint64_t time_ns, bool inferred)
{
	struct module_life *life = &lives->alive[i]->life;

	life->unloaded = true;
	life->unloaded_ns = time_ns;
	life->inferred |= inferred;
	lives->n_alive--;
	memmove(lives->alive + i, lives->alive + i + 1,
		(lives->n_alive - i) * sizeof(*lives->alive));
}

static bool is_same(const struct module_life *life, const struct perfstamp_module_state *state)
{
	return life->addr == state->text_addr && life->len == state->text_size &&
	       life->build_id_size == state->build_id_size &&
	       !memcmp(life->build_id, state->build_id, sizeof(life->build_id)) &&
	       !strcmp(life->name, state->name);
}

/*
 * Returns the path of the file, or "[NAME]" if it is not known. perf writes a record without a path
 * if it did not get the path. Such a module existed before: its earlier path is used.
 */
static char *path_of(const struct module_lives *lives, const struct event_module *module)
{
	const struct perfstamp_module_state *state = &module->state;
	char path[PERFSTAMP_PATH_MAX];

	if (module->path && (module->path[0] == '/' || module->path[0] == '[')) {
		module_lives__path(module, path, sizeof(path));
		return strdup(path);
	}
	for (size_t i = lives->n; i-- > 0;)
		if (is_same(&lives->v[i]->life, state))
			return strdup(lives->v[i]->path);
	snprintf(path, sizeof(path), "[%s]", state->name);
	return strdup(path);
}

static struct module_life_entry *new_entry(
	const struct module_lives *lives, const struct event_module *module, uint64_t time_ns)
{
	const struct perfstamp_module_state *state = &module->state;
	struct module_life_entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	memcpy(entry->name, state->name, sizeof(entry->name));
	entry->path = path_of(lives, module);
	if (!entry->path) {
		free(entry);
		return NULL;
	}
	entry->life = (struct module_life){
		.name = entry->name,
		.path = entry->path,
		.addr = state->text_addr,
		.len = state->text_size,
		.build_id_size = state->build_id_size,
		.reason = state->reason,
		.loaded_ns = module->flags & PERFSTAMP_MODULE_SNAPSHOT ? 0 : time_ns,
		.snapshot = module->flags & PERFSTAMP_MODULE_SNAPSHOT,
		.inferred = module->flags & PERFSTAMP_MODULE_INFERRED,
		.from_memory = module->flags & PERFSTAMP_MODULE_FROM_MEMORY,
	};
	memcpy(entry->life.build_id, state->build_id, sizeof(state->build_id));
	return entry;
}

static int load(struct module_lives *lives, const struct event_module *module, uint64_t time_ns)
{
	const struct perfstamp_module_state *state = &module->state;
	size_t i = first_behind(lives, state->text_addr);
	struct module_life_entry *entry;

	if (i < lives->n_alive && is_same(&lives->alive[i]->life, state))
		return 0;
	while (i < lives->n_alive &&
		lives->alive[i]->life.addr < state->text_addr + state->text_size)
		end_life(lives, i, time_ns, true);
	if (array__reserve(&lives->v, &lives->room, lives->n + 1, sizeof(*lives->v)) ||
		array__reserve(&lives->alive, &lives->alive_room, lives->n_alive + 1,
			sizeof(*lives->alive)))
		return -ENOMEM;
	entry = new_entry(lives, module, time_ns);
	if (!entry)
		return -ENOMEM;
	lives->v[lives->n++] = entry;
	memmove(lives->alive + i + 1, lives->alive + i,
		(lives->n_alive - i) * sizeof(*lives->alive));
	lives->alive[i] = entry;
	lives->n_alive++;
	return 0;
}

int module_lives__apply(
	struct module_lives *lives, const struct event_module *module, uint64_t time_ns)
{
	const struct perfstamp_module_state *state = &module->state;
	uint64_t end = state->text_addr + state->text_size;
	struct module_life *life;
	size_t i;

	if (end <= state->text_addr)
		return 0;
	if (state->event == PERFSTAMP_MODULE_LOAD)
		return load(lives, module, time_ns);
	i = first_behind(lives, state->text_addr);
	life = i < lives->n_alive ? &lives->alive[i]->life : NULL;
	if (!life || life->addr != state->text_addr || strcmp(life->name, state->name))
		return 0;
	life->init_failed |= !!(module->flags & PERFSTAMP_MODULE_INIT_FAILED);
	if (state->event == PERFSTAMP_MODULE_INIT) {
		life->init_done_ns = time_ns;
		life->init_result = state->init_result;
		return 0;
	}
	end_life(lives, i, time_ns, module->flags & PERFSTAMP_MODULE_INFERRED);
	return 0;
}

void module_lives__free(struct module_lives *lives)
{
	for (size_t i = 0; i < lives->n; i++) {
		free(lives->v[i]->path);
		free(lives->v[i]);
	}
	free(lives->v);
	free(lives->alive);
	memset(lives, 0, sizeof(*lives));
}
