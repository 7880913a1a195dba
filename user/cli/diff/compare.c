// SPDX-License-Identifier: GPL-2.0-only
/* See compare.h. */
#include "user/cli/diff/compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/cli/diff/fold.h"
#include "user/model/compare/unite.h"

/* Selects the sides by the builds of a deploy. */
static void select_builds(struct diff_command *command, const struct deploy *deploy, bool by_time)
{
	uint64_t from_ns = deploy->time_ns > command->window_ns
				   ? deploy->time_ns - command->window_ns
				   : 0;

	for (int side = 0; side < SIDES; side++) {
		struct selection *selection = &command->sides[side];

		selection->path = deploy->path;
		selection->has_identity = true;
		selection->identity = deploy->builds[side];
	}
	if (!by_time)
		return;
	command->sides[BEFORE].from_ns = from_ns;
	command->sides[BEFORE].to_ns = deploy->time_ns;
	command->sides[AFTER].from_ns = deploy->time_ns;
}

static int read_file(
	struct compared *compared, const char *path, const bool active[SIDES], struct error *err)
{
	return counted__read(&compared->files[compared->n_files++], path, active, compared->command,
		compared->slices, err);
}

static int read_all(struct compared *compared, struct error *err)
{
	const struct diff_command *command = compared->command;
	const struct deploy *deploy = &compared->deploy;
	size_t n = deploy->n_files ? deploy->n_files : SIDES;
	int failed = 0;

	compared->files = calloc(n, sizeof(*compared->files));
	if (!compared->files)
		return error__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < deploy->n_files && !failed; i++) {
		failed = read_file(compared, deploy->files[i], (const bool[]){true, true}, err);
		if (failed)
			deploy__name_in_error(deploy, i, err);
		else if (deploy->written && i + 1 == deploy->n_files)
			compared->files[i].path = deploy->written;
	}
	if (deploy->n_files)
		return failed;
	if (!command->files[AFTER])
		return read_file(compared, command->files[BEFORE], (const bool[]){true, true}, err);
	failed = read_file(compared, command->files[BEFORE], (const bool[]){true, false}, err);
	if (!failed)
		failed = read_file(
			compared, command->files[AFTER], (const bool[]){false, true}, err);
	return failed;
}

static uint64_t n_samples(
	const struct compared *compared, enum comparison_side side, const char *event)
{
	uint64_t n = 0;

	for (size_t i = 0; i < compared->n_files; i++) {
		const struct counted *file = &compared->files[i];
		uint32_t number = counted__event(file, event);

		if (number < file->n_sums[side])
			n += file->sums[side][number].n;
	}
	return n;
}

/*
 * Returns the event to compare: the first one of any recording with samples on both sides. Skips
 * the event of --per, unless the user has chosen it.
 */
static const char *choose_event(const struct compared *compared)
{
	const struct diff_command *command = compared->command;

	for (size_t i = 0; i < compared->n_files; i++) {
		const struct counted *file = &compared->files[i];

		for (size_t k = 0; k < file->events.n; k++) {
			const char *name = file->events.names[k];

			if (command->event && counted__event(file, command->event) != k)
				continue;
			if (!command->event && command->per_event &&
				counted__event(file, command->per_event) == k)
				continue;
			if (n_samples(compared, BEFORE, name) && n_samples(compared, AFTER, name))
				return name;
		}
	}
	return NULL;
}

static bool has_samples(const struct compared *compared, enum comparison_side side)
{
	for (size_t i = 0; i < compared->n_files; i++)
		for (size_t k = 0; k < compared->files[i].n_sums[side]; k++)
			if (compared->files[i].sums[side][k].n)
				return true;
	return false;
}

/* Checks that each sample is on one side, if the user has selected both. */
static int check_sides(const struct compared *compared, struct error *err)
{
	uint64_t n = 0;

	for (size_t i = 0; i < compared->n_files; i++)
		n += compared->files[i].n_of_both;
	if (!n || !compared->command->selected[BEFORE])
		return 0;
	return error__set(err, -EINVAL,
		"%" PRIu64 " sample%s both --before and --after; select each by one of them", n,
		n == 1 ? " matches" : "s match");
}

static int check_event(const struct compared *compared, const char *event, struct error *err)
{
	const struct diff_command *command = compared->command;
	bool before = has_samples(compared, BEFORE), after = has_samples(compared, AFTER);

	if (!before || !after)
		return error__set(err, -ENODATA, "no samples%s%s: there is nothing to compare",
			before  ? " after the change"
			: after ? " before the change"
				: "",
			command->selected[BEFORE] ? " match --before and --after" : "");
	if (!event && command->event)
		return error__set(err, -ENODATA,
			"event %s has no samples on both sides; `perfstamp report' shows the "
			"events",
			command->event);
	if (!event && command->per_event)
		return error__set(err, -ENODATA,
			"besides %s, by which --per divides, no event has samples both before and "
			"after; record another one",
			command->per_event);
	if (!event)
		return error__set(err, -ENODATA,
			"no event has samples both before and after; record both by the same one");
	if ((command->per == PER_SECOND || command->per_event) && strncmp(event, "cpu-clock", 9) &&
		strncmp(event, "task-clock", 10))
		return error__set(err, -EINVAL,
			"--per %s requires samples of cpu-clock or task-clock, not of %s",
			command->per_event ? command->per_event : "second", event);
	if (command->per_event && (!n_samples(compared, BEFORE, command->per_event) ||
					  !n_samples(compared, AFTER, command->per_event)))
		return error__set(err, -ENODATA,
			"event %s has no samples on both sides; --per requires process, dso, "
			"second "
			"or an event of the recording",
			command->per_event);
	return 0;
}

static void describe_side(struct compared *compared, enum comparison_side side)
{
	const struct selection *selection = &compared->command->sides[side];
	struct diff_side *ret = &compared->view.sides[side];

	ret->path = compared->deploy.path;
	ret->selection = selection->given;
	if (selection->has_identity)
		name__identity(ret->build_id, &selection->identity, NAME_ALL_DIGITS);
	else if (selection->build_id_size)
		text__hex(ret->build_id, sizeof(ret->build_id), selection->build_id,
			selection->build_id_size);
	for (size_t i = 0; i < compared->n_files; i++) {
		const struct counted *file = &compared->files[i];

		if (!file->first_ns[side])
			continue;
		if (!ret->n_files++) {
			ret->file = file->path;
			ret->first_ns = file->first_ns[side];
			ret->has_wall = file->readings.input.has_wall;
			ret->wall_ns = file->readings.input.wall_ns;
		}
		ret->last_ns = file->last_ns[side];
		/* One process may be in several files of a series. */
		if (file->n_processes[side] > ret->n_processes)
			ret->n_processes = file->n_processes[side];
	}
}

static int find_differences(struct compared *compared)
{
	const struct diff_command *command = compared->command;
	const bool wanted[UNIT_KINDS] = {
		[UNIT_FUNCTION] = true,
		[UNIT_CALLED] = command->chains,
		[UNIT_CALL] = command->chains,
		[UNIT_LINE] = command->source,
	};
	int err = 0;

	for (int kind = 0; kind < UNIT_KINDS && !err; kind++) {
		if (!wanted[kind])
			continue;
		err = differences__find(&compared->kinds[kind], &compared->comparison,
			(enum unit_kind)kind, command->per);
		compared->view.kinds[kind] = &compared->kinds[kind];
	}
	return err;
}

static int compare(struct compared *compared, struct error *err)
{
	struct diff_command *command = compared->command;
	const char *event;
	int failed = read_all(compared, err);

	if (failed)
		return failed;
	event = choose_event(compared);
	failed = check_sides(compared, err);
	if (!failed)
		failed = check_event(compared, event, err);
	if (failed)
		return failed;
	if (comparison__init(&compared->comparison) ||
		fold(&compared->comparison, compared->files, compared->n_files, event, command,
			compared->slices) ||
		comparison__unite(&compared->comparison) || find_differences(compared))
		return error__set(err, -ENOMEM, "out of memory");
	compared->view.comparison = &compared->comparison;
	compared->view.per = command->per;
	compared->view.event = event;
	compared->view.per_event = command->per_event;
	compared->view.percent_limit = command->percent_limit;
	describe_side(compared, BEFORE);
	describe_side(compared, AFTER);
	return 0;
}

int compared__make(struct compared *ret, struct diff_command *command, struct error *err)
{
	bool one = !command->files[AFTER] && !command->selected[BEFORE];
	int failed = 0;

	*ret = (struct compared){.command = command};
	if (command->since_replaced)
		failed = deploy__find_in_series(&ret->deploy, command->files[BEFORE],
			command->since_replaced,
			command->selected[AFTER] ? &command->sides[AFTER] : NULL,
			command->window_ns, err);
	else if (one)
		failed = deploy__find(&ret->deploy, command->files[BEFORE], command->path, err);
	if (failed)
		return failed;
	if (ret->deploy.path)
		select_builds(command, &ret->deploy, command->since_replaced);
	for (int side = 0; side < SIDES && !ret->deploy.path; side++)
		command->sides[side].path_glob = command->path;
	return compare(ret, err);
}

static int copy_files(struct deploy *to, const struct deploy *from)
{
	to->files = calloc(from->n_files + 1, sizeof(*to->files));
	for (size_t i = 0; to->files && i < from->n_files; i++) {
		to->files[i] = strdup(from->files[i]);
		if (!to->files[i])
			return -ENOMEM;
		to->n_files++;
	}
	return to->files ? 0 : -ENOMEM;
}

int compared__make_of(struct compared *ret, struct diff_command *command,
	const struct deploy *deploy, struct error *err)
{
	*ret = (struct compared){.command = command, .deploy = *deploy};
	ret->deploy.files = NULL;
	ret->deploy.written = NULL;
	ret->deploy.n_files = 0;
	ret->deploy.path = strdup(deploy->path);
	if (!ret->deploy.path || copy_files(&ret->deploy, deploy))
		return error__set(err, -ENOMEM, "out of memory");
	select_builds(command, &ret->deploy, false);
	return compare(ret, err);
}

void compared__free(struct compared *compared)
{
	for (int kind = 0; kind < UNIT_KINDS; kind++)
		differences__free(&compared->kinds[kind]);
	comparison__free(&compared->comparison);
	for (size_t i = 0; i < compared->n_files; i++)
		counted__free(&compared->files[i]);
	free(compared->files);
	deploy__free(&compared->deploy);
}
