// SPDX-License-Identifier: GPL-2.0-only
/* See about.h. The output has the format of perf report of Linux 6.1. */
#include "user/cli/report/about.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "user/base/array.h"
#include "user/cli/input.h"
#include "user/cli/profile/events.h"
#include "user/model/profile/tasks.h"
#include "user/perfdata/read/reader.h"
#include "user/view/format/escaped.h"
#include "user/view/format/names.h"
#include "user/view/report/header.h"
#include "user/view/report/tasks.h"

#define TYPES 256 /* record types; the last one stands for all beyond */

struct stats {
	uint64_t total;
	uint64_t by_type[TYPES];
	uint64_t *samples; /* by event */
	size_t n;
	struct sample_events events;
};

/* Reads to the end: records of a pipe contain its header. */
static int read_all(struct perfdata_reader *reader,
	int (*fn)(void *ctx, const struct perfdata_reader *reader, const struct event *event),
	void *ctx, struct error *err)
{
	struct event event;
	int more;

	while ((more = perfdata_reader__next(reader, &event, err)) > 0)
		if (fn && fn(ctx, reader, &event))
			return error__set(err, -ENOMEM, "out of memory");
	return more;
}

int report_about__header(const char *path, bool all, struct error *err)
{
	struct perfdata_reader *reader;
	struct stat st = {0};
	int failed = perfdata_reader__open(&reader, path, err);

	if (failed)
		return failed;
	if (perfdata_reader__is_pipe(reader))
		failed = read_all(reader, NULL, NULL, err);
	if (!failed) {
		if (strcmp(path, "-") != 0 && stat(path, &st))
			st.st_ctime = 0;
		header__write(stdout, reader, st.st_ctime, all);
	}
	perfdata_reader__free(reader);
	return failed;
}

static int count_sample(struct stats *stats, uint32_t of)
{
	if (array__reach(&stats->samples, &stats->n, of, sizeof(*stats->samples)))
		return -ENOMEM;
	stats->samples[of]++;
	return 0;
}

static int count(void *ctx, const struct perfdata_reader *reader, const struct event *event)
{
	const struct sample_count *counts;
	struct stats *stats = ctx;
	size_t n;

	stats->total++;
	stats->by_type[event->type < TYPES ? event->type : TYPES - 1]++;
	if (event->kind != EVENT_SAMPLE)
		return 0;
	if (sample_events__update(&stats->events, reader) ||
		sample_events__counts(&stats->events, event, &counts, &n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (count_sample(stats, counts[i].event))
			return -ENOMEM;
	return 0;
}

static void write_stats(const struct stats *stats)
{
	printf("\nAggregated stats:\n%16s events: %10" PRIu64 "\n", "TOTAL", stats->total);
	for (unsigned int type = 0; type < TYPES; type++) {
		const char *name = name__record(type);

		if (stats->by_type[type])
			printf("%16s events: %10" PRIu64 "  (%4.1f%%)\n", name ? name : "OTHER",
				stats->by_type[type],
				100.0 * (double)stats->by_type[type] / (double)stats->total);
	}
	for (size_t i = 0; i < stats->n; i++)
		if (stats->samples[i]) {
			escaped__write(
				stdout, i < stats->events.n ? stats->events.names[i] : "unknown");
			printf(" stats:\n%16s events: %10" PRIu64 "\n", "SAMPLE",
				stats->samples[i]);
		}
}

static int show_stats(const char *path)
{
	struct perfdata_reader *reader;
	struct stats stats = {0};
	struct error err;
	int failed = perfdata_reader__open(&reader, path, &err);

	if (failed)
		return cli__fail("%s", err.text);
	failed = read_all(reader, count, &stats, &err);
	write_stats(&stats); /* if there is damage, up to it */
	if (!failed)
		input__warn_if_cut(reader, path);
	perfdata_reader__free(reader);
	sample_events__free(&stats.events);
	free(stats.samples);
	return failed ? cli__fail("%s", err.text) : CLI_DONE;
}

static int take_task(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	(void)reader;
	(void)model;
	return tasks__apply(ctx, event);
}

static int show_tasks(const char *path, bool maps)
{
	struct tasks *tasks;
	struct input input = {0};
	struct error err;
	int status = CLI_DONE;
	struct input_tap tap = {.fn = take_task};

	if (tasks__new(&tasks)) {
		status = cli__fail("out of memory");
	} else {
		tap.ctx = tasks;
		if (input__read_with(&input, path, &tap, &err))
			status = cli__fail("%s", err.text);
		else if (tasks_view__write(stdout, tasks, maps))
			status = cli__fail("out of memory");
		else if (input.damaged)
			status = cli__fail("%s", input.damage.text);
	}
	input__free(&input);
	tasks__free(tasks);
	return status;
}

int report_about__write(const struct report_command *command)
{
	const char *path = command->recording.path;
	int status = CLI_DONE;
	struct error err;

	if (command->about & ABOUT_HEADER && report_about__header(path, command->header_all, &err))
		status = cli__fail("%s", err.text);
	if (status == CLI_DONE && command->about & ABOUT_STATS)
		status = show_stats(path);
	if (status == CLI_DONE && command->about & (ABOUT_TASKS | ABOUT_MMAPS))
		status = show_tasks(path, command->about & ABOUT_MMAPS);
	return status;
}
