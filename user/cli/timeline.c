// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp timeline: a recording, the model, and the page.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/view/timeline/timeline.h"

struct options {
	const char *path;
	const char *output;
};

static const struct argp_option OPTIONS[] = {
	{"output", 'o', "PAGE", 0,
		"Write the page to PAGE, or to standard output for - (default: timeline.html)", 0},
	{0},
};

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

static int write_page(
	FILE *out, struct timeline *timeline, const struct input *input, const char *path)
{
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
	};

	return timeline__write(out, timeline, input->model, &about);
}

static int write_output(const struct options *options, struct timeline *timeline,
	const struct input *input, struct error *err)
{
	bool to_stdout = !strcmp(options->output, "-");
	FILE *out = to_stdout ? stdout : fopen(options->output, "we");
	int code;

	if (!out)
		return error__errno(err, -errno, "%s", options->output);
	code = write_page(out, timeline, input, options->path);
	if (code)
		error__set(err, code, "out of memory");
	/* Standard output is looked at when the program ends. */
	if (to_stdout)
		return code;
	errno = 0;
	if ((ferror(out) | fclose(out)) && !code)
		code = error__errno(err, errno ? -errno : -EIO, "%s", options->output);
	return code;
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
	struct options options = {.output = "timeline.html"};
	struct input_tap tap = {.fn = add, .lives = true};
	struct timeline *timeline;
	int status = CLI_DONE;
	struct input input;
	struct error err;

	cli__parse(&ARGP, argc, argv, &options);
	if (timeline__new(&timeline))
		return cli__fail("out of memory");
	tap.ctx = timeline;
	if (input__read_with(&input, options.path, &tap, &err) ||
		write_output(&options, timeline, &input, &err))
		status = cli__fail("%s", err.text);
	else if (input.damaged)
		status = cli__fail("%s", input.damage.text);
	input__free(&input);
	timeline__free(timeline);
	return status;
}
