// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp timeline: a recording, the model, what replacements changed, and the page.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/cli.h"
#include "user/cli/diff/compare.h"
#include "user/cli/input.h"
#include "user/cli/new_file.h"
#include "user/view/timeline/timeline.h"

#define COMPARISONS 3
#define COMPARISONS_MAX 20
#define SAMPLES_LEAST 20 /* of each build: with fewer there is nothing to see */

struct options {
	const char *path;
	const char *output;
	unsigned int comparisons;
};

enum { KEY_COMPARISONS = 256 };

static const struct argp_option OPTIONS[] = {
	{"output", 'o', "PAGE", 0,
		"Write the page to PAGE, or to standard output for - (default: timeline.html)", 0},
	{"comparisons", KEY_COMPARISONS, "N", 0,
		"Show what changed, by function, for the N replaced paths with the most samples "
		"(default: 3); each is a further reading of the recording",
		0},
	{0},
};

static void parse_comparisons(struct options *options, const char *arg, struct argp_state *state)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 10);

	if (end == arg || *end || *arg < '0' || *arg > '9' || n > COMPARISONS_MAX)
		argp_error(state, "--comparisons requires a number from 0 to %d: `%s'",
			COMPARISONS_MAX, arg);
	options->comparisons = n;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->path;
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case KEY_COMPARISONS:
		parse_comparisons(options, arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int add(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	(void)reader;
	return timeline__add(ctx, model, event);
}

/* A replacement that cannot be compared is one that is not: the page shows all else. */
static void compare(struct json_object *comparisons, const struct deploy *deploy, const char *path)
{
	struct diff_command command = {
		.files = {path}, .percent_limit = 0.5, .symbol_conf.no_debuginfod = true};
	struct compared compared;
	struct error err;

	if (compared__make_of(&compared, &command, deploy, &err))
		cli__fail("warning: what replaced %s was not compared: %s", deploy->path, err.text);
	else
		json_object_array_add(comparisons, timeline_comparison__make(&compared.view));
	compared__free(&compared);
}

static int compare_replaced(struct json_object **ret, const struct options *options,
	const struct input *input, struct error *err)
{
	struct deploy *deploys = NULL;
	unsigned int n = 0;
	size_t n_deploys;

	*ret = json_object_new_array();
	if (!*ret || deploy__list(&deploys, &n_deploys, input->model, NULL))
		return error__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n_deploys; i++) {
		const struct deploy *deploy = &deploys[i];

		if (n < options->comparisons && deploy->replaced &&
			deploy->samples[BEFORE] >= SAMPLES_LEAST &&
			deploy->samples[AFTER] >= SAMPLES_LEAST) {
			compare(*ret, deploy, options->path);
			n++;
		}
		deploy__free(&deploys[i]);
	}
	free(deploys);
	return 0;
}

struct page {
	const struct options *options;
	struct timeline *timeline;
	const struct input *input;
	struct json_object *comparisons;
};

static int write_page(void *ctx, FILE *out)
{
	const struct page *page = ctx;
	const struct input *input = page->input;
	const char *path = page->options->path;
	const struct timeline_about about = {
		.name = strcmp(path, "-") ? path : "standard input",
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
	};

	return timeline__write(out, page->timeline, input->model, &about);
}

int cmd_timeline(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "Write a page that shows a recording over time: samples, mappings and "
		       "replacements, kernel modules, containers and losses. It needs a browser "
		       "and no network.",
		.children = CLI_INPUT_FILE,
	};
	struct options options = {.output = "timeline.html", .comparisons = COMPARISONS};
	struct input_tap tap = {.fn = add, .lives = true};
	struct json_object *comparisons = NULL;
	struct timeline *timeline;
	int status = CLI_DONE;
	struct input input;
	struct error err;

	cli__parse(&ARGP, argc, argv, &options);
	if (cli__is_same_file(options.output, options.path))
		return cli__fail("%s: is the input file, which is never changed", options.output);
	if (options.comparisons && !strcmp(options.path, "-") && input__keep_standard(&err))
		return cli__fail("%s", err.text);
	if (timeline__new(&timeline))
		return cli__fail("out of memory");
	tap.ctx = timeline;
	if (input__read_with(&input, options.path, &tap, &err) ||
		compare_replaced(&comparisons, &options, &input, &err))
		status = cli__fail("%s", err.text);
	else
		/* A page is for others, too. */
		status = new_file__write(options.output, 0666, write_page,
			&(struct page){&options, timeline, &input, comparisons});
	if (status == CLI_DONE && input.damaged)
		status = cli__fail("%s", input.damage.text);
	json_object_put(comparisons);
	input__free(&input);
	timeline__free(timeline);
	return status;
}
