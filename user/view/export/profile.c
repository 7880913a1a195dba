// SPDX-License-Identifier: GPL-2.0-only
/*
 * export_profile: see profile.h. The tables have only entries to which selected samples refer,
 * because some formats require this.
 */
#include "user/view/export/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/text.h"
#include "user/model/profile/numbers.h"

struct mapping_key {
	uint64_t bias;
	uint32_t sighting;
	uint32_t zero;
};

struct function_key {
	uint32_t name, file, sighting;
};

struct building {
	struct export_profile *profile;
	const struct export_source *of;
	struct numbers mapping_by_key, function_by_key;
	size_t mappings_room, functions_room, lines_room;
};

int export_profile__text(struct export_profile *profile, const char *text, uint32_t *ret)
{
	char small[512], *escaped = small;
	size_t size = text__escape(small, sizeof(small), text) + 1;
	int err;

	if (size > sizeof(small)) {
		escaped = malloc(size);
		if (!escaped)
			return -ENOMEM;
		text__escape(escaped, size, text);
	}
	err = texts__add(&profile->texts, escaped, ret);
	if (escaped != small)
		free(escaped);
	return err;
}

bool export_profile__is_file(const struct sighting *sighting)
{
	return !sighting->symbol && sighting->identity.reason != PERFSTAMP_REASON_ANONYMOUS &&
	       (sighting->kernel || sighting->identity.build_id_size ||
		       (*sighting->path != '[' && strncmp(sighting->path, "//", 2) != 0));
}

static void mark_used(struct export_profile *profile)
{
	const struct export_source *of = profile->of;

	for (size_t i = 0; i < samples__n(of->samples); i++) {
		const struct sample_sum *sum = samples__at(of->samples, i);
		uint32_t at = sum->frame;

		if (!of->wanted[i])
			continue;
		profile->n_samples += sum->n;
		while (at != SAMPLES_NONE && !profile->frames[at]) {
			profile->frames[at] = true;
			profile->places[samples__frame(of->samples, at)->place].used = true;
			at = samples__frame(of->samples, at)->parent;
		}
	}
}

static bool is_mapping(const void *mappings, uint32_t number, const void *wanted)
{
	const struct export_mapping *mapping = (const struct export_mapping *)mappings + number;
	const struct mapping_key *key = wanted;

	return mapping->sighting == key->sighting && mapping->bias == key->bias;
}

static struct export_mapping *find_mapping(
	struct building *building, uint32_t sighting, uint64_t bias, uint32_t *ret)
{
	struct export_profile *profile = building->profile;
	struct mapping_key key;

	memset(&key, 0, sizeof(key));
	key.bias = bias;
	key.sighting = sighting;
	*ret = numbers__find(
		&building->mapping_by_key, &key, sizeof(key), is_mapping, profile->mappings);
	if (*ret != NUMBERS_NONE)
		return &profile->mappings[*ret];
	if (array__reserve_numbered(&profile->mappings, &building->mappings_room,
		    profile->n_mappings + 1, sizeof(*profile->mappings)))
		return NULL;
	*ret = profile->n_mappings++;
	profile->mappings[*ret] = (struct export_mapping){
		.sighting = sighting, .bias = bias, .start = UINT64_MAX, .file_offset = UINT64_MAX};
	if (numbers__add(&building->mapping_by_key, &key, sizeof(key), *ret))
		return NULL;
	return &profile->mappings[*ret];
}

static void extend(
	struct export_mapping *mapping, uint64_t start, uint64_t len, uint64_t file_offset)
{
	if (start < mapping->start)
		mapping->start = start;
	if (file_offset < mapping->file_offset)
		mapping->file_offset = file_offset;
	if (start + len > mapping->limit)
		mapping->limit = start + len;
}

/* Determines the address of @place, and the mapping that contains it. */
static int take_mapping(struct building *building, uint32_t number)
{
	const struct place *place = samples__place(building->of->samples, number);
	const struct resolved *resolved = &building->of->resolved[number];
	struct export_place *to = &building->profile->places[number];
	const struct sighting *sighting;
	struct export_mapping *mapping;
	uint64_t bias = 0, offset;

	to->mapping = EXPORT_NONE;
	to->address = place->offset;
	if (place->sighting == SAMPLES_NONE)
		return 0;
	sighting = model__sighting(building->of->model, place->sighting);
	if (place->text == MODEL_TEXT_USER && export_profile__is_file(sighting)) {
		bias = resolved->has_address ? resolved->address - place->offset : 0;
		mapping = find_mapping(building, place->sighting, bias, &to->mapping);
		if (!mapping)
			return -ENOMEM;
		mapping->guessed |= !resolved->has_address;
		to->address = place->offset + bias;
		extend(mapping, place->map_pgoff + bias, place->map_len, place->map_pgoff);
	} else {
		mapping = find_mapping(building, place->sighting, 0, &to->mapping);
		if (!mapping)
			return -ENOMEM;
		/* As in perf, the file offset of the kernel's image is the address of its
		 * reference symbol. */
		offset = place->text == MODEL_TEXT_KERNEL ? place->map_pgoff : 0;
		if (place->text == MODEL_TEXT_USER)
			to->address += place->code == CODE_NAMES_NONE
					       ? place->map_start - place->map_pgoff
					       : 0;
		else
			to->address += offset ? offset : place->map_start;
		extend(mapping, place->map_start, place->map_len, offset);
	}
	mapping->text = place->text;
	return 0;
}

static bool is_function(const void *functions, uint32_t number, const void *wanted)
{
	const struct export_function *function = (const struct export_function *)functions + number;
	const struct function_key *key = wanted;

	return function->name == key->name && function->file == key->file &&
	       function->mapping == key->sighting;
}

static int add_line(struct building *building, struct export_place *place, const char *name,
	const char *path, uint32_t line)
{
	struct export_profile *profile = building->profile;
	struct function_key key = {.sighting = place->mapping};
	uint32_t number;

	if (export_profile__text(profile, name, &key.name) ||
		export_profile__text(profile, path ? path : "", &key.file))
		return -ENOMEM;
	number = numbers__find(
		&building->function_by_key, &key, sizeof(key), is_function, profile->functions);
	if (number == NUMBERS_NONE) {
		if (array__reserve_numbered(&profile->functions, &building->functions_room,
			    profile->n_functions + 1, sizeof(*profile->functions)))
			return -ENOMEM;
		number = profile->n_functions++;
		profile->functions[number] = (struct export_function){
			key.name, key.file, place->mapping};
		if (numbers__add(&building->function_by_key, &key, sizeof(key), number))
			return -ENOMEM;
	}
	if (array__reserve_numbered(&profile->lines, &building->lines_room, profile->n_lines + 1,
		    sizeof(*profile->lines)))
		return -ENOMEM;
	if (!place->n_lines++)
		place->first_line = profile->n_lines;
	profile->lines[profile->n_lines++] = (struct export_line){number, line};
	return 0;
}

/* Whether the name can only come from the recording. */
static bool is_named_by_recording(const struct place *place)
{
	return place->text == MODEL_TEXT_SYMBOL || place->code != CODE_NAMES_NONE;
}

static int take_lines(struct building *building, uint32_t number)
{
	const struct resolved *resolved = &building->of->resolved[number];
	struct export_place *to = &building->profile->places[number];
	const char *path = resolved->source ? resolved->source->path : NULL;
	uint32_t line = resolved->source ? resolved->source->line : 0;
	int err = 0;

	if (!resolved->name || (!building->of->names && !is_named_by_recording(samples__place(
								building->of->samples, number))))
		return 0;
	/* The line of a call is in the function that makes the call. */
	for (size_t i = resolved->n_inlined; i > 0 && !err; i--) {
		err = add_line(building, to, resolved->inlined[i - 1], path, line);
		path = resolved->calls ? resolved->calls[i - 1].path : NULL;
		line = resolved->calls ? resolved->calls[i - 1].line : 0;
	}
	if (!err)
		err = add_line(building, to, resolved->name, path, line);
	if (!err && to->mapping != EXPORT_NONE)
		building->profile->mappings[to->mapping].has_names = true;
	return err;
}

static void count_lacks(struct export_profile *profile)
{
	for (size_t i = 0; i < profile->n_mappings; i++) {
		const struct export_mapping *mapping = &profile->mappings[i];
		const struct sighting *sighting = model__sighting(
			profile->of->model, mapping->sighting);

		profile->n_guessed += mapping->guessed;
		profile->n_without_id +=
			export_profile__is_file(sighting) &&
			!profile->of->identities[mapping->sighting].build_id_size &&
			!profile->of->files[mapping->sighting].has_htlhash;
	}
}

static int build(struct building *building)
{
	struct export_profile *profile = building->profile;
	const struct export_source *of = building->of;
	size_t n_places = samples__n_places(of->samples);
	uint32_t none;

	profile->places = calloc(n_places + 1, sizeof(*profile->places));
	profile->frames = calloc(samples__n_frames(of->samples) + 1, sizeof(*profile->frames));
	if (!profile->places || !profile->frames || texts__add(&profile->texts, "", &none) ||
		homes__new(&profile->homes, of->model, of->containers))
		return -ENOMEM;
	mark_used(profile);
	for (size_t i = 0; i < n_places; i++)
		if (profile->places[i].used &&
			(take_mapping(building, i) || take_lines(building, i)))
			return -ENOMEM;
	count_lacks(profile);
	return 0;
}

int export_profile__new(struct export_profile **ret, const struct export_source *of)
{
	struct export_profile *profile = calloc(1, sizeof(*profile));
	struct building building = {.profile = profile, .of = of};
	int err;

	*ret = profile;
	if (!profile)
		return -ENOMEM;
	profile->of = of;
	err = build(&building);
	numbers__free(&building.mapping_by_key);
	numbers__free(&building.function_by_key);
	return err;
}

void export_profile__free(struct export_profile *profile)
{
	if (!profile)
		return;
	texts__free(&profile->texts);
	homes__free(profile->homes);
	free(profile->mappings);
	free(profile->functions);
	free(profile->lines);
	free(profile->places);
	free(profile->frames);
	free(profile);
}
