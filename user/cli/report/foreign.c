// SPDX-License-Identifier: GPL-2.0-only
/* See foreign.h. Names and letters are those of perf report up to Linux 7.2. */
#include "user/cli/report/foreign.h"

#include <stddef.h>

#define WITH_PERF "stock perf report reads the same file and has it"
#define NO_BRANCHES "branch stacks are not evaluated; " WITH_PERF
#define FILES_BY_ID                                                                                \
	"files are found by their build-id; add them with `perfstamp cache add', or name "         \
	"another cache with --buildid-dir"
#define NO_SCREEN "on a terminal the report can be browsed, without graphics"

/* X(key, name, why) */
#define FOREIGN(X)                                                                                 \
	X('D', "dump-raw-trace", "`perfstamp dump' shows all records")                             \
	X(1108, "show-cpu-utilization", WITH_PERF)                                                 \
	X('T', "threads", "`--sort tid,dso,sym' shows rows by thread")                             \
	X(1112, "show-ref-call-graph", WITH_PERF)                                                  \
	X(1113, "stitch-lbr", NO_BRANCHES)                                                         \
	X('b', "branch-stack", NO_BRANCHES)                                                        \
	X(1114, "branch-history", NO_BRANCHES)                                                     \
	X(1115, "total-cycles", NO_BRANCHES)                                                       \
	X(1116, "itrace", "AUX area traces are not decoded; " WITH_PERF)                           \
	X(1117, "mem-mode", "memory accesses are not evaluated; " WITH_PERF)                       \
	X(1121, "ignore-vmlinux", FILES_BY_ID)                                                     \
	X(1123, "demangle-kernel", "names of kernel symbols are shown as they are; " WITH_PERF)    \
	X(1124, "asm-raw",                                                                         \
		"--annotate shows instructions without their bytes; `perf annotate' has them")     \
	X(1125, "objdump", "--annotate disassembles with a library and needs no objdump")          \
	X(1126, "prefix", "--source finds sources by the directory in the debug information")      \
	X(1145, "prefix-strip",                                                                    \
		"--source finds sources by the directory in the debug information")                \
	X(1146, "addr2line", "lines are read from the debug information itself")                   \
	X(1148, "addr2line-style", "lines are read from the debug information itself")             \
	X(1149, "unwind-style", "stacks are unwound with libdw")                                   \
	X(1127, "full-source-path", "--source shows files by their whole paths")                   \
	X(1129, "gtk", NO_SCREEN)                                                                  \
	X(1130, "stdio-color", "text has no colors; on a terminal, --tui has")                     \
	X(1131, "pretty", WITH_PERF)                                                               \
	X(1136, "raw-trace", "`perf script' shows the fields of tracepoints")                      \
	X(1137, "socket-filter", "-C selects the CPUs of a socket")                                \
	X(1138, "samples", "`perf script' shows single samples")                                   \
	X(1142, "disable-order", "records are always put in order of time")

#define KEY_AS_IT_IS 1141 /* report always does this */

static const struct foreign {
	const char *name;
	const char *why;
	int key;
} TABLE[] = {
#define ROW(key, name, why) {name, why, key},
	FOREIGN(ROW)
#undef ROW
};

/* Hidden: only users of perf need them. */
static const struct argp_option OPTIONS[] = {
#define ROW(key, name, why) {name, key, "VALUE", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, NULL, 0},
	FOREIGN(ROW)
#undef ROW
		{"demangle", KEY_AS_IT_IS, NULL, OPTION_HIDDEN, NULL, 0},
	{"skip-empty", KEY_AS_IT_IS, NULL, OPTION_HIDDEN, NULL, 0},
	{"modules", 'm', NULL, OPTION_HIDDEN, NULL, 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key == KEY_AS_IT_IS || key == 'm')
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
