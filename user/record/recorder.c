// SPDX-License-Identifier: GPL-2.0-only
/*
 * See recorder.h. Starts, runs and ends a recording that prepare.c has made ready. What existed
 * before is recorded by existing.c.
 */
#include "user/record/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/record/control.h"
#include "user/record/files/rotation.h"
#include "user/record/recording.h"
#include "user/record/snapshot/start.h"
#include "user/source/bpf/task_tree.h"
#include "user/record/maps/stream.h"
#include "user/source/machine/workload.h"

#define WAKEUPS_MAX 16
#define MS_NS 1000000ull

static int enable(struct recorder *recorder, struct error *err)
{
	cpu_time__begin(&recorder->cpu_time);
	return evlist__enable(recorder->evlist, err);
}

/* Only the first reason to stop is kept. */
static void __attribute__((format(printf, 2, 3)))
stop(struct recorder *recorder, const char *fmt, ...)
{
	va_list args;

	if (recorder->stopping)
		return;
	recorder->stopping = true;
	va_start(args, fmt);
	vsnprintf(recorder->why, sizeof(recorder->why), fmt, args);
	va_end(args);
}

static void set_pause(struct recorder *recorder)
{
	const struct recorder_options *options = recorder->options;

	recorder->pause_ns = recorder->n_paused < options->n_pauses
				     ? recorder->start_ns +
					       options->pauses_ms[recorder->n_paused] * MS_NS
				     : 0;
}

/* Pauses or resumes sampling in turn; the first call pauses. */
static int pause_or_go_on(struct recorder *recorder, struct error *err)
{
	bool goes_on = recorder->n_paused++ % 2;

	set_pause(recorder);
	if (goes_on)
		return evlist__resume(recorder->evlist, err);
	evlist__pause(recorder->evlist);
	/* As perf. */
	if (!recorder->pause_ns)
		stop(recorder, "the last span of -D is over");
	return 0;
}

static void on_signal(struct recorder *recorder)
{
	struct signalfd_siginfo info;

	while (read(recorder->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGUSR2) {
			/* As in perf, a recorder of one file ignores it: it may be sent to all. */
			if (recorder->options->switch_when != SWITCH_NEVER)
				rotation__ask(recorder->rotation);
		} else if (info.ssi_signo == SIGHUP && recorder->options->reload)
			recorder->options->reload(recorder->options->note_ctx);
		else
			stop(recorder, "SIG%s from process %u", sigabbrev_np(info.ssi_signo),
				info.ssi_pid);
	}
	if (!recorder->stopping)
		return;
	/* A second signal ends the process at once: the file is valid up to the last round. */
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_SETMASK, &recorder->old_signals, NULL);
}

static int begin(struct recorder *recorder, struct error *err)
{
	int code;

	code = evlist__enable_sideband(recorder->evlist, err);
	if (code)
		return code;
	if (recorder->tree)
		task_tree__note(recorder->tree, evlist__samples_tree(recorder->evlist)
							? TREE_NOTES_UNREPORTED
							: TREE_NOTES_NONE);
	code = recorder__record_existing(recorder, err);
	if (!code && recorder->writer)
		code = perfdata_writer__finish_init(recorder->writer, err);
	/*
	 * Written in a separate round: with samples in the same round, hotspot's parser makes
	 * an existing process begin with its parent's mappings after it has read its own.
	 */
	if (!code && recorder->writer && !rounds__are_one(recorder->rounds))
		code = perfdata_writer__finish_round(recorder->writer, err);
	/* The events are enabled only now, so that the mapping of every sample is known. */
	if (!code && !recorder->options->delay_ms)
		code = enable(recorder, err);
	recorder->start_ns = clock__now(CLOCK_MONOTONIC);
	if (recorder->options->delay_ms > 0)
		recorder->enable_ns = recorder->start_ns + recorder->options->delay_ms * MS_NS;
	set_pause(recorder);
	/* A signal that arrived meanwhile ends the recording before the workload is started. */
	if (!code && recorder->workload)
		on_signal(recorder);
	if (!code && recorder->workload && !recorder->stopping) {
		code = workload__start(recorder->workload, err);
		recorder->not_executed = code;
	}
	return code;
}

static int attend(struct recorder *recorder, enum recorder_moment moment, struct error *err)
{
	const struct recorder_attendant *attendant = recorder->options->attendant;

	return attendant ? attendant->attend(attendant->ctx, moment,
				   moment == RECORDER_ENDING ? recorder->why : NULL, err)
			 : 0;
}

static void on_stop(void *recorder)
{
	stop(recorder, "received the command stop (--control)");
}

static bool on_snapshot(void *ctx)
{
	struct recorder *recorder = ctx;

	if (!recorder->living) {
		recorder__note(
			recorder, "--control: snapshot requires --overwrite or --switch-output");
		return false;
	}
	rotation__ask(recorder->rotation);
	return true;
}

static void on_list(void *ctx)
{
	struct recorder *recorder = ctx;

	for (size_t i = 0; i + 1 < evlist__n_attrs(recorder->evlist); i++)
		recorder__note(recorder, "event %s", evlist__name(recorder->evlist, i));
}

static void on_unknown_command(void *recorder, const char *line)
{
	char shown[256];

	text__escape(shown, sizeof(shown), line);
	recorder__note(recorder,
		"--control: unknown command '%s'; expected enable, disable, evlist, snapshot, stop "
		"or ping",
		shown);
}

static int on_control(struct recorder *recorder, struct error *err)
{
	const struct control_hooks hooks = {
		.stop = on_stop,
		.snapshot = on_snapshot,
		.list = on_list,
		.unknown = on_unknown_command,
		.ctx = recorder,
	};
	int fd = control__fd(recorder->control), code;

	code = control__handle(recorder->control, recorder->evlist, &hooks, err);
	/* The controlling process has closed its end. */
	if (code == 0 && epoll_ctl(recorder->epoll_fd, EPOLL_CTL_DEL, fd, NULL) < 0)
		return error__errno(err, -errno, "epoll");
	return code < 0 ? code : 0;
}

/* Acknowledge a snapshot request once its file has been written. */
static void answer_snapshots(const struct recorder *recorder)
{
	if (recorder->control && recorder->rotation && !rotation__is_asked(recorder->rotation))
		control__answer_snapshots(recorder->control);
}

/* Returns @ms, or less if @at_ns comes before that; 0: @at_ns is not set. */
static int until(uint64_t now_ns, int ms, uint64_t at_ns)
{
	if (!at_ns || at_ns >= now_ns + ms * MS_NS)
		return ms;
	return at_ns <= now_ns ? 0 : (at_ns - now_ns + MS_NS - 1) / MS_NS;
}

/* Milliseconds until the next round, or until sampling begins, is paused or is resumed. */
static int time_to_wait(const struct recorder *recorder)
{
	uint64_t now = clock__now(CLOCK_MONOTONIC);
	int round = rounds__wait_ms(recorder->rounds);
	int next = recorder->rotation ? rotation__wait_ms(recorder->rotation) : -1;

	if (next >= 0 && next < round)
		round = next;
	return until(now, until(now, round, recorder->enable_ns), recorder->pause_ns);
}

static int switch_in_time(struct recorder *recorder, struct error *err)
{
	uint64_t now = clock__now(CLOCK_MONOTONIC);
	int code = 0;

	if (recorder->enable_ns && now >= recorder->enable_ns) {
		recorder->enable_ns = 0;
		code = enable(recorder, err);
	}
	while (!code && recorder->pause_ns && now >= recorder->pause_ns)
		code = pause_or_go_on(recorder, err);
	return code;
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
			stop(recorder, "the workload has ended");
		else if (events[i].data.fd == recorder->clock_fd)
			recorder__look_at_clock(recorder);
		else if (recorder->control && events[i].data.fd == control__fd(recorder->control))
			code = on_control(recorder, err);
		if (code)
			return code;
	}
	code = switch_in_time(recorder, err);
	if (code)
		return code;
	if (!recorder->workload && evlist__targets_gone(recorder->evlist))
		stop(recorder, "all recorded processes have exited");
	return 0;
}

void recorder__summary(const struct recorder *recorder, struct recorder_summary *ret)
{
	recorder__sums(recorder, ret);
	ret->pipe = recorder->output.pipe;
	if (!recorder->rotation) {
		ret->newest = ret->pipe ? NULL : ret->output;
		return;
	}
	rotation__add_files(recorder->rotation, ret);
	ret->newest = rotation__newest(recorder->rotation);
}

static int finish_file(struct recorder *recorder, struct error *err)
{
	struct recorder_summary file;

	recorder__sums(recorder, &file);
	if (recorder->rotation)
		rotation__file_summary(recorder->rotation, &file);
	return recorder__finish_file(recorder, recorder->writer, &file, err);
}

static int write_code(void *maps, const struct event *event)
{
	return map_writer__unfollowed(maps, event);
}

/* Records the map files and jitdumps of processes. */
static int collect_code(struct recorder *recorder, struct error *err)
{
	int code = recorder->code
			   ? code_capture__collect(recorder->code, write_code, recorder->maps)
			   : 0;

	return code ? map_writer__explain(recorder->maps, code, "code made at run time", err) : 0;
}

/* The mappings that have not been read yet belong to processes that were just started. */
static int finish_code(struct recorder *recorder, struct error *err)
{
	int code;

	if (!recorder->code)
		return 0;
	code = rounds__run(recorder->rounds, false, err);
	if (code)
		return code;
	code = code_capture__finish(recorder->code, write_code, recorder->maps);
	return code ? map_writer__explain(recorder->maps, code, "code made at run time", err) : 0;
}

static int finish(struct recorder *recorder, struct error *err)
{
	struct error ignored;
	int code, written = 0;

	evlist__disable(recorder->evlist);
	cpu_time__read(&recorder->cpu_time, true);
	code = start__symbols(&recorder->symbols, true, recorder->maps, err);
	if (!code && recorder->options->tail_synthesize)
		code = recorder__record_existing_at_end(recorder, err);
	if (!code)
		code = finish_code(recorder, err);
	if (!code)
		code = rounds__run(recorder->rounds, true, err);
	if (recorder->capture)
		dso_capture__finish(recorder->capture);
	if (!recorder->writer)
		return code ? code : attend(recorder, RECORDER_ROUND, err);
	if (!recorder->options->overwrite.bytes)
		return code ? code : finish_file(recorder, err);
	/* The records in memory exist only there, so they are written despite an earlier error. */
	if (!recorder->not_executed)
		written = rotation__write_last(recorder->rotation, code ? &ignored : err);
	return code ? code : written;
}

/* Checks the limit of size, which includes the BPF programs that are kept for the end. */
static void look_at_size(struct recorder *recorder)
{
	uint64_t max = recorder->options->max_bytes, bytes;
	struct recorder_summary sums;

	if (!max || recorder->stopping)
		return;
	recorder__summary(recorder, &sums);
	bytes = sums.counters.n[COUNTER_BYTES];
	if (recorder->programs && !sums.pipe)
		bytes += bpf_record__memory(recorder->programs);
	if (bytes < max)
		return;
	recorder__note(recorder,
		"recording ends: the files have %" PRIu64 " bytes, with what is written at the end "
		"(--max-size)",
		bytes);
	stop(recorder, "--max-size is reached");
}

static void report_refusals(struct recorder *recorder)
{
	uint64_t n = map_writer__n_refused(recorder->maps);

	if (n)
		recorder__note(recorder,
			"%" PRIu64 " mapping%s could not be completed: %s not read in time", n,
			n == 1 ? "" : "s", n == 1 ? "its file was" : "their files were");
}

static void report_capture(struct recorder *recorder)
{
	struct recorder_summary sums;
	uint64_t unidentified;
	char text[1024];

	if (!recorder->capture || recorder->not_executed)
		return;
	dso_capture__describe(recorder->capture, text, sizeof(text));
	/* The user did not request these files. */
	recorder__summary(recorder, &sums);
	unidentified = sums.counters.n[COUNTER_UNREADABLE];
	if (unidentified)
		recorder__note(recorder,
			"%s; %" PRIu64 " mapping%s no identity to capture by (perfstamp check)",
			text, unidentified, unidentified == 1 ? " has" : "s have");
	else
		recorder__note(recorder, "%s", text);
}

static void report_code(struct recorder *recorder)
{
	char text[512];

	if (recorder->code && code_capture__warning(recorder->code, text, sizeof(text)))
		recorder__note(recorder, "names of code made at run time are missing: %s", text);
}

int recorder__run(struct recorder *recorder, struct error *err)
{
	struct error ignored;
	int code, closed;

	code = begin(recorder, err);
	if (!code)
		code = attend(recorder, RECORDER_BEGUN, err);
	while (!code && !recorder->stopping) {
		code = recorder__guard(recorder, err);
		if (!code)
			code = wait_and_look(recorder, err);
		recorder__look_for_cpus(recorder);
		if (!code)
			code = start__symbols(&recorder->symbols, false, recorder->maps, err);
		/* Without this, a reader of the file could not resolve samples in these symbols. */
		rounds__keep_open(recorder->rounds, recorder->symbols);
		if (!code)
			code = collect_code(recorder, err);
		if (!code)
			code = rounds__run(recorder->rounds, false, err);
		if (recorder->capture)
			dso_capture__collect(recorder->capture);
		if (!code)
			code = attend(recorder, RECORDER_ROUND, err);
		if (!code && recorder->rotation && !recorder->stopping)
			code = rotation__run(recorder->rotation, err);
		if (code && recorder->rotation)
			code = rotation__survive(recorder->rotation, code, err);
		answer_snapshots(recorder);
		look_at_size(recorder);
	}
	if (code)
		stop(recorder, "it failed");
	attend(recorder, RECORDER_ENDING, &ignored);
	/* Recorded data is kept despite an error. */
	if (code)
		finish(recorder, &ignored);
	else
		code = finish(recorder, err);
	closed = output__close(&recorder->output, code ? &ignored : err);
	kernel_record__capture(recorder->kernel);
	if (!code)
		code = closed;
	if (recorder->not_executed && recorder->writer)
		output__take_back(&recorder->output);
	else if (recorder->rotation && !recorder->not_executed &&
		 rotation__end(recorder->rotation, code ? &ignored : err) && !code)
		code = -EIO;
	if (recorder->control)
		control__answer_snapshots(recorder->control);
	if (recorder->workload)
		recorder->workload_status = workload__wait(recorder->workload, true);
	report_refusals(recorder);
	report_capture(recorder);
	report_code(recorder);
	if (map_writer__lacks_permission(recorder->maps))
		recorder__note(recorder,
			"identities that were not in memory could not be completed: this "
			"requires CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN");
	return code;
}
