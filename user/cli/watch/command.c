// SPDX-License-Identifier: GPL-2.0-only
/* See command.h. */
#include "user/cli/watch/command.h"

#include <stdlib.h>
#include <string.h>

#include "user/cli/record/capture_options.h"
#include "user/cli/cli.h"
#include "user/cli/option_value.h"
#include "user/cli/record/mapping_options.h"

enum {
	KEY_JSON = 256,
	KEY_JOURNAL,
	KEY_EVENT,
	KEY_PATH,
	KEY_UNIT,
	KEY_CONTAINER,
	KEY_EXISTING,
	KEY_RATE,
	KEY_BUILDID_DIR,
	KEY_DIFF,
	KEY_DIFF_AFTER,
};

static const struct argp_option OPTIONS[] = {
	{"all-cpus", 'a', NULL, 0, "Watch the whole machine (default without a command)", 0},
	{"pid", 'p', "PID,...", 0, "Watch these processes and their future children", 0},
	{"cgroup", 'G', "PATH", 0, "Watch the processes in this cgroup and the cgroups below it",
		0},
	{"event", KEY_EVENT, "KIND,...", 0,
		"Report only these of dso, clash, replaced and module; losses are always reported",
		0},
	{"unit", KEY_UNIT, "GLOB", 0, "Report only events in systemd units that match GLOB", 0},
	{"container", KEY_CONTAINER, "GLOB", 0,
		"Report only events in containers whose name, id, pod or image matches GLOB", 0},
	{"path", KEY_PATH, "GLOB", 0, "Show only paths that match GLOB; * also matches /", 0},
	{"existing", KEY_EXISTING, NULL, 0,
		"Also report binaries and modules that are already mapped or loaded", 0},
	{"rate", KEY_RATE, "N", 0,
		"Write at most N lines a second (default: 100; 0: no limit); suppressed lines are "
		"counted",
		0},
	{"diff", KEY_DIFF, "FILE", 0,
		"When the content of a path has changed, compare both by their samples in FILE, a "
		"recording that is being written, and report which functions changed",
		0},
	{"diff-after", KEY_DIFF_AFTER, "TIME", 0,
		"Compare this long after the new content was mapped (default: 2m)", 0},
	{"json", KEY_JSON, NULL, 0, "Write JSON, one object per line", 0},
	{"journal", KEY_JOURNAL, NULL, 0, "Write to the systemd journal, as fields", 0},
	{"buildid-dir", KEY_BUILDID_DIR, "DIR", 0, "Build-id cache for --capture (default: perf's)",
		0},
	{"quiet", 'q', NULL, 0, "Print only events and errors", 0},
	{"verbose", 'v', NULL, 0, "Print why each better method is not used", 0},
	{0},
};

static error_t parse_value(int key, char *arg, struct argp_state *state)
{
	struct watch_command *command = state->input;

	switch (key) {
	case 'G':
		command->filter.cgroup = arg;
		if (*arg != '/')
			argp_error(state,
				"-G requires a path from the root of cgroup2, as in "
				"/system.slice: `%s'",
				arg);
		return 0;
	case KEY_EVENT:
		if (watch_filter__kinds(&command->filter, arg))
			argp_error(state,
				"--event requires dso, clash, replaced or module, separated by "
				"commas: `%s'",
				arg);
		return 0;
	case KEY_UNIT:
		command->filter.unit_glob = arg;
		return 0;
	case KEY_CONTAINER:
		command->filter.container_glob = arg;
		return 0;
	case KEY_PATH:
		command->filter.path_glob = arg;
		return 0;
	case KEY_RATE:
		if (option_value__number(arg, 0, UINT64_MAX, &command->rate))
			argp_error(state, "--rate requires lines a second, or 0: `%s'", arg);
		return 0;
	case KEY_DIFF:
		command->diff = arg;
		return 0;
	case KEY_DIFF_AFTER:
		if (option_value__time(arg, &command->diff_after_ns))
			argp_error(state,
				"--diff-after requires a time such as 90s, 2m or 1h: `%s'", arg);
		return 0;
	case KEY_BUILDID_DIR:
		command->recorder.capture.buildid_dir = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void check(struct watch_command *command, struct argp_state *state)
{
	struct evlist_options *events = &command->recorder.events;

	if (events->system_wide && events->n_pids)
		argp_error(state, "-a watches everything: it cannot be combined with -p");
	if (command->filter.cgroup && (events->n_pids || command->recorder.workload))
		argp_error(state,
			"-G watches the whole cgroup: it cannot be combined with -p or a command");
	if (command->json && command->journal)
		argp_error(state, "--json and --journal cannot be combined");
	if (command->diff_after_ns && !command->diff)
		argp_error(state, "--diff-after requires --diff");
	if (!command->diff_after_ns)
		command->diff_after_ns = WATCH_DIFF_AFTER_DEFAULT_NS;
	if (!events->n_pids && !command->recorder.workload)
		events->system_wide = true;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct watch_command *command = state->input;

	switch (key) {
	case 'a':
		command->recorder.events.system_wide = true;
		return 0;
	case 'p':
		command->recorder.events.n_pids = option_value__ids(
			&command->pids, key, arg, state);
		command->recorder.events.pids = command->pids;
		return 0;
	case KEY_EXISTING:
		command->filter.existing = true;
		return 0;
	case KEY_JSON:
		command->json = true;
		return 0;
	case KEY_JOURNAL:
		command->journal = true;
		return 0;
	case 'q':
		command->quiet = true;
		return 0;
	case 'v':
		command->verbose = command->recorder.verbose = true;
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->recorder.capture;
		state->child_inputs[1] = &command->service;
		state->child_inputs[2] = &command->recorder;
		return 0;
	case ARGP_KEY_ARG:
		/* The remaining arguments are the workload and its arguments. */
		command->recorder.workload = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		check(command, state);
		return 0;
	default:
		return parse_value(key, arg, state);
	}
}

void watch_command__parse(struct watch_command *command, int argc, char **argv)
{
	static const struct argp_child CHILDREN[] = {{&CAPTURE_ARGP, 0, NULL, 0},
		{&SERVICE_ARGP, 0, NULL, 0}, {&MAPPING_ARGP, 0, NULL, 0}, {0}};
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[--] [COMMAND [ARGUMENT...]]",
		.doc = "Report binaries as they are mapped for the first time or replaced, and "
		       "kernel modules as they are loaded and unloaded. No samples are taken.",
		.children = CHILDREN,
	};

	memset(command, 0, sizeof(*command));
	recorder_options__init(&command->recorder);
	command->recorder.events.sideband_only = true;
	command->rate = WATCH_RATE_DEFAULT;
	for (size_t i = 0; i < OBSERVATION_KINDS; i++)
		command->filter.kinds[i] = true;
	cli__parse_in_order(&ARGP, argc, argv, command);
}

void watch_command__free(struct watch_command *command)
{
	free(command->pids);
}
