// SPDX-License-Identifier: GPL-2.0-only
/* See observer.h. */
#include "user/model/replaced/observer.h"

#include <string.h>

#include "user/event/identity.h"

static bool have_one_id(const struct sighting *a, const struct sighting *b)
{
	return a->identity.build_id_size && identity__same_build_id(&a->identity, &b->identity);
}

/*
 * Finds what is new in the newest sighting: a content that its build-id did not have before, and a
 * build-id that its path did not have before. If one of two identities has no cookie, nothing is
 * new: without BPF, identities of short-lived processes have none.
 */
static void compare(const struct observer *observer, const struct sighting *sighting,
	bool *ret_clash, bool *ret_known)
{
	*ret_clash = sighting->content > 1;
	*ret_known = false;
	for (size_t i = 0; i < sighting->index; i++) {
		const struct sighting *other = model__sighting_so_far(observer->model, i);

		if (!have_one_id(sighting, other))
			continue;
		if (other->content == sighting->content)
			*ret_clash = false;
		if (!strcmp(other->path, sighting->path) && (!other->content || !sighting->content))
			*ret_known = true;
	}
}

static void add_process(
	const struct observer *observer, struct observation *observation, uint32_t pid)
{
	struct model_process process;

	if (!model__process(observer->model, pid, &process))
		return;
	observation->pid = pid;
	observation->comm = process.comm;
	observation->cgroup_id = process.cgroup_id;
	observation->mnt_ns = process.mnt_ns;
}

static struct observation begin(
	const struct observer *observer, enum observation_kind kind, const struct event *event)
{
	struct observation observation = {
		.kind = kind,
		.time_ns = event->time_ns == UINT64_MAX ? 0 : event->time_ns,
		.pid = UINT32_MAX,
		.comm = "",
	};

	if (event->kind == EVENT_MAP)
		add_process(observer, &observation, event->pid);
	return observation;
}

static int report_sighting(
	struct observer *observer, const struct event *event, const struct sighting *sighting)
{
	struct observation observation = begin(observer, OBSERVED_DSO, event);
	bool clash, known;
	int code = 0;

	compare(observer, sighting, &clash, &known);
	observation.existing = !observation.time_ns;
	observation.path = sighting->path;
	observation.identity = &sighting->identity;
	observation.content = sighting->content;
	if (!known)
		code = observer->fn(observer->ctx, &observation);
	if (code || !clash)
		return code;
	observation.kind = OBSERVED_CLASH;
	return observer->fn(observer->ctx, &observation);
}

static int report_module(struct observer *observer, const struct event *event)
{
	struct observation observation = begin(observer, OBSERVED_MODULE, event);
	const struct perfstamp_module_state *state = &event->module.state;
	struct perfstamp_identity identity = {
		.source = state->source,
		.reason = state->reason,
		.build_id_size = state->build_id_size,
	};
	size_t n = model__n_modules(observer->model);
	const struct module_life *life;

	/* Init functions are reported only if they fail. */
	if (state->event == PERFSTAMP_MODULE_INIT && state->init_result >= 0)
		return 0;
	memcpy(identity.build_id, state->build_id, sizeof(state->build_id));
	observation.existing = event->module.flags & PERFSTAMP_MODULE_SNAPSHOT;
	observation.module = &event->module;
	observation.identity = &identity;
	observation.path = state->name;
	while (n-- > 0) {
		life = model__module(observer->model, n);
		if (life->addr == state->text_addr && !strcmp(life->name, state->name)) {
			observation.path = life->path;
			break;
		}
	}
	return observer->fn(observer->ctx, &observation);
}

static int report_loss(struct observer *observer, const struct event *event)
{
	struct observation observation = begin(observer, OBSERVED_LOST, event);

	observation.lost = event->lost.lost;
	return observer->fn(observer->ctx, &observation);
}

int observer__replaced(void *ctx, const struct replacement *replacement)
{
	struct observer *observer = ctx;
	const struct sighting *old = model__sighting_so_far(observer->model, replacement->old);
	struct observation observation = {
		.kind = OBSERVED_REPLACED,
		.time_ns = replacement->since_ns,
		.pid = UINT32_MAX,
		.comm = "",
		.path = replacement->path,
		.identity = &old->identity,
		.content = old->content,
		.replaced = replacement,
	};

	if (replacement->n_pids)
		add_process(observer, &observation, replacement->pids[0]);
	observation.mnt_ns = replacement->mnt_ns;
	return observer->fn(observer->ctx, &observation);
}

static bool has_file(const struct event *event)
{
	return event->kind == EVENT_MAP && event->map.executable && !event->map.kernel &&
	       event->map.path[0] == '/' && strcmp(event->map.path, "//anon") != 0 &&
	       event->map.identity.reason != PERFSTAMP_REASON_ANONYMOUS;
}

int observer__apply(struct observer *observer, const struct event *event)
{
	size_t known = model__n_sightings(observer->model);
	int code = model__apply(observer->model, event);

	if (code)
		return code;
	if (has_file(event) && model__n_sightings(observer->model) > known)
		code = report_sighting(
			observer, event, model__sighting_so_far(observer->model, known));
	if (!code)
		code = replaced__apply(observer->replaced, event, observer__replaced, observer);
	if (code)
		return code;
	if (event->kind == EVENT_MODULE)
		return report_module(observer, event);
	return event->kind == EVENT_LOST && event->lost.lost ? report_loss(observer, event) : 0;
}
