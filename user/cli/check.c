// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp check: reads a recording into the model and prints the findings, or writes a repaired
 * copy.
 */
#include <stdio.h>
#include <string.h>

#include "user/cli/cli.h"
#include "user/cli/cpu_use.h"
#include "user/cli/input.h"
#include "user/cli/repair.h"
#include "user/view/check/check.h"

struct options {
	struct cli_recording recording;
	const char *repair; /* the copy to write; NULL: only check */
	bool force;
};

enum { KEY_REPAIR = 256 };

static const struct argp_option OPTIONS[] = {
	{"repair", KEY_REPAIR, "OUT", 0,
		"Write a clean copy that every perf opens to OUT, and report what it lacks", 0},
	{"force", 'f', NULL, 0, "Replace OUT if it exists", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->recording;
		return 0;
	case KEY_REPAIR:
		options->repair = arg;
		return 0;
	case 'f':
		options->force = true;
		return 0;
	case ARGP_KEY_SUCCESS:
		if (options->force && !options->repair)
			argp_error(state, "--force requires --repair");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int write_verdict(const struct input *input, const struct cpu_use_reading *cpu_use,
	const struct options *options)
{
	struct check_facts facts = {
		.name = strcmp(options->recording.path, "-") ? options->recording.path
							     : "standard input",
		.pipe = input->pipe,
		.directory = input->directory,
		.unfinished = input->unfinished,
		.damage = input->damaged ? input->damage.text : NULL,
		.features_cut = input->features_cut,
		.end = input->end,
		.records = input->records,
		.late = input->late,
		.unresolved = input->unresolved,
		.stamp = input->stamp,
		.stamp_size = input->stamp_size,
		.ledger = model__ledger(input->model),
		.model = input->model,
		.cpu_use = &cpu_use->view,
	};

	return check__write(stdout, &facts, options->recording.json) ? CLI_FAILED : CLI_DONE;
}

int cmd_check(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "Check a recording: structure, order, losses, and which share of its "
		       "executable mappings and samples has an identity.",
		.children = CLI_RECORDING,
	};
	struct options options = {0};
	struct cpu_use_reading cpu_use;
	struct input input = {0};
	struct input_tap tap;
	struct error err;
	int status;

	cli__parse(&ARGP, argc, argv, &options);
	if (options.repair)
		return cli__repair(options.recording.path, options.repair, options.force,
			options.recording.json);
	if (cpu_use_reading__begin(&cpu_use))
		return cli__fail("out of memory");
	tap = cpu_use_reading__tap(&cpu_use);
	if (input__read_with(&input, options.recording.path, &tap, &err))
		status = cli__fail("%s", err.text);
	else if (cpu_use_reading__end(&cpu_use, &input))
		status = cli__fail("out of memory");
	else
		status = write_verdict(&input, &cpu_use, &options);
	input__free(&input);
	cpu_use_reading__free(&cpu_use);
	return status;
}
