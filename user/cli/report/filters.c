// SPDX-License-Identifier: GPL-2.0-only
/* See filters.h. */
#include "user/cli/report/filters.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/report/options.h"
#include "user/view/report/report.h"

static bool wants_comm(void *ctx, const char *comm)
{
	const struct report_filters *filters = ctx;

	return !filters->command->comms.n || name_list__has(&filters->command->comms, comm);
}

static bool wants_thread(void *ctx, uint32_t pid, uint32_t tid)
{
	const struct report_command *command = ((const struct report_filters *)ctx)->command;

	return (!command->pids.n || number_list__has(&command->pids, pid)) &&
	       (!command->tids.n || number_list__has(&command->tids, tid));
}

static bool takes(void *ctx, const struct event *event)
{
	const struct report_command *command = ((const struct report_filters *)ctx)->command;

	return time_spans__have(&command->times, event->time_ns) &&
	       (!command->cpus.n || number_list__has(&command->cpus, event->cpu));
}

void report_filters__of_samples(const struct report_filters *filters, struct samples_options *ret)
{
	ret->filter_ctx = (void *)filters;
	ret->wants_comm = wants_comm;
	ret->wants_thread = wants_thread;
	ret->takes = takes;
}

/* Whether a DSO is selected: by its name as shown, or by its whole path. */
static bool wants_dso(const struct report_filters *filters, const struct place *place)
{
	const struct name_list *list = &filters->command->dsos;
	const struct report_view *view = filters->view;
	uint32_t index = place - samples__place(view->samples, 0);
	char name[256];

	if (!list->n || name_list__has(list, report_view__dso(view, index, name, sizeof(name))))
		return true;
	return place->sighting != SAMPLES_NONE &&
	       name_list__has(list, model__sighting(view->model, place->sighting)->path);
}

static bool wants(void *ctx, const struct place *place, const struct resolved *resolved)
{
	const struct report_filters *filters = ctx;
	const struct report_command *command = filters->command;

	if (!wants_dso(filters, place))
		return false;
	if (command->symbols.n &&
		!(resolved->name && name_list__has(&command->symbols, resolved->name)))
		return false;
	return !command->symbol_filter ||
	       (resolved->name && strstr(resolved->name, command->symbol_filter));
}

static bool wants_parallelism(void *ctx, uint32_t n)
{
	return number_list__has(&((const struct report_filters *)ctx)->command->parallelisms, n);
}

/* Finds the places whose function names match. Returns 0 or -errno with text. */
static int match(bool **ret, const struct samples *samples, const struct resolved *resolved,
	const char *pattern, struct error *err)
{
	size_t n = samples__n_places(samples);
	char text[128];
	regex_t regex;
	int code = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB);

	if (code) {
		regerror(code, &regex, text, sizeof(text));
		return error__set(err, -EINVAL, "%s: %s", pattern, text);
	}
	*ret = calloc(n + 1, sizeof(**ret));
	for (size_t i = 0; *ret && i < n; i++)
		(*ret)[i] = resolved[i].name && !regexec(&regex, resolved[i].name, 0, NULL, 0);
	regfree(&regex);
	return *ret ? 0 : error__set(err, -ENOMEM, "out of memory");
}

static bool has_key(const struct report_options *options, enum report_key key)
{
	for (size_t i = 0; i < options->n_keys; i++)
		if (options->keys[i] == key)
			return true;
	return false;
}

int report_filters__of_rows(struct report_filters *filters, const struct resolved *resolved,
	struct report_options *ret, struct error *err)
{
	const struct report_command *command = filters->command;
	const struct samples *samples = filters->view->samples;
	int failed = 0;

	ret->ctx = filters;
	if (command->dsos.n || command->symbols.n || command->symbol_filter)
		ret->wants = wants;
	if (command->parallelisms.n)
		ret->wants_parallelism = wants_parallelism;
	ret->only_resolved = command->hide_unresolved;
	ret->only_parents = command->only_parents;
	if (has_key(ret, REPORT_PARENT))
		failed = match(&filters->parents, samples, resolved, command->parent, err);
	if (!failed && command->ignore_callees)
		failed = match(&filters->roots, samples, resolved, command->ignore_callees, err);
	ret->parents = filters->parents;
	ret->roots = filters->roots;
	return failed;
}

bool report_filters__are_set(const struct report_command *command)
{
	return command->comms.n || command->pids.n || command->tids.n || command->cpus.n ||
	       command->dsos.n || command->symbols.n || command->symbol_filter ||
	       command->hide_unresolved || command->only_parents || command->times.n ||
	       command->parallelisms.n || command->between.on || command->between.off;
}

void report_filters__free(struct report_filters *filters)
{
	free(filters->parents);
	free(filters->roots);
}
