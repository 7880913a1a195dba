// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp record: parses perf record's options, runs the recorder, and prints one line at
 * the end.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/record/command.h"
#include "user/cli/record/reload.h"
#include "user/cli/record/summary.h"
#include "user/helper/capability.h"
#include "user/record/recorder.h"
#include "user/source/machine/privilege.h"
#include "user/source/machine/systemd.h"

static void show_note(const char *text, void *ctx)
{
	const struct record_command *command = ctx;

	if (!command->quiet)
		fprintf(stderr, "perfstamp record: %s\n", text);
}

static int set_priority(const struct record_command *command, struct error *err)
{
	const struct sched_param param = {.sched_priority = command->realtime};

	/* The priority must not be inherited by the workload. */
	if (!command->realtime || !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		return 0;
	if (errno == EPERM)
		return error__set(err, -EPERM,
			"-r %d: not allowed (EPERM): it needs CAP_SYS_NICE (or root), or 'ulimit "
			"-r %d'",
			command->realtime, command->realtime);
	return error__errno(err, -errno, "-r %d", command->realtime);
}

static unsigned int needs(const struct record_command *command)
{
	const struct recorder_options *recorder = &command->recorder;
	const char *metrics = command->service.metrics_file;
	unsigned int needs = CAPABILITY_PROCESSES | CAPABILITY_KERNEL;

	/*
	 * Reading the code of BPF programs when they are loaded requires CAP_SYS_ADMIN. Only root
	 * keeps this capability.
	 */
	if (!recorder->events.extra.no_bpf_event && !geteuid())
		needs |= CAPABILITY_PROGRAMS;
	if (recorder->workload)
		needs |= CAPABILITY_KILL;
	if (recorder->kernel.capture || privilege__must_override(recorder->output) ||
		(metrics && privilege__must_override(metrics)))
		needs |= CAPABILITY_FILES;
	return needs;
}

static int start_service(struct service **ret, struct recorder *const *recorder,
	const struct record_command *command, struct error *err)
{
	const struct service_options options = {
		.command = "record",
		.paths = command->service,
		.needs = needs(command),
		.verbose = command->verbose,
		.recorder = recorder,
		.note = show_note,
		.ctx = (void *)command,
	};

	return service__new(ret, &options, err);
}

static int run(struct record_command *command)
{
	struct recorder_summary summary;
	struct service *service;
	struct recorder *recorder;
	int status = CLI_DONE;
	struct error err;

	if (set_priority(command, &err) || record_command__find_user(command, &err) ||
		start_service(&service, &recorder, command, &err))
		return cli__fail("%s", err.text);
	command->recorder.attendant = service__attendant(service);
	if (recorder__new(&recorder, &command->recorder, &err)) {
		service__free(service);
		return cli__fail("%s", err.text);
	}
	if (recorder__run(recorder, &err))
		status = cli__fail("%s", err.text);
	recorder__summary(recorder, &summary);
	if (!command->quiet && summary.output)
		record_summary__show(&summary, command->verbose, status != CLI_DONE);
	recorder__free(recorder);
	service__free(service);
	return status ? status : summary.workload_status;
}

int cmd_record(int argc, char **argv)
{
	static char name[] = "record";
	struct record_command command;
	struct error err;
	int status;

	if (record_command__parse(&command, argc, argv, &err))
		return cli__fail("%s", err.text);
	if (command.dry_run)
		return CLI_DONE;
	command.recorder.argc = argc;
	command.recorder.argv = (const char *const *)argv;
	command.recorder.note = show_note;
	command.recorder.note_ctx = &command;
	/*
	 * On a terminal, and if no service manager reloads the program, SIGHUP keeps its default
	 * action.
	 */
	if (systemd__listens())
		command.recorder.reload = record_settings__reload;
	if (command.build_id_option)
		show_note("perf's options on build-ids have no effect: the kernel always reads "
			  "them when code is mapped, and the cache is not filled at the end",
			&command);
	for (size_t i = 0; i < command.n_foreign; i++)
		show_note(command.foreign[i], &command);
	/* The header contains the program beside the command line. */
	argv[0] = name;
	status = run(&command);
	record_command__free(&command);
	return status;
}
