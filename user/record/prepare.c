// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prepares a recorder from options, and frees it: see recorder.h. Its sources are opened by
 * open_sources.c. Does not sample.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "user/event/decode.h"
#include "user/record/control.h"
#include "user/record/files/features.h"
#include "user/record/state/living.h"
#include "user/record/files/rotation.h"
#include "user/record/recorder.h"
#include "user/record/recording.h"
#include "user/record/snapshot/tail.h"
#include "user/record/maps/stream.h"
#include "user/source/containers/cgroup.h"
#include "user/source/bpf/task_tree.h"
#include "user/source/perf/open.h"
#include "user/source/content/completer.h"
#include "user/source/kernel/symbols.h"
#include "user/source/kernel/types.h"
#include "user/source/machine/clock.h"
#include "user/source/machine/workload.h"
#include "user/source/proc/tasks.h"

void recorder_options__init(struct recorder_options *options)
{
	memset(options, 0, sizeof(*options));
	evlist_options__init(&options->events);
	options->output = "perf.data";
}

static int block_signals(struct recorder *recorder, struct error *err)
{
	struct sigaction hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* A signalfd receives SIGHUP even if nohup had it ignored. */
	if (sigaction(SIGHUP, NULL, &hangup) < 0 || hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGUSR2);
	if (sigprocmask(SIG_BLOCK, &set, &recorder->old_signals) < 0)
		return error__errno(err, -errno, "sigprocmask");
	/* Ignored: write() then reports a closed pipe, or a file over `ulimit -f', as an error. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* If the parent process had it ignored, the workload's exit status would be lost. */
	signal(SIGCHLD, SIG_DFL);
	recorder->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (recorder->signal_fd < 0)
		return error__errno(err, -errno, "signalfd");
	return 0;
}

/* Called before events and BPF programs are opened: helper processes would inherit them. */
static int start_completer(struct recorder *recorder, struct error *err)
{
	return completer__new(&recorder->completer, err);
}

/* The same; also called before privileges are dropped. */
static int start_capture(struct recorder *recorder, struct error *err)
{
	const struct dso_capture_options *options = &recorder->options->capture;
	int code = 0;

	if (options->what != DSO_CAPTURE_NOTHING)
		code = dso_capture__new(&recorder->capture, options, recorder->clock.clockid, err);
	if (!code && !recorder->options->reader && !recorder->options->no_code_names)
		code = code_capture__new(&recorder->code, &recorder->clock, err);
	return code;
}

/* Makes a decoder for the records in the perf rings. */
static int make_decoder(
	const struct recorder *recorder, struct event_decoder **ret, struct error *err)
{
	int code;

	*ret = NULL;
	code = evlist__decoder(recorder->evlist, ret);
	if (!code)
		return 0;
	event_decoder__free(*ret);
	return error__errno(err, code, "decoder of the kernel's records");
}

static int open_stream(struct recorder *recorder, struct error *err)
{
	struct event_decoder *decoder;
	int code = make_decoder(recorder, &decoder, err);

	if (code)
		return code;
	code = stream__new(&recorder->stream, recorder->options->reader, decoder);
	return code ? error__set(err, code, "out of memory") : 0;
}

/* The first event is the sampled one. */
static int add_single_attr(
	struct perfdata_writer *writer, const struct evlist *evlist, struct error *err)
{
	struct perf_event_attr attr = evlist__single_attr(evlist);
	size_t n, n_sideband;
	const uint64_t *sampled = evlist__ids(evlist, 0, &n);
	const uint64_t *sideband = evlist__ids(evlist, 1, &n_sideband);
	uint64_t *ids = calloc(n + n_sideband + 1, sizeof(*ids));
	int code;

	if (!ids)
		return error__set(err, -ENOMEM, "out of memory");
	memcpy(ids, sampled, n * sizeof(*ids));
	memcpy(ids + n, sideband, n_sideband * sizeof(*ids));
	code = perfdata_writer__add_attr(
		writer, &attr, evlist__name(evlist, 0), ids, n + n_sideband, err);
	free(ids);
	return code;
}

static int add_attrs(struct perfdata_writer *writer, const struct evlist *evlist, struct error *err)
{
	size_t n = evlist__n_attrs(evlist), n_ids;
	const uint64_t *ids;
	int code = 0;

	if (evlist__is_single(evlist))
		return add_single_attr(writer, evlist, err);
	for (size_t i = 0; !code && i < n; i++) {
		ids = evlist__ids(evlist, i, &n_ids);
		code = perfdata_writer__add_attr(
			writer, evlist__attr(evlist, i), evlist__name(evlist, i), ids, n_ids, err);
	}
	return code;
}

static int open_output(struct recorder *recorder, struct error *err)
{
	int code = rotation__put_left_away(recorder, err);

	if (!code)
		code = recorder->options->overwrite.bytes
			       ? output__open_later(
					 &recorder->output, recorder->options->output, err)
			       : output__open(&recorder->output, recorder->options->output, err);
	if (!code)
		code = perfdata_writer__new(&recorder->writer, recorder->output.fd,
			recorder->output.name, recorder->output.pipe);
	if (!code)
		code = add_attrs(recorder->writer, recorder->evlist, err);
	if (!code)
		code = features__tracepoints(recorder->writer, recorder->evlist, err);
	if (!code)
		code = features__groups(recorder->writer, recorder->evlist, err);
	if (!code && recorder->options->compression)
		code = perfdata_writer__compress(
			recorder->writer, recorder->options->compression, err);
	if (!code)
		code = perfdata_writer__begin(recorder->writer, err);
	/* perf cannot read a file without records, and the first records may take a while. */
	if (!code && !recorder->output.pipe)
		code = perfdata_writer__finish_round(recorder->writer, err);
	if (!code)
		code = features__machine(recorder->writer, recorder->events.clockid,
			recorder->options->argc, recorder->options->argv, err);
	return code;
}

/* The destination of synthesized records. */
static int make_maps(struct recorder *recorder, struct error *err)
{
	struct map_writer_parts parts = {
		.writer = recorder->writer,
		.stream = recorder->stream,
		.tally = &recorder->tally,
		.clock = &recorder->clock,
		.completer = recorder->completer,
		.attr_index = evlist__is_single(recorder->evlist)
				      ? 0
				      : evlist__n_attrs(recorder->evlist) - 1,
		.capture = recorder->capture,
		.code = recorder->code,
		.no_first_maps = recorder->options->no_synth_maps,
	};
	struct event_decoder *decoder;
	int code = make_decoder(recorder, &decoder, err);

	if (code)
		return code;
	/* If cgroup2 is not mounted, cgroups have no paths. */
	if (!cgroup_paths__new(&recorder->cgroups, NULL))
		parts.cgroups = recorder->cgroups;
	recorder->homes.cgroups = recorder->cgroups;
	if (recorder->capture)
		dso_capture__divide(recorder->capture, recorder->cgroups);
	/* Requests the kernel's own records with as much of the same data as possible. */
	if (recorder->events.mmap3_records)
		parts.homes = &recorder->homes;
	if (map_writer__new(&recorder->maps, &parts)) {
		event_decoder__free(decoder);
		return error__set(err, -ENOMEM, "out of memory");
	}
	native_records__init(&recorder->native, recorder->maps, decoder, recorder->bpf);
	return 0;
}

static int make_rounds(struct recorder *recorder, struct error *err)
{
	struct rounds_parts parts = {
		.tree = recorder->tree,
		.bpf = recorder->bpf,
		.evlist = recorder->evlist,
		.events = &recorder->events,
		.writer = recorder->writer,
		.stream = recorder->stream,
		.maps = recorder->maps,
		.living = recorder->living,
		.clock = &recorder->clock,
		.counters = &recorder->counters,
		.cgroups = recorder->cgroups,
		.all_cgroups = recorder->options->all_cgroups,
		.single = recorder->options->tail_synthesize,
	};

	if (!recorder->bpf || evlist__has_data_maps(recorder->evlist))
		parts.native = &recorder->native;
	return rounds__new(&recorder->rounds, &parts) ? error__set(err, -ENOMEM, "out of memory")
						      : 0;
}

/* Called before the first record is written. */
static int start_rotation(struct recorder *recorder, struct error *err)
{
	const struct recorder_options *options = recorder->options;
	struct event_decoder *decoder;
	int code = 0;

	if (options->switch_when == SWITCH_NEVER && !options->timestamp_filename)
		return 0;
	if (recorder->output.pipe)
		return error__set(err, -EINVAL,
			"%s is not seekable: --switch-output and --timestamp-filename require a "
			"regular file",
			recorder->output.name);
	if (options->switch_when != SWITCH_NEVER) {
		code = make_decoder(recorder, &decoder, err);
		if (!code)
			code = living__new(&recorder->living, decoder, err);
	}
	map_writer__set_living(recorder->maps, recorder->living);
	if (recorder->living && recorder->code)
		code_capture__remember(recorder->code);
	return code ? code : rotation__new(&recorder->rotation, recorder, err);
}

static int watch_fds(struct recorder *recorder, struct error *err)
{
	size_t i;
	int code;

	recorder->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (recorder->epoll_fd < 0)
		return error__errno(err, -errno, "epoll_create1");
	code = recorder__watch_fd(recorder, recorder->signal_fd, EPOLLIN);
	if (!code)
		code = recorder__watch_fd(recorder, completer__fd(recorder->completer), EPOLLIN);
	if (!code && recorder->bpf)
		code = recorder__watch_fd(
			recorder, bpf_source__fd(recorder->bpf), EPOLLIN | EPOLLET);
	if (!code && recorder->bpf) {
		recorder->clock_fd = clock__watch();
		code = recorder->clock_fd < 0
			       ? recorder->clock_fd
			       : recorder__watch_fd(recorder, recorder->clock_fd, EPOLLIN);
	}
	if (!code && recorder->code)
		code = recorder__watch_fd(
			recorder, code_capture__fd(recorder->code), EPOLLIN | EPOLLET);
	if (!code && recorder->workload)
		code = recorder__watch_fd(recorder, workload__fd(recorder->workload), EPOLLIN);
	if (!code && recorder->control)
		code = recorder__watch_fd(recorder, control__fd(recorder->control), EPOLLIN);
	if (!code && recorder->options->attendant && recorder->options->attendant->fd >= 0)
		code = recorder__watch_fd(recorder, recorder->options->attendant->fd, EPOLLIN);
	/* Edge-triggered, because EPOLLHUP of an exited target never ends. */
	for (i = 0; !code && i < evlist__n_rings(recorder->evlist); i++)
		code = recorder__watch_fd(recorder,
			perf_ring__fd(evlist__ring(recorder->evlist, i)), EPOLLIN | EPOLLET);
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
	recorder->signal_fd = recorder->epoll_fd = recorder->clock_fd = recorder->output.fd = -1;
	tally__init(&recorder->tally, &recorder->counters);
	clock_conversion__init(&recorder->clock, recorder->events.clockid);

	code = proc_tasks__check(err);
	if (!code)
		code = kernel_record__new(
			&recorder->kernel, &options->kernel, options->note, options->note_ctx, err);
	if (!code)
		kernel_record__capture(recorder->kernel);
	if (!code)
		/* Checked before anything is changed, so that an existing output is kept. */
		code = options->workload ? workload__check(options->workload, err) : 0;
	if (!code)
		code = block_signals(recorder, err);
	if (!code && options->control)
		code = control__new(&recorder->control, options->control, err);
	if (!code && options->workload)
		code = workload__new(&recorder->workload, options->workload,
			!options->reader && strcmp(options->output, "-") != 0, err);
	/* The workload keeps its original limit. */
	if (!code)
		perf_open__allow_files(PERF_OPEN_OTHER_FILES);
	/* If there is another target, the workload only determines how long to record. */
	if (!code && recorder->workload && !recorder->events.system_wide &&
		!recorder->events.n_pids && !recorder->events.n_tids)
		recorder->events.workload = workload__pid(recorder->workload);
	if (!code)
		code = start_completer(recorder, err);
	if (!code)
		code = start_capture(recorder, err);
	if (!code)
		code = recorder__open_sources(recorder, err);
	if (!code)
		code = options->reader ? open_stream(recorder, err) : open_output(recorder, err);
	if (!code)
		code = make_maps(recorder, err);
	if (!code)
		code = start_rotation(recorder, err);
	if (!code)
		code = watch_fds(recorder, err);
	if (!code)
		code = make_rounds(recorder, err);
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
	symbols_again__free(recorder->symbols_again);
	module_writer__free(recorder->modules);
	bpf_record__free(recorder->programs);
	native_records__free(&recorder->native);
	dso_capture__free(recorder->capture);
	code_capture__free(recorder->code);
	evlist__free(recorder->evlist);
	bpf_source__free(recorder->bpf);
	perfdata_writer__free(recorder->writer);
	stream__free(recorder->stream);
	output__close(&recorder->output, NULL);
	rounds__free(recorder->rounds);
	map_writer__free(recorder->maps);
	completer__free(recorder->completer);
	tail__free(recorder->tail);
	rotation__free(recorder->rotation);
	living__free(recorder->living);
	tally__free(&recorder->tally);
	cpu_time__free(&recorder->cpu_time);
	task_tree__free(recorder->tree);
	kernel_record__free(recorder->kernel);
	kernel_symbols__free(recorder->symbols);
	if (recorder->holds_types)
		kernel_types__release();
	cgroup_paths__free(recorder->cgroups);
	if (recorder->clock_fd >= 0)
		close(recorder->clock_fd);
	if (recorder->epoll_fd >= 0)
		close(recorder->epoll_fd);
	if (recorder->signal_fd >= 0) {
		close(recorder->signal_fd);
		sigprocmask(SIG_SETMASK, &recorder->old_signals, NULL);
	}
	free(recorder->user_pids);
	free(recorder);
}
