// SPDX-License-Identifier: GPL-2.0-only
/* perfstamp list: reads a recording into the model, and prints the list view. */
#include <stdio.h>

#include "user/base/text.h"
#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/view/list/code.h"
#include "user/view/list/list.h"
#include "user/view/modules.h"

struct options {
	struct cli_recording recording;
	struct list_options list;
	bool modules;
	bool code;
};

enum { KEY_PATH = 256, KEY_BUILD_ID, KEY_KERNEL, KEY_USER, KEY_MODULES, KEY_CONTAINER, KEY_CODE };

static const struct argp_option OPTIONS[] = {
	{"verbose", 'v', NULL, 0, "Show all columns, with a heading", 0},
	{"path", KEY_PATH, "GLOB", 0, "Show only paths that match GLOB; * also matches /", 0},
	{"build-id", KEY_BUILD_ID, "HEX", 0, "Show only build-ids that begin with HEX", 0},
	{"container", KEY_CONTAINER, "GLOB", 0,
		"Show only binaries mapped in a container whose name, id, pod or image matches "
		"GLOB",
		0},
	{"kernel", KEY_KERNEL, NULL, 0, "Show only the kernel, its modules and BPF programs", 0},
	{"user", KEY_USER, NULL, 0, "Show only binaries mapped by processes", 0},
	{"modules", KEY_MODULES, NULL, 0,
		"Show when each kernel module was loaded and unloaded instead", 0},
	{"code", KEY_CODE, NULL, 0,
		"Show the recorded perf map files and jitdumps instead: what processes wrote about "
		"code made at run time",
		0},
	{0},
};

static bool selects_binaries(const struct list_options *list)
{
	return list->path_glob || list->build_id_size || list->container_glob ||
	       list->kernel_only || list->user_only;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	int size;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->recording;
		return 0;
	case 'v':
		options->list.verbose = true;
		return 0;
	case KEY_PATH:
		options->list.path_glob = arg;
		return 0;
	case KEY_BUILD_ID:
		size = text__parse_hex(options->list.build_id, sizeof(options->list.build_id), arg);
		if (size < 0)
			argp_error(state,
				"--build-id requires up to 40 hexadecimal digits, an even "
				"number of them: `%s'",
				arg);
		options->list.build_id_size = size;
		return 0;
	case KEY_CONTAINER:
		options->list.container_glob = arg;
		return 0;
	case KEY_KERNEL:
		options->list.kernel_only = true;
		return 0;
	case KEY_USER:
		options->list.user_only = true;
		return 0;
	case KEY_MODULES:
		options->modules = true;
		return 0;
	case KEY_CODE:
		options->code = true;
		return 0;
	case ARGP_KEY_END:
		if (options->modules && options->code)
			argp_error(state, "--modules and --code cannot be combined");
		if ((options->modules || options->code) && selects_binaries(&options->list))
			argp_error(state,
				"--path, --build-id, --container, --kernel and --user select "
				"binaries, which --modules and --code do not list");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int take_code(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	(void)reader;
	return code_list__take(ctx, model, event);
}

/* Lists code made at run time instead of DSOs. Returns the exit status. */
static int list_code(const struct options *options)
{
	struct input_tap tap = {.fn = take_code};
	int status = CLI_DONE;
	struct code_list *list;
	struct input input;
	struct error err;

	if (code_list__new(&list))
		return cli__fail("out of memory");
	tap.ctx = list;
	if (input__read_with(&input, options->recording.path, &tap, &err)) {
		status = cli__fail("%s", err.text);
	} else {
		code_list__write(list, stdout, options->list.verbose, options->list.json);
		if (input.damaged)
			status = cli__fail("%s", input.damage.text);
	}
	input__free(&input);
	code_list__free(list);
	return status;
}

/* Warns in text output only: programs can handle an empty list. */
static void warn_of_no_match(const struct options *options)
{
	if (!options->list.json && selects_binaries(&options->list))
		cli__fail("warning: %s: no binaries match the options that select some",
			options->recording.path);
}

int cmd_list(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "List every identity in a recording: build-id or cookie, and path.",
		.children = CLI_RECORDING,
	};
	struct options options = {0};
	int status = CLI_DONE, n;
	struct input input;
	struct error err;

	cli__parse(&ARGP, argc, argv, &options);
	options.list.json = options.recording.json;
	if (options.code)
		return list_code(&options);
	if (input__read(&input, options.recording.path, &err)) {
		status = cli__fail("%s", err.text);
	} else if (options.modules) {
		modules_view__list(stdout, input.model, options.list.json);
	} else {
		n = list__write(stdout, input.model, &input.header_ids, &options.list);
		if (n < 0)
			status = cli__fail("out of memory");
		else if (!n)
			warn_of_no_match(&options);
	}
	if (!status && input.damaged)
		status = cli__fail("%s", input.damage.text);
	input__free(&input);
	return status;
}
