// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/export/options.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/cli/cli.h"

enum {
	KEY_PPROF = 256,
	KEY_OTLP,
	KEY_FIREFOX,
	KEY_SPEEDSCOPE,
	KEY_SYMBOLS,
	KEY_NO_SYMBOLS,
	KEY_TIME,
	KEY_CONTAINER,
	KEY_BUILD_ID,
	KEY_NO_INLINE,
};

static const struct argp_option OPTIONS[] = {
	{"pprof", KEY_PPROF, NULL, 0, "Write a pprof profile, gzipped", 0},
	{"otlp", KEY_OTLP, "VERSION", OPTION_ARG_OPTIONAL,
		"Write OpenTelemetry profiles as of this version of opentelemetry-proto: 1.11 "
		"(default) or 1.5",
		0},
	{"firefox", KEY_FIREFOX, NULL, 0, "Write a profile for the Firefox Profiler, gzipped", 0},
	{"speedscope", KEY_SPEEDSCOPE, NULL, 0, "Write a profile for speedscope", 0},
	{"output", 'o', "OUT", 0,
		"Write to the file OUT, or to standard output for - (default: profile.pb.gz, "
		"profile.otlp, profile.json.gz or profile.speedscope.json)",
		0},
	{"symbols", KEY_SYMBOLS, NULL, 0,
		"Write names of functions, source lines and inlined functions (default for "
		"--firefox and --speedscope)",
		0},
	{"no-symbols", KEY_NO_SYMBOLS, NULL, 0,
		"Write addresses, which a server resolves by build-id (default for --pprof and "
		"--otlp)",
		0},
	{"event", 'e', "EVENT", 0, "Write only samples of this event", 0},
	{"comms", 'c', "NAME[,NAME...]", 0, "Write only samples of threads with these names", 0},
	{"pid", 'p', "PID[,PID...]", 0, "Write only samples of these processes", 0},
	{"container", KEY_CONTAINER, "GLOB", 0,
		"Write only samples of containers whose name, id, pod or image matches GLOB", 0},
	{"build-id", KEY_BUILD_ID, "HEX", 0,
		"Write only samples in binaries whose build-id begins with HEX", 0},
	{"time", KEY_TIME, "SPAN", 0,
		"Write only samples in this span of time: START,STOP in seconds of the recording's "
		"clock, one of which may be omitted, or A%-B% of the time of all samples",
		0},
	{"no-inline", KEY_NO_INLINE, NULL, 0, "Do not write inlined functions", 0},
	{0},
};

static const struct export_format PPROF = {
	.write = export__pprof,
	.output = "profile.pb.gz",
};
static const struct export_format OTLP = {
	.write = export__otlp,
	.output = "profile.otlp",
	.times = true,
};
static const struct export_format OTLP15 = {
	.write = export__otlp15,
	.output = "profile.otlp",
	.times = true,
};
static const struct export_format FIREFOX = {
	.write = export__firefox,
	.output = "profile.json.gz",
	.names = true,
	.times = true,
	.one_event = true,
};
static const struct export_format SPEEDSCOPE = {
	.write = export__speedscope,
	.output = "profile.speedscope.json",
	.names = true,
	.text = true,
	.times = true,
};

enum names { NAMES_BY_FORMAT, NAMES_NO, NAMES_YES };

struct parsing {
	struct export_command *command;
	enum names names;
};

static void choose_format(struct export_command *command, const struct export_format *format,
	struct argp_state *state)
{
	if (command->format && command->format != format)
		argp_error(state, "only one of --pprof, --otlp, --firefox and --speedscope can be "
				  "given");
	command->format = format;
}

/* Chooses the version of OTLP. A receiver accepts only its own version. */
static void choose_otlp(
	struct export_command *command, const char *version, struct argp_state *state)
{
	if (!version || !strcmp(version, "1.11"))
		choose_format(command, &OTLP, state);
	else if (!strcmp(version, "1.5"))
		choose_format(command, &OTLP15, state);
	else
		argp_error(state, "--otlp must be 1.11 or 1.5: `%s'", version);
}

static void parse_build_id(
	struct export_command *command, const char *arg, struct argp_state *state)
{
	command->build_id_size = text__parse_hex(command->build_id, sizeof(command->build_id), arg);
	if (command->build_id_size <= 0)
		argp_error(state,
			"--build-id requires 2 to 40 hexadecimal digits, an even number of them: "
			"`%s'",
			arg);
}

static void finish(struct parsing *parsing, struct argp_state *state)
{
	struct export_command *command = parsing->command;

	if (!command->format) {
		argp_error(state, "one of --pprof, --otlp, --firefox and --speedscope is required");
		return;
	}
	if (!command->output)
		command->output = command->format->output;
	command->names = parsing->names == NAMES_BY_FORMAT ? command->format->names
							   : parsing->names == NAMES_YES;
	command->symbol_conf.no_debuginfod |= !command->names;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct export_command *command = parsing->command;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->path;
		state->child_inputs[1] = &command->symbol_conf;
		break;
	case KEY_PPROF:
		choose_format(command, &PPROF, state);
		break;
	case KEY_OTLP:
		choose_otlp(command, arg, state);
		break;
	case KEY_FIREFOX:
		choose_format(command, &FIREFOX, state);
		break;
	case KEY_SPEEDSCOPE:
		choose_format(command, &SPEEDSCOPE, state);
		break;
	case 'o':
		command->output = arg;
		break;
	case KEY_SYMBOLS:
		parsing->names = NAMES_YES;
		break;
	case KEY_NO_SYMBOLS:
		parsing->names = NAMES_NO;
		break;
	case 'e':
		command->event = arg;
		break;
	case 'c':
		option__names(&command->comms, arg, state);
		break;
	case 'p':
		option__numbers(&command->pids, "pid", arg, state);
		break;
	case KEY_CONTAINER:
		command->container = arg;
		break;
	case KEY_BUILD_ID:
		parse_build_id(command, arg, state);
		break;
	case KEY_TIME:
		option__times(&command->times, arg, state);
		break;
	case KEY_NO_INLINE:
		command->no_inline = true;
		break;
	case ARGP_KEY_SUCCESS:
		finish(parsing, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

void export_options__parse(struct export_command *ret, int argc, char **argv)
{
	const struct argp_child children[] = {
		CLI_INPUT_FILE[0], {&SYMBOL_OPTIONS, 0, NULL, 0}, {0}};
	const struct argp argp = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "Write the samples of a recording in the format of another profiler.",
		.children = children,
	};
	struct parsing parsing = {.command = ret};

	*ret = (struct export_command){0};
	cli__parse(&argp, argc, argv, &parsing);
}

void export_options__free(struct export_command *command)
{
	free(command->comms.names);
	number_list__free(&command->pids);
}
