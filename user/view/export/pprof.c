// SPDX-License-Identifier: GPL-2.0-only
/*
 * export__pprof: a gzipped pprof profile. In protobuf, messages that follow one another are equal
 * to one message with all their elements. So each element is written by itself, and memory does not
 * grow with the number of samples. Ids are the numbers of profile.h plus one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/export/gzip.h"
#include "user/view/export/profile.h"
#include "user/view/export/pprof.pb-c.h"

#define LABELS_MAX 16

struct writing {
	FILE *out;
	struct export_profile *profile;
	uint8_t *bytes; /* the element that is being written */
	size_t room;
	size_t n_values;
	int64_t *values;
	uint64_t *locations; /* room for the deepest stack */
	uint32_t *build_ids; /* for each mapping: number of the text */
	struct {
		uint32_t pid, tid, comm, cpu, container, image, pod, unit, build_id;
	} keys;
};

struct labels {
	Pprof__Label v[LABELS_MAX];
	Pprof__Label *of[LABELS_MAX];
	size_t n;
};

static int write_message(struct writing *writing, const Pprof__Profile *message)
{
	size_t size = pprof__profile__get_packed_size(message);

	if (size > writing->room) {
		free(writing->bytes);
		writing->room = 0;
		writing->bytes = malloc(2 * size);
		if (!writing->bytes)
			return -ENOMEM;
		writing->room = 2 * size;
	}
	pprof__profile__pack(message, writing->bytes);
	fwrite(writing->bytes, 1, size, writing->out);
	return 0;
}

static int text(struct writing *writing, const char *what, int64_t *ret)
{
	uint32_t number;
	int err = export_profile__text(writing->profile, what, &number);

	*ret = number;
	return err;
}

static int make_keys(struct writing *writing)
{
	struct texts *texts = &writing->profile->texts;

	return texts__add(texts, "pid", &writing->keys.pid) ||
			       texts__add(texts, "tid", &writing->keys.tid) ||
			       texts__add(texts, "comm", &writing->keys.comm) ||
			       texts__add(texts, "cpu", &writing->keys.cpu) ||
			       texts__add(texts, "container", &writing->keys.container) ||
			       texts__add(texts, "image", &writing->keys.image) ||
			       texts__add(texts, "pod", &writing->keys.pod) ||
			       texts__add(texts, "unit", &writing->keys.unit) ||
			       texts__add(texts, "build_id", &writing->keys.build_id)
		       ? -ENOMEM
		       : 0;
}

/* ---- What was counted ---- */

/* The name of the second value of an event's samples: time, or the event itself. */
static const char *value_name(const struct export_event *event)
{
	return event->is_time ? "cpu" : event->name;
}

static int write_value_type(struct writing *writing, const char *type, const char *unit)
{
	Pprof__Profile message = PPROF__PROFILE__INIT;
	Pprof__ValueType value = PPROF__VALUE_TYPE__INIT, *values = &value;

	if (text(writing, type, &value.type) || text(writing, unit, &value.unit))
		return -ENOMEM;
	message.n_sample_type = 1;
	message.sample_type = &values;
	return write_message(writing, &message);
}

static int write_value_types(struct writing *writing)
{
	const struct export_source *of = writing->profile->of;
	char *type;
	int err = 0;

	for (size_t i = 0; i < of->n_events && !err; i++) {
		const struct export_event *event = &of->events[i];

		if (asprintf(&type, "%s%s", of->n_events > 1 ? event->name : "",
			    of->n_events > 1 ? "_samples" : "samples") < 0)
			return -ENOMEM;
		err = write_value_type(writing, type, "count");
		free(type);
		if (!err)
			err = write_value_type(writing,
				of->n_events > 1 ? event->name : value_name(event),
				event->is_time ? "nanoseconds" : "count");
	}
	return err;
}

static int write_about(struct writing *writing)
{
	const struct export_source *of = writing->profile->of;
	Pprof__Profile message = PPROF__PROFILE__INIT;
	Pprof__ValueType period = PPROF__VALUE_TYPE__INIT;
	int64_t comment;

	message.duration_nanos = (int64_t)(of->end_ns - of->begin_ns);
	if (of->has_wall)
		message.time_nanos = (int64_t)of->begin_ns + of->wall_ns;
	if (text(writing, "perfstamp " PERFSTAMP_VERSION, &comment))
		return -ENOMEM;
	message.n_comment = 1;
	message.comment = &comment;
	if (of->n_events) {
		if (text(writing, value_name(&of->events[0]), &period.type) ||
			text(writing, of->events[0].is_time ? "nanoseconds" : "count",
				&period.unit))
			return -ENOMEM;
		message.period_type = &period;
		message.period = (int64_t)of->events[0].period;
	}
	return write_message(writing, &message);
}

/* ---- Mappings, functions and locations ---- */

static int write_mapping(struct writing *writing, size_t number)
{
	struct export_profile *profile = writing->profile;
	const struct export_mapping *mapping = &profile->mappings[number];
	const struct perfstamp_identity *identity = &profile->of->identities[mapping->sighting];
	Pprof__Mapping to = PPROF__MAPPING__INIT, *mappings = &to;
	Pprof__Profile message = PPROF__PROFILE__INIT;
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1];
	uint32_t path;

	text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
	if (export_profile__text(
		    profile, model__sighting(profile->of->model, mapping->sighting)->path, &path) ||
		texts__add(&profile->texts, hex, &writing->build_ids[number]))
		return -ENOMEM;
	message.n_mapping = 1;
	message.mapping = &mappings;
	to.id = number + 1;
	to.memory_start = mapping->start;
	to.memory_limit = mapping->limit;
	to.file_offset = mapping->file_offset;
	to.filename = path;
	to.build_id = writing->build_ids[number];
	/* With these, pprof does not try to find the names itself. */
	to.has_functions = mapping->has_names;
	to.has_filenames = mapping->has_names;
	to.has_line_numbers = mapping->has_names;
	to.has_inline_frames = mapping->has_names;
	return write_message(writing, &message);
}

/*
 * pprof treats the first mapping as the program's, so it is the one in user space with the
 * most samples.
 */
static int find_main(const struct export_profile *profile, size_t *ret)
{
	const struct samples *samples = profile->of->samples;
	uint64_t *counts = calloc(profile->n_mappings + 1, sizeof(*counts));

	*ret = 0;
	if (!counts)
		return -ENOMEM;
	for (size_t i = 0; i < samples__n(samples); i++) {
		const struct sample_sum *sum = samples__at(samples, i);
		uint32_t mapping =
			profile->places[samples__frame(samples, sum->frame)->place].mapping;

		if (profile->of->wanted[i] && mapping != EXPORT_NONE &&
			profile->mappings[mapping].text == MODEL_TEXT_USER)
			counts[mapping] += sum->n;
	}
	for (size_t i = 1; i < profile->n_mappings; i++)
		if (counts[i] > counts[*ret])
			*ret = i;
	free(counts);
	return 0;
}

static int write_mappings(struct writing *writing)
{
	size_t main;
	int err = find_main(writing->profile, &main);

	if (!err && writing->profile->n_mappings)
		err = write_mapping(writing, main);
	for (size_t i = 0; i < writing->profile->n_mappings && !err; i++)
		if (i != main)
			err = write_mapping(writing, i);
	return err;
}

static int write_functions(struct writing *writing)
{
	const struct export_profile *profile = writing->profile;
	Pprof__Profile message = PPROF__PROFILE__INIT;
	Pprof__Function to = PPROF__FUNCTION__INIT, *functions = &to;
	int err = 0;

	message.n_function = 1;
	message.function = &functions;
	for (size_t i = 0; i < profile->n_functions && !err; i++) {
		to.id = i + 1;
		to.name = profile->functions[i].name;
		to.system_name = profile->functions[i].name;
		to.filename = profile->functions[i].file;
		err = write_message(writing, &message);
	}
	return err;
}

static int write_location(struct writing *writing, uint32_t number)
{
	const struct export_profile *profile = writing->profile;
	const struct export_place *place = &profile->places[number];
	Pprof__Line *lines = calloc(place->n_lines + 1, sizeof(*lines));
	Pprof__Line **of = calloc(place->n_lines + 1, sizeof(*of));
	Pprof__Location to = PPROF__LOCATION__INIT, *locations = &to;
	Pprof__Profile message = PPROF__PROFILE__INIT;
	int err = -ENOMEM;

	message.n_location = 1;
	message.location = &locations;
	to.id = (uint64_t)number + 1;
	to.mapping_id = place->mapping == EXPORT_NONE ? 0 : (uint64_t)place->mapping + 1;
	to.address = place->address;
	to.line = of;
	for (; lines && of && to.n_line < place->n_lines; to.n_line++) {
		const struct export_line *line = &profile->lines[place->first_line + to.n_line];

		pprof__line__init(&lines[to.n_line]);
		lines[to.n_line].function_id = (uint64_t)line->function + 1;
		lines[to.n_line].line = line->line;
		of[to.n_line] = &lines[to.n_line];
	}
	if (lines && of)
		err = write_message(writing, &message);
	free(lines);
	free(of);
	return err;
}

/* ---- Samples ---- */

static Pprof__Label *add_label(struct labels *labels, uint32_t key)
{
	Pprof__Label *label = &labels->v[labels->n];

	pprof__label__init(label);
	label->key = key;
	labels->of[labels->n++] = label;
	return label;
}

static int add_text(struct writing *writing, struct labels *labels, uint32_t key, const char *value)
{
	uint32_t number;

	if (!*value)
		return 0;
	if (texts__add(&writing->profile->texts, value, &number))
		return -ENOMEM;
	add_label(labels, key)->str = number;
	return 0;
}

/* Adds a text that has not been escaped. */
static int add_escaped(
	struct writing *writing, struct labels *labels, uint32_t key, const char *value)
{
	uint32_t number;

	if (!*value)
		return 0;
	if (export_profile__text(writing->profile, value, &number))
		return -ENOMEM;
	add_label(labels, key)->str = number;
	return 0;
}

static int add_home(struct writing *writing, struct labels *labels, uint64_t cgroup)
{
	char label[4 * CONTAINER_TEXT_MAX], pod[2 * CONTAINER_TEXT_MAX + 1] = "";
	const struct container_facts *facts;
	const struct home *home;

	if (homes__find(writing->profile->homes, cgroup, &home) ||
		add_escaped(writing, labels, writing->keys.unit, home->unit))
		return -ENOMEM;
	facts = home->container;
	if (!facts)
		return 0;
	container_facts__label(facts, label, sizeof(label));
	if (*facts->pod)
		snprintf(pod, sizeof(pod), "%s/%s", facts->namespace, facts->pod);
	else
		snprintf(pod, sizeof(pod), "%s", facts->is.pod);
	return add_escaped(writing, labels, writing->keys.container, label) ||
			       add_text(writing, labels, writing->keys.image, facts->image) ||
			       add_escaped(writing, labels, writing->keys.pod, pod)
		       ? -ENOMEM
		       : 0;
}

static int add_labels(struct writing *writing, struct labels *labels, const struct sample_sum *sum)
{
	const struct export_source *of = writing->profile->of;
	uint32_t place = samples__frame(of->samples, sum->frame)->place, comm;
	uint32_t mapping = writing->profile->places[place].mapping;

	labels->n = 0;
	add_label(labels, writing->keys.pid)->num = sum->pid;
	add_label(labels, writing->keys.tid)->num = sum->tid;
	if (of->has_cpu)
		add_label(labels, writing->keys.cpu)->num = sum->cpu;
	if (export_profile__text(writing->profile, samples__text(of->samples, sum->comm), &comm))
		return -ENOMEM;
	add_label(labels, writing->keys.comm)->str = comm;
	if (mapping != EXPORT_NONE && writing->build_ids[mapping])
		add_label(labels, writing->keys.build_id)->str = writing->build_ids[mapping];
	return add_home(writing, labels, sum->cgroup);
}

static int write_sample(struct writing *writing, const struct sample_sum *sum)
{
	const struct samples *samples = writing->profile->of->samples;
	Pprof__Profile message = PPROF__PROFILE__INIT;
	Pprof__Sample to = PPROF__SAMPLE__INIT, *sample = &to;
	struct labels labels;

	if (add_labels(writing, &labels, sum))
		return -ENOMEM;
	for (uint32_t at = sum->frame; at != SAMPLES_NONE; at = samples__frame(samples, at)->parent)
		writing->locations[to.n_location_id++] =
			(uint64_t)samples__frame(samples, at)->place + 1;
	memset(writing->values, 0, writing->n_values * sizeof(*writing->values));
	writing->values[2 * sum->event] = (int64_t)sum->n;
	writing->values[2 * sum->event + 1] = (int64_t)sum->period;
	to.location_id = writing->locations;
	to.n_value = writing->n_values;
	to.value = writing->values;
	to.n_label = labels.n;
	to.label = labels.of;
	message.n_sample = 1;
	message.sample = &sample;
	return write_message(writing, &message);
}

static int write_samples(struct writing *writing)
{
	const struct export_source *of = writing->profile->of;
	size_t n_frames = samples__n_frames(of->samples);
	uint32_t deepest = 0;
	int err = 0;

	for (size_t i = 0; i < n_frames; i++)
		if (samples__frame(of->samples, i)->depth > deepest)
			deepest = samples__frame(of->samples, i)->depth;
	writing->n_values = 2 * of->n_events;
	writing->values = calloc(writing->n_values + 1, sizeof(*writing->values));
	writing->locations = calloc((size_t)deepest + 1, sizeof(*writing->locations));
	if (!writing->values || !writing->locations)
		return -ENOMEM;
	for (size_t i = 0; i < samples__n(of->samples) && !err; i++)
		if (of->wanted[i])
			err = write_sample(writing, samples__at(of->samples, i));
	return err;
}

/* Written last, when all texts are known. The number of a text is its position. */
static int write_texts(struct writing *writing)
{
	const struct texts *texts = &writing->profile->texts;
	Pprof__Profile message = PPROF__PROFILE__INIT;
	char *string;
	int err = 0;

	message.n_string_table = 1;
	message.string_table = &string;
	for (size_t i = 0; i < texts->n && !err; i++) {
		string = (char *)texts__at(texts, i);
		err = write_message(writing, &message);
	}
	return err;
}

static int write_all(struct writing *writing)
{
	const struct export_profile *profile = writing->profile;
	int err = write_value_types(writing);

	if (!err)
		err = write_about(writing);
	if (!err)
		err = write_mappings(writing);
	for (size_t i = 0; !err && i < samples__n_places(profile->of->samples); i++)
		if (profile->places[i].used)
			err = write_location(writing, i);
	if (!err)
		err = write_functions(writing);
	if (!err)
		err = write_samples(writing);
	if (!err)
		err = write_texts(writing);
	return err;
}

int export__pprof(FILE *out, struct export_profile *profile)
{
	struct writing writing = {.profile = profile, .out = gzip__open(out)};
	int err = -ENOMEM;

	writing.build_ids = calloc(profile->n_mappings + 1, sizeof(*writing.build_ids));
	if (writing.out && writing.build_ids && !make_keys(&writing))
		err = write_all(&writing);
	free(writing.bytes);
	free(writing.values);
	free(writing.locations);
	free(writing.build_ids);
	if (writing.out)
		fclose(writing.out);
	return err;
}
