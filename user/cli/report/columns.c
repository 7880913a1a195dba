// SPDX-License-Identifier: GPL-2.0-only
/* See columns.h. Names and meanings are those of perf report up to Linux 7.2. */
#include "user/cli/report/columns.h"

#include <stdlib.h>
#include <string.h>

#include "user/cli/cli.h"

static const struct {
	const char *name;
	enum report_key key;
} KEYS[] = {
	{"comm", REPORT_COMM},
	{"pid", REPORT_PID},
	{"tgid", REPORT_PID},
	{"tid", REPORT_TID},
	{"dso", REPORT_DSO},
	{"sym", REPORT_SYM},
	{"symbol", REPORT_SYM},
	{"srcline", REPORT_SRCLINE},
	{"srcfile", REPORT_SRCFILE},
	{"build_id", REPORT_BUILD_ID},
	{"cpu", REPORT_CPU},
	{"cgroup", REPORT_CGROUP},
	{"time", REPORT_TIME},
	{"parent", REPORT_PARENT},
	{"parallelism", REPORT_PARALLELISM},
	{"latency_children", REPORT_LATENCY_CHILDREN},
	{"latency", REPORT_LATENCY},
	{"overhead_children", REPORT_CHILDREN},
	{"overhead", REPORT_OVERHEAD},
	{"sample", REPORT_SAMPLES},
	{"period", REPORT_PERIOD},
};

/* Columns of perf that report does not support. */
static const char *const OTHERS[] = {"abort", "addr", "addr_from", "addr_to", "blocked", "cache",
	"callchain_branch_abort", "callchain_branch_cycles", "callchain_branch_predicted",
	"cgroup_id", "code_page_size", "comm_nodigit", "cycles", "data_page_size", "dcacheline",
	"dso_daddr", "dso_from", "dso_size", "dso_to", "dtlb", "in_tx", "ins_lat", "ipc_lbr",
	"ipc_null", "local_ins_lat", "local_p_stage_cyc", "local_retire_lat", "local_weight",
	"locked", "mem", "memory", "mispredict", "op", "overhead_guest_sys", "overhead_guest_us",
	"overhead_sys", "overhead_us", "p_stage_cyc", "phys_daddr", "retire_lat", "simd", "snoop",
	"socket", "srcline_from", "srcline_to", "symbol_daddr", "symbol_from", "symbol_iaddr",
	"symbol_size", "symbol_to", "symoff", "tlb", "trace", "trace_fields", "transaction", "type",
	"typecln", "typeoff", "weight", "weight1", "weight2", "weight3"};

static void refuse(const char *option, const char *name, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof(OTHERS) / sizeof(OTHERS[0]); i++)
		if (!strcmp(OTHERS[i], name))
			argp_error(state,
				"--%s: key `%s' of perf is not supported: stock perf report reads "
				"the same file and has it",
				option, name);
	argp_error(state, "--%s: no such key: `%s'", option, name);
}

static bool has(const enum report_key *keys, size_t n, enum report_key key)
{
	for (size_t i = 0; i < n; i++)
		if (keys[i] == key)
			return true;
	return false;
}

/* Adds a column. Returns false if its name is not known. */
static bool add(const char *name, enum report_key *keys, size_t *n)
{
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		if (strcmp(KEYS[i].name, name) != 0)
			continue;
		if (!has(keys, *n, KEYS[i].key))
			keys[(*n)++] = KEYS[i].key;
		return true;
	}
	return false;
}

/* Parses a list of columns. Exits on errors, unless @state is NULL. */
static bool parse(const char *option, const char *arg, enum report_key *keys, size_t *n,
	struct argp_state *state)
{
	char *copy = strdup(arg), *rest = copy, *name;
	bool known = copy != NULL;

	if (!copy && state)
		argp_failure(state, CLI_FAILED, 0, "out of memory");
	while (known && rest && (name = strsep(&rest, ", "))) {
		known = add(name, keys, n);
		if (!known && state)
			refuse(option, name, state);
	}
	free(copy);
	return known;
}

bool report_columns__config(struct report_columns *columns, const char *keys)
{
	bool more = *keys == '+';

	if (!more)
		columns->n_sort = 0;
	return parse(NULL, keys + more, columns->sort, &columns->n_sort, NULL);
}

void report_columns__sort(struct report_columns *columns, const char *arg, struct argp_state *state)
{
	bool more = *arg == '+';

	if (!more)
		columns->n_sort = 0;
	columns->sorted = true;
	parse("sort", arg + more, columns->sort, &columns->n_sort, state);
}

void report_columns__fields(
	struct report_columns *columns, const char *arg, struct argp_state *state)
{
	columns->n_fields = 0;
	parse("fields", arg, columns->fields, &columns->n_fields, state);
}

void report_columns__add(struct report_columns *columns, enum report_key key)
{
	if (!report_columns__has(columns, key))
		columns->sort[columns->n_sort++] = key;
}

static void add_keys(struct report_options *ret, const enum report_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (keys[i] < REPORT_KEYS && !has(ret->keys, ret->n_keys, keys[i]))
			ret->keys[ret->n_keys++] = keys[i];
}

/*
 * Like perf: with --fields, rows are sorted by the keys of --sort, which are columns as well; or
 * without --sort, by the columns. Otherwise rows are sorted by the keys if one of them is a number.
 */
void report_columns__apply(struct report_columns *columns, struct report_options *ret)
{
	bool by_fields = columns->n_fields && !columns->sorted;
	const enum report_key *order = by_fields ? columns->fields : columns->sort;
	size_t n = by_fields ? columns->n_fields : columns->n_sort;
	bool ordered = columns->n_fields;

	ret->n_keys = 0;
	ret->n_order = 0;
	add_keys(ret, order, n);
	add_keys(ret, columns->fields, columns->n_fields);
	for (size_t i = 0; i < n; i++)
		ordered |= order[i] >= REPORT_KEYS;
	for (size_t i = 0; ordered && i < n; i++)
		ret->order[ret->n_order++] = order[i];
	for (size_t i = 0; columns->n_fields && i < n; i++)
		if (!has(columns->fields, columns->n_fields, order[i]))
			columns->fields[columns->n_fields++] = order[i];
}

bool report_columns__has(const struct report_columns *columns, enum report_key key)
{
	return has(columns->sort, columns->n_sort, key) ||
	       has(columns->fields, columns->n_fields, key);
}
