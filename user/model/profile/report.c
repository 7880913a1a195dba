// SPDX-License-Identifier: GPL-2.0-only
/*
 * report: see report.h. The call graph of a row has the same chains as in perf, so that both can be
 * compared. Samples in the row itself add their whole chain. Samples in callees add the part of
 * their chain from the row on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/hash.h"
#include "user/model/profile/report.h"
#include "user/model/profile/row_order.h"

struct row_key {
	uint64_t cgroup;
	uint64_t address; /* set if there is no name */
	uint64_t time_ns;
	uint32_t event, comm, pid, tid, cpu, parallelism;
	uint32_t dso, sym, srcline, srcfile, build_id, parent;
	uint32_t in_kernel;
	uint32_t inlined;
};

struct row_entry {
	UT_hash_handle hh;
	struct row_key key;
	struct report_row row;
	struct call_graph *graph;
	uint32_t last_chain; /* the last chain that it was counted for, from 1 */
	struct report_numbers numbers[];
};

struct report {
	const struct samples *samples;
	const struct resolved *resolved;
	const struct report_options *options;
	bool by[REPORT_KEYS];
	struct functions *functions;
	struct chains *chains;
	struct row_entry *by_key;
	struct row_entry **rows;
	size_t n_rows;
	struct samples_total *totals;
	uint64_t n_wanted;
	uint32_t n_events;
	uint32_t *stack; /* the functions of one chain */
	size_t stack_room;
	uint32_t n_looks; /* number of chains visited */
};

/* Returns the leader of the event's group, or the event itself. */
static uint32_t leader_of(const struct report *report, uint32_t event)
{
	const struct report_group *group = report_options__group(report->options, event);

	return group ? group->first : event;
}

static struct row_key key_of(
	const struct report *report, const struct chain_key *chain, const struct function *function)
{
	const struct place *place = samples__place(report->samples, function->place);
	const struct place_numbers *numbers = functions__numbers(
		report->functions, function->place);
	const bool *by = report->by;
	bool named = function->sym != SAMPLES_NONE;
	uint64_t address = functions__address(report->functions, function->place);
	struct row_key key;

	memset(&key, 0, sizeof(key));
	key.event = leader_of(report, chain->event);
	key.comm = chain->comm;
	key.pid = chain->pid;
	key.tid = chain->tid;
	key.cpu = chain->cpu;
	key.parallelism = chain->parallelism;
	key.cgroup = chain->cgroup;
	key.time_ns = chain->time_ns;
	key.parent = chain->parent;
	/* Functions with one name in two DSOs are two functions. */
	key.dso = by[REPORT_DSO] || by[REPORT_SYM] ? numbers->dso : 0;
	key.build_id = by[REPORT_BUILD_ID] ? numbers->build_id : 0;
	key.in_kernel = by[REPORT_SYM] || by[REPORT_DSO] ? place->in_kernel : 0;
	key.sym = by[REPORT_SYM] ? function->sym : 0;
	key.inlined = by[REPORT_SYM] && function->inlined;
	key.srcline = by[REPORT_SRCLINE] ? numbers->srcline : 0;
	key.srcfile = by[REPORT_SRCFILE] ? numbers->srcfile : 0;
	/* Without a line, a place is identified by its function; without a name, by its address. */
	if (by[REPORT_SRCLINE] && numbers->srcline == SAMPLES_NONE) {
		key.sym = numbers->sym;
		key.dso = numbers->dso;
		key.address = named ? 0 : address;
	}
	if (by[REPORT_SYM] && !named)
		key.address = address;
	return key;
}

static struct row_entry *row_of(
	struct report *report, const struct chain_key *chain, uint32_t number)
{
	const struct function *function = functions__at(report->functions, number);
	struct row_key key = key_of(report, chain, function);
	const struct report_group *group;
	struct row_entry *entry;

	HASH_FIND(hh, report->by_key, &key, sizeof(key), entry);
	if (entry)
		return entry;
	group = report_options__group(report->options, chain->event);
	entry = calloc(1, sizeof(*entry) + (group ? group->n : 1) * sizeof(*entry->numbers));
	if (!entry)
		return NULL;
	entry->key = key;
	entry->row = (struct report_row){
		.event = key.event,
		.numbers = entry->numbers,
		.comm = chain->comm,
		.pid = chain->pid,
		.tid = chain->tid,
		.cpu = chain->cpu,
		.parallelism = chain->parallelism,
		.cgroup = chain->cgroup,
		.time_ns = chain->time_ns,
		.parent = chain->parent == SAMPLES_NONE
				  ? NULL
				  : functions__text(report->functions, chain->parent),
		.place = function->place,
		.inlined = key.inlined ? function->inlined : NULL,
	};
	HASH_ADD(hh, report->by_key, key, sizeof(key), entry);
	if (hash__added(entry)) {
		report->n_rows++;
		return entry;
	}
	free(entry);
	return NULL;
}

/*
 * Returns the name of the outermost parent among the callers of @frame, as in perf; or
 * SAMPLES_NONE.
 */
static uint32_t parent_of(const struct report *report, uint32_t frame)
{
	uint32_t parent = SAMPLES_NONE;

	while (frame != SAMPLES_NONE && report->options->parents) {
		const struct frame *at = samples__frame(report->samples, frame);

		if (report->options->parents[at->place])
			parent = functions__numbers(report->functions, at->place)->sym;
		frame = at->parent;
	}
	return parent;
}

/* Returns the frame that @frame counts as: the outermost function whose callees are ignored. */
static uint32_t root_of(const struct report *report, uint32_t frame)
{
	uint32_t root = frame;

	while (frame != SAMPLES_NONE && report->options->roots) {
		const struct frame *at = samples__frame(report->samples, frame);

		if (report->options->roots[at->place])
			root = frame;
		frame = at->parent;
	}
	return root;
}

static bool is_wanted(const struct report *report, const struct sample_sum *sum, uint32_t place)
{
	const struct report_options *options = report->options;

	return (!options->wants ||
		       options->wants(options->ctx, samples__place(report->samples, place),
			       &report->resolved[place])) &&
	       (!options->only_parents || parent_of(report, sum->frame) != SAMPLES_NONE) &&
	       report_options__want(options, sum);
}

/* Whether samples in @place are hidden: they are in no row and no total. */
static bool is_hidden(const struct report *report, uint32_t place)
{
	return report->options->only_resolved && !report->resolved[place].name;
}

/*
 * Adds a sum as a chain. Clears fields that do not distinguish rows, so that more chains are equal.
 */
static int take_sum(struct report *report, const struct sample_sum *sum)
{
	uint32_t frame = root_of(report, sum->frame);
	uint32_t place = samples__frame(report->samples, frame)->place;
	const struct report_options *options = report->options;
	const bool *by = report->by;
	struct chain_key key = {
		.event = sum->event,
		.frame = chains__frame_of(report->chains, frame),
		.comm = by[REPORT_COMM] ? sum->comm : 0,
		.pid = by[REPORT_PID] || by[REPORT_TID] ? sum->pid : 0,
		.tid = by[REPORT_TID] ? sum->tid : 0,
		.cpu = by[REPORT_CPU] ? sum->cpu : 0,
		.cgroup = by[REPORT_CGROUP] ? sum->cgroup : 0,
		.time_ns = by[REPORT_TIME] ? sum->time_ns : 0,
		.parent = by[REPORT_PARENT] ? parent_of(report, sum->frame) : SAMPLES_NONE,
		.parallelism = by[REPORT_PARALLELISM] ? sum->group : 0,
	};
	double latency = options->parallel ? (double)sum->period / sum->group : 0;
	bool wanted = is_wanted(report, sum, place);

	if (is_hidden(report, place))
		return 0;
	if (wanted || !options->relative) {
		report->totals[sum->event].n += sum->n;
		report->totals[sum->event].period += sum->period;
		report->totals[sum->event].latency += latency;
	}
	if (!wanted)
		return 0;
	report->n_wanted += sum->n;
	return chains__add(report->chains, &key, sum->n, sum->period, latency);
}

static struct report_numbers *numbers_of(struct row_entry *entry, const struct chain *chain)
{
	return &entry->numbers[chain->key.event - entry->row.event];
}

/* Counts a chain once in each row, even if a function calls itself. */
static int count_callers(struct report *report, const struct chain *chain)
{
	uint32_t look = ++report->n_looks;

	for (uint32_t at = chain->key.frame; at != SAMPLES_NONE;) {
		const struct chain_frame *frame = chains__frame(report->chains, at);
		struct row_entry *entry = row_of(report, &chain->key, frame->function);
		struct report_numbers *numbers;

		if (!entry)
			return -ENOMEM;
		if (entry->last_chain != look) {
			entry->last_chain = look;
			numbers = numbers_of(entry, chain);
			numbers->children_n += chain->n;
			numbers->children_period += chain->period;
			numbers->children_latency += chain->latency;
		}
		at = frame->parent;
	}
	return 0;
}

/* Returns the row of a chain's own samples: as in perf, never an inlined function. */
static struct row_entry *own_row(struct report *report, const struct chain *chain)
{
	const struct chain_frame *frame = chains__frame(report->chains, chain->key.frame);

	while (functions__at(report->functions, frame->function)->inlined)
		frame = chains__frame(report->chains, frame->parent);
	return row_of(report, &chain->key, frame->function);
}

static int count_chain(struct report *report, const struct chain *chain)
{
	struct row_entry *entry = own_row(report, chain);
	struct report_numbers *numbers;

	if (!entry)
		return -ENOMEM;
	numbers = numbers_of(entry, chain);
	numbers->n += chain->n;
	numbers->period += chain->period;
	numbers->latency += chain->latency;
	return report->options->children ? count_callers(report, chain) : 0;
}

static bool has_graph(const struct report *report, const struct row_entry *entry)
{
	const struct report_options *options = report->options;
	uint64_t period = options->children ? entry->numbers->children_period
					    : entry->numbers->period;
	double total = (double)report->totals[entry->row.event].period;

	return (double)period >= total * options->graph_limit / 100;
}

static int add_to_graph(
	struct row_entry *entry, const uint32_t *functions, size_t n, uint64_t period)
{
	int err = entry->graph ? 0 : call_graph__new(&entry->graph);

	return err ? err : call_graph__add(entry->graph, functions, n, period);
}

/* Fills .stack with the functions of the chain, from the end where graphs begin. */
static int fill_stack(struct report *report, uint32_t frame, size_t *ret_n)
{
	bool outermost = report->options->graph == REPORT_GRAPH_CALLER;
	size_t n = chains__frame(report->chains, frame)->depth + 1, i = 0;

	*ret_n = n;
	if (array__reserve(&report->stack, &report->stack_room, n, sizeof(*report->stack)))
		return -ENOMEM;
	for (; frame != SAMPLES_NONE; frame = chains__frame(report->chains, frame)->parent, i++)
		report->stack[outermost ? n - 1 - i : i] =
			chains__frame(report->chains, frame)->function;
	return 0;
}

static int graph_chain(struct report *report, const struct chain *chain)
{
	struct row_entry *entry = own_row(report, chain);
	uint32_t look = ++report->n_looks;
	size_t n;
	int err = entry ? fill_stack(report, chain->key.frame, &n) : -ENOMEM;

	if (err)
		return err;
	entry->last_chain = look;
	if (has_graph(report, entry))
		err = add_to_graph(entry, report->stack, n, chain->period);
	for (size_t i = 0; report->options->children && i < n && !err; i++) {
		entry = row_of(report, &chain->key, report->stack[i]);
		if (!entry)
			return -ENOMEM;
		if (entry->last_chain != look && has_graph(report, entry))
			err = add_to_graph(entry, report->stack + i, n - i, chain->period);
		entry->last_chain = look;
	}
	return err;
}

static int draw_graphs(struct report *report)
{
	struct row_entry *entry;
	int err = 0;

	for (size_t i = 0; i < chains__n(report->chains) && !err; i++) {
		const struct chain *chain = chains__at(report->chains, i);

		/* As in perf, a group has the graph of its leader. */
		if (leader_of(report, chain->key.event) == chain->key.event)
			err = graph_chain(report, chain);
	}
	for (entry = report->by_key; entry && !err; entry = entry->hh.next)
		if (entry->graph)
			err = call_graph__sort(entry->graph);
	return err;
}

/* Sorts equal rows by key, so that a report is the same each time. */
static int compare(const void *a, const void *b, void *ctx)
{
	const struct row_entry *x = *(struct row_entry *const *)a;
	const struct row_entry *y = *(struct row_entry *const *)b;
	int order = row_order__compare(ctx, &x->row, &y->row);

	return order ? order : memcmp(&x->key, &y->key, sizeof(x->key));
}

static int sort(struct report *report, struct model *model)
{
	struct row_order order = {
		.functions = report->functions,
		.samples = report->samples,
		.model = model,
		.resolved = report->resolved,
		.options = report->options,
	};
	struct row_entry *entry;
	size_t i = 0;

	report->rows = calloc(report->n_rows + 1, sizeof(struct row_entry *));
	if (!report->rows)
		return -ENOMEM;
	for (entry = report->by_key; entry; entry = entry->hh.next)
		report->rows[i++] = entry;
	qsort_r(report->rows, report->n_rows, sizeof(struct row_entry *), compare, &order);
	return 0;
}

static int make_totals(struct report *report)
{
	report->n_events = samples__n_events(report->samples);
	report->totals = calloc(report->n_events + 1, sizeof(*report->totals));
	if (!report->totals)
		return -ENOMEM;
	for (uint32_t i = 0; !report->options->relative && i < report->n_events; i++)
		report->totals[i] = samples__passed_over(report->samples, i);
	return 0;
}

static int build(struct report *report, struct model *model)
{
	const struct report_options *options = report->options;
	size_t n = samples__n(report->samples);
	int err;

	for (size_t i = 0; i < options->n_keys; i++)
		report->by[options->keys[i]] = true;
	err = make_totals(report);
	if (!err)
		err = functions__new(&report->functions, report->samples, model, report->resolved,
			options->identities,
			(struct functions_options){
				.by_line = report->by[REPORT_SRCLINE] || report->by[REPORT_SRCFILE],
				.fold = options->fold});
	if (!err)
		err = chains__new(&report->chains, report->samples, report->functions,
			options->children || options->chains ||
				options->graph != REPORT_GRAPH_NONE);
	for (size_t i = 0; i < n && !err; i++)
		err = take_sum(report, samples__at(report->samples, i));
	n = err ? 0 : chains__n(report->chains);
	for (size_t i = 0; i < n && !err; i++)
		err = count_chain(report, chains__at(report->chains, i));
	if (!err && options->graph != REPORT_GRAPH_NONE)
		err = draw_graphs(report);
	return err ? err : sort(report, model);
}

int report__new(struct report **ret, const struct samples *samples, struct model *model,
	const struct resolved *resolved, const struct report_options *options)
{
	struct report *report = calloc(1, sizeof(*report));

	*ret = report;
	if (!report)
		return -ENOMEM;
	report->samples = samples;
	report->resolved = resolved;
	report->options = options;
	return build(report, model);
}

void report__free(struct report *report)
{
	struct row_entry *entry, *next;

	if (!report)
		return;
	HASH_ITER (hh, report->by_key, entry, next) {
		HASH_DEL(report->by_key, entry);
		call_graph__free(entry->graph);
		free(entry);
	}
	functions__free(report->functions);
	chains__free(report->chains);
	free(report->rows);
	free(report->totals);
	free(report->stack);
	free(report);
}

struct report_options report_options__by(
	const struct report_options *options, enum report_key first, enum report_key second)
{
	struct report_options ret = *options;

	ret.keys[0] = first;
	ret.keys[1] = second;
	ret.n_keys = 2;
	ret.children = false;
	ret.chains = false;
	ret.fold = false;
	ret.n_order = 0;
	ret.n_groups = 0;
	ret.graph = REPORT_GRAPH_NONE;
	return ret;
}

size_t report__n_rows(const struct report *report)
{
	return report->n_rows;
}

const struct report_row *report__row(const struct report *report, size_t i)
{
	return &report->rows[i]->row;
}

/* A recorded event may have no samples. */
static struct samples_total totals_of(const struct report *report, uint32_t event)
{
	return event < report->n_events ? report->totals[event] : (struct samples_total){0};
}

uint64_t report__total_n(const struct report *report, uint32_t event)
{
	return totals_of(report, event).n;
}

uint64_t report__total_period(const struct report *report, uint32_t event)
{
	return totals_of(report, event).period;
}

double report__total_latency(const struct report *report, uint32_t event)
{
	return totals_of(report, event).latency;
}

bool report__counts(const struct report *report, const struct sample_sum *sum, uint32_t *ret_frame)
{
	uint32_t place;

	*ret_frame = root_of(report, sum->frame);
	place = samples__frame(report->samples, *ret_frame)->place;
	return !is_hidden(report, place) && is_wanted(report, sum, place);
}

uint64_t report__n_wanted(const struct report *report)
{
	return report->n_wanted;
}

const char *report__srcfile(const struct report *report, uint32_t place)
{
	uint32_t number = functions__numbers(report->functions, place)->srcfile;

	return number == SAMPLES_NONE ? NULL : functions__text(report->functions, number);
}

uint32_t report__dso(const struct report *report, uint32_t place)
{
	return functions__numbers(report->functions, place)->dso;
}

const struct function *report__function(const struct report *report, uint32_t function)
{
	return functions__at(report->functions, function);
}

const struct call_graph *report__graph(const struct report *report, size_t i)
{
	return report->rows[i]->graph;
}

const struct chains *report__chains(const struct report *report)
{
	return report->chains;
}

uint32_t report__n_events(const struct report *report)
{
	return report->n_events;
}
