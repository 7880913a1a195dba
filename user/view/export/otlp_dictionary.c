// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables of OpenTelemetry's dictionary: mappings, locations, functions, stacks. A part of
 * otlp.c; see otlp_private.h. Entry 0 of each is the zero value.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/export/otlp_private.h"

/* If an id is unknown it is "", and no attribute is added. */
static int add_ids(struct otlp *otlp, const struct export_mapping *mapping, Otlp__Mapping *ret)
{
	const struct export_source *of = otlp->profile->of;
	const struct perfstamp_identity *identity = &of->identities[mapping->sighting];
	const struct symbol_file *file = &of->files[mapping->sighting];
	char build_id[2 * PERFSTAMP_BUILD_ID_MAX + 1], htlhash[2 * SYMBOL_HTLHASH_SIZE + 1] = "";
	struct otlp_indices indices = {.n = 0};

	text__hex(build_id, sizeof(build_id), identity->build_id, identity->build_id_size);
	if (file->has_htlhash)
		text__hex(htlhash, sizeof(htlhash), file->htlhash, sizeof(file->htlhash));
	if (otlp_attributes__text(
		    &otlp->attributes, &indices, "process.executable.build_id.gnu", build_id) ||
		otlp_attributes__text(&otlp->attributes, &indices,
			"process.executable.build_id.htlhash", htlhash))
		return -ENOMEM;
	ret->attribute_indices = otlp_indices__copy(&indices, &otlp->arena);
	ret->n_attribute_indices = indices.n;
	return ret->attribute_indices ? 0 : -ENOMEM;
}

static int make_mappings(struct otlp *otlp)
{
	struct export_profile *profile = otlp->profile;
	size_t n = profile->n_mappings + 1;
	Otlp__Mapping *v = arena__alloc(&otlp->arena, n, sizeof(*v));
	Otlp__Mapping **of = arena__alloc(&otlp->arena, n, sizeof(Otlp__Mapping *));
	uint32_t path;

	if (!v || !of)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		otlp__mapping__init(&v[i]);
		of[i] = &v[i];
	}
	for (size_t i = 1; i < n; i++) {
		const struct export_mapping *mapping = &profile->mappings[i - 1];
		const struct sighting *sighting = model__sighting(
			profile->of->model, mapping->sighting);

		if (export_profile__text(profile, sighting->path, &path) ||
			add_ids(otlp, mapping, &v[i]))
			return -ENOMEM;
		v[i].memory_start = mapping->start;
		v[i].memory_limit = mapping->limit;
		v[i].file_offset = mapping->file_offset;
		v[i].filename_strindex = (int32_t)path;
	}
	otlp->dictionary.mapping_table = of;
	otlp->dictionary.n_mapping_table = n;
	return 0;
}

static bool is_function(const void *functions, uint32_t number, const void *wanted)
{
	const Otlp__Function *function = (const Otlp__Function *)functions + number;
	const int32_t *key = wanted;

	return function->name_strindex == key[0] && function->filename_strindex == key[1];
}

/* Functions that differ only by their mapping are one entry, because a location has the mapping. */
static int add_functions(struct otlp *otlp, struct numbers *by_key, Otlp__Function *v)
{
	const struct export_profile *profile = otlp->profile;
	size_t n = 1;

	for (size_t i = 0; i < profile->n_functions; i++) {
		int32_t key[] = {
			(int32_t)profile->functions[i].name, (int32_t)profile->functions[i].file};
		uint32_t number = numbers__find(by_key, key, sizeof(key), is_function, v);

		if (number == NUMBERS_NONE) {
			number = n++;
			v[number].name_strindex = key[0];
			v[number].filename_strindex = key[1];
			if (numbers__add(by_key, key, sizeof(key), number))
				return -ENOMEM;
		}
		otlp->functions[i] = (int32_t)number;
	}
	otlp->dictionary.n_function_table = n;
	return 0;
}

static int make_functions(struct otlp *otlp)
{
	size_t n = otlp->profile->n_functions + 1;
	Otlp__Function *v = arena__alloc(&otlp->arena, n, sizeof(*v));
	Otlp__Function **of = arena__alloc(&otlp->arena, n, sizeof(Otlp__Function *));
	struct numbers by_key = {0};
	int err;

	otlp->functions = arena__alloc(&otlp->arena, n, sizeof(*otlp->functions));
	if (!v || !of || !otlp->functions)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		otlp__function__init(&v[i]);
		of[i] = &v[i];
	}
	err = add_functions(otlp, &by_key, v);
	otlp->dictionary.function_table = of;
	numbers__free(&by_key);
	return err;
}

static int make_lines(struct otlp *otlp, const struct export_place *place, Otlp__Location *ret)
{
	size_t n = place->n_lines;
	Otlp__Line *v = arena__alloc(&otlp->arena, n + 1, sizeof(*v));
	Otlp__Line **of = arena__alloc(&otlp->arena, n + 1, sizeof(Otlp__Line *));

	if (!v || !of)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct export_line *line = &otlp->profile->lines[place->first_line + i];

		otlp__line__init(&v[i]);
		v[i].function_index = otlp->functions[line->function];
		v[i].line = line->line;
		of[i] = &v[i];
	}
	ret->lines = of;
	ret->n_lines = n;
	return 0;
}

/* Adds one of the names in the semantic conventions. For run-time code, the compiler is unknown. */
static int make_frame_type(struct otlp *otlp, uint32_t place, Otlp__Location *ret)
{
	const struct place *at = samples__place(otlp->profile->of->samples, place);
	struct otlp_indices indices = {.n = 0};

	if (otlp_attributes__text(&otlp->attributes, &indices, "profile.frame.type",
		    at->in_kernel                 ? "kernel"
		    : at->code == CODE_NAMES_NONE ? "native"
						  : ""))
		return -ENOMEM;
	ret->attribute_indices = otlp_indices__copy(&indices, &otlp->arena);
	ret->n_attribute_indices = indices.n;
	return ret->attribute_indices ? 0 : -ENOMEM;
}

static int make_locations(struct otlp *otlp)
{
	const struct export_profile *profile = otlp->profile;
	size_t n_places = samples__n_places(profile->of->samples), n = 0;
	Otlp__Location *v = arena__alloc(&otlp->arena, n_places + 1, sizeof(*v));
	Otlp__Location **of = arena__alloc(&otlp->arena, n_places + 1, sizeof(Otlp__Location *));

	otlp->locations = arena__alloc(&otlp->arena, n_places + 1, sizeof(*otlp->locations));
	if (!v || !of || !otlp->locations)
		return -ENOMEM;
	otlp__location__init(&v[n]);
	of[n++] = &v[0];
	for (size_t i = 0; i < n_places; i++) {
		const struct export_place *place = &profile->places[i];

		if (!place->used)
			continue;
		otlp__location__init(&v[n]);
		v[n].mapping_index = place->mapping == EXPORT_NONE ? 0
								   : (int32_t)place->mapping + 1;
		v[n].address = place->address;
		if (make_lines(otlp, place, &v[n]) || make_frame_type(otlp, i, &v[n]))
			return -ENOMEM;
		otlp->locations[i] = (int32_t)n;
		of[n] = &v[n];
		n++;
	}
	otlp->dictionary.location_table = of;
	otlp->dictionary.n_location_table = n;
	return 0;
}

static int make_stack(struct otlp *otlp, uint32_t frame, Otlp__Stack *ret)
{
	const struct samples *samples = otlp->profile->of->samples;
	size_t n = (size_t)samples__frame(samples, frame)->depth + 1;

	otlp__stack__init(ret);
	ret->location_indices = arena__alloc(&otlp->arena, n, sizeof(*ret->location_indices));
	if (!ret->location_indices)
		return -ENOMEM;
	for (uint32_t at = frame; at != SAMPLES_NONE; at = samples__frame(samples, at)->parent)
		ret->location_indices[ret->n_location_indices++] =
			otlp->locations[samples__frame(samples, at)->place];
	return 0;
}

/* Makes a stack for each frame that has samples. */
static int make_stacks(struct otlp *otlp)
{
	const struct export_source *of = otlp->profile->of;
	size_t n_frames = samples__n_frames(of->samples), n = 0;
	Otlp__Stack *v = arena__alloc(&otlp->arena, n_frames + 1, sizeof(*v));
	Otlp__Stack **to = arena__alloc(&otlp->arena, n_frames + 1, sizeof(Otlp__Stack *));

	otlp->stacks = arena__alloc(&otlp->arena, n_frames + 1, sizeof(*otlp->stacks));
	if (!v || !to || !otlp->stacks)
		return -ENOMEM;
	otlp__stack__init(&v[n]);
	to[n++] = &v[0];
	for (size_t i = 0; i < samples__n(of->samples); i++) {
		uint32_t frame = samples__at(of->samples, i)->frame;

		if (!of->wanted[i] || otlp->stacks[frame])
			continue;
		if (make_stack(otlp, frame, &v[n]))
			return -ENOMEM;
		otlp->stacks[frame] = (int32_t)n;
		to[n] = &v[n];
		n++;
	}
	otlp->dictionary.stack_table = to;
	otlp->dictionary.n_stack_table = n;
	return 0;
}

int otlp__make_tables(struct otlp *otlp)
{
	int err = make_mappings(otlp);

	if (!err)
		err = make_functions(otlp);
	if (!err)
		err = make_locations(otlp);
	return err ? err : make_stacks(otlp);
}

/* perfstamp makes no links, but entry 0 must exist, with ids of the usual length. */
static int finish_links(struct otlp *otlp)
{
	static uint8_t zero[16];
	Otlp__Link *link = arena__alloc(&otlp->arena, 1, sizeof(*link));
	Otlp__Link **of = arena__alloc(&otlp->arena, 1, sizeof(Otlp__Link *));

	if (!link || !of)
		return -ENOMEM;
	otlp__link__init(link);
	link->trace_id = (ProtobufCBinaryData){16, zero};
	link->span_id = (ProtobufCBinaryData){8, zero};
	of[0] = link;
	otlp->dictionary.link_table = of;
	otlp->dictionary.n_link_table = 1;
	return 0;
}

int otlp__finish_tables(struct otlp *otlp)
{
	const struct texts *texts = &otlp->profile->texts;
	char **strings = arena__alloc(&otlp->arena, texts->n, sizeof(char *));

	if (!strings || finish_links(otlp) ||
		otlp_attributes__write(&otlp->attributes, &otlp->arena, &otlp->dictionary))
		return -ENOMEM;
	for (size_t i = 0; i < texts->n; i++)
		strings[i] = (char *)texts__at(texts, i);
	otlp->dictionary.string_table = strings;
	otlp->dictionary.n_string_table = texts->n;
	return 0;
}
