// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies the record of a mapping to a model. Finds its sighting, counts it in the ledger, and adds
 * it to the address space or to the kernel text. Does not know samples.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "user/event/code.h"
#include "user/event/identity.h"
#include "user/model/private.h"

/*
 * The kernel has names for memory without a file. If a record has no reason, the name provides it.
 */
static uint8_t reason_of(const struct event_map *map)
{
	uint8_t reason = map->identity.reason;

	if (reason != PERFSTAMP_REASON_NONE && reason != PERFSTAMP_REASON_UNKNOWN &&
		reason < PERFSTAMP_REASON_COUNT)
		return reason;
	if (!strcmp(map->path, "//anon") || !strcmp(map->path, "[heap]") ||
		!strcmp(map->path, "[stack]") || !strncmp(map->path, "[anon:", 6))
		return PERFSTAMP_REASON_ANONYMOUS;
	return PERFSTAMP_REASON_UNKNOWN;
}

static void count_map(struct model_ledger *ledger, const struct perfstamp_identity *identity)
{
	ledger->maps++;
	if (identity->build_id_size) {
		ledger->by_source[identity->source < PERFSTAMP_SOURCE_COUNT ? identity->source
									    : 0]++;
		return;
	}
	ledger->by_reason[identity->reason]++;
	if (identity->cookie_size)
		ledger->cookies++;
	else
		ledger->unidentified[identity->reason]++;
}

static void uncount_map(struct model_ledger *ledger, const struct perfstamp_identity *identity)
{
	ledger->maps--;
	ledger->by_reason[identity->reason]--;
	if (identity->cookie_size)
		ledger->cookies--;
	else
		ledger->unidentified[identity->reason]--;
}

/*
 * Whether the late record @map completes the mapping @known, which was recorded without a build-id.
 * Then @map replaces @known in the ledger. Each late record completes one record. If a snapshot has
 * reported the mapping again, a second late record follows; it does not replace the first.
 */
static bool is_completed(const struct model *model, const struct mapping *known,
	const struct mapping *map, const char *path)
{
	const struct sighting *sighting;

	if (!known || known->late || known->start != map->start || known->end != map->end ||
		known->pgoff != map->pgoff)
		return false;
	sighting = sightings__at(&model->sightings, known->sighting);
	return !sighting->identity.build_id_size && !strcmp(sighting->path, path);
}

static void complete_known(struct model *model, const struct mapping *known, uint32_t by)
{
	struct sighting *before = sightings__at(&model->sightings, known->sighting);
	struct sighting *after = sightings__at(&model->sightings, by);
	struct perfstamp_identity identity = before->identity;

	identity.reason = known->reason;
	uncount_map(&model->ledger, &identity);
	before->mappings--;
	if (after->first_ns > before->first_ns)
		after->first_ns = before->first_ns;
}

/*
 * Whether @map repeats the mapping @known. A snapshot record inside it does, because it describes
 * an existing mapping. A live record does so once, if a snapshot reported @known before the live
 * record was written.
 */
static bool is_repeated(struct mapping *known, const struct mapping *map)
{
	if (!known || known->sighting != map->sighting ||
		known->pgoff - known->start != map->pgoff - map->start)
		return false;
	if (map->snapshot) {
		if (map->start < known->start || map->end > known->end)
			return false;
		/* It is the newest record now, and a late record completes the newest. */
		if (!map->late && map->start == known->start && map->end == known->end) {
			known->late = false;
			known->reason = map->reason;
		}
		return true;
	}
	if (!known->snapshot || map->start != known->start || map->end != known->end)
		return false;
	known->snapshot = false;
	return true;
}

/*
 * In the kernel, shared memory is a file without a visible name. JIT compilers write to it, so its
 * content has no stable identity. A memfd counts as a file.
 */
static bool is_shared_memory(const struct event_map *map)
{
	return !map->kernel && !map->identity.build_id_size &&
	       map->identity.reason == PERFSTAMP_REASON_NOT_ELF &&
	       event_code__is_memory(map->path) && strncmp(map->path, "/memfd:", 7) != 0;
}

/*
 * Whether @identity belongs to another file than the first mapping of @sighting at the same path.
 */
static bool is_other_file(
	const struct sighting *sighting, const struct perfstamp_identity *identity)
{
	const struct perfstamp_identity *known = &sighting->identity;

	return !identity->build_id_size && identity->cookie_size && identity->ino && known->ino &&
	       identity->mnt_ns == known->mnt_ns && !identity__same_inode(identity, known);
}

/* Sets @ret to the mapping of @event. Looks up its sighting, or adds it. */
static int find_sighting(struct model *model, const struct event *event, struct mapping *ret,
	struct perfstamp_identity *ret_identity)
{
	const struct event_map *map = &event->map;
	uint64_t end = map->addr + map->len;
	const char *path = map->path;
	char name[PERFSTAMP_PATH_MAX];
	int err;

	if (map->kernel) {
		kernel_text__name(path, name, sizeof(name));
		path = name;
	}
	*ret_identity = map->identity;
	ret_identity->reason = ret_identity->build_id_size ? PERFSTAMP_REASON_NONE : reason_of(map);
	if (is_shared_memory(map))
		*ret_identity = (struct perfstamp_identity){
			.reason = PERFSTAMP_REASON_ANONYMOUS,
			.cgroup_id = map->identity.cgroup_id,
			.mnt_ns = map->identity.mnt_ns,
		};
	*ret = (struct mapping){
		.start = map->addr,
		.end = end < map->addr ? UINT64_MAX : end,
		.pgoff = map->pgoff,
		.prot = map->prot,
		.map_flags = map->map_flags,
		.snapshot = map->flags & PERFSTAMP_MAP_SNAPSHOT,
		.late = map->flags & PERFSTAMP_MAP_LATE,
		.time_ns = event__time(event),
		.reason = ret_identity->reason,
	};
	err = sightings__get(&model->sightings, path, ret_identity, map->kernel, event__time(event),
		&ret->sighting);
	model->ledger.shared_build_ids = model->sightings.contents.n_shared;
	if (!err && is_other_file(sightings__at(&model->sightings, ret->sighting), ret_identity))
		sightings__at(&model->sightings, ret->sighting)->several_files = true;
	return err;
}

/* Adds @mapping of the current event to the lives. It is new, or completes an older one. */
static void follow_life(
	struct model *model, const struct mapping *mapping, uint32_t mnt_ns, bool snapshot)
{
	struct lives *lives = model->sightings.lives;

	if (lives)
		lives__mapped(lives, sightings__at(&model->sightings, mapping->sighting), mnt_ns,
			mapping->time_ns, snapshot);
}

static int apply_kernel_map(struct model *model, const struct event *event)
{
	const char *path = event->map.path;
	struct perfstamp_identity identity;
	struct mapping mapping;
	bool snapshot;
	int err;

	err = find_sighting(model, event, &mapping, &identity);
	if (err)
		return err;
	/* The module at this place was not loaded again: an unload would have preceded that. */
	snapshot = mapping.snapshot;
	mapping.snapshot = true;
	if (is_repeated(kernel_text__at(&model->kernel, path, mapping.start), &mapping))
		return 0;
	follow_life(model, &mapping, 0, snapshot);
	sightings__at(&model->sightings, mapping.sighting)->mappings++;
	return kernel_text__map(&model->kernel, path, &mapping, &model->sightings, model->now_ns);
}

/* Adds the text of a module as a map when it is loaded, and removes it when it is unloaded. */
int model__apply_module(struct model *model, const struct event *event)
{
	const struct event_module *module = &event->module;
	const struct perfstamp_module_state *state = &module->state;
	const struct module_life *life;
	struct event map = *event;
	int err;

	err = module_lives__apply(&model->modules, module, event__time(event));
	if (err || state->event == PERFSTAMP_MODULE_INIT)
		return err;
	if (state->event == PERFSTAMP_MODULE_UNLOAD)
		return kernel_text__unload(&model->kernel, state->text_addr,
			state->text_addr + state->text_size, &model->sightings, model->now_ns);
	life = module_lives__find(&model->modules, state->text_addr);
	if (!life)
		return 0; /* its text has no size */
	map.map = (struct event_map){
		.addr = state->text_addr,
		.len = state->text_size,
		.prot = PROT_READ | PROT_EXEC,
		.flags = module->flags & PERFSTAMP_MODULE_SNAPSHOT ? PERFSTAMP_MAP_SNAPSHOT : 0,
		.kernel = true,
		.executable = true,
		.identity.source = state->source,
		.identity.reason = state->reason,
		.identity.build_id_size = state->build_id_size,
		.path = life->path,
	};
	memcpy(map.map.identity.build_id, state->build_id, sizeof(state->build_id));
	return apply_kernel_map(model, &map);
}

/* Adds the cgroup and mount namespace in which @process maps @sighting. */
static int add_place(struct model *model, struct process *process, uint32_t sighting)
{
	size_t index;
	int err = 0;

	if (process->cgroup_id)
		err = cgroups__index(&model->cgroups, process->cgroup_id, &index);
	if (process->cgroup_id && !err)
		err = sightings__add_cgroup(&model->sightings, sighting, index, process->cgroup_id);
	if (err || !process->mnt_ns)
		return err;
	err = cgroups__index(&model->mnt_namespaces, process->mnt_ns, &index);
	if (err)
		return err;
	return sightings__add_mnt_ns(&model->sightings, sighting, index, process->mnt_ns);
}

/* Counts a mapping that was removed before its record was written. It has no samples. */
static void add_past_map(struct model *model, uint32_t sighting)
{
	const struct map_refs *refs = &model->sightings.refs;

	sightings__at(&model->sightings, sighting)->mappings++;
	refs->hold(refs->ctx, sighting);
	refs->drop(refs->ctx, sighting, model->now_ns);
}

static int apply_user_map(struct model *model, const struct event *event)
{
	struct mapping mapping, *known;
	struct perfstamp_identity identity;
	struct process *process;
	bool late = event->map.flags & PERFSTAMP_MAP_LATE, is_past;
	int err;

	/*
	 * A late record is for a process that was known. If it is not known now, it has ended
	 * since.
	 */
	process = late ? processes__find(&model->processes, event->pid)
		       : processes__get(&model->processes, event->pid, event->pid);
	if (!process && !late)
		return -ENOMEM;
	is_past = !process || process_life__is_older(&process->life, event);
	if (is_past && !event->map.executable)
		return 0;
	if (!is_past && processes__settle(&model->processes, process))
		return -ENOMEM;
	/* A late record shows that the mapping existed, but not which thread made it. */
	if (!is_past && !late)
		process_life__map(&process->life, event->tid, event__time(event));
	if (!event->map.executable)
		return maps__remove(&process->maps, event->map.addr,
			event->map.addr + event->map.len, &model->sightings.refs, model->now_ns);
	err = find_sighting(model, event, &mapping, &identity);
	if (err)
		return err;
	count_map(&model->ledger, &identity);
	if (is_past) {
		add_past_map(model, mapping.sighting);
		return sightings__add_pid(&model->sightings, mapping.sighting, event->pid);
	}
	if (identity.cgroup_id)
		process->cgroup_id = identity.cgroup_id;
	if (identity.mnt_ns)
		process->mnt_ns = identity.mnt_ns;
	err = sightings__add_pid(&model->sightings, mapping.sighting, event->pid);
	if (err)
		return err;
	err = add_place(model, process, mapping.sighting);
	if (err)
		return err;
	known = maps__find(process->maps, mapping.start);
	if (late && is_completed(model, known, &mapping, event->map.path)) {
		complete_known(model, known, mapping.sighting);
		mapping.time_ns = known->time_ns;
	} else if (is_repeated(known, &mapping)) {
		return 0;
	}
	follow_life(model, &mapping, process->mnt_ns, mapping.snapshot);
	sightings__at(&model->sightings, mapping.sighting)->mappings++;
	err = maps__insert(&process->maps, &mapping, &model->sightings.refs, model->now_ns);
	if (!err && model->sightings.lives)
		lives__was_there(model->sightings.lives, mapping.sighting, mapping.time_ns);
	return err;
}

int model__apply_map(struct model *model, const struct event *event)
{
	return event->map.kernel ? apply_kernel_map(model, event) : apply_user_map(model, event);
}
