// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp replaced: examines every process, or a recording, with the model, and prints the view.
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/cli/option_value.h"
#include "user/cli/replaced/restart.h"
#include "user/source/containers/names.h"
#include "user/source/content/package_owner.h"
#include "user/source/content/replaced_scan.h"
#include "user/source/proc/file.h"
#include "user/source/proc/mapped.h"
#include "user/view/metrics.h"
#include "user/view/replaced.h"

struct options {
	const char *file; /* NULL: examines the running system */
	bool json;
	bool metrics;
	bool restart;
	bool yes;
	const char *path_glob;
	const char *container_glob;
	pid_t *pids;
	size_t n_pids;
};

struct report {
	const struct options *options;
	struct model *model;
	struct replaced *replaced;
	struct replaced_row *rows;
	size_t n;
	size_t room;
	struct replaced_scan_counts counts; /* for the running system */
};

enum { KEY_JSON = 256, KEY_METRICS, KEY_PATH, KEY_CONTAINER, KEY_RESTART, KEY_YES };

/* Exit statuses for monitoring: ok, warning, unknown. */
enum { NONE_REPLACED = CLI_DONE, SOME_REPLACED = 1, NOT_EXAMINED = 3 };

static const struct argp_option OPTIONS[] = {
	{"input", 'i', "FILE", 0,
		"Read the recording FILE and report its end, instead of this machine", 0},
	{"pid", 'p', "PID,...", 0, "Examine only these processes", 0},
	{"path", KEY_PATH, "GLOB", 0, "Show only paths that match GLOB; * also matches /", 0},
	{"container", KEY_CONTAINER, "GLOB", 0,
		"Show only containers whose name, id, pod or image matches GLOB", 0},
	{"json", KEY_JSON, NULL, 0, "Write JSON, one object per line", 0},
	{"metrics", KEY_METRICS, NULL, 0, "Write only the numbers, as OpenMetrics", 0},
	{"restart", KEY_RESTART, NULL, 0, "Show what to restart, each unit and container once", 0},
	{"yes", KEY_YES, NULL, 0, "With --restart: restart the units of systemd that are shown", 0},
	{0},
};

static void check_restart(const struct options *options, struct argp_state *state)
{
	if (options->restart && (options->metrics || options->file || options->json))
		argp_error(state, "--restart examines this machine, for people: it cannot be "
				  "combined with --json, --metrics or a FILE");
	if (options->yes && !options->restart)
		argp_error(state, "--yes requires --restart");
	if (options->yes && options->n_pids)
		argp_error(state, "--yes restarts whole units: it cannot be combined with -p");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'i':
	case ARGP_KEY_ARG:
		if (options->file)
			argp_error(state, "more than one file given: %s, %s", options->file, arg);
		options->file = arg;
		return 0;
	case 'p':
		options->n_pids = option_value__ids(&options->pids, key, arg, state);
		return 0;
	case KEY_PATH:
		options->path_glob = arg;
		return 0;
	case KEY_CONTAINER:
		options->container_glob = arg;
		return 0;
	case KEY_JSON:
		options->json = true;
		return 0;
	case KEY_METRICS:
		options->metrics = true;
		return 0;
	case KEY_RESTART:
		options->restart = true;
		return 0;
	case KEY_YES:
		options->yes = true;
		return 0;
	case ARGP_KEY_END:
		check_restart(options, state);
		if (options->metrics && (options->file || options->json || options->path_glob ||
						options->container_glob))
			argp_error(state, "--metrics counts everything on this machine: it cannot "
					  "be combined with --json, --path, --container or a FILE");
		if (options->file && options->n_pids)
			argp_error(state,
				"-p examines this machine: it cannot be combined with a recording");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- The place of a process ---- */

/* Of the hierarchies of v1 and v2, uses the one that names a container, or else a unit. */
static void find_place(uint32_t pid, struct container_facts *ret)
{
	char path[PERFSTAMP_PATH_MAX];
	struct container_facts facts;
	const char *cursor;
	struct buffer about;
	char *text;

	memset(ret, 0, sizeof(*ret));
	if (proc_file__read(&text, NULL, "/proc/%" PRIu32 "/cgroup", pid))
		return;
	cursor = text;
	while (proc_cgroup__next(&cursor, path, sizeof(path))) {
		container_facts__read(&facts, path, NULL, 0);
		if (facts.is.runtime != CONTAINER_NONE || !*ret->is.unit)
			*ret = facts;
		if (facts.is.runtime == CONTAINER_NONE)
			continue;
		buffer__init(&about, PERFSTAMP_CONTAINER_TEXT_MAX);
		if (!container_names__find(&facts.is, &about))
			container_facts__read(ret, path, (char *)about.data, about.size);
		buffer__free(&about);
		break;
	}
	free(text);
}

static void recorded_place(
	const struct model *model, const struct model_process *process, struct container_facts *ret)
{
	const char *path = model__cgroup_path(model, process->cgroup_id), *about;
	size_t size;

	memset(ret, 0, sizeof(*ret));
	if (!path)
		return;
	about = model__cgroup_about(model, process->cgroup_id, &size);
	container_facts__read(ret, path, about, size);
}

/* ---- Rows ---- */

static int add_processes(const struct report *report, const struct replacement *replacement,
	struct replaced_row *row)
{
	const struct options *options = report->options;
	size_t n_threads = 0;

	row->processes = calloc(replacement->n_pids, sizeof(*row->processes));
	if (!row->processes)
		return -ENOMEM;
	for (size_t i = 0; i < replacement->n_pids; i++) {
		struct replaced_process *process = &row->processes[row->n_shown];
		struct model_process known;

		if (!model__process(report->model, replacement->pids[i], &known))
			continue;
		process->pid = replacement->pids[i];
		snprintf(process->comm, sizeof(process->comm), "%s", known.comm);
		if (options->file)
			recorded_place(report->model, &known, &process->where);
		else
			find_place(process->pid, &process->where);
		if (options->container_glob && (process->where.is.runtime == CONTAINER_NONE ||
						       !container_facts__matches(&process->where,
							       options->container_glob)))
			continue;
		n_threads += known.n_threads;
		row->n_shown++;
	}
	if (options->container_glob) {
		row->n_processes = row->n_shown;
		row->n_threads = n_threads;
	}
	return 0;
}

static int add_row(void *ctx, const struct replacement *replacement)
{
	struct report *report = ctx;
	const struct options *options = report->options;
	struct replaced_row *row;

	if (options->path_glob && fnmatch(options->path_glob, replacement->path, 0))
		return 0;
	if (array__reserve(&report->rows, &report->room, report->n + 1, sizeof(*report->rows)))
		return -ENOMEM;
	row = &report->rows[report->n];
	*row = (struct replaced_row){
		.kind = replacement->kind,
		.path = replacement->path,
		.old = model__sighting_so_far(report->model, replacement->old)->identity,
		.now = replacement->now,
		.same_build_id = replacement->same_build_id,
		.wall_clock = !options->file,
		.since_ns = replacement->since_ns,
		.mnt_ns = replacement->mnt_ns,
		.n_processes = replacement->n_processes,
		.n_threads = replacement->n_threads,
	};
	if (add_processes(report, replacement, row)) {
		free(row->processes);
		return -ENOMEM;
	}
	if (row->n_shown)
		report->n++;
	else
		free(row->processes);
	return 0;
}

/* Finds the packages. Reads the lists of each mount namespace once. */
static int find_packages(struct report *report)
{
	const char **paths = calloc(report->n + 1, sizeof(*paths));
	char **names = calloc(report->n + 1, sizeof(*names));
	bool *done = calloc(report->n + 1, sizeof(*done));
	size_t *at = calloc(report->n + 1, sizeof(*at)), n;
	int err = paths && names && done && at ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < report->n; i++) {
		n = 0;
		for (size_t j = i; j < report->n && !done[i]; j++) {
			if (report->rows[j].mnt_ns != report->rows[i].mnt_ns)
				continue;
			done[j] = j != i;
			paths[n] = report->rows[j].path;
			at[n++] = j;
		}
		/* Without dpkg there is no owner. */
		if (n && !package_owner__find(
				 (pid_t)report->rows[i].processes[0].pid, paths, n, names))
			for (size_t j = 0; j < n; j++)
				report->rows[at[j]].package = names[j];
	}
	free(paths);
	free(names);
	free(done);
	free(at);
	return err;
}

static void free_report(struct report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		free(report->rows[i].processes);
		free((char *)report->rows[i].package);
	}
	free(report->rows);
}

/* ---- The running system ---- */

static int on_event(void *ctx, const struct event *event)
{
	struct report *report = ctx;
	int err = model__apply(report->model, event);

	return err ? err : replaced__apply(report->replaced, event, NULL, NULL);
}

static int on_stale(void *ctx, const struct stale_mapping *stale)
{
	struct report *report = ctx;
	int err = replaced__stale(report->replaced, stale->pid, stale->addr, stale->since_ns);

	return err ? err
		   : replaced__path(report->replaced, stale->mnt_ns, stale->path,
			     stale->gone ? NULL : &stale->now, stale->since_ns, NULL, NULL);
}

/* While one process is examined, processes that were examined before continue to run, and end. */
static bool is_still_mapped(void *ctx, const struct model_mapping *mapping)
{
	const struct report *report = ctx;
	const struct sighting *sighting = model__sighting_so_far(report->model, mapping->sighting);
	const struct mapped_file file = {
		.pid = mapping->pid,
		.addr = mapping->addr,
		.len = mapping->len,
		.path = sighting->path,
		/* A mapping that stands for the name that started a process has no real address. */
		.identity = mapping->addr > INT64_MAX ? NULL : &sighting->identity,
	};

	return mapped_file__is(&file);
}

static int look(struct report *report, struct error *err)
{
	const struct options *options = report->options;
	const struct replaced_scan_ops ops = {on_event, on_stale, report};
	struct replaced_scan_counts *counts = &report->counts;
	int code = model__new(&report->model);

	if (!code)
		code = replaced__new(&report->replaced, report->model);
	if (!code) {
		replaced__check_by(report->replaced, is_still_mapped, report);
		code = replaced_scan__run(options->pids, options->n_pids, &ops, counts, err);
	}
	if (code == -ENOMEM)
		return error__set(err, code, "out of memory");
	if (code)
		return code;
	if (options->n_pids && counts->processes < options->n_pids)
		return error__set(err, -ESRCH, "-p: %zu of %zu processes do not exist",
			options->n_pids - counts->processes, options->n_pids);
	return 0;
}

/* Prints what could not be examined. Returns whether all was examined. */
static bool print_gaps(const struct replaced_scan_counts *counts)
{
	fflush(stdout);
	if (counts->denied)
		fprintf(stderr, "perfstamp replaced: %zu process%s could not be examined%s\n",
			counts->denied, counts->denied == 1 ? "" : "es",
			geteuid() ? "; run as root to include all"
				  : " (no permission, even for root)");
	if (counts->unknown)
		fprintf(stderr,
			"perfstamp replaced: %zu mapped file%s could not be compared with the file "
			"at its path%s\n",
			counts->unknown, counts->unknown == 1 ? "" : "s",
			geteuid() ? "; run as root to compare all" : "");
	return !counts->denied && !counts->unknown;
}

/* ---- From a recording ---- */

static int on_recorded(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	struct report *report = ctx;
	int err = report->replaced ? 0 : replaced__new(&report->replaced, model);

	(void)reader;
	return err ? err : replaced__apply(report->replaced, event, NULL, NULL);
}

static int show_metrics(struct report *report)
{
	struct metrics_look look = {
		.processes = report->counts.processes,
		.denied = report->counts.denied,
		.unknown = report->counts.unknown,
	};
	int err = replaced__count(report->replaced, report->model, &look.replaced);

	if (!err)
		metrics__write_look(stdout, &look);
	return err;
}

static int show(struct report *report)
{
	/* A recording without events has no replacements. */
	int err = report->replaced ? replaced__for_each(report->replaced, add_row, report) : 0;

	if (!err && !report->options->file)
		err = find_packages(report);
	for (size_t i = 0; !err && i < report->n; i++) {
		if (report->options->json)
			replaced_view__json(stdout, &report->rows[i]);
		else
			replaced_view__text(stdout, &report->rows[i]);
	}
	return err;
}

static int run(const struct options *options)
{
	struct report report = {.options = options};
	const struct input_tap tap = {.fn = on_recorded, .ctx = &report};
	struct input input = {0};
	int status = NONE_REPLACED;
	struct error err;

	if (options->file ? input__read_with(&input, options->file, &tap, &err)
			  : look(&report, &err)) {
		cli__fail("%s", err.text);
		status = NOT_EXAMINED;
	} else {
		if (options->file)
			report.model = input.model;
		bool failed = options->metrics ? show_metrics(&report) : show(&report);
		bool complete = print_gaps(&report.counts);

		if (failed)
			cli__fail("out of memory");
		if (input.damaged)
			cli__fail("%s", input.damage.text);
		/* Findings are valid, even if something could not be examined. */
		if (!failed && !input.damaged && report.n)
			status = SOME_REPLACED;
		else if (failed || input.damaged || (!complete && !options->metrics))
			status = NOT_EXAMINED;
	}
	free_report(&report);
	replaced__free(report.replaced);
	if (options->file)
		input__free(&input);
	else
		model__free(report.model);
	return status;
}

/* Prints errors. Returns 0 or NOT_EXAMINED. Sets *@ret_complete if all processes were examined. */

/* Prints errors. Returns 0 or NOT_EXAMINED; *@ret_complete: all processes were examined. */
static int make_plan(
	const struct options *options, bool last, struct restart_plan *ret, bool *ret_complete)
{
	struct report report = {.options = options};
	struct container_facts own;
	struct error err;
	int code = look(&report, &err);

	if (code) {
		cli__fail("%s", err.text);
		goto out;
	}
	code = replaced__for_each(report.replaced, add_row, &report);
	for (size_t i = 0; !code && i < report.n; i++)
		code = restart_plan__add(ret, &report.rows[i]);
	if (code) {
		cli__fail("out of memory");
		goto out;
	}
	find_place((uint32_t)getpid(), &own);
	code = restart__ask_systemd(ret, own.is.user_unit ? "" : own.is.unit);
	if (!code && last)
		restart_plan__write(stdout, ret);
	*ret_complete = last ? print_gaps(&report.counts) : true;
out:
	free_report(&report);
	replaced__free(report.replaced);
	model__free(report.model);
	return code ? NOT_EXAMINED : 0;
}

static int restart(const struct options *options)
{
	struct restart_plan plan = {0};
	bool complete = false;
	int status = 0;

	if (options->yes) {
		status = make_plan(options, false, &plan, &complete);
		if (!status)
			restart__units(&plan);
		restart_plan__free(&plan);
		memset(&plan, 0, sizeof(plan));
	}
	if (!status)
		status = make_plan(options, true, &plan, &complete);
	if (!status && plan.n)
		status = SOME_REPLACED;
	else if (!status && !complete)
		status = NOT_EXAMINED;
	if (!options->yes && restart_plan__count(&plan, RESTART_BY_SYSTEMD))
		printf("Nothing was restarted; `perfstamp replaced --restart --yes' restarts the "
		       "units.\n");
	restart_plan__free(&plan);
	return status;
}

int cmd_replaced(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "List processes that run a build that is no longer at its path, since when, "
		       "and the services to restart, on this machine or at the end of the "
		       "recording FILE. The exit status is 1 if there are any, and 3 if not all "
		       "could be examined.",
	};
	struct options options = {0};
	int status;

	cli__parse(&ARGP, argc, argv, &options);
	status = options.restart ? restart(&options) : run(&options);
	free(options.pids);
	return status;
}
