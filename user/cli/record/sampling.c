// SPDX-License-Identifier: GPL-2.0-only
/* See sampling.h. */
#include "user/cli/record/sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/cli/cli.h"
#include "user/cli/record/request.h"
#include "user/parse/event/sample_fields.h"

enum {
	KEY_FILTER = 512,
	KEY_EXCLUDE_PERF,
	KEY_PHYS_DATA,
	KEY_DATA_PAGE_SIZE,
	KEY_CODE_PAGE_SIZE,
	KEY_MEM_INFO,
	KEY_TRANSACTION,
	KEY_SAMPLE_CPU,
	KEY_SAMPLE_IDENTIFIER,
	KEY_USER_REGS,
	KEY_USER_CALLCHAINS,
	KEY_KERNEL_CALLCHAINS,
	KEY_DATA_MMAP,
	KEY_SWITCH_EVENTS,
	KEY_LATENCY,
	KEY_NO_BPF_EVENT,
	KEY_RUNNING_TIME,
	KEY_NO_CODE_NAMES,
	KEY_NO_BUFFERING,
	KEY_STRICT_FREQ,
	KEY_PER_THREAD,
};

static const struct argp_option OPTIONS[] = {
	{NULL, 0, NULL, 0, "Selecting samples:", 1},
	{"filter", KEY_FILTER, "FILTER", 0,
		"Keep only samples of the preceding event that match FILTER: for a tracepoint the "
		"kernel's filter on its fields, otherwise terms with pid, tid, comm, uid, gid, "
		"cgroup, cpu, ip, addr, period and time, for example 'pid != 1, comm == nginx*'",
		0},
	{"exclude-perf", KEY_EXCLUDE_PERF, NULL, 0, "Do not sample the recorder itself", 0},
	{"cgroup", 'G', "NAME,...", 0,
		"Sample the first event in the first cgroup, the second in the second, and so on; "
		"a single cgroup applies to all events. All CPUs are recorded",
		0},
	{"strict-freq", KEY_STRICT_FREQ, NULL, 0,
		"Fail if the frequency exceeds the kernel's limit", 0},
	{"per-thread", KEY_PER_THREAD, NULL, 0, "Same as --no-inherit", 0},
	{"no-samples", 'n', NULL, 0, "With --stat: record counts and no samples", 0},
	{NULL, 0, NULL, 0, "Contents of samples:", 2},
	{"data", 'd', NULL, 0,
		"Record data addresses, the source of memory accesses, and mappings of data", 0},
	{"phys-data", KEY_PHYS_DATA, NULL, 0, "Record physical data addresses", 0},
	{"data-page-size", KEY_DATA_PAGE_SIZE, NULL, 0, "Record the page size of the data address",
		0},
	{"code-page-size", KEY_CODE_PAGE_SIZE, NULL, 0, "Record the page size of the code address",
		0},
	{"sample-mem-info", KEY_MEM_INFO, NULL, 0, "Record the source of memory accesses", 0},
	{"weight", 'W', NULL, 0, "Record the cost of memory accesses, for events that have it", 0},
	{"transaction", KEY_TRANSACTION, NULL, 0, "Record transaction flags", 0},
	{"branch-any", 'b', NULL, 0, "Record the last branches", 0},
	{"branch-filter", 'j', "KIND,...", 0,
		"Record the last branches of these kinds: any, u, any_call...", 0},
	{"intr-regs", 'I', "REG,...", OPTION_ARG_OPTIONAL,
		"Record registers at the interrupt (default: all); `?' lists their names", 0},
	{"user-regs", KEY_USER_REGS, "REG,...", OPTION_ARG_OPTIONAL,
		"Record registers of user space (default: all); `?' lists their names", 0},
	{"raw-samples", 'R', NULL, 0, "Record raw data; tracepoints always have it", 0},
	{"period", 'P', NULL, 0, "Record the period", 0},
	{"sample-cpu", KEY_SAMPLE_CPU, NULL, 0, "Record the CPU", 0},
	{"timestamp", 'T', NULL, 0, "Accepted for compatibility with perf; always recorded", 0},
	{"sample-identifier", KEY_SAMPLE_IDENTIFIER, NULL, 0,
		"Record the event's id with each sample, even if there is only one event", 0},
	{"user-callchains", KEY_USER_CALLCHAINS, NULL, 0,
		"Record only the user part of call chains", 0},
	{"kernel-callchains", KEY_KERNEL_CALLCHAINS, NULL, 0,
		"Record only the kernel part of call chains", 0},
	{NULL, 0, NULL, 0, "Other records:", 3},
	{"stat", 's', NULL, 0, "Record the counts of each thread when it exits", 0},
	{"running-time", KEY_RUNNING_TIME, NULL, 0,
		"With counts (--stat, :S), also record how long the event was counting", 0},
	{"data-mmap", KEY_DATA_MMAP, NULL, 0, "Also record mappings that are not executable", 0},
	{"switch-events", KEY_SWITCH_EVENTS, NULL, 0, "Record context switches", 0},
	{"latency", KEY_LATENCY, NULL, 0,
		"Record context switches, for `report --latency'; not with --all-cpus", 0},
	{"no-bpf-event", KEY_NO_BPF_EVENT, NULL, 0, "Do not record loaded BPF programs", 0},
	{"no-code-names", KEY_NO_CODE_NAMES, NULL, 0,
		"Do not record perf map files and jitdumps, which name code made at run time", 0},
	{"no-buffering", KEY_NO_BUFFERING, NULL, 0, "Write records immediately", 0},
	{0},
};

static int add_filter(struct record_command *command, const char *text)
{
	struct evlist_options *events = &command->recorder.events;

	if (array__extend(&command->filters, events->n_filters, sizeof(*command->filters)))
		return -ENOMEM;
	command->filters[events->n_filters++] = (struct evlist_filter){
		.at = command->events ? strlen(command->events) : 0,
		.text = text,
	};
	events->filters = command->filters;
	return 0;
}

static void parse_registers(uint64_t *ret, const char *text, struct argp_state *state)
{
	if (text && !strcmp(text, "?")) {
		printf("available registers: %s\n", sample_fields__register_names());
		exit(CLI_DONE);
	}
	*ret = sample_fields__all_registers();
	if (!*ret || (text && sample_fields__registers(ret, text)))
		argp_error(state, "unknown register; the available ones are: %s",
			sample_fields__register_names());
}

/* Returns the bits of sample_type that an option sets, or 0. */
static uint64_t sample_bits(int key)
{
	switch (key) {
	case KEY_PHYS_DATA:
		return PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_ADDR;
	case KEY_DATA_PAGE_SIZE:
		return PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_ADDR;
	case KEY_CODE_PAGE_SIZE:
		return PERF_SAMPLE_CODE_PAGE_SIZE;
	case KEY_MEM_INFO:
		return PERF_SAMPLE_DATA_SRC;
	case 'W':
		return PERF_SAMPLE_WEIGHT_STRUCT;
	case KEY_TRANSACTION:
		return PERF_SAMPLE_TRANSACTION;
	case 'R':
		return PERF_SAMPLE_RAW | PERF_SAMPLE_CPU;
	case 'P':
		return PERF_SAMPLE_PERIOD;
	case KEY_SAMPLE_CPU:
		return PERF_SAMPLE_CPU;
	case 'd':
		return PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	default:
		return 0;
	}
}

static error_t parse_extras(int key, char *arg, struct argp_state *state)
{
	struct record_command *command = state->input;
	struct attr_extras *extra = &command->recorder.events.extra;

	switch (key) {
	case 'd':
	case KEY_DATA_MMAP:
		extra->data_maps = true;
		return 0;
	case 'b':
		extra->branch_sample_type |= PERF_SAMPLE_BRANCH_ANY;
		return 0;
	case 'j':
		if (sample_fields__branches(&extra->branch_sample_type, arg))
			argp_error(state,
				"-j requires any, any_call, any_ret, ind_call, cond, u, k "
				"and the like: `%s'",
				arg);
		return 0;
	case 'I':
		parse_registers(&extra->regs_intr, arg, state);
		return 0;
	case KEY_USER_REGS:
		parse_registers(&extra->regs_user, arg, state);
		return 0;
	case 'T':
		/* These fields are always recorded. */
		return 0;
	case KEY_SAMPLE_IDENTIFIER:
		extra->sample_type |= PERF_SAMPLE_IDENTIFIER;
		return 0;
	case KEY_USER_CALLCHAINS:
		extra->user_callchains = true;
		return 0;
	case KEY_KERNEL_CALLCHAINS:
		extra->kernel_callchains = true;
		return 0;
	case 's':
		extra->inherit_stat = true;
		extra->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				      PERF_FORMAT_TOTAL_TIME_RUNNING;
		return 0;
	case KEY_RUNNING_TIME:
		extra->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				      PERF_FORMAT_TOTAL_TIME_RUNNING;
		return 0;
	case KEY_LATENCY:
		command->latency = true;
		extra->switch_events = true;
		return 0;
	case KEY_SWITCH_EVENTS:
		extra->switch_events = true;
		return 0;
	case KEY_NO_BPF_EVENT:
		extra->no_bpf_event = true;
		return 0;
	case KEY_NO_CODE_NAMES:
		command->recorder.no_code_names = true;
		return 0;
	case KEY_NO_BUFFERING:
		extra->no_buffering = true;
		return 0;
	case 'n':
		extra->no_samples = true;
		return 0;
	default:
		return sample_bits(key) ? 0 : ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct record_command *command = state->input;
	struct evlist_options *events = &command->recorder.events;

	switch (key) {
	case KEY_FILTER:
		if (add_filter(command, arg))
			argp_failure(state, CLI_FAILED, 0, "out of memory");
		return 0;
	case KEY_EXCLUDE_PERF:
		events->exclude_pid = getpid();
		return 0;
	case 'G':
		events->cgroups = arg;
		return 0;
	case KEY_STRICT_FREQ:
		events->strict_freq = true;
		return 0;
	case KEY_PER_THREAD:
		events->no_inherit = true;
		return 0;
	default:
		events->extra.sample_type |= sample_bits(key);
		return parse_extras(key, arg, state);
	}
}

const struct argp RECORD_SAMPLING = {
	.options = OPTIONS,
	.parser = parse,
};
