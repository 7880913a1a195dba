// SPDX-License-Identifier: GPL-2.0-only
/* See negated.h. */
#include "user/cli/record/negated.h"

#include "user/cli/record/request.h"

#define NEEDS_ADDR ((uint64_t)PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE)

/* Clears a bit that an option set, unless another option may still need it. */
static void leave_out(struct attr_extras *extra, uint64_t bit)
{
	extra->sample_type &= ~bit;
	if (!(extra->sample_type & NEEDS_ADDR) && !extra->data_maps)
		extra->sample_type &= ~(uint64_t)PERF_SAMPLE_ADDR;
}

/* X(key, name, what it does) */
#define NEGATED(X)                                                                                 \
	X(4096, "no-all-cpus", events->system_wide = false)                                        \
	X(4097, "inherit", events->no_inherit = false)                                             \
	X(4099, "no-all-user", events->exclude_kernel = false)                                     \
	X(4100, "no-all-kernel", events->exclude_user = false)                                     \
	X(4101, "no-namespaces", recorder->namespaces = false)                                     \
	X(4102, "no-all-cgroups",                                                                  \
		(recorder->all_cgroups = false,                                                    \
			extra->sample_type &= ~(uint64_t)PERF_SAMPLE_CGROUP))                      \
	X(4103, "no-tail-synthesize", recorder->tail_synthesize = false)                           \
	X(4104, "no-dry-run", command->dry_run = false)                                            \
	X(4105, "no-quiet", command->quiet = false)                                                \
	X(4106, "no-verbose", command->verbose = recorder->verbose = false)                        \
	X(4107, "no-call-graph",                                                                   \
		(events->callchain = events->lbr = false, events->dwarf_stack = 0))                \
	X(4108, "no-exclude-perf", events->exclude_pid = 0)                                        \
	X(4109, "no-strict-freq", events->strict_freq = false)                                     \
	X(4110, "samples", extra->no_samples = false)                                              \
	X(4111, "no-data",                                                                         \
		(extra->data_maps = false,                                                         \
			leave_out(extra, PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC)))                \
	X(4112, "no-phys-data", leave_out(extra, PERF_SAMPLE_PHYS_ADDR))                           \
	X(4113, "no-data-page-size", leave_out(extra, PERF_SAMPLE_DATA_PAGE_SIZE))                 \
	X(4114, "no-code-page-size", leave_out(extra, PERF_SAMPLE_CODE_PAGE_SIZE))                 \
	X(4115, "no-sample-mem-info", leave_out(extra, PERF_SAMPLE_DATA_SRC))                      \
	X(4116, "no-weight", leave_out(extra, PERF_SAMPLE_WEIGHT_STRUCT))                          \
	X(4117, "no-raw-samples", leave_out(extra, PERF_SAMPLE_RAW))                               \
	X(4118, "no-sample-cpu", leave_out(extra, PERF_SAMPLE_CPU))                                \
	X(4119, "no-user-callchains", extra->user_callchains = false)                              \
	X(4120, "no-kernel-callchains", extra->kernel_callchains = false)                          \
	X(4121, "no-stat", extra->inherit_stat = false)                                            \
	X(4122, "no-data-mmap", extra->data_maps = false)                                          \
	X(4123, "no-switch-events", extra->switch_events = command->latency)                       \
	X(4124, "no-latency", command->latency = extra->switch_events = false)                     \
	X(4125, "bpf-event", extra->no_bpf_event = false)                                          \
	X(4126, "code-names", recorder->no_code_names = false)                                     \
	X(4127, "buffering", extra->no_buffering = false)                                          \
	X(4128, "no-timestamp-filename", recorder->timestamp_filename = false)                     \
	X(4129, "no-force", recorder->kernel.force = false)

/* Hidden: only users of perf need them. */
static const struct argp_option OPTIONS[] = {
#define ROW(key, name, what) {name, key, NULL, OPTION_HIDDEN, NULL, 0},
	NEGATED(ROW)
#undef ROW
		{"no-per-thread", 4097, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct record_command *command = state->input;
	struct recorder_options *recorder = &command->recorder;
	struct evlist_options *events = &recorder->events;
	struct attr_extras *extra = &events->extra;

	(void)arg;
	switch (key) {
#define CASE(key, name, what)                                                                      \
	case key:                                                                                  \
		(what);                                                                            \
		return 0;
		NEGATED(CASE)
#undef CASE
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp RECORD_NEGATED = {
	.options = OPTIONS,
	.parser = parse,
};
