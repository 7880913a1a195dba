// SPDX-License-Identifier: GPL-2.0-only
/*
 * export__otlp: OpenTelemetry's profiles, as in opentelemetry-proto 1.11.0 (v1development);
 * otlp15.c converts them to an older form. There is a resource for each container and unit, which
 * contains a profile for each event. Each sample has its time if the recording has the time of day.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/export/otlp_private.h"

/* Sorts the numbers of the samples by sum; those of a sum are in the order of their times. */
static int sort_by_sum(struct otlp *otlp)
{
	const struct export_source *of = otlp->profile->of;
	size_t n = samples__n(of->samples), *at;

	otlp->first_by_time = arena__alloc(&otlp->arena, n + 2, sizeof(*at));
	otlp->by_sum = arena__alloc(&otlp->arena, of->n_by_time + 1, sizeof(*otlp->by_sum));
	if (!otlp->first_by_time || !otlp->by_sum)
		return -ENOMEM;
	at = otlp->first_by_time + 1;
	for (size_t i = 0; i < of->n_by_time; i++)
		at[of->by_time[i].sum + 1]++;
	for (size_t i = 1; i <= n; i++)
		at[i] += at[i - 1];
	/* at[s] is now the start of sum s. The loop advances it to the end of s. */
	for (size_t i = 0; i < of->n_by_time; i++)
		otlp->by_sum[at[of->by_time[i].sum]++] = i;
	return 0;
}

/* Whether all samples have the same period, so that counting them is sufficient. */
static bool counts_samples(const struct export_event *event)
{
	return event->is_time && event->period;
}

static int make_values(struct otlp *otlp, size_t number, Otlp__Sample *ret)
{
	const struct export_source *of = otlp->profile->of;
	const struct sample_sum *sum = samples__at(of->samples, number);
	bool counts = counts_samples(&of->events[sum->event]);
	size_t from = otlp->first_by_time[number];
	size_t n = otlp->first_by_time[number + 1] - from;

	ret->values = arena__alloc(&otlp->arena, n + 1, sizeof(*ret->values));
	ret->timestamps_unix_nano = arena__alloc(
		&otlp->arena, n + 1, sizeof(*ret->timestamps_unix_nano));
	if (!ret->values || !ret->timestamps_unix_nano)
		return -ENOMEM;
	if (!of->has_wall) {
		ret->values[ret->n_values++] = (int64_t)(counts ? sum->n : sum->period);
		return 0;
	}
	/* In this format, a time without a value counts as one. */
	for (size_t i = 0; i < n; i++) {
		const struct export_sample *sample = &of->by_time[otlp->by_sum[from + i]];

		ret->timestamps_unix_nano[ret->n_timestamps_unix_nano++] = sample->time_ns +
									   (uint64_t)of->wall_ns;
		if (!counts)
			ret->values[ret->n_values++] = (int64_t)sample->period;
	}
	return 0;
}

static int make_attributes(struct otlp *otlp, const struct sample_sum *sum, Otlp__Sample *ret)
{
	const struct export_source *of = otlp->profile->of;
	struct otlp_attributes *attributes = &otlp->attributes;
	struct otlp_indices indices = {.n = 0};
	char comm[4 * PERFSTAMP_COMM_MAX];

	text__escape(comm, sizeof(comm), samples__text(of->samples, sum->comm));
	if (otlp_attributes__number(attributes, &indices, "process.pid", sum->pid) ||
		otlp_attributes__number(attributes, &indices, "thread.id", sum->tid) ||
		otlp_attributes__text(attributes, &indices, "thread.name", comm) ||
		(of->has_cpu && otlp_attributes__number(
					attributes, &indices, "cpu.logical_number", sum->cpu)))
		return -ENOMEM;
	ret->attribute_indices = otlp_indices__copy(&indices, &otlp->arena);
	ret->n_attribute_indices = indices.n;
	return ret->attribute_indices ? 0 : -ENOMEM;
}

static int make_type(struct otlp *otlp, const char *type, const char *unit, Otlp__ValueType **ret)
{
	uint32_t type_number, unit_number;

	*ret = arena__alloc(&otlp->arena, 1, sizeof(**ret));
	if (!*ret || export_profile__text(otlp->profile, type, &type_number) ||
		export_profile__text(otlp->profile, unit, &unit_number))
		return -ENOMEM;
	otlp__value_type__init(*ret);
	(*ret)->type_strindex = (int32_t)type_number;
	(*ret)->unit_strindex = (int32_t)unit_number;
	return 0;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/*
 * Makes 16 bytes that identify the profile's data, so that a receiver can recognize a profile that
 * it already has.
 */
static void make_id(const struct otlp *otlp, size_t home, size_t event, uint64_t *ret)
{
	const struct export_source *of = otlp->profile->of;

	for (size_t half = 0; half < 2; half++) {
		uint64_t hash = mix(half + 1, home);

		hash = mix(hash, event);
		hash = mix(hash, of->begin_ns);
		hash = mix(hash, of->end_ns);
		hash = mix(hash, (uint64_t)of->wall_ns);
		hash = mix(hash, otlp->profile->n_samples);
		hash = mix(hash, of->names);
		for (const char *at = of->host; at && *at; at++)
			hash = mix(hash, (uint8_t)*at);
		ret[half] = hash;
	}
}

static int make_about(struct otlp *otlp, const struct home *home, size_t number, Otlp__Profile *ret)
{
	const struct export_source *of = otlp->profile->of;
	const struct export_event *event = &of->events[number];
	const char *name = event->is_time ? "cpu" : event->name;
	const char *unit = event->is_time ? "nanoseconds" : "count";
	bool counts = counts_samples(event);
	uint64_t *id = arena__alloc(&otlp->arena, 2, sizeof(*id));

	otlp__profile__init(ret);
	if (!id ||
		make_type(otlp, counts ? "samples" : name, counts ? "count" : unit,
			&ret->sample_type) ||
		make_type(otlp, name, unit, &ret->period_type))
		return -ENOMEM;
	make_id(otlp, home->number, number, id);
	ret->profile_id = (ProtobufCBinaryData){16, (uint8_t *)id};
	ret->period = (int64_t)event->period;
	if (of->has_wall)
		ret->time_unix_nano = of->begin_ns + (uint64_t)of->wall_ns;
	ret->duration_nano = of->end_ns - of->begin_ns + 1;
	return 0;
}

/* @of: the numbers of @n wanted sums, all of one event and one home. */
static int make_profile(struct otlp *otlp, const struct home *home, const uint32_t *of, size_t n,
	Otlp__Profile *ret)
{
	const struct samples *samples = otlp->profile->of->samples;
	Otlp__Sample *v = arena__alloc(&otlp->arena, n, sizeof(*v));

	if (make_about(otlp, home, samples__at(samples, of[0])->event, ret))
		return -ENOMEM;
	ret->samples = arena__alloc(&otlp->arena, n, sizeof(Otlp__Sample *));
	if (!v || !ret->samples)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct sample_sum *sum = samples__at(samples, of[i]);

		otlp__sample__init(&v[i]);
		v[i].stack_index = otlp->stacks[sum->frame];
		if (make_attributes(otlp, sum, &v[i]) || make_values(otlp, of[i], &v[i]))
			return -ENOMEM;
		ret->samples[ret->n_samples++] = &v[i];
	}
	return 0;
}

static int make_scope(struct otlp *otlp, const struct home *home, const uint32_t *of, size_t n,
	Otlp__ScopeProfiles *ret)
{
	const struct samples *samples = otlp->profile->of->samples;
	size_t n_events = otlp->profile->of->n_events, end;
	Otlp__InstrumentationScope *scope = arena__alloc(&otlp->arena, 1, sizeof(*scope));
	Otlp__Profile *v = arena__alloc(&otlp->arena, n_events, sizeof(*v));

	otlp__scope_profiles__init(ret);
	ret->profiles = arena__alloc(&otlp->arena, n_events, sizeof(Otlp__Profile *));
	if (!scope || !v || !ret->profiles)
		return -ENOMEM;
	otlp__instrumentation_scope__init(scope);
	scope->name = (char *)"perfstamp";
	scope->version = (char *)PERFSTAMP_VERSION;
	ret->scope = scope;
	for (size_t i = 0; i < n; i = end) {
		uint32_t event = samples__at(samples, of[i])->event;

		for (end = i + 1; end < n && samples__at(samples, of[end])->event == event;)
			end++;
		if (make_profile(otlp, home, of + i, end - i, &v[ret->n_profiles]))
			return -ENOMEM;
		ret->profiles[ret->n_profiles] = &v[ret->n_profiles];
		ret->n_profiles++;
	}
	return 0;
}

static int by_home_and_event(const void *a, const void *b, void *ctx)
{
	const struct otlp *otlp = ctx;
	const struct samples *samples = otlp->profile->of->samples;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (otlp->homes[x] != otlp->homes[y])
		return otlp->homes[x] < otlp->homes[y] ? -1 : 1;
	if (samples__at(samples, x)->event != samples__at(samples, y)->event)
		return samples__at(samples, x)->event < samples__at(samples, y)->event ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Sorts the numbers of the wanted sums by home and event, into @ret. */
static int sort_by_home(struct otlp *otlp, uint32_t **ret, size_t *ret_n)
{
	const struct export_source *of = otlp->profile->of;
	size_t n = samples__n(of->samples);
	const struct home *home;

	*ret_n = 0;
	*ret = arena__alloc(&otlp->arena, n + 1, sizeof(**ret));
	otlp->homes = arena__alloc(&otlp->arena, n + 1, sizeof(*otlp->homes));
	if (!*ret || !otlp->homes)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (!of->wanted[i])
			continue;
		if (homes__find(otlp->profile->homes, samples__at(of->samples, i)->cgroup, &home))
			return -ENOMEM;
		otlp->homes[i] = (uint32_t)home->number;
		(*ret)[(*ret_n)++] = i;
	}
	qsort_r(*ret, *ret_n, sizeof(**ret), by_home_and_event, otlp);
	return 0;
}

static int make_resource(struct otlp *otlp, const struct home *home, const uint32_t *of, size_t n,
	Otlp__ResourceProfiles *ret)
{
	Otlp__Resource *resource = arena__alloc(&otlp->arena, 1, sizeof(*resource));
	Otlp__ScopeProfiles *scope = arena__alloc(&otlp->arena, 1, sizeof(*scope));

	otlp__resource_profiles__init(ret);
	ret->scope_profiles = arena__alloc(&otlp->arena, 1, sizeof(Otlp__ScopeProfiles *));
	if (!resource || !scope || !ret->scope_profiles ||
		otlp__make_resource(otlp, home, resource) || make_scope(otlp, home, of, n, scope))
		return -ENOMEM;
	ret->resource = resource;
	ret->scope_profiles[0] = scope;
	ret->n_scope_profiles = 1;
	return 0;
}

static int make_resources(struct otlp *otlp, Otlp__ProfilesData *ret)
{
	Otlp__ResourceProfiles *v;
	uint32_t *sums;
	size_t n, end;

	if (sort_by_home(otlp, &sums, &n))
		return -ENOMEM;
	end = homes__n(otlp->profile->homes);
	v = arena__alloc(&otlp->arena, end + 1, sizeof(*v));
	ret->resource_profiles = arena__alloc(
		&otlp->arena, end + 1, sizeof(Otlp__ResourceProfiles *));
	if (!v || !ret->resource_profiles)
		return -ENOMEM;
	for (size_t i = 0; i < n; i = end) {
		uint32_t home = otlp->homes[sums[i]];
		size_t to = ret->n_resource_profiles;

		for (end = i + 1; end < n && otlp->homes[sums[end]] == home;)
			end++;
		if (make_resource(
			    otlp, homes__at(otlp->profile->homes, home), sums + i, end - i, &v[to]))
			return -ENOMEM;
		ret->resource_profiles[ret->n_resource_profiles++] = &v[to];
	}
	return 0;
}

int otlp__write_message(FILE *out, const ProtobufCMessage *message)
{
	size_t size = protobuf_c_message_get_packed_size(message);
	uint8_t *bytes = malloc(size + 1);

	if (!bytes)
		return -ENOMEM;
	protobuf_c_message_pack(message, bytes);
	fwrite(bytes, 1, size, out);
	free(bytes);
	return 0;
}

/* @write: writes one of the two forms. */
static int write_otlp(FILE *out, struct export_profile *profile,
	int (*write)(FILE *out, const Otlp__ProfilesData *message))
{
	struct otlp otlp = {.profile = profile};
	Otlp__ProfilesData message = OTLP__PROFILES_DATA__INIT;
	int err;

	otlp__profiles_dictionary__init(&otlp.dictionary);
	message.dictionary = &otlp.dictionary;
	err = otlp_attributes__init(&otlp.attributes, &profile->texts);
	if (!err)
		err = otlp__make_tables(&otlp);
	if (!err)
		err = sort_by_sum(&otlp);
	if (!err)
		err = make_resources(&otlp, &message);
	if (!err)
		err = otlp__finish_tables(&otlp);
	if (!err)
		err = write(out, &message);
	otlp_attributes__free(&otlp.attributes);
	arena__free(&otlp.arena);
	return err;
}

static int write_dictionary(FILE *out, const Otlp__ProfilesData *message)
{
	return otlp__write_message(out, &message->base);
}

int export__otlp(FILE *out, struct export_profile *profile)
{
	return write_otlp(out, profile, write_dictionary);
}

int export__otlp15(FILE *out, struct export_profile *profile)
{
	return write_otlp(out, profile, otlp15__write);
}
