// SPDX-License-Identifier: GPL-2.0-only
/*
 * OpenTelemetry's profiles in the form of opentelemetry-proto 1.5.0, made from those of 1.11.0:
 * each profile gets a copy of the dictionary's entries to which its samples refer. A part of
 * otlp.c; see otlp_private.h. Must not know the recording.
 */
#include <errno.h>
#include <stdlib.h>

#include "user/base/array.h"
#include "user/view/export/otlp15.pb-c.h"
#include "user/view/export/otlp_private.h"

/* Values are for the time of the profile, not sums since a fixed start. */
#define TEMPORALITY_DELTA 1
#define STACKS_MAX (1u << 30) /* entries of the array of stacks */

/* The part of one of the dictionary's tables that a profile has. */
struct part {
	int32_t *number; /* for each entry of the dictionary: its number in the profile, plus 1 */
	int32_t *entry;  /* for each number: the dictionary's entry */
	size_t n;
};

struct otlp15 {
	struct arena arena;
	const Otlp__ProfilesDictionary *dictionary;
	struct part mappings, locations, functions, attributes, texts;
	struct part stacks;    /* not a table in 1.5: all stacks are in one array of locations */
	int32_t *stack_starts; /* for each stack of the profile: its start in the array */
	int32_t *indices;      /* the array */
	size_t n_indices, indices_room;
};

/* ---- Numbers ---- */

static int part__init(struct part *part, struct arena *arena, size_t n)
{
	part->number = arena__alloc(arena, n + 1, sizeof(*part->number));
	part->entry = arena__alloc(arena, n + 1, sizeof(*part->entry));
	return part->number && part->entry ? 0 : -ENOMEM;
}

/* Returns the number in the profile of an entry of the dictionary, which is added if necessary. */
static int32_t part__take(struct part *part, int32_t entry)
{
	if (!part->number[entry]) {
		part->entry[part->n++] = entry;
		part->number[entry] = (int32_t)part->n;
	}
	return part->number[entry] - 1;
}

static void part__clear(struct part *part)
{
	for (size_t i = 0; i < part->n; i++)
		part->number[part->entry[i]] = 0;
	part->n = 0;
}

static void begin_profile(struct otlp15 *to)
{
	struct part *parts[] = {&to->mappings, &to->locations, &to->functions, &to->attributes,
		&to->texts, &to->stacks};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		part__clear(parts[i]);
	to->n_indices = 0;
	/* Number 0 must be "". */
	part__take(&to->texts, 0);
}

static int32_t *copy_attributes(struct otlp15 *to, const int32_t *entries, size_t n)
{
	int32_t *ret = arena__alloc(&to->arena, n + 1, sizeof(*ret));

	for (size_t i = 0; ret && i < n; i++)
		ret[i] = part__take(&to->attributes, entries[i]);
	return ret;
}

/* Returns the start in the array of a stack of the dictionary. Each stack is added once. */
static int take_stack(struct otlp15 *to, int32_t entry, int32_t *ret)
{
	const Otlp__Stack *stack = to->dictionary->stack_table[entry];
	size_t n_before = to->stacks.n, n = to->n_indices + stack->n_location_indices;
	int32_t number = part__take(&to->stacks, entry);

	if (to->stacks.n > n_before) {
		/* The samples have a 32-bit field for it. */
		if (n > STACKS_MAX ||
			array__reserve(&to->indices, &to->indices_room, n, sizeof(*to->indices)))
			return -ENOMEM;
		to->stack_starts[number] = (int32_t)to->n_indices;
		for (size_t i = 0; i < stack->n_location_indices; i++)
			to->indices[to->n_indices++] = part__take(
				&to->locations, stack->location_indices[i]);
	}
	*ret = to->stack_starts[number];
	return 0;
}

/* ---- Samples ---- */

static int make_sample(
	struct otlp15 *to, const Otlp__Sample *of, int64_t value, Otlp15__Sample *ret)
{
	otlp15__sample__init(ret);
	ret->value = arena__alloc(&to->arena, 1, sizeof(*ret->value));
	ret->attribute_indices = copy_attributes(
		to, of->attribute_indices, of->n_attribute_indices);
	if (!ret->value || !ret->attribute_indices ||
		take_stack(to, of->stack_index, &ret->locations_start_index))
		return -ENOMEM;
	ret->locations_length =
		(int32_t)to->dictionary->stack_table[of->stack_index]->n_location_indices;
	ret->n_attribute_indices = of->n_attribute_indices;
	ret->value[ret->n_value++] = value;
	return 0;
}

/* A sample has one value in this form, so a sample with a value for each time becomes several. */
static size_t count_samples(const Otlp__Profile *of)
{
	size_t n = 0;

	for (size_t i = 0; i < of->n_samples; i++)
		n += of->samples[i]->n_values ? of->samples[i]->n_values : 1;
	return n;
}

static int make_samples(struct otlp15 *to, const Otlp__Profile *of, Otlp15__Profile *ret)
{
	size_t n = count_samples(of);
	Otlp15__Sample *v = arena__alloc(&to->arena, n + 1, sizeof(*v));

	ret->sample = arena__alloc(&to->arena, n + 1, sizeof(Otlp15__Sample *));
	if (!v || !ret->sample)
		return -ENOMEM;
	for (size_t i = 0; i < of->n_samples; i++) {
		const Otlp__Sample *sample = of->samples[i];
		size_t n_values = sample->n_values ? sample->n_values : 1;
		size_t n_times = sample->n_timestamps_unix_nano;

		for (size_t j = 0; j < n_values; j++) {
			Otlp15__Sample *one = &v[ret->n_sample];
			/* Without values, the times are counted. */
			int64_t value = sample->n_values ? sample->values[j] : (int64_t)n_times;

			if (make_sample(to, sample, value, one))
				return -ENOMEM;
			if (n_times) {
				one->timestamps_unix_nano = sample->timestamps_unix_nano + j;
				one->n_timestamps_unix_nano = sample->n_values ? 1 : n_times;
			}
			ret->sample[ret->n_sample++] = one;
		}
	}
	return 0;
}

/* ---- Tables ---- */

static int make_location(struct otlp15 *to, const Otlp__Location *of, Otlp15__Location *ret)
{
	Otlp__Line *lines = arena__alloc(&to->arena, of->n_lines + 1, sizeof(*lines));

	otlp15__location__init(ret);
	ret->line = arena__alloc(&to->arena, of->n_lines + 1, sizeof(Otlp__Line *));
	ret->attribute_indices = copy_attributes(
		to, of->attribute_indices, of->n_attribute_indices);
	if (!lines || !ret->line || !ret->attribute_indices)
		return -ENOMEM;
	ret->n_attribute_indices = of->n_attribute_indices;
	ret->address = of->address;
	if (of->mapping_index) {
		ret->mapping_case = OTLP15__LOCATION__MAPPING_MAPPING_INDEX;
		ret->mapping_index = part__take(&to->mappings, of->mapping_index);
	}
	for (size_t i = 0; i < of->n_lines; i++) {
		otlp__line__init(&lines[i]);
		lines[i].function_index = part__take(&to->functions, of->lines[i]->function_index);
		lines[i].line = of->lines[i]->line;
		ret->line[ret->n_line++] = &lines[i];
	}
	return 0;
}

static int make_locations(struct otlp15 *to, Otlp15__Profile *ret)
{
	size_t n = to->locations.n;
	Otlp15__Location *v = arena__alloc(&to->arena, n + 1, sizeof(*v));

	ret->location_table = arena__alloc(&to->arena, n + 1, sizeof(Otlp15__Location *));
	if (!v || !ret->location_table)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (make_location(
			    to, to->dictionary->location_table[to->locations.entry[i]], &v[i]))
			return -ENOMEM;
		ret->location_table[ret->n_location_table++] = &v[i];
	}
	return 0;
}

static int make_mapping(struct otlp15 *to, const Otlp__Mapping *of, Otlp15__Mapping *ret)
{
	otlp15__mapping__init(ret);
	ret->memory_start = of->memory_start;
	ret->memory_limit = of->memory_limit;
	ret->file_offset = of->file_offset;
	ret->filename_strindex = part__take(&to->texts, of->filename_strindex);
	ret->attribute_indices = copy_attributes(
		to, of->attribute_indices, of->n_attribute_indices);
	ret->n_attribute_indices = of->n_attribute_indices;
	return ret->attribute_indices ? 0 : -ENOMEM;
}

/* Marks the mappings that have names: a location in them has a function. */
static void mark_named(const Otlp15__Profile *profile)
{
	for (size_t i = 0; i < profile->n_location_table; i++) {
		const Otlp15__Location *location = profile->location_table[i];
		Otlp15__Mapping *mapping;

		if (!location->n_line ||
			location->mapping_case != OTLP15__LOCATION__MAPPING_MAPPING_INDEX)
			continue;
		mapping = profile->mapping_table[location->mapping_index];
		mapping->has_functions = true;
		mapping->has_filenames = true;
		mapping->has_line_numbers = true;
		mapping->has_inline_frames = true;
	}
}

static int make_mappings(struct otlp15 *to, Otlp15__Profile *ret)
{
	size_t n = to->mappings.n;
	Otlp15__Mapping *v = arena__alloc(&to->arena, n + 1, sizeof(*v));

	ret->mapping_table = arena__alloc(&to->arena, n + 1, sizeof(Otlp15__Mapping *));
	if (!v || !ret->mapping_table)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (make_mapping(to, to->dictionary->mapping_table[to->mappings.entry[i]], &v[i]))
			return -ENOMEM;
		ret->mapping_table[ret->n_mapping_table++] = &v[i];
	}
	mark_named(ret);
	return 0;
}

static int make_functions(struct otlp15 *to, Otlp15__Profile *ret)
{
	size_t n = to->functions.n;
	Otlp__Function *v = arena__alloc(&to->arena, n + 1, sizeof(*v));

	ret->function_table = arena__alloc(&to->arena, n + 1, sizeof(Otlp__Function *));
	if (!v || !ret->function_table)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const Otlp__Function *of = to->dictionary->function_table[to->functions.entry[i]];

		otlp__function__init(&v[i]);
		v[i].name_strindex = part__take(&to->texts, of->name_strindex);
		v[i].filename_strindex = part__take(&to->texts, of->filename_strindex);
		ret->function_table[ret->n_function_table++] = &v[i];
	}
	return 0;
}

/* In this form, keys are texts, not numbers of texts. */
static int make_attributes(struct otlp15 *to, Otlp15__Profile *ret)
{
	size_t n = to->attributes.n;
	Otlp__KeyValue *v = arena__alloc(&to->arena, n + 1, sizeof(*v));

	ret->attribute_table = arena__alloc(&to->arena, n + 1, sizeof(Otlp__KeyValue *));
	if (!v || !ret->attribute_table)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const Otlp__KeyValueAndUnit *of =
			to->dictionary->attribute_table[to->attributes.entry[i]];

		otlp__key_value__init(&v[i]);
		v[i].key = to->dictionary->string_table[of->key_strindex];
		v[i].value = of->value;
		ret->attribute_table[ret->n_attribute_table++] = &v[i];
	}
	return 0;
}

static int make_texts(struct otlp15 *to, Otlp15__Profile *ret)
{
	ret->string_table = arena__alloc(&to->arena, to->texts.n, sizeof(char *));
	if (!ret->string_table)
		return -ENOMEM;
	for (size_t i = 0; i < to->texts.n; i++)
		ret->string_table[i] = to->dictionary->string_table[to->texts.entry[i]];
	ret->n_string_table = to->texts.n;
	return 0;
}

/* ---- Profiles ---- */

static Otlp15__ValueType *make_type(struct otlp15 *to, const Otlp__ValueType *of)
{
	Otlp15__ValueType *ret = arena__alloc(&to->arena, 1, sizeof(*ret));

	if (!ret)
		return NULL;
	otlp15__value_type__init(ret);
	ret->type_strindex = part__take(&to->texts, of->type_strindex);
	ret->unit_strindex = part__take(&to->texts, of->unit_strindex);
	ret->aggregation_temporality = TEMPORALITY_DELTA;
	return ret;
}

static int make_about(struct otlp15 *to, const Otlp__Profile *of, Otlp15__Profile *ret)
{
	otlp15__profile__init(ret);
	ret->sample_type = arena__alloc(&to->arena, 1, sizeof(Otlp15__ValueType *));
	ret->period_type = make_type(to, of->period_type);
	if (!ret->sample_type || !ret->period_type)
		return -ENOMEM;
	ret->sample_type[0] = make_type(to, of->sample_type);
	if (!ret->sample_type[0])
		return -ENOMEM;
	ret->n_sample_type = 1;
	ret->time_nanos = (int64_t)of->time_unix_nano;
	ret->duration_nanos = (int64_t)of->duration_nano;
	ret->period = of->period;
	ret->profile_id = of->profile_id;
	return 0;
}

static int make_profile(struct otlp15 *to, const Otlp__Profile *of, Otlp15__Profile *ret)
{
	begin_profile(to);
	/*
	 * In this order, each table is complete before it is written: the tables that refer to it
	 * come first.
	 */
	if (make_about(to, of, ret) || make_samples(to, of, ret) || make_locations(to, ret) ||
		make_mappings(to, ret) || make_functions(to, ret) || make_attributes(to, ret) ||
		make_texts(to, ret))
		return -ENOMEM;
	ret->location_indices = arena__alloc(
		&to->arena, to->n_indices + 1, sizeof(*ret->location_indices));
	if (!ret->location_indices)
		return -ENOMEM;
	for (size_t i = 0; i < to->n_indices; i++)
		ret->location_indices[i] = to->indices[i];
	ret->n_location_indices = to->n_indices;
	return 0;
}

static int make_scope(struct otlp15 *to, const Otlp__ScopeProfiles *of, Otlp15__ScopeProfiles *ret)
{
	Otlp15__Profile *v = arena__alloc(&to->arena, of->n_profiles + 1, sizeof(*v));

	otlp15__scope_profiles__init(ret);
	ret->scope = of->scope;
	ret->profiles = arena__alloc(&to->arena, of->n_profiles + 1, sizeof(Otlp15__Profile *));
	if (!v || !ret->profiles)
		return -ENOMEM;
	for (size_t i = 0; i < of->n_profiles; i++) {
		if (make_profile(to, of->profiles[i], &v[i]))
			return -ENOMEM;
		ret->profiles[ret->n_profiles++] = &v[i];
	}
	return 0;
}

/* otlp.c makes one scope for each resource. */
static int make_resource(
	struct otlp15 *to, const Otlp__ResourceProfiles *of, Otlp15__ResourceProfiles *ret)
{
	Otlp15__ScopeProfiles *scope = arena__alloc(&to->arena, 1, sizeof(*scope));

	otlp15__resource_profiles__init(ret);
	ret->resource = of->resource;
	ret->scope_profiles = arena__alloc(&to->arena, 1, sizeof(Otlp15__ScopeProfiles *));
	if (!scope || !ret->scope_profiles || make_scope(to, of->scope_profiles[0], scope))
		return -ENOMEM;
	ret->scope_profiles[ret->n_scope_profiles++] = scope;
	return 0;
}

static int make_resources(
	struct otlp15 *to, const Otlp__ProfilesData *of, Otlp15__ProfilesData *ret)
{
	size_t n = of->n_resource_profiles;
	Otlp15__ResourceProfiles *v = arena__alloc(&to->arena, n + 1, sizeof(*v));

	ret->resource_profiles = arena__alloc(
		&to->arena, n + 1, sizeof(Otlp15__ResourceProfiles *));
	if (!v || !ret->resource_profiles)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (make_resource(to, of->resource_profiles[i], &v[i]))
			return -ENOMEM;
		ret->resource_profiles[ret->n_resource_profiles++] = &v[i];
	}
	return 0;
}

static int make_parts(struct otlp15 *to)
{
	const Otlp__ProfilesDictionary *dictionary = to->dictionary;
	struct arena *arena = &to->arena;

	to->stack_starts = arena__alloc(
		arena, dictionary->n_stack_table + 1, sizeof(*to->stack_starts));
	if (!to->stack_starts || part__init(&to->mappings, arena, dictionary->n_mapping_table) ||
		part__init(&to->locations, arena, dictionary->n_location_table) ||
		part__init(&to->functions, arena, dictionary->n_function_table) ||
		part__init(&to->attributes, arena, dictionary->n_attribute_table) ||
		part__init(&to->texts, arena, dictionary->n_string_table) ||
		part__init(&to->stacks, arena, dictionary->n_stack_table))
		return -ENOMEM;
	return 0;
}

int otlp15__write(FILE *out, const Otlp__ProfilesData *of)
{
	struct otlp15 to = {.dictionary = of->dictionary};
	Otlp15__ProfilesData message = OTLP15__PROFILES_DATA__INIT;
	int err = make_parts(&to);

	if (!err)
		err = make_resources(&to, of, &message);
	if (!err)
		err = otlp__write_message(out, &message.base);
	free(to.indices);
	arena__free(&to.arena);
	return err;
}
