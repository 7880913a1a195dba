// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp timeline: reads a recording into the model, compares replaced builds, and
 * writes the page.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/cli.h"
#include "user/cli/diff/compare.h"
#include "user/cli/new_file.h"
#include "user/cli/timeline/options.h"
#include "user/cli/timeline/reading.h"
#include "user/cli/timeline/series.h"

#define SAMPLES_LEAST 20 /* a build with fewer samples is not compared */

/* Adds a comparison. If a replacement cannot be compared, the page is written without it. */
static void compare(struct json_object *comparisons, const struct deploy *deploy,
	const struct timeline_command *command)
{
	struct diff_command diff = {.files = {command->paths[0]},
		.percent_limit = 0.5,
		.symbol_conf = command->symbol_conf};
	struct compared compared;
	struct error err;

	diff.symbol_conf.no_debuginfod = true;
	if (compared__make_of(&compared, &diff, deploy, &err))
		cli__fail("warning: what replaced %s was not compared: %s", deploy->path, err.text);
	else
		json_object_array_add(comparisons, timeline_comparison__make(&compared.view));
	compared__free(&compared);
}

/* Sets the files to compare. A series is read to its end, as for the page. */
static int set_files(struct deploy *deploy, const struct timeline_command *command)
{
	if (command->n_paths == 1)
		return 0;
	deploy->files = calloc(command->n_paths, sizeof(*deploy->files));
	for (size_t i = 0; deploy->files && i < command->n_paths; i++) {
		deploy->files[i] = strdup(command->paths[i]);
		if (!deploy->files[i])
			return -ENOMEM;
		deploy->n_files++;
	}
	return deploy->files ? 0 : -ENOMEM;
}

static int compare_replaced(struct json_object **ret, const struct timeline_command *command,
	const struct input *input, struct error *err)
{
	struct deploy *deploys = NULL;
	unsigned int n = 0;
	size_t n_deploys;
	int failed = 0;

	*ret = json_object_new_array();
	if (!*ret || deploy__list(&deploys, &n_deploys, input->model, NULL))
		return error__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n_deploys; i++) {
		struct deploy *deploy = &deploys[i];

		if (n < command->comparisons && deploy->replaced && !failed &&
			deploy->samples[BEFORE] >= SAMPLES_LEAST &&
			deploy->samples[AFTER] >= SAMPLES_LEAST) {
			failed = set_files(deploy, command);
			if (!failed)
				compare(*ret, deploy, command);
			n++;
		}
		deploy__free(deploy);
	}
	free(deploys);
	return failed ? error__set(err, failed, "out of memory") : 0;
}

/* Returns the title of the page: for a series, its first and last file. */
static char *name_of(const struct timeline_command *command)
{
	const char *first = command->paths[0], *last = command->paths[command->n_paths - 1];
	char *name;

	if (command->n_paths == 1)
		return strdup(strcmp(first, "-") ? first : "standard input");
	return asprintf(&name, "%s to %s (%zu files)", first, last, command->n_paths) < 0 ? NULL
											  : name;
}

struct page {
	const struct timeline_reading *reading;
	struct json_object *comparisons;
};

static int write_page(void *ctx, FILE *out)
{
	const struct page *page = ctx;
	const struct timeline_reading *reading = page->reading;
	const struct input *input = &reading->readings.input;
	char *name = name_of(reading->command);
	const struct timeline_about about = {
		.name = name,
		.n_files = reading->command->n_paths,
		.host = input->hostname,
		.release = input->osrelease,
		.problem = input->damaged      ? input->damage.text
			   : input->unfinished ? "The recording was not closed properly."
					       : NULL,
		.stamp = input->stamp,
		.stamp_size = input->stamp_size,
		.has_wall = input->has_wall,
		.wall_ns = input->wall_ns,
		.header_ids = &input->header_ids,
		.comparisons = page->comparisons,
		.functions = reading->functions.event_name ? &reading->functions : NULL,
	};
	int err = name ? timeline__write(out, reading->timeline, input->model, &about) : -ENOMEM;

	free(name);
	return err;
}

static int check(const struct timeline_command *command)
{
	struct error err;

	for (size_t i = 0; i < command->n_paths; i++)
		if (cli__is_same_file(command->output, command->paths[i]))
			return cli__fail(
				"%s: is the input file, which is never changed", command->output);
	if (!strcmp(command->paths[0], "-") && input__keep_standard(&err))
		return cli__fail("%s", err.text);
	if (command->n_paths > 1 && series__order(command->paths, command->n_paths, &err))
		return cli__fail("%s", err.text);
	return CLI_DONE;
}

static int run(struct timeline_reading *reading, const struct timeline_command *command)
{
	struct json_object *comparisons = NULL;
	struct error err;
	int status;

	if (timeline_reading__read(reading, command, &err) ||
		compare_replaced(&comparisons, command, &reading->readings.input, &err))
		status = cli__fail("%s", err.text);
	else
		/* Other users may read a page. */
		status = new_file__write(
			command->output, 0666, write_page, &(struct page){reading, comparisons});
	if (status == CLI_DONE && reading->readings.input.damaged)
		status = cli__fail("%s", reading->readings.input.damage.text);
	json_object_put(comparisons);
	return status;
}

int cmd_timeline(int argc, char **argv)
{
	struct timeline_reading reading = {0};
	struct timeline_command command;
	int status;

	timeline_options__parse(&command, argc, argv);
	status = check(&command);
	if (status == CLI_DONE)
		status = run(&reading, &command);
	timeline_reading__free(&reading);
	timeline_options__free(&command);
	return status;
}
