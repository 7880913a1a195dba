// SPDX-License-Identifier: GPL-2.0-only
/* See foreign.h. Names and letters are those of perf report of Linux 7.2 and older ones. */
#include "user/cli/report/foreign.h"

#include <stddef.h>

#define WITH_PERF "stock perf report reads the same file and has it"
#define NO_BRANCHES "branch stacks are not evaluated; " WITH_PERF
#define FILES_BY_ID                                                                                \
	"files are found by their build-id; add them with `perfstamp cache add', or name "         \
	"another cache with --buildid-dir"
#define COLUMNS "choose the columns with --sort (and -n); --json has all numbers"
#define NO_SCREEN "the report is text; a terminal shows it in a pager"

/* X(key, name, why) */
#define FOREIGN(X)                                                                                 \
	X('q', "quiet", "`2>/dev/null' hides warnings, and lines that begin with # are comments")  \
	X(1100, "pid", "`--sort pid,dso,sym' shows rows by process")                               \
	X(1101, "tid", "`--sort tid,dso,sym' shows rows by thread")                                \
	X('C', "cpu", "`--sort cpu,dso,sym' shows rows by CPU")                                    \
	X(1102, "header", "`perfstamp dump --header-only' shows the header")                       \
	X(1103, "header-only", "`perfstamp dump --header-only' shows the header")                  \
	X('I', "show-info", "`perfstamp dump --header-only' shows the header")                     \
	X('D', "dump-raw-trace", "`perfstamp dump' shows all records")                             \
	X(1104, "mmaps", "`perfstamp dump' shows the mappings, `perfstamp list' the DSOs")         \
	X(1105, "tasks", "`perfstamp dump' shows forks, execs and exits")                          \
	X(1106, "stats", "`perfstamp check' counts samples, mappings and losses")                  \
	X('F', "fields", COLUMNS)                                                                  \
	X('t', "field-separator", "--json is the format for programs")                             \
	X('w', "column-widths", "--json is the format for programs")                               \
	X(1107, "show-total-period", "--json has the periods")                                     \
	X(1108, "show-cpu-utilization", WITH_PERF)                                                 \
	X('T', "threads", "`--sort tid,dso,sym' shows rows by thread")                             \
	X('H', "hierarchy", COLUMNS)                                                               \
	X('U', "hide-unresolved", "`perfstamp report --json' and jq select rows with a symbol")    \
	X('G', "inverted", "`-g caller' shows call graphs from the outermost function")            \
	X('p', "parent", "`-S FUNCTION -g callee' shows the callers of a function")                \
	X('x', "exclude-other", "`-S FUNCTION' shows only samples in a function")                  \
	X(1109, "symbol-filter", "-S takes whole names; `perfstamp report --json' and jq search")  \
	X(1110, "max-stack", "limit stacks with `-g ORDER,PERCENT', or when recording")            \
	X(1111, "ignore-callees", WITH_PERF)                                                       \
	X(1112, "show-ref-call-graph", WITH_PERF)                                                  \
	X(1113, "stitch-lbr", NO_BRANCHES)                                                         \
	X('b', "branch-stack", NO_BRANCHES)                                                        \
	X(1114, "branch-history", NO_BRANCHES)                                                     \
	X(1115, "total-cycles", NO_BRANCHES)                                                       \
	X(1116, "itrace", "AUX area traces are not decoded; " WITH_PERF)                           \
	X(1117, "mem-mode", "memory accesses are not evaluated; " WITH_PERF)                       \
	X(1118, "group", "each event has a table of its own")                                      \
	X(1119, "group-sort-idx", "each event has a table of its own")                             \
	X(1120, "symfs", FILES_BY_ID)                                                              \
	X('k', "vmlinux", FILES_BY_ID)                                                             \
	X(1121, "ignore-vmlinux", FILES_BY_ID)                                                     \
	X(1122, "kallsyms", FILES_BY_ID)                                                           \
	X('m', "modules", "symbols of kernel modules are always looked up")                        \
	X(1123, "demangle-kernel", "names of kernel symbols are shown as they are")                \
	X('M', "disassembler-style", "--source shows source lines, and nothing disassembles")      \
	X(1124, "asm-raw", "--source shows source lines, and nothing disassembles")                \
	X(1125, "objdump", "--source shows source lines, and nothing disassembles")                \
	X(1126, "prefix", "--source finds sources by the directory in the debug information")      \
	X(1127, "full-source-path", "--json has whole paths of sources")                           \
	X(1128, "tui", NO_SCREEN)                                                                  \
	X(1129, "gtk", NO_SCREEN)                                                                  \
	X(1130, "stdio-color", "the report has no colors")                                         \
	X(1131, "pretty", WITH_PERF)                                                               \
	X(1132, "switch-on", "--time selects a part of the recording")                             \
	X(1133, "switch-off", "--time selects a part of the recording")                            \
	X(1134, "time-quantum", "`perfstamp timeline' shows samples over time")                    \
	X(1135, "ns", "--json has times and periods as they are")                                  \
	X(1136, "raw-trace", "`perf script' shows the fields of tracepoints")                      \
	X(1137, "socket-filter", WITH_PERF)                                                        \
	X(1138, "samples", "`perf script' shows single samples")                                   \
	X(1139, "percent-type", WITH_PERF)                                                         \
	X(1142, "disable-order", "records are always put in order of time")                        \
	X(1144, "show-on-off-events", "--time selects a part of the recording")                    \
	X(1140, "latency", "latency is not evaluated; " WITH_PERF)

#define KEY_AS_IT_IS 1141 /* what report does anyway */

static const struct foreign {
	const char *name;
	const char *why;
	int key;
} TABLE[] = {
#define ROW(key, name, why) {name, why, key},
	FOREIGN(ROW)
#undef ROW
};

/* Hidden: perf's users know them, and no one else needs to. */
static const struct argp_option OPTIONS[] = {
#define ROW(key, name, why) {name, key, "VALUE", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, NULL, 0},
	FOREIGN(ROW)
#undef ROW
		{"stdio", KEY_AS_IT_IS, NULL, OPTION_HIDDEN, NULL, 0},
	{"skip-empty", KEY_AS_IT_IS, NULL, OPTION_HIDDEN, NULL, 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key == KEY_AS_IT_IS)
		return 0;
	for (size_t i = 0; i < sizeof(TABLE) / sizeof(TABLE[0]); i++)
		if (TABLE[i].key == key) {
			argp_error(state, "--%s of perf is not supported: %s", TABLE[i].name,
				TABLE[i].why);
			return 0;
		}
	return ARGP_ERR_UNKNOWN;
}

const struct argp REPORT_FOREIGN = {
	.options = OPTIONS,
	.parser = parse,
};
