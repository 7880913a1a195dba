// SPDX-License-Identifier: GPL-2.0-only
/* See record_sampling.h. */
#include "user/cli/record/sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/record/command.h"
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
	{NULL, 0, NULL, 0, "What is sampled, in detail:", 1},
	{"filter", KEY_FILTER, "FILTER", 0,
		"Keep only samples of the event before for which FILTER holds: for a tracepoint "
		"the kernel's filter on its fields, else terms on pid, tid, comm, uid, gid, "
		"cgroup, "
		"cpu, ip, addr, period and time, as in 'pid != 1, comm == nginx*'",
		0},
	{"exclude-perf", KEY_EXCLUDE_PERF, NULL, 0, "Do not sample the recorder itself", 0},
	{"cgroup", 'G', "NAME,...", 0,
		"Sample the first event in the first cgroup only, the second in the second and so "
		"on, or all in the only one; on all CPUs",
		0},
	{"strict-freq", KEY_STRICT_FREQ, NULL, 0, "Fail where the frequency is not allowed", 0},
	{"per-thread", KEY_PER_THREAD, NULL, 0, "As -i", 0},
	{"no-samples", 'n', NULL, 0, "Count only; with -s", 0},
	{NULL, 0, NULL, 0, "What samples carry:", 2},
	{"data", 'd', NULL, 0, "Addresses of data, and mappings of data, too", 0},
	{"phys-data", KEY_PHYS_DATA, NULL, 0, "Physical addresses of data", 0},
	{"data-page-size", KEY_DATA_PAGE_SIZE, NULL, 0, "The page size at the data", 0},
	{"code-page-size", KEY_CODE_PAGE_SIZE, NULL, 0, "The page size at the code", 0},
	{"sample-mem-info", KEY_MEM_INFO, NULL, 0, "Where memory was read from", 0},
	{"weight", 'W', NULL, 0, "The cost of what was sampled, for events that have it", 0},
	{"transaction", KEY_TRANSACTION, NULL, 0, "Flags of transactions", 0},
	{"branch-any", 'b', NULL, 0, "The last branches", 0},
	{"branch-filter", 'j', "FILTER,...", 0, "The last branches of these kinds: any, u, call...",
		0},
	{"intr-regs", 'I', "REG,...", OPTION_ARG_OPTIONAL,
		"Registers; all by default, and `?' shows which there are", 0},
	{"user-regs", KEY_USER_REGS, "REG,...", OPTION_ARG_OPTIONAL, "Registers of user space", 0},
	{"raw-samples", 'R', NULL, 0, "Raw data; tracepoints have it always", 0},
	{"period", 'P', NULL, 0, "The period", 0},
	{"sample-cpu", KEY_SAMPLE_CPU, NULL, 0, "The CPU", 0},
	{"timestamp", 'T', NULL, 0, "The time, which is always there", 0},
	{"sample-identifier", KEY_SAMPLE_IDENTIFIER, NULL, OPTION_ALIAS, NULL, 0},
	{"user-callchains", KEY_USER_CALLCHAINS, NULL, 0, "User space's part of call chains only",
		0},
	{"kernel-callchains", KEY_KERNEL_CALLCHAINS, NULL, 0,
		"The kernel's part of call chains only", 0},
	{NULL, 0, NULL, 0, "What else is recorded:", 3},
	{"stat", 's', NULL, 0, "Counts of each thread, when it exits", 0},
	{"running-time", KEY_RUNNING_TIME, NULL, 0,
		"With counts (-s, :S), how long the event was counting", 0},
	{"data-mmap", KEY_DATA_MMAP, NULL, 0, "Mappings that are not executable, too", 0},
	{"switch-events", KEY_SWITCH_EVENTS, NULL, 0, "Context switches", 0},
	{"latency", KEY_LATENCY, NULL, 0,
		"Context switches, for `perf report --latency'; not with -a", 0},
	{"no-bpf-event", KEY_NO_BPF_EVENT, NULL, 0, "BPF programs that are loaded are left out", 0},
	{"no-code-names", KEY_NO_CODE_NAMES, NULL, 0,
		"Do not record what processes write about code that they make at run time (perf "
		"map files, jitdumps)",
		0},
	{"no-buffering", KEY_NO_BUFFERING, NULL, 0, "Write each record when it comes", 0},
	{0},
};

static int add_filter(struct record_command *command, const char *text)
{
	struct evlist_options *events = &command->recorder.events;
	struct evlist_filter *more = reallocarray(
		command->filters, events->n_filters + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	more[events->n_filters] = (struct evlist_filter){
		.at = command->events ? strlen(command->events) : 0,
		.text = text,
	};
	command->filters = more;
	events->filters = more;
	events->n_filters++;
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
		argp_error(state, "the registers are not among these: %s",
			sample_fields__register_names());
}

/* Options that are a bit of sample_type. 0 for others. */
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
		return PERF_SAMPLE_ADDR;
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
				"-j wants any, any_call, any_ret, ind_call, cond, u, k "
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
	case KEY_SAMPLE_IDENTIFIER:
		/* Always there. */
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
