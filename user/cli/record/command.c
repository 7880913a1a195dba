// SPDX-License-Identifier: GPL-2.0-only
/* See command.h. */
#include "user/cli/record/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/record/capture_options.h"
#include "user/cli/cli.h"
#include "user/cli/record/files.h"
#include "user/cli/record/foreign.h"
#include "user/cli/record/negated.h"
#include "user/cli/option_value.h"
#include "user/cli/record/mapping_options.h"
#include "user/cli/record/options.h"
#include "user/cli/record/reload.h"
#include "user/cli/record/sampling.h"
#include "user/parse/event/attr.h"
#include "user/source/proc/user_processes.h"

#define DWARF_STACK_DEFAULT 8192 /* default size, as in perf */

enum {
	KEY_CALL_GRAPH = 256,
	KEY_ALL_USER,
	KEY_ALL_KERNEL,
	KEY_BUILD_ID,
	KEY_NAMESPACES,
	KEY_ALL_CGROUPS,
	KEY_CONTROL,
	KEY_VMLINUX,
	KEY_FORCE,
	KEY_CAPTURE_KERNEL,
	KEY_BUILDID_DIR,
	KEY_DRY_RUN,
	KEY_SYNTH,
	KEY_TAIL_SYNTHESIZE,
};

static const struct argp_option OPTIONS[] = {
	{"all-cpus", 'a', NULL, 0, "Record the whole machine (default without a workload)", 0},
	{"cpu", 'C', "LIST", 0, "Record only these CPUs, for example 0-3,5", 0},
	{"pid", 'p', "PID,...", 0, "Record these processes", 0},
	{"tid", 't', "TID,...", 0, "Record these threads", 0},
	{"uid", 'u', "USER", 0, "Record the processes of this user, given by name or number", 0},
	{"event", 'e', "EVENT,...", 0,
		"Events to sample (default: cycles, or cpu-clock without hardware counters)", 0},
	{"freq", 'F', "HZ|max", 0, "Samples per second (default: 4000)", 0},
	{"count", 'c', "N", 0, "Take a sample every N events instead of HZ times a second", 0},
	{NULL, 'g', NULL, 0,
		"Same as --call-graph fp, unless perfconfig has call-graph.record-mode", 0},
	{"call-graph", KEY_CALL_GRAPH, "HOW", 0,
		"Record call chains: by frame pointers (fp), by a copy of the user stack of 8192 "
		"or SIZE bytes (dwarf), or by the processor's branch records (lbr)",
		0},
	{"no-inherit", 'i', NULL, 0, "Do not record children and threads created later", 0},
	{"all-user", KEY_ALL_USER, NULL, 0, "Sample only user space", 0},
	{"all-kernel", KEY_ALL_KERNEL, NULL, 0, "Sample only the kernel", 0},
	{"namespaces", KEY_NAMESPACES, NULL, 0,
		"Also record the namespaces of threads that already exist", 0},
	{"all-cgroups", KEY_ALL_CGROUPS, NULL, 0,
		"Record the cgroup of each sample, and the paths of all cgroups", 0},
	{"delay", 'D', "MS", 0,
		"Start sampling after MS milliseconds; -1: start with sampling disabled; "
		"10-20,30-40: sample only in these spans of milliseconds",
		0},
	{"mmap-pages", 'm', "SIZE", 0,
		"Size of each CPU's ring buffer for samples, in pages, or with suffix B, K, M "
		"or G",
		0},
	{"clockid", 'k', "CLOCK", 0, "Clock of the time stamps (default: monotonic)", 0},
	{"compression-level", 'z', "LEVEL", OPTION_ARG_OPTIONAL,
		"Compress records with zstd, LEVEL 1 (default) to 22", 0},
	{"control", KEY_CONTROL, "fd:N[,N]|fifo:PATH[,PATH]", 0,
		"Read the commands enable, disable, evlist, snapshot, stop and ping from this "
		"file, and write ack to the second one",
		0},
	{"synth", KEY_SYNTH, "WHAT,...", 0,
		"Which existing state to record at startup: no (nothing), task (threads), mmap "
		"(threads and their mappings), cgroup (cgroups, with --all-cgroups) or all "
		"(default)",
		0},
	{"tail-synthesize", KEY_TAIL_SYNTHESIZE, NULL, 0,
		"Record the existing state (see --synth) at the end instead of at startup", 0},
	{"realtime", 'r', "PRIORITY", 0, "Run with SCHED_FIFO and this priority", 0},
	{"dry-run", KEY_DRY_RUN, NULL, 0, "Parse the options and exit", 0},
	{"output", 'o', "FILE", 0,
		"Write to FILE, or to standard output for - (default: standard output if it is a "
		"pipe, otherwise perf.data)",
		0},
	{"quiet", 'q', NULL, 0, "Print only errors", 0},
	{"verbose", 'v', NULL, 0, "Report the chosen method and losses by cause", 0},
	{"no-buildid", 'B', NULL, 0,
		"Accepted for compatibility with perf, like -N, --no-buildid-cache, --buildid-all, "
		"--buildid-mmap and --no-buildid-mmap; no effect",
		0},
	{"no-buildid-cache", 'N', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
	{"buildid-all", KEY_BUILD_ID, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
	{"buildid-mmap", KEY_BUILD_ID, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
	{"no-buildid-mmap", KEY_BUILD_ID, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
	{"vmlinux", KEY_VMLINUX, "FILE", 0,
		"Kernel image with symbols, whose path is stored in the recording (default: search "
		"the usual places)",
		0},
	{"force", KEY_FORCE, NULL, 0, "Accept a --vmlinux that does not match the running kernel",
		0},
	{"capture-kernel", KEY_CAPTURE_KERNEL, "kcore", OPTION_ARG_OPTIONAL,
		"Store the symbols of the kernel and its modules in perf's build-id cache; with "
		"=kcore also their code",
		0},
	{"buildid-dir", KEY_BUILDID_DIR, "DIR", 0,
		"Build-id cache for --capture and --capture-kernel (default: perf's)", 0},
	{0},
};

/* Adds events: -e may be given several times. */
static int add_events(struct record_command *command, const char *events)
{
	char *all;

	if (asprintf(&all, "%s%s%s", command->events ? command->events : "",
		    command->events ? "," : "", events) < 0)
		return -1;
	free(command->events);
	command->events = all;
	command->recorder.events.events = all;
	return 0;
}

static void parse_ids(
	struct record_command *command, int key, const char *text, struct argp_state *state)
{
	struct evlist_options *events = &command->recorder.events;

	if (key == 'p') {
		events->n_pids = option_value__ids(&command->pids, key, text, state);
		events->pids = command->pids;
	} else {
		events->n_tids = option_value__ids(&command->tids, key, text, state);
		events->tids = command->tids;
	}
}

/* As in perf, mmap includes task. */
static int set_synth(struct recorder_options *recorder, const char *text)
{
	bool tasks = false, maps = false, cgroups = false;
	size_t len;

	do {
		len = strcspn(text, ",");
		if (len == 3 && !strncmp(text, "all", len))
			tasks = maps = cgroups = true;
		else if (len == 4 && !strncmp(text, "task", len))
			tasks = true;
		else if (len == 4 && !strncmp(text, "mmap", len))
			tasks = maps = true;
		else if (len == 6 && !strncmp(text, "cgroup", len))
			cgroups = true;
		else if (len != 2 || strncmp(text, "no", len) != 0)
			return -EINVAL;
		text += len;
	} while (*text++);
	recorder->no_synth_tasks = !tasks;
	recorder->no_synth_maps = !maps;
	recorder->no_synth_cgroups = !cgroups;
	return 0;
}

static void set_call_graph(
	struct record_command *command, enum event_call_graph how, uint32_t stack_size)
{
	struct evlist_options *events = &command->recorder.events;

	events->callchain = true;
	events->lbr = how == EVENT_CALL_GRAPH_LBR;
	events->dwarf_stack = 0;
	if (how != EVENT_CALL_GRAPH_DWARF)
		return;
	if (!stack_size)
		stack_size = command->config.dump_size;
	events->dwarf_stack = stack_size ? stack_size : DWARF_STACK_DEFAULT;
}

static void parse_call_graph(
	struct record_command *command, const char *text, struct argp_state *state)
{
	enum event_call_graph how = EVENT_CALL_GRAPH_NO;
	uint32_t stack_size;

	if (event_terms__call_graph(&how, &stack_size, text) || how == EVENT_CALL_GRAPH_NO)
		argp_error(state,
			"--call-graph requires fp, dwarf, dwarf,SIZE (up to 65528 bytes) or lbr: "
			"`%s'",
			text);
	set_call_graph(command, how, stack_size);
}

/* Parses -D. The last one counts. */
static int parse_delay(struct record_command *command, const char *text)
{
	struct recorder_options *recorder = &command->recorder;
	uint64_t delay = 0;
	ssize_t n;

	free(command->spans_ms);
	command->spans_ms = NULL;
	recorder->pauses_ms = NULL;
	recorder->n_pauses = 0;
	if (!strcmp(text, "-1")) {
		recorder->delay_ms = RECORDER_DELAY_FOREVER;
		return 0;
	}
	if (strchr(text, '-')) {
		n = record_options__spans(text, &command->spans_ms);
		if (n < 0)
			return n;
		recorder->delay_ms = command->spans_ms[0];
		recorder->pauses_ms = command->spans_ms + 1;
		recorder->n_pauses = n - 1;
		return 0;
	}
	if (option_value__number(text, 0, INT_MAX, &delay))
		return -EINVAL;
	recorder->delay_ms = (int64_t)delay;
	return 0;
}

static error_t parse_value(int key, char *arg, struct argp_state *state)
{
	struct record_command *command = state->input;
	struct evlist_options *events = &command->recorder.events;
	uint64_t level;
	ssize_t pages;

	switch (key) {
	case 'e':
		if (add_events(command, arg))
			argp_failure(state, CLI_FAILED, 0, "out of memory");
		return 0;
	case 'F':
		if (!strcmp(arg, "max"))
			events->freq = EVLIST_FREQ_MAX;
		else if (option_value__number(arg, 1, UINT64_MAX, &events->freq))
			argp_error(state, "-F requires samples a second, or max: `%s'", arg);
		return 0;
	case 'c':
		if (option_value__number(arg, 1, UINT64_MAX, &events->period))
			argp_error(state, "-c requires a number of events: `%s'", arg);
		return 0;
	case 'm':
		pages = record_options__pages(arg);
		if (pages <= 0)
			argp_error(
				state, "-m requires pages, or a size with B, K, M or G: `%s'", arg);
		events->mmap_pages = pages;
		return 0;
	case 'k':
		events->clockid = record_options__clockid(arg);
		if (events->clockid < 0)
			argp_error(state,
				"-k requires monotonic, monotonic_raw, realtime, boottime or tai: "
				"`%s'",
				arg);
		return 0;
	case 'D':
		if (parse_delay(command, arg))
			argp_error(state,
				"-D requires milliseconds, -1, or spans of milliseconds in order "
				"such as 10-20,30-40: `%s'",
				arg);
		return 0;
	case KEY_CONTROL:
		if (control_spec__parse(&command->control, arg))
			argp_error(state, "--control requires fd:N[,N] or fifo:PATH[,PATH]: `%s'",
				arg);
		command->recorder.control = &command->control;
		return 0;
	case 'z':
		level = 1;
		if (arg && option_value__number(arg, 1, 22, &level))
			argp_error(state, "-z requires a level from 1 to 22: `%s'", arg);
		command->recorder.compression = level;
		return 0;
	case KEY_CALL_GRAPH:
		parse_call_graph(command, arg, state);
		return 0;
	case 'r':
		if (option_value__number(arg, 1, 99, &level))
			argp_error(state, "-r requires a priority from 1 to 99: `%s'", arg);
		command->realtime = level;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Refuses options that cannot be combined. */
static void check(const struct record_command *command, struct argp_state *state)
{
	const struct evlist_options *events = &command->recorder.events;
	bool some = events->n_pids || events->n_tids || command->user;

	if (events->freq && events->period)
		argp_error(state, "-F and -c cannot be combined");
	if (events->exclude_kernel && events->exclude_user)
		argp_error(state, "--all-user and --all-kernel cannot be combined");
	if (events->extra.user_callchains && events->extra.kernel_callchains)
		argp_error(state, "--user-callchains and --kernel-callchains cannot be combined");
	if (events->system_wide && (events->n_pids || events->n_tids))
		argp_error(state, "-a records everything: it cannot be combined with -p or -t");
	if (events->n_pids && events->n_tids)
		argp_error(state, "-p and -t cannot be combined");
	if (command->user && (events->system_wide || events->n_pids || events->n_tids))
		argp_error(state, "-u cannot be combined with -a, -p or -t");
	if (events->cgroups && some)
		argp_error(state,
			"-G samples cgroups on all CPUs: it cannot be combined with -p, -t or -u");
	if (command->latency && (events->system_wide || events->cgroups || events->cpus))
		argp_error(state, "--latency requires processes or a command: it cannot be used "
				  "for whole CPUs");
}

static const struct argp_child CHILDREN[] = {
	{&RECORD_SAMPLING, 0, NULL, 0},
	{&RECORD_FILES, 0, NULL, 0},
	{&RECORD_FOREIGN, 0, NULL, 0},
	{&RECORD_NEGATED, 0, NULL, 0},
	{&CAPTURE_ARGP, 0, NULL, 0},
	{&SERVICE_ARGP, 0, NULL, 0},
	{&MAPPING_ARGP, 0, NULL, 0},
	{0},
};
#define N_CHILDREN (sizeof(CHILDREN) / sizeof(CHILDREN[0]) - 1)

static void *input_of(struct record_command *command, const struct argp *argp)
{
	return argp == &SERVICE_ARGP   ? (void *)&command->service
	       : argp == &CAPTURE_ARGP ? (void *)&command->recorder.capture
	       : argp == &MAPPING_ARGP ? (void *)&command->recorder
				       : command;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct record_command *command = state->input;
	struct evlist_options *events = &command->recorder.events;

	switch (key) {
	case 'a':
		events->system_wide = true;
		return 0;
	case 'C':
		events->cpus = arg;
		return 0;
	case 'p':
	case 't':
		parse_ids(command, key, arg, state);
		return 0;
	case 'u':
		command->user = arg;
		return 0;
	case 'g':
		if (!events->callchain)
			set_call_graph(command, command->config.call_graph, 0);
		return 0;
	case 'i':
		events->no_inherit = true;
		return 0;
	case KEY_ALL_USER:
		events->exclude_kernel = true;
		return 0;
	case KEY_ALL_KERNEL:
		events->exclude_user = true;
		return 0;
	case KEY_NAMESPACES:
		command->recorder.namespaces = true;
		return 0;
	case KEY_ALL_CGROUPS:
		command->recorder.all_cgroups = true;
		events->extra.sample_type |= PERF_SAMPLE_CGROUP;
		return 0;
	case 'o':
		command->recorder.output = arg;
		command->output_given = true;
		return 0;
	case 'q':
		command->quiet = true;
		return 0;
	case 'v':
		command->verbose = command->recorder.verbose = true;
		return 0;
	case 'B':
	case 'N':
	case KEY_BUILD_ID:
		command->build_id_option = true;
		return 0;
	case KEY_VMLINUX:
		command->recorder.kernel.vmlinux = arg;
		return 0;
	case KEY_FORCE:
		command->recorder.kernel.force = true;
		return 0;
	case KEY_CAPTURE_KERNEL:
		if (arg && strcmp(arg, "kcore") != 0)
			argp_error(state, "--capture-kernel takes nothing or kcore, not `%s'", arg);
		command->recorder.kernel.capture = true;
		command->recorder.kernel.kcore = command->recorder.kernel.kcore || arg;
		return 0;
	case KEY_BUILDID_DIR:
		command->recorder.kernel.buildid_dir = arg;
		command->recorder.capture.buildid_dir = arg;
		return 0;
	case KEY_SYNTH:
		if (set_synth(&command->recorder, arg))
			argp_error(state,
				"--synth requires no, or all, task, mmap, cgroup, separated by "
				"commas: "
				"`%s'",
				arg);
		return 0;
	case KEY_TAIL_SYNTHESIZE:
		command->recorder.tail_synthesize = true;
		return 0;
	case KEY_DRY_RUN:
		command->dry_run = true;
		return 0;
	case ARGP_KEY_INIT:
		for (size_t i = 0; i < N_CHILDREN; i++)
			state->child_inputs[i] = input_of(command, CHILDREN[i].argp);
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

/*
 * Chooses what to record. A workload with -a, -C or -p only sets how long to record, as in perf.
 * Without a target, it is the whole machine, or all that runs on the CPUs of -C.
 */
static void choose_target(struct record_command *command)
{
	struct recorder_options *recorder = &command->recorder;
	struct evlist_options *events = &recorder->events;

	if (!command->user && !events->n_pids && !events->n_tids &&
		(events->cpus || events->cgroups || !recorder->workload))
		events->system_wide = true;
}

/* Applies the configuration, which options overrule. */
static int apply_config(struct record_command *command, struct error *err)
{
	const struct record_config *config = &command->config;

	if (*config->rung && mapping_options__rung(config->rung, &command->recorder))
		return error__set(err, -EINVAL,
			"perfconfig: perfstamp.rung is '%s'; it may be " MAPPING_RUNGS,
			config->rung);
	if (*config->map_ring_size &&
		mapping_options__ring(config->map_ring_size, &command->recorder))
		return error__set(err, -EINVAL,
			"perfconfig: perfstamp.map-ring-size is '%s'; it may "
			"be " MAPPING_RING_SIZES,
			config->map_ring_size);
	command->build_id_option = config->build_id;
	return 0;
}

int record_command__parse(struct record_command *command, int argc, char **argv, struct error *err)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[--] [WORKLOAD [ARGUMENT...]]",
		.doc = "Record samples, and the identity of every executable mapping at the moment "
		       "it is made.",
		.children = CHILDREN,
	};
	int r;

	memset(command, 0, sizeof(*command));
	recorder_options__init(&command->recorder);
	command->recorder.guard = true;
	r = record_config__read(&command->config, err);
	if (!r)
		r = apply_config(command, err);
	cli__parse_in_order(&ARGP, argc, argv, command);
	choose_target(command);
	if (!r)
		record_settings__apply(command);
	record_files__choose_output(command);
	return r;
}

int record_command__find_user(struct record_command *command, struct error *err)
{
	ssize_t n;

	if (!command->user)
		return 0;
	n = user_processes__find(&command->pids, command->user, NULL, err);
	if (n < 0)
		return n;
	command->recorder.events.pids = command->pids;
	command->recorder.events.n_pids = n;
	command->recorder.events.user = command->user;
	return 0;
}

void record_command__free(struct record_command *command)
{
	free(command->events);
	free(command->filters);
	free(command->pids);
	free(command->tids);
	free(command->spans_ms);
}
