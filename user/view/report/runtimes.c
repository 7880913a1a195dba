// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_view__runtimes: see private.h. A runtime is known by the files that its processes map.
 */
#include <stdlib.h>
#include <string.h>

#include "user/event/code.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

struct runtime {
	const char *file; /* the file's name begins with it */
	const char *name;
	const char *how;
};

static const struct runtime RUNTIMES[] = {
	{"node", "Node.js", "node --perf-basic-prof-only-functions"},
	{"libnode.so", "Node.js", "node --perf-basic-prof-only-functions"},
	{"libjvm.so", "Java", "java -XX:+PreserveFramePointer, then jcmd PID Compiler.perfmap"},
	{"libcoreclr.so", ".NET", "DOTNET_PerfMapEnabled=1"},
	{"python3", "Python", "python3 -X perf (3.12 or later)"},
	{"libpython3", "Python", "python3 -X perf (3.12 or later)"},
	{"php", "PHP", "php -d opcache.jit_debug=0x10"},
};

#define N_RUNTIMES (sizeof(RUNTIMES) / sizeof(RUNTIMES[0]))

static const struct runtime *find_runtime(const char *path)
{
	const char *base = strrchr(path, '/');

	if (!base)
		return NULL;
	for (size_t i = 0; i < N_RUNTIMES; i++) {
		size_t len = strlen(RUNTIMES[i].file);

		/* "node" is not "nodelist", but "python3" is "python3.12", too. */
		if (!strncmp(base + 1, RUNTIMES[i].file, len) &&
			!strchr("_-abcdefghijklmnopqrstuvwxyz",
				base[1 + len] ? base[1 + len] : '.'))
			return &RUNTIMES[i];
	}
	return NULL;
}

/* Whether one process mapped both. */
static bool share_process(const struct sighting *a, const struct sighting *b)
{
	for (size_t i = 0; i < a->n_pids; i++)
		for (size_t j = 0; j < b->n_pids; j++)
			if (a->pids[i] == b->pids[j])
				return true;
	return false;
}

static bool is_unnamed_code(const struct report_view *view, const struct lack *lack)
{
	uint32_t sighting = samples__place(view->samples, lack->place)->sighting;

	return lack->lack == SYMBOL_LACKS_CONTENT && sighting != SAMPLES_NONE &&
	       event_code__is_memory(model__sighting(view->model, sighting)->path);
}

static void write_runtimes_of(FILE *out, const struct report_view *view,
	const struct sighting *code, bool told[N_RUNTIMES])
{
	size_t n = model__n_sightings(view->model);

	for (size_t i = 0; i < n; i++) {
		const struct sighting *file = model__sighting(view->model, i);
		const struct runtime *runtime = file->kernel ? NULL : find_runtime(file->path);

		if (!runtime || told[runtime - RUNTIMES] || !share_process(code, file))
			continue;
		for (size_t j = 0; j < N_RUNTIMES; j++)
			told[j] |= !strcmp(RUNTIMES[j].name, runtime->name);
		fprintf(out, "# To record the names of what %s compiles: %s\n", runtime->name,
			runtime->how);
	}
}

void report_view__runtimes(FILE *out, const struct report_view *view, const struct lacks *lacks)
{
	bool told[N_RUNTIMES] = {0};

	for (size_t i = 0; i < lacks->n; i++) {
		uint32_t sighting = samples__place(view->samples, lacks->v[i].place)->sighting;

		if (is_unnamed_code(view, &lacks->v[i]))
			write_runtimes_of(out, view, model__sighting(view->model, sighting), told);
	}
}
