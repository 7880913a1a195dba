// SPDX-License-Identifier: GPL-2.0-only
/* See recorder.h. */
#include "user/record/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "user/perfdata/writer.h"
#include "user/record/control.h"
#include "user/record/features.h"
#include "user/record/held_maps.h"
#include "user/record/map_writer.h"
#include "user/record/module_writer.h"
#include "user/record/native.h"
#include "user/record/output.h"
#include "user/record/rounds.h"
#include "user/record/start.h"
#include "user/record/tally.h"
#include "user/source/cgroup.h"
#include "user/source/clock.h"
#include "user/source/completer.h"
#include "user/source/workload.h"

#define WAKEUPS_MAX 16
#define START_COMPLETION_MS 2000 /* that the first snapshot waits for identities */

struct recorder {
	const struct recorder_options *options;
	struct evlist_options events; /* with the workload's pid */
	struct workload *workload;
	struct bpf_source *bpf; /* NULL on the MMAP2 rung */
	struct rung_attempt attempts[RUNG_COUNT];
	struct evlist *evlist;
	struct perfdata_writer *writer;
	struct output output;
	struct tally tally;
	struct kernel_record *kernel;
	struct control *control; /* NULL: none */
	struct clock_conversion clock;
	struct cgroup_paths *cgroups;
	struct map_writer maps;
	struct completer *completer;
	struct held_maps *held;
	struct module_writer *modules; /* NULL: the kernel is not sampled */
	struct native_records native;
	struct rounds rounds;
	uint64_t enable_ns; /* when sampling begins, monotonic; 0: it has, or never will */
	int signal_fd;
	int epoll_fd;
	bool stopping;
	int workload_status;
	sigset_t old_signals;
};

void recorder_options__init(struct recorder_options *options)
{
	memset(options, 0, sizeof(*options));
	evlist_options__init(&options->events);
	options->output = "perf.data";
}

static void note(struct recorder *recorder, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void note(struct recorder *recorder, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list args;

	if (!recorder->options->note)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	recorder->options->note(text, recorder->options->note_ctx);
}

/* ---- Making ready ---- */

static int block_signals(struct recorder *recorder, struct error *err)
{
	struct sigaction hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* A signalfd takes it even where nohup had it ignored. */
	if (sigaction(SIGHUP, NULL, &hangup) < 0 || hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, &recorder->old_signals) < 0)
		return error__errno(err, -errno, "sigprocmask");
	/* A reader that goes away, and a file over `ulimit -f', are errors of write. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* Where whoever started us had it ignored, a workload's status is lost. */
	signal(SIGCHLD, SIG_DFL);
	recorder->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (recorder->signal_fd < 0)
		return error__errno(err, -errno, "signalfd");
	return 0;
}

/* Before there are events and BPF programs that its processes would have, too. */
static int start_completer(struct recorder *recorder, struct error *err)
{
	int code = completer__new(&recorder->completer, err);

	if (code)
		return code;
	code = held_maps__new(
		&recorder->held, recorder->completer, map_writer__held, &recorder->maps);
	return code ? error__set(err, code, "out of memory") : 0;
}

static int attach_bpf(struct recorder *recorder, struct error *err)
{
	const struct recorder_options *options = recorder->options;
	struct bpf_source_options bpf = {
		.some_pids = recorder->events.n_pids || recorder->events.n_tids ||
			     recorder->events.workload,
		.ring_size = options->bpf_ring_size,
		.best = options->best_rung,
		.last = RUNG_COUNT,
	};
	struct error why;
	int code, rung;

	if (options->no_bpf)
		return 0;
	code = bpf_source__new(&recorder->bpf, &bpf, recorder->attempts, &why);
	if (!code) {
		for (rung = 0; rung < RUNG_COUNT; rung++)
			if (options->verbose && recorder->attempts[rung].code)
				note(recorder, "%s is not used: %s", rung__name(rung),
					recorder->attempts[rung].text);
		if (!bpf_source__reads_page_cache(recorder->bpf))
			note(recorder,
				"the page cache cannot be read (that takes CAP_SYS_ADMIN): all "
				"identities are completed in user space, and those of short-lived "
				"processes are missed");
		return start__follow(recorder->bpf, &recorder->events, err);
	}
	if (code == -ENOMEM)
		return error__set(err, code, "%s", why.text);
	note(recorder,
		"%s; the kernel's own MMAP2 records are used instead, which have no device and "
		"inode "
		"(perfstamp doctor tells more)",
		why.text);
	return 0;
}

static int open_events(struct recorder *recorder, struct error *err)
{
	size_t i;
	int code;

	recorder->events.mmap_records = !recorder->bpf;
	code = evlist__new(&recorder->evlist, &recorder->events, err);
	if (!code)
		code = evlist__open(recorder->evlist, err);
	if (!code)
		code = evlist__mmap(recorder->evlist, err);
	if (code)
		return code;
	for (i = 0; i < evlist__n_notes(recorder->evlist); i++)
		note(recorder, "%s", evlist__note(recorder->evlist, i));
	return 0;
}

static int open_output(struct recorder *recorder, struct error *err)
{
	size_t i, n = evlist__n_attrs(recorder->evlist), n_ids;
	const uint64_t *ids;
	int code;

	code = output__open(&recorder->output, recorder->options->output, err);
	if (!code)
		code = perfdata_writer__new(&recorder->writer, recorder->output.fd,
			recorder->output.name, recorder->output.pipe);
	for (i = 0; !code && i < n; i++) {
		ids = evlist__ids(recorder->evlist, i, &n_ids);
		code = perfdata_writer__add_attr(recorder->writer,
			evlist__attr(recorder->evlist, i), evlist__name(recorder->evlist, i), ids,
			n_ids, err);
	}
	if (!code)
		code = features__tracepoints(recorder->writer, recorder->evlist, err);
	if (!code)
		code = features__groups(recorder->writer, recorder->evlist, err);
	if (!code && recorder->options->compression)
		code = perfdata_writer__compress(
			recorder->writer, recorder->options->compression, err);
	if (!code)
		code = perfdata_writer__begin(recorder->writer, err);
	/* perf reads no file without records, and the first take their time to be found. */
	if (!code && !recorder->output.pipe)
		code = perfdata_writer__finish_round(recorder->writer, err);
	if (!code)
		code = features__machine(recorder->writer, recorder->events.clockid,
			recorder->options->argc, recorder->options->argv, err);
	if (code)
		return code;
	recorder->maps.writer = recorder->writer;
	recorder->maps.tally = &recorder->tally;
	recorder->maps.clock = &recorder->clock;
	recorder->maps.held = recorder->held;
	/* Where it is not mounted, cgroups stay numbers. */
	if (!cgroup_paths__new(&recorder->cgroups, NULL))
		recorder->maps.cgroups = recorder->cgroups;
	recorder->maps.attr_index = n - 1;
	return native_records__init(
		&recorder->native, &recorder->maps, recorder->evlist, recorder->bpf, err);
}

static void make_rounds(struct recorder *recorder)
{
	struct rounds *rounds = &recorder->rounds;

	rounds__init(rounds);
	rounds->bpf = recorder->bpf;
	rounds->evlist = recorder->evlist;
	rounds->writer = recorder->writer;
	rounds->maps = &recorder->maps;
	rounds->clock = &recorder->clock;
	rounds->held = recorder->held;
	if (!recorder->bpf || evlist__has_data_maps(recorder->evlist))
		rounds->native = &recorder->native;
	rounds->sample_type =
		evlist__attr(recorder->evlist, recorder->maps.attr_index)->sample_type;
	rounds->losses.bpf = recorder->bpf;
	rounds->losses.evlist = recorder->evlist;
	rounds->losses.events = &recorder->events;
	rounds->losses.maps = &recorder->maps;
	rounds->losses.clock = &recorder->clock;
	rounds->losses.counts = &rounds->counts;
	rounds->losses.all_cgroups = recorder->options->all_cgroups;
}

static int watch_fd(struct recorder *recorder, int fd, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.fd = fd};

	return epoll_ctl(recorder->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static int watch_fds(struct recorder *recorder, struct error *err)
{
	size_t i;
	int code;

	recorder->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (recorder->epoll_fd < 0)
		return error__errno(err, -errno, "epoll_create1");
	code = watch_fd(recorder, recorder->signal_fd, EPOLLIN);
	if (!code)
		code = watch_fd(recorder, completer__fd(recorder->completer), EPOLLIN);
	if (!code && recorder->bpf)
		code = watch_fd(recorder, bpf_source__fd(recorder->bpf), EPOLLIN | EPOLLET);
	if (!code && recorder->workload)
		code = watch_fd(recorder, workload__fd(recorder->workload), EPOLLIN);
	if (!code && recorder->control)
		code = watch_fd(recorder, control__fd(recorder->control), EPOLLIN);
	/* Edges: a target that has exited leaves EPOLLHUP behind for ever. */
	for (i = 0; !code && i < evlist__n_rings(recorder->evlist); i++)
		code = watch_fd(recorder, perf_ring__fd(evlist__ring(recorder->evlist, i)),
			EPOLLIN | EPOLLET);
	return code ? error__errno(err, code, "epoll") : 0;
}

int recorder__new(struct recorder **ret, const struct recorder_options *options, struct error *err)
{
	struct recorder *recorder;
	int code;

	*ret = NULL;
	recorder = calloc(1, sizeof(*recorder));
	if (!recorder)
		return error__set(err, -ENOMEM, "out of memory");
	recorder->options = options;
	recorder->events = options->events;
	recorder->events.not_on_exec = options->delay_ms;
	recorder->signal_fd = recorder->epoll_fd = recorder->output.fd = -1;
	tally__init(&recorder->tally);
	clock_conversion__init(&recorder->clock, recorder->events.clockid);

	code = kernel_record__new(
		&recorder->kernel, &options->kernel, options->note, options->note_ctx, err);
	if (!code)
		kernel_record__capture(recorder->kernel);
	if (!code)
		code = block_signals(recorder, err);
	if (!code && options->control)
		code = control__new(&recorder->control, options->control, err);
	if (!code && options->workload)
		code = workload__new(&recorder->workload, options->workload,
			strcmp(options->output, "-") != 0, err);
	/* Beside another target it only tells how long. */
	if (!code && recorder->workload && !recorder->events.system_wide &&
		!recorder->events.n_pids && !recorder->events.n_tids)
		recorder->events.workload = workload__pid(recorder->workload);
	if (!code)
		code = start_completer(recorder, err);
	/* Events first, mappings after: what is mapped in between is seen twice, not missed. */
	if (!code)
		code = attach_bpf(recorder, err);
	if (!code)
		code = open_events(recorder, err);
	if (!code)
		code = open_output(recorder, err);
	if (!code)
		code = watch_fds(recorder, err);
	if (!code)
		make_rounds(recorder);
	if (code) {
		recorder__free(recorder);
		return code;
	}
	*ret = recorder;
	return 0;
}

void recorder__free(struct recorder *recorder)
{
	if (!recorder)
		return;
	workload__free(recorder->workload);
	control__free(recorder->control);
	module_writer__free(recorder->modules);
	native_records__free(&recorder->native);
	held_maps__free(recorder->held);
	completer__free(recorder->completer);
	evlist__free(recorder->evlist);
	bpf_source__free(recorder->bpf);
	perfdata_writer__free(recorder->writer);
	output__close(&recorder->output, NULL);
	map_writer__free(&recorder->maps);
	tally__free(&recorder->tally);
	kernel_record__free(recorder->kernel);
	cgroup_paths__free(recorder->cgroups);
	if (recorder->epoll_fd >= 0)
		close(recorder->epoll_fd);
	if (recorder->signal_fd >= 0) {
		close(recorder->signal_fd);
		sigprocmask(SIG_SETMASK, &recorder->old_signals, NULL);
	}
	free(recorder);
}

/* ---- Recording ---- */

/* Not as asked but as opened: what is not allowed is left out. */
static bool samples_kernel(const struct recorder *recorder)
{
	size_t i, sideband = evlist__n_attrs(recorder->evlist) - 1;

	for (i = 0; i < sideband; i++)
		if (!evlist__attr(recorder->evlist, i)->exclude_kernel)
			return true;
	return false;
}

static int name_cgroups(struct recorder *recorder, struct error *err)
{
	int code;

	if (!recorder->cgroups)
		note(recorder, "cgroup2 is not mounted: the cgroups of samples have no paths");
	code = map_writer__cgroups(&recorder->maps);
	return code ? error__set(err, code, "%s", recorder->maps.error.text) : 0;
}

static int start_kernel(struct recorder *recorder, struct error *err)
{
	struct error why = {0};
	int code;

	/* First the hooks, then the snapshot: what is loaded in between is told twice. */
	code = module_writer__new(
		&recorder->modules, &recorder->maps, recorder->rounds.sample_type, &why);
	if (code)
		return error__set(err, code, "out of memory");
	recorder->rounds.modules = recorder->modules;
	if (module_writer__is_live(recorder->modules))
		code = watch_fd(recorder, module_writer__fd(recorder->modules), EPOLLIN | EPOLLET);
	else if (recorder->options->verbose)
		note(recorder, "modules are looked for once a second: %s", why.text);
	if (code)
		return error__errno(err, code, "epoll");
	return start__kernel(&recorder->maps, recorder->modules, recorder->options->note,
		recorder->options->note_ctx, err);
}

static int begin(struct recorder *recorder, struct error *err)
{
	int code;

	code = evlist__enable_sideband(recorder->evlist, err);
	if (code)
		return code;
	recorder->maps.starting = true;
	held_maps__allow(recorder->held, START_COMPLETION_MS);
	if (samples_kernel(recorder))
		code = start_kernel(recorder, err);
	if (!code && !recorder->options->no_synth_tasks)
		code = start__snapshot(recorder->bpf, &recorder->events, &recorder->maps, err);
	if (!code && !recorder->options->no_synth_tasks && evlist__has_data_maps(recorder->evlist))
		code = start__data_maps(&recorder->events, &recorder->maps, err);
	if (!code && recorder->options->namespaces)
		code = start__namespaces(&recorder->events, &recorder->maps, err);
	if (!code && recorder->options->all_cgroups && !recorder->options->no_synth_cgroups)
		code = name_cgroups(recorder, err);
	/* While they have time 0, so that no sample is before them. */
	if (!code)
		code = rounds__settle(&recorder->rounds, false, err);
	recorder->maps.starting = false;
	if (!code)
		code = perfdata_writer__finish_init(recorder->writer, err);
	/* Only now, so that every sample finds its mapping known. */
	if (!code && !recorder->options->delay_ms)
		code = evlist__enable(recorder->evlist, err);
	if (recorder->options->delay_ms > 0)
		recorder->enable_ns = clock__now(CLOCK_MONOTONIC) +
				      recorder->options->delay_ms * 1000000ull;
	if (!code && recorder->workload)
		code = workload__start(recorder->workload, err);
	return code;
}

static void on_signal(struct recorder *recorder)
{
	struct signalfd_siginfo info;

	while (read(recorder->signal_fd, &info, sizeof(info)) == sizeof(info))
		recorder->stopping = true;
	if (!recorder->stopping)
		return;
	/* A second one ends it at once: the file is valid up to the last round. */
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_SETMASK, &recorder->old_signals, NULL);
}

static void on_unknown_command(const char *line, void *recorder)
{
	note(recorder, "--control: '%s' is none of enable, disable, stop and ping", line);
}

static int on_control(struct recorder *recorder, struct error *err)
{
	int fd = control__fd(recorder->control), code;

	code = control__handle(recorder->control, recorder->evlist, &recorder->stopping,
		on_unknown_command, recorder, err);
	/* Who gave commands is gone. */
	if (code == 0 && epoll_ctl(recorder->epoll_fd, EPOLL_CTL_DEL, fd, NULL) < 0)
		return error__errno(err, -errno, "epoll");
	return code < 0 ? code : 0;
}

/* Milliseconds: until the next round, or until sampling begins. */
static int time_to_wait(const struct recorder *recorder)
{
	uint64_t now = clock__now(CLOCK_MONOTONIC);
	int round = rounds__wait_ms(&recorder->rounds);

	if (!recorder->enable_ns || recorder->enable_ns >= now + round * 1000000ull)
		return round;
	return recorder->enable_ns <= now ? 0 : (recorder->enable_ns - now + 999999) / 1000000;
}

static int wait_and_look(struct recorder *recorder, struct error *err)
{
	struct epoll_event events[WAKEUPS_MAX];
	int i, n, code = 0;

	n = epoll_wait(recorder->epoll_fd, events, WAKEUPS_MAX, time_to_wait(recorder));
	if (n < 0 && errno != EINTR)
		return error__errno(err, -errno, "epoll_wait");
	for (i = 0; i < n; i++) {
		if (events[i].data.fd == recorder->signal_fd)
			on_signal(recorder);
		else if (recorder->workload &&
			 events[i].data.fd == workload__fd(recorder->workload))
			recorder->stopping = true;
		else if (recorder->control && events[i].data.fd == control__fd(recorder->control))
			code = on_control(recorder, err);
		if (code)
			return code;
	}
	if (recorder->enable_ns && clock__now(CLOCK_MONOTONIC) >= recorder->enable_ns) {
		recorder->enable_ns = 0;
		return evlist__enable(recorder->evlist, err);
	}
	if (!recorder->workload && evlist__targets_gone(recorder->evlist))
		recorder->stopping = true;
	return 0;
}

static int finish(struct recorder *recorder, struct error *err)
{
	struct recorder_summary summary;
	int code;

	evlist__disable(recorder->evlist);
	code = rounds__run(&recorder->rounds, true, err);
	if (!code) {
		recorder__summary(recorder, &summary);
		code = features__stamp(recorder->writer, &summary, err);
	}
	if (!code)
		code = perfdata_writer__finish(recorder->writer, err);
	return code;
}

static void tell_of_refusals(struct recorder *recorder)
{
	uint64_t n = recorder->maps.refused + held_maps__n_unanswered(recorder->held);

	if (n)
		note(recorder,
			"%" PRIu64 " mapping%s could not be completed: what is mapped is on file "
			"systems that did not answer in time",
			n, n == 1 ? "" : "s");
}

int recorder__run(struct recorder *recorder, struct error *err)
{
	struct error ignored;
	int code, closed;

	code = begin(recorder, err);
	while (!code && !recorder->stopping) {
		code = wait_and_look(recorder, err);
		if (!code)
			code = rounds__run(&recorder->rounds, false, err);
	}
	/* What was recorded is kept, whatever went wrong. */
	if (code)
		finish(recorder, &ignored);
	else
		code = finish(recorder, err);
	closed = output__close(&recorder->output, code ? &ignored : err);
	kernel_record__capture(recorder->kernel);
	if (!code)
		code = closed;
	if (recorder->workload)
		recorder->workload_status = workload__wait(recorder->workload, true);
	tell_of_refusals(recorder);
	if (recorder->maps.no_permission)
		note(recorder,
			"identities that were not in memory could not be completed: it needs "
			"CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN");
	return code;
}

void recorder__summary(const struct recorder *recorder, struct recorder_summary *ret)
{
	const struct record_counts *counts = &recorder->rounds.counts;
	const struct tally *tally = &recorder->tally;

	memset(ret, 0, sizeof(*ret));
	ret->kernel = recorder->kernel;
	ret->rung = recorder->bpf ? rung__name(bpf_source__rung(recorder->bpf)) : "MMAP2";
	ret->output = recorder->output.name;
	ret->bytes = recorder->writer ? perfdata_writer__size(recorder->writer) : 0;
	ret->samples = counts->samples;
	ret->maps = tally->maps;
	ret->identified = tally->identified;
	ret->cookies = tally->cookies;
	ret->anonymous = tally->maps - tally->identified - tally->cookies - tally->unreadable;
	ret->completed = tally->completed;
	ret->late = tally->late;
	ret->dsos = tally->dsos;
	ret->lost_samples = recorder->rounds.losses.told[LOSS_PERF_RINGS];
	if (recorder->bpf)
		bpf_source__losses(recorder->bpf, &ret->bpf);
	ret->loss_spans = recorder->rounds.losses.spans;
	ret->n_loss_spans = recorder->rounds.losses.n_spans;
	ret->snapshots = recorder->rounds.losses.snapshots;
	ret->workload_status = recorder->workload_status;
}
