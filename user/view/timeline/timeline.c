// SPDX-License-Identifier: GPL-2.0-only
/*
 * See timeline.h. This file counts; data.c chooses what the page shows, and page.c writes the page.
 */
#include "user/view/timeline/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/view/timeline/private.h"

int timeline__new(struct timeline **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void timeline__forget_counts(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->n_sums; i++)
		timeline_series__free(&timeline->sums[i]);
	free(timeline->sums);
	timeline->sums = NULL;
	timeline->n_sums = 0;
}

void timeline__free(struct timeline *timeline)
{
	struct timeline_cgroup *cgroup, *next;

	if (!timeline)
		return;
	HASH_ITER (hh, timeline->cgroups, cgroup, next) {
		HASH_DEL(timeline->cgroups, cgroup);
		timeline_series__free(&cgroup->series);
		free(cgroup);
	}
	for (size_t i = 0; i < timeline->n_sightings; i++)
		timeline_series__free(&timeline->sightings[i]);
	free(timeline->sightings);
	for (size_t i = 0; i < timeline->n_cpus; i++)
		timeline_series__free(&timeline->cpus[i].series);
	free(timeline->cpus);
	timeline__forget_counts(timeline);
	for (int i = 0; i < TIMELINE_N_MODES; i++)
		timeline_series__free(&timeline->samples[i]);
	timeline_series__free(&timeline->lost);
	free(timeline);
}

static struct timeline_series *series_of(struct timeline *timeline, uint32_t sighting)
{
	if (array__reach(&timeline->sightings, &timeline->n_sightings, sighting,
		    sizeof(*timeline->sightings)))
		return NULL;
	return &timeline->sightings[sighting];
}

int timeline__count(struct timeline *timeline, const struct event *event, uint32_t sum)
{
	if (!event->time_ns || event->time_ns == UINT64_MAX)
		return 0;
	if (array__reach(&timeline->sums, &timeline->n_sums, sum, sizeof(*timeline->sums)))
		return -ENOMEM;
	return timeline_series__add(&timeline->sums[sum], &timeline->bins, event->time_ns, 1);
}

/* The number of a CPU is from the file, which may be damaged. */
static int add_cpu(struct timeline *timeline, const struct event *event)
{
	uint32_t cpu = event->cpu;

	if (cpu >= TIMELINE_CPUS_MAX)
		return 0;
	if (array__reach(&timeline->cpus, &timeline->n_cpus, cpu, sizeof(*timeline->cpus)))
		return -ENOMEM;
	timeline->cpus[cpu].samples++;
	return timeline_series__add(
		&timeline->cpus[cpu].series, &timeline->bins, event->time_ns, 1);
}

/* Returns the cgroup @id, which was observed at @time_ns. NULL if memory is exhausted. */
static struct timeline_cgroup *see_cgroup(struct timeline *timeline, uint64_t id, uint64_t time_ns)
{
	struct timeline_cgroup *cgroup;

	HASH_FIND(hh, timeline->cgroups, &id, sizeof(id), cgroup);
	if (!cgroup) {
		cgroup = calloc(1, sizeof(*cgroup));
		if (!cgroup)
			return NULL;
		cgroup->id = id;
		cgroup->first_ns = time_ns;
		HASH_ADD(hh, timeline->cgroups, id, sizeof(id), cgroup);
		if (!hash__added(cgroup)) {
			free(cgroup);
			return NULL;
		}
	}
	if (time_ns > cgroup->last_ns)
		cgroup->last_ns = time_ns;
	return cgroup;
}

static enum timeline_mode mode_of(const struct event *event)
{
	switch (event->misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_USER:
		return TIMELINE_USER;
	case PERF_RECORD_MISC_KERNEL:
		return TIMELINE_KERNEL;
	default:
		return TIMELINE_OTHER;
	}
}

static int add_sample(
	struct timeline *timeline, const struct model *model, const struct event *event)
{
	enum timeline_mode mode = mode_of(event);
	struct timeline_cgroup *cgroup;
	uint64_t id = event->sample.cgroup;
	struct model_process process;
	struct model_place place;
	struct timeline_series *series;

	timeline->n_samples[mode]++;
	if (add_cpu(timeline, event))
		return -ENOMEM;
	if (timeline_series__add(&timeline->samples[mode], &timeline->bins, event->time_ns, 1))
		return -ENOMEM;
	model__locate(model, event->pid, event->misc, event->sample.ip, &place);
	if (place.sighting != UINT32_MAX) {
		series = series_of(timeline, place.sighting);
		if (!series || timeline_series__add(series, &timeline->bins, event->time_ns, 1))
			return -ENOMEM;
	}
	if (!id && model__process(model, event->pid, &process))
		id = process.cgroup_id;
	if (!id)
		return 0;
	cgroup = see_cgroup(timeline, id, event->time_ns);
	if (!cgroup)
		return -ENOMEM;
	cgroup->samples++;
	return timeline_series__add(&cgroup->series, &timeline->bins, event->time_ns, 1);
}

static int add_map(struct timeline *timeline, const struct event *event)
{
	uint64_t id = event->map.identity.cgroup_id;
	struct timeline_cgroup *cgroup;

	if (!id || event->map.kernel)
		return 0;
	cgroup = see_cgroup(timeline, id, event->time_ns);
	if (!cgroup)
		return -ENOMEM;
	cgroup->mappings++;
	return 0;
}

int timeline__add(struct timeline *timeline, const struct model *model, const struct event *event)
{
	/* A record without a time is about the state before the recording. */
	bool timed = event->time_ns && event->time_ns != UINT64_MAX;

	if (timed) {
		timeline_bins__reach(&timeline->bins, event->time_ns);
		if (event->time_ns > timeline->end_ns)
			timeline->end_ns = event->time_ns;
	}
	switch (event->kind) {
	case EVENT_SAMPLE:
		return timed ? add_sample(timeline, model, event) : 0;
	case EVENT_MAP:
		return timed || !event->time_ns ? add_map(timeline, event) : 0;
	case EVENT_LOST:
		timeline->n_lost += event->lost.lost;
		return timed ? timeline_series__add(&timeline->lost, &timeline->bins,
				       event->time_ns, event->lost.lost)
			     : 0;
	default:
		return 0;
	}
}

int timeline__write(FILE *out, struct timeline *timeline, struct model *model,
	const struct timeline_about *about)
{
	struct json_object *data = timeline_data__make(timeline, model, about);

	if (!data)
		return -ENOMEM;
	timeline_page__write(out, data, about);
	return 0;
}
