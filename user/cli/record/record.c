// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp record: perf record's options, the recorder, and one line at the end.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/record/command.h"
#include "user/record/recorder.h"
#include "user/source/machine/privilege.h"
#include "user/source/machine/systemd.h"

#define COVERAGE_NS 50000000ull /* less CPU time is not judged */

static void show_note(const char *text, void *ctx)
{
	const struct record_command *command = ctx;

	if (!command->quiet)
		fprintf(stderr, "perfstamp record: %s\n", text);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

static void show_size(uint64_t bytes, char *text, size_t size)
{
	snprintf(text, size, bytes < 1000000 ? "%.3f MB" : "%.1f MB", (double)bytes / 1e6);
}

static void show_identities(const struct recorder_summary *summary)
{
	fprintf(stderr,
		"perfstamp record: rung %s; %" PRIu64 " maps with a build-id (%" PRIu64
		" completed in user space), %" PRIu64 " with a cookie, %" PRIu64
		" anonymous, %" PRIu64 " unreadable",
		summary->rung, summary->identified, summary->completed, summary->cookies,
		summary->anonymous,
		summary->maps - summary->anonymous - summary->identified - summary->cookies);
	/* MMAP2 does not tell how the kernel came by a build-id. */
	if (strcmp(summary->rung, RECORDER_RUNG_MMAP2) != 0)
		fprintf(stderr, "; the kernel side read %" PRIu64 ", and knew %" PRIu64,
			summary->identities.read, summary->identities.stashed);
	fputc('\n', stderr);
}

/* Where tasks have events of their own: see perf/tree_plan.h. */
static void show_coverage(const struct recorder_summary *summary)
{
	double covered = share(summary->cpu_covered_ns, summary->cpu_used_ns);

	/* Of few samples nothing can be said. */
	if (covered > 90 || summary->cpu_used_ns < COVERAGE_NS)
		return;
	fprintf(stderr,
		"perfstamp record: samples cover %.*f%% of the CPU time used: processes that live "
		"for less than a few sampling periods are under-sampled, and what an event leaves "
		"out (:u) is not in them; root, or CAP_BPF with CAP_PERFMON, records without that "
		"bias\n",
		covered < 10, covered);
}

static void show_summary(const struct recorder_summary *summary, bool verbose)
{
	uint64_t lost_maps = summary->bpf.ring_full + summary->bpf.recursion_misses +
			     summary->bpf.lookup_failed;
	uint64_t files = summary->maps - summary->anonymous;
	char size[32];

	show_size(summary->bytes, size, sizeof(size));
	if (summary->files > 1)
		fprintf(stderr,
			"[ perfstamp record: %" PRIu64 " samples, %" PRIu64
			" maps, %.1f%% identified, %" PRIu64 " lost; %s.*: %" PRIu64
			" files, %" PRIu64 " removed, %s ]\n",
			summary->samples, summary->maps,
			share(summary->identified + summary->cookies, files),
			summary->lost_samples + lost_maps, summary->output, summary->files,
			summary->removed, size);
	else
		fprintf(stderr,
			"[ perfstamp record: %" PRIu64 " samples, %" PRIu64 " maps of %" PRIu64
			" DSOs, %.1f%% identified, %" PRIu64 " lost; %s: %s ]\n",
			summary->samples, summary->maps, summary->dsos,
			share(summary->identified + summary->cookies, files),
			summary->lost_samples + lost_maps, summary->output, size);
	if (lost_maps)
		fprintf(stderr,
			"perfstamp record: map records were lost: %" PRIu64
			" for want of room in the "
			"ring (--map-ring-size), %" PRIu64 " to the recursion guard, %" PRIu64
			" in look-up; the snapshot was taken again %" PRIu64 " times\n",
			summary->bpf.ring_full, summary->bpf.recursion_misses,
			summary->bpf.lookup_failed, summary->snapshots);
	if (summary->lost_samples)
		fprintf(stderr,
			"perfstamp record: %" PRIu64
			" records were lost for want of room in the perf "
			"rings: try a larger -m, or a lower -F\n",
			summary->lost_samples);
	if (summary->modules.lost)
		fprintf(stderr,
			"perfstamp record: %" PRIu64 " records of kernel modules were lost; what "
			"they told was looked for (perfstamp list --modules: inferred)\n",
			summary->modules.lost);
	if (summary->unfollowed)
		fprintf(stderr,
			"perfstamp record: %" PRIu64
			" child%s could not be followed at once, and %s not sampled before: there "
			"were too many processes for one recording of some; record with -a\n",
			summary->unfollowed, summary->unfollowed == 1 ? "" : "ren",
			summary->unfollowed == 1 ? "was" : "were");
	if (summary->unnamed)
		fprintf(stderr,
			"perfstamp record: samples of %" PRIu64
			" exiting tasks may have no process name: notes found no room\n",
			summary->unnamed);
	if (summary->cpu_used_ns)
		show_coverage(summary);
	if (verbose && summary->programs.gone + summary->programs.left_out)
		fprintf(stderr,
			"perfstamp record: of %" PRIu64
			" BPF programs the code is recorded; %" PRIu64
			" were gone before it could be read, %" PRIu64
			" were hidden or too large\n",
			summary->programs.programs, summary->programs.gone,
			summary->programs.left_out);
	if (verbose)
		show_identities(summary);
}

static int set_priority(const struct record_command *command, struct error *err)
{
	const struct sched_param param = {.sched_priority = command->realtime};

	/* What is run must not be run so. */
	if (!command->realtime || !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		return 0;
	return error__errno(err, -errno, "-r %d", command->realtime);
}

static unsigned int needs(const struct record_command *command)
{
	const struct recorder_options *recorder = &command->recorder;
	const char *metrics = command->service.metrics_file;
	unsigned int needs = PRIVILEGE_PROCESSES | PRIVILEGE_KERNEL;

	/*
	 * What BPF programs are made of is asked for when they come, and only by
	 * CAP_SYS_ADMIN, which is not kept for a user whose it is not by nature.
	 */
	if (!recorder->events.extra.no_bpf_event && !geteuid())
		needs |= PRIVILEGE_PROGRAMS;
	if (recorder->workload)
		needs |= PRIVILEGE_KILL;
	if (recorder->kernel.capture || privilege__must_override(recorder->output) ||
		(metrics && privilege__must_override(metrics)))
		needs |= PRIVILEGE_FILES;
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
		show_summary(&summary, command->verbose);
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
	/* On a terminal, and where nobody would know of it, SIGHUP is what it always was. */
	if (systemd__listens())
		command.recorder.reload = record_settings__reload;
	if (command.build_id_option)
		show_note(
			"build-ids are always recorded, by the kernel when code is mapped, and the "
			"build-id cache is never filled: perf's options on them change nothing",
			&command);
	for (size_t i = 0; i < command.n_foreign; i++)
		show_note(command.foreign[i], &command);
	/* The header names the program beside the command line. */
	argv[0] = name;
	status = run(&command);
	record_command__free(&command);
	return status;
}
