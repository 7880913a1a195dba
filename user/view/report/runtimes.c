// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_view__runtimes: see private.h. A runtime is shown if at least one of its processes wrote
 * no names.
 */
#include <stdlib.h>
#include <string.h>

#include "user/event/code.h"
#include "user/parse/code/runtime.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

/* An interpreter with a smaller share of all samples is not shown. */
#define INTERPRETED_PERCENT 1

static bool maps(const struct sighting *sighting, uint32_t pid)
{
	for (size_t i = 0; i < sighting->n_pids; i++)
		if (sighting->pids[i] == pid)
			return true;
	return false;
}

/* Whether a process wrote no names that mapped @file, and also @code, unless that is NULL. */
static bool has_silent(
	const struct report_view *view, const struct sighting *file, const struct sighting *code)
{
	for (size_t i = 0; i < file->n_pids; i++)
		if ((!code || maps(code, file->pids[i])) &&
			!(view->code_names && code_names__has(view->code_names, file->pids[i])))
			return true;
	return false;
}

static void write_runtime(FILE *out, const struct runtime *runtime, bool told[RUNTIMES_MAX])
{
	told[runtime__number(runtime)] = true;
	fprintf(out, "# To record the names of what %s %s: %s\n", runtime->name,
		runtime->interprets ? "runs" : "compiles", runtime->how);
}

/*
 * Returns the memory of run-time code in which the samples of @lack are; NULL: they are elsewhere.
 */
static const struct sighting *unnamed_code(const struct report_view *view, const struct lack *lack)
{
	uint32_t index = samples__place(view->samples, lack->place)->sighting;
	const struct sighting *sighting;

	if (lack->lack != SYMBOL_LACKS_CONTENT || index == SAMPLES_NONE)
		return NULL;
	sighting = model__sighting(view->model, index);
	return event_code__is_memory(sighting->path) ? sighting : NULL;
}

static bool is_worth_a_line(const struct sighting *file, uint64_t samples)
{
	return 100 * file->samples >= samples * INTERPRETED_PERCENT && file->samples;
}

void report_view__runtimes(FILE *out, const struct report_view *view, const struct lacks *lacks)
{
	size_t n = model__n_sightings(view->model);
	bool told[RUNTIMES_MAX] = {0};

	for (size_t i = 0; i < n; i++) {
		const struct sighting *file = model__sighting(view->model, i);
		const struct runtime *runtime = file->kernel ? NULL : runtime__of_file(file->path);
		bool silent;

		if (!runtime || told[runtime__number(runtime)])
			continue;
		silent = runtime->interprets && is_worth_a_line(file, lacks->samples) &&
			 has_silent(view, file, NULL);
		for (size_t j = 0; j < lacks->n && !runtime->interprets && !silent; j++) {
			const struct sighting *code = unnamed_code(view, &lacks->v[j]);

			silent = code && has_silent(view, file, code);
		}
		if (silent)
			write_runtime(out, runtime, told);
	}
}
