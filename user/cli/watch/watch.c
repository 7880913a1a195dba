// SPDX-License-Identifier: GPL-2.0-only
/* perfstamp watch: connects the recorder's events, the model and the watch view. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "user/base/rate.h"
#include "user/cli/cli.h"
#include "user/cli/record/service.h"
#include "user/cli/watch/command.h"
#include "user/cli/watch/comparisons.h"
#include "user/cli/watch/line.h"
#include "user/cli/watch/paths.h"
#include "user/helper/capability.h"
#include "user/record/maps/stream.h"
#include "user/source/machine/clock.h"
#include "user/source/machine/privilege.h"
#include "user/source/machine/systemd.h"
#include "user/source/proc/mapped.h"
#include "user/view/diff/brief.h"

#define LEFT_OUT_NS 1000000000ull /* interval of lines about suppressed lines */
#define TRIM_NS 60000000000ull    /* interval of removing unused paths */

struct watch {
	struct watch_command *command;
	struct model *model;
	struct replaced *replaced;
	struct containers *containers;
	struct observer observer;
	struct watch_paths *paths;       /* NULL: replacements are not reported */
	struct comparisons *comparisons; /* NULL: without --diff */
	bool unwatched_reported;
	int epoll_fd; /* for the watched paths and the service */
	struct recorder *recorder;
	struct service *service;
	struct rate rate;
	struct watch_left_out left_out;
	uint64_t n_left_out;  /* lines that were suppressed since the last report */
	uint64_t reported_ns; /* monotonic time of that report */
	uint64_t trimmed_ns;  /* monotonic time of the last trim */
	uint64_t lines;
	struct metrics_part seen[OBSERVATION_KINDS];
	struct metrics_part not_shown[OBSERVATION_KINDS];
	struct replaced_counts replaced_counts; /* as of the last request for metrics */
	uint64_t all_left_out;
	uint64_t lost;
	int64_t realtime_offset_ns; /* CLOCK_REALTIME minus the events' clock */
	bool running;               /* what existed at the start has been reported */
	int code;                   /* error of the journal */
};

/* ---- Lines ---- */

static void write_line(struct watch *watch, const struct line *line)
{
	int code = line__write(line, watch->command->journal, watch->command->json);

	watch->lines++;
	watch->code = watch->code ? watch->code : code;
}

/* NO_COLOR requests text without colors from every program. */
static bool has_colors(FILE *out)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

	return isatty(fileno(out)) && term && strcmp(term, "dumb") != 0 && !(no_color && *no_color);
}

static void observation_text(FILE *out, const void *line)
{
	watch_view__text(out, line, has_colors(out));
}

static void observation_sentence(FILE *out, const void *line)
{
	watch_view__sentence(out, line);
}

static void observation_fields(struct fields *fields, const void *line)
{
	watch_view__fields(fields, line);
}

static void left_out_text(FILE *out, const void *what)
{
	const struct watch *watch = what;

	watch_left_out__text(
		out, &watch->left_out, watch->reported_ns + (uint64_t)watch->realtime_offset_ns);
}

static void left_out_sentence(FILE *out, const void *what)
{
	const struct watch *watch = what;

	watch_left_out__sentence(out, &watch->left_out);
}

static void left_out_fields(struct fields *fields, const void *what)
{
	const struct watch *watch = what;

	watch_left_out__fields(
		fields, &watch->left_out, watch->reported_ns + (uint64_t)watch->realtime_offset_ns);
}

/* ---- Events ---- */

/* Adds the container, pod and unit of the process. */
static int add_home(struct watch *watch, struct watch_line *line, struct container *unit)
{
	uint64_t id = line->what->cgroup_id;
	struct container_facts *facts = NULL;
	int code;

	line->cgroup = id ? model__cgroup_path(watch->model, id) : NULL;
	if (!line->cgroup)
		return 0;
	code = containers__find(watch->containers, id, &facts);
	line->container = facts;
	container__parse(unit, line->cgroup);
	line->unit = unit->unit;
	return code;
}

static int on_observation(void *ctx, const struct observation *what)
{
	struct watch *watch = ctx;
	struct watch_line view = {.what = what};
	struct container unit;
	const struct line line = {
		.text = observation_text,
		.sentence = observation_sentence,
		.fields = observation_fields,
		.what = &view,
		.priority = watch_view__is_alarm(what->kind) ? LOG_WARNING : LOG_INFO,
	};

	if (what->time_ns)
		view.realtime_ns = what->time_ns + (uint64_t)watch->realtime_offset_ns;
	if (add_home(watch, &view, &unit))
		return -ENOMEM;
	watch->lost += what->lost;
	watch->seen[what->kind].n++;
	if (!watch_filter__wants(&watch->command->filter, &view))
		return 0;
	/* What existed at the start is not limited. */
	if (!what->existing && what->kind != OBSERVED_LOST &&
		!rate__take(&watch->rate, clock__now(CLOCK_MONOTONIC))) {
		watch->left_out.n[what->kind]++;
		watch->not_shown[what->kind].n++;
		watch->n_left_out++;
		return 0;
	}
	write_line(watch, &line);
	return 0;
}

/* ---- Comparisons of replaced builds ---- */

static void brief_text(FILE *out, const void *what)
{
	diff_brief__text(out, what);
}

static void brief_sentence(FILE *out, const void *what)
{
	diff_brief__sentence(out, what);
}

static void brief_fields(struct fields *fields, const void *what)
{
	diff_brief__fields(fields, what);
}

static void on_compared(
	void *ctx, const char *path, const char *json, size_t size, const char *error)
{
	struct watch *watch = ctx;
	struct diff_brief brief = {
		.path = path,
		.file = watch->command->diff,
		.time_ns = clock__now(CLOCK_MONOTONIC),
		.error = error,
	};
	struct line line = {
		.text = brief_text,
		.sentence = brief_sentence,
		.fields = brief_fields,
		.what = &brief,
	};

	brief.realtime_ns = brief.time_ns + (uint64_t)watch->realtime_offset_ns;
	if (!error && diff_brief__parse(&brief, json, size))
		brief.error = "the output of perfstamp diff cannot be read";
	line.priority = brief.error || brief.n_marked ? LOG_NOTICE : LOG_INFO;
	write_line(watch, &line);
	diff_brief__free(&brief);
}

/*
 * Schedules a comparison. Only for files that the filter selects, whether or not they are reported.
 */
static int compare_later(struct watch *watch, const struct event *event)
{
	const struct event_map *map = &event->map;
	struct watch_filter filter = watch->command->filter;
	const struct sighting *sighting;
	struct observation what = {.kind = OBSERVED_DSO, .pid = event->pid};
	struct watch_line line = {.what = &what};
	char home[4 * CONTAINER_TEXT_MAX] = "";
	struct model_mapping mapping;
	struct container unit;

	if (event->kind != EVENT_MAP || map->kernel ||
		!model__find_mapping(watch->model, event->pid, map->addr, &mapping) ||
		mapping.sighting == UINT32_MAX)
		return 0;
	sighting = model__sighting_so_far(watch->model, mapping.sighting);
	if (!replaced__concerns(sighting) ||
		(!sighting->identity.build_id_size && !sighting->identity.cookie_size))
		return 0;
	what.path = sighting->path;
	what.cgroup_id = map->identity.cgroup_id;
	if (add_home(watch, &line, &unit))
		return -ENOMEM;
	filter.kinds[OBSERVED_DSO] = true;
	if (!watch_filter__wants(&filter, &line))
		return 0;
	if (line.container)
		container_facts__label(line.container, home, sizeof(home));
	return comparisons__mapped(watch->comparisons, home, sighting->path, &sighting->identity,
		event->time_ns && !(map->flags & PERFSTAMP_MAP_SNAPSHOT),
		clock__now(CLOCK_MONOTONIC));
}

static int on_event(void *ctx, const struct event *event)
{
	struct watch *watch = ctx;
	int code = observer__apply(&watch->observer, event);

	if (!code && watch->comparisons)
		code = compare_later(watch, event);
	return code || !watch->paths ? code : watch_paths__add(watch->paths, event);
}

static void report_left_out(struct watch *watch, bool now)
{
	static const struct line TEMPLATE = {
		.text = left_out_text,
		.sentence = left_out_sentence,
		.fields = left_out_fields,
		.priority = LOG_WARNING,
	};
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	struct line line = TEMPLATE;

	if (!watch->n_left_out || (!now && now_ns - watch->reported_ns < LEFT_OUT_NS))
		return;
	watch->reported_ns = now_ns;
	line.what = watch;
	write_line(watch, &line);
	watch->all_left_out += watch->n_left_out;
	watch->n_left_out = 0;
	memset(&watch->left_out, 0, sizeof(watch->left_out));
}

static void look_at_clock(struct watch *watch)
{
	watch->realtime_offset_ns = (int64_t)(clock__now(CLOCK_REALTIME) -
					      clock__now(CLOCK_MONOTONIC));
}

static void report_begin(const struct watch *watch)
{
	struct recorder_summary summary;

	recorder__summary(watch->recorder, &summary);
	fprintf(stderr, "[ perfstamp watch: %" PRIu64 " existing mappings of %zu DSOs; rung %s ]\n",
		model__ledger(watch->model)->maps, model__n_sightings(watch->model), summary.rung);
}

static void show_note(const char *text, void *ctx)
{
	const struct watch_command *command = ctx;

	if (!command->quiet)
		fprintf(stderr, "perfstamp watch: %s\n", text);
}

static void note_of(const char *text, void *ctx)
{
	struct watch *watch = ctx;

	show_note(text, watch->command);
}

static int look_at_paths(struct watch *watch)
{
	size_t n = watch_paths__n_unwatched(watch->paths);
	char text[256];

	if (n && !watch->unwatched_reported) {
		watch->unwatched_reported = true;
		snprintf(text, sizeof(text),
			"%zu paths or more are not watched (remote file systems, or "
			"fs.inotify.max_user_watches): replacements there are reported when the "
			"new file is mapped",
			n);
		note_of(text, watch);
	}
	return watch_paths__look(watch->paths);
}

/* Removes replaced paths and processes that no process maps any more. */
static int trim(struct watch *watch)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);

	if (now_ns - watch->trimmed_ns < TRIM_NS)
		return 0;
	watch->trimmed_ns = now_ns;
	return replaced__trim(watch->replaced);
}

static int attend(void *ctx, enum recorder_moment moment, const char *why, struct error *err)
{
	struct watch *watch = ctx;
	int code = service__attend(watch->service, moment, why, err);

	if (code || moment != RECORDER_ROUND)
		return code;
	look_at_clock(watch);
	if (watch->paths && (code = look_at_paths(watch)))
		return error__errno(err, code, "paths that are mapped");
	code = trim(watch);
	if (code)
		return error__errno(err, code, "paths that were mapped");
	if (watch->comparisons) {
		code = comparisons__run(watch->comparisons, clock__now(CLOCK_MONOTONIC), err);
		if (code)
			return code;
	}
	report_left_out(watch, false);
	fflush(stdout);
	if (!watch->running && !watch->command->quiet)
		report_begin(watch);
	watch->running = true;
	if (watch->code)
		return error__errno(err, watch->code, "the journal does not accept entries");
	return ferror(stdout) ? error__set(err, -EPIPE, "the reader of the output has closed it")
			      : 0;
}

/* Checks the method. Without BPF, mappings have no cgroup. */
static int check_rung(const struct watch *watch, struct error *err)
{
	const struct watch_filter *filter = &watch->command->filter;
	struct recorder_summary summary;

	recorder__summary(watch->recorder, &summary);
	if ((!filter->cgroup && !filter->unit_glob && !filter->container_glob) ||
		strcmp(summary.rung, RECORDER_RUNG_MMAP2) != 0)
		return 0;
	return error__set(err, -EOPNOTSUPP,
		"-G, --unit and --container require BPF, which is not available (perfstamp doctor "
		"shows why); -p watches processes");
}

static void fill_metrics(void *ctx, struct metrics *metrics)
{
	struct watch *watch = ctx;

	metrics->seen = watch->seen;
	metrics->left_out = watch->not_shown;
	metrics->n_kinds = OBSERVATION_KINDS;
	/* Metrics are not updated between requests. */
	if (watch->paths &&
		!replaced__count(watch->replaced, watch->model, &watch->replaced_counts))
		metrics->replaced = &watch->replaced_counts;
}

static int start_service(struct watch *watch, struct error *err)
{
	struct watch_command *command = watch->command;
	const struct service_options options = {
		.command = "watch",
		.paths = command->service,
		.needs = CAPABILITY_PROCESSES | CAPABILITY_KERNEL |
			 (command->recorder.workload ? CAPABILITY_KILL : 0) |
			 (command->service.metrics_file && privilege__must_override(
								   command->service.metrics_file)
					 ? CAPABILITY_FILES
					 : 0),
		.verbose = command->verbose,
		.recorder = &watch->recorder,
		.fill = fill_metrics,
		.note = note_of,
		.ctx = watch,
	};

	for (size_t i = 0; i < OBSERVATION_KINDS; i++)
		watch->seen[i].name = watch->not_shown[i].name = watch_view__kind(i);
	return service__new(&watch->service, &options, err);
}

static bool is_still_mapped(void *ctx, const struct model_mapping *mapping)
{
	const struct watch *watch = ctx;
	const struct sighting *sighting = model__sighting_so_far(watch->model, mapping->sighting);
	const struct mapped_file file = {
		.pid = mapping->pid,
		.addr = mapping->addr,
		.len = mapping->len,
		.path = sighting->path,
		.identity = &sighting->identity,
	};

	return mapped_file__is(&file);
}

static int make_comparisons(struct watch *watch)
{
	const struct comparisons_options options = {
		.file = watch->command->diff,
		.buildid_dir = watch->command->recorder.capture.buildid_dir,
		.after_ns = watch->command->diff_after_ns,
		.fn = on_compared,
		.ctx = watch,
	};

	return options.file ? comparisons__new(&watch->comparisons, &options) : 0;
}

static int make_model(struct watch *watch)
{
	if (model__new(&watch->model) || replaced__new(&watch->replaced, watch->model) ||
		containers__new(&watch->containers, watch->model) || make_comparisons(watch))
		return -ENOMEM;
	replaced__check_by(watch->replaced, is_still_mapped, watch);
	watch->observer = (struct observer){
		.model = watch->model,
		.replaced = watch->replaced,
		.fn = on_observation,
		.ctx = watch,
	};
	return 0;
}

static int poll_fd(struct watch *watch, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return fd >= 0 && epoll_ctl(watch->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static int start_paths(struct watch *watch, struct error *err)
{
	int code = 0;

	watch->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (watch->epoll_fd < 0)
		return error__errno(err, -errno, "epoll");
	if (watch->command->filter.kinds[OBSERVED_REPLACED])
		code = watch_paths__new(&watch->paths, &watch->observer, err);
	if (code)
		return code;
	code = poll_fd(watch, service__attendant(watch->service)->fd);
	if (!code && watch->paths)
		code = poll_fd(watch, watch_paths__fd(watch->paths));
	return code ? error__errno(err, code, "epoll") : 0;
}

static void free_model(struct watch *watch)
{
	comparisons__free(watch->comparisons);
	watch_paths__free(watch->paths);
	if (watch->epoll_fd >= 0)
		close(watch->epoll_fd);
	containers__free(watch->containers);
	replaced__free(watch->replaced);
	model__free(watch->model);
}

static void report_end(const struct watch *watch)
{
	size_t n_waiting = watch->comparisons ? comparisons__n_waiting(watch->comparisons) : 0;

	if (n_waiting)
		fprintf(stderr,
			"perfstamp watch: %zu replacement%s not compared yet; see --diff-after\n",
			n_waiting, n_waiting == 1 ? " is" : "s are");
	fprintf(stderr,
		"[ perfstamp watch: %" PRIu64 " line%s, %" PRIu64 " suppressed, %" PRIu64
		" event%s lost ]\n",
		watch->lines, watch->lines == 1 ? "" : "s", watch->all_left_out, watch->lost,
		watch->lost == 1 ? "" : "s");
}

static int run(struct watch_command *command)
{
	struct watch watch = {.command = command, .epoll_fd = -1};
	const struct stream_reader reader = {.event = on_event, .ctx = &watch};
	struct recorder_attendant attendant;
	struct recorder_summary summary;
	int status = CLI_DONE;
	struct error err;

	if (command->journal && systemd__find_journal(&err))
		return cli__fail("%s", err.text);
	if (make_model(&watch)) {
		free_model(&watch);
		return cli__fail("out of memory");
	}
	rate__init(&watch.rate, command->rate);
	look_at_clock(&watch);
	if (start_service(&watch, &err) || start_paths(&watch, &err)) {
		service__free(watch.service);
		free_model(&watch);
		return cli__fail("%s", err.text);
	}
	attendant = *service__attendant(watch.service);
	attendant.attend = attend;
	attendant.ctx = &watch;
	attendant.fd = watch.epoll_fd;
	command->recorder.reader = &reader;
	command->recorder.attendant = &attendant;
	if (recorder__new(&watch.recorder, &command->recorder, &err) || check_rung(&watch, &err) ||
		recorder__run(watch.recorder, &err))
		status = cli__fail("%s", err.text);
	if (watch.recorder) {
		report_left_out(&watch, true);
		recorder__summary(watch.recorder, &summary);
		if (!status)
			status = summary.workload_status;
		if (watch.running && !command->quiet)
			report_end(&watch);
	}
	recorder__free(watch.recorder);
	service__free(watch.service);
	free_model(&watch);
	return status;
}

int cmd_watch(int argc, char **argv)
{
	struct watch_command command;
	int status;

	watch_command__parse(&command, argc, argv);
	command.recorder.note = show_note;
	command.recorder.note_ctx = &command;
	status = run(&command);
	watch_command__free(&command);
	return status;
}
