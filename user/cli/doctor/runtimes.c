// SPDX-License-Identifier: GPL-2.0-only
/*
 * See runtimes.h. Processes are examined as in the recorder: by their mappings, and by the map file
 * that the recorder would read.
 */
#include "user/cli/doctor/runtimes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "user/event/code.h"
#include "user/parse/code/runtime.h"
#include "user/record/capture/code_capture.h"
#include "user/record/capture/code_file.h"
#include "user/source/proc/tasks.h"

struct of_runtime {
	const struct runtime *runtime;
	size_t processes;
	size_t silent;
};

struct looking {
	struct of_runtime v[RUNTIMES_MAX];
	/* The process whose mappings are being read; 0: none. */
	pid_t pid;
	const struct runtime *runtime;
	bool makes_code;
	bool dumps;
};

static bool has_map_file(pid_t pid)
{
	struct code_owner owner;
	int tmp, fd;

	if (code_file__owner(pid, &owner))
		return false;
	tmp = code_file__open_tmp(pid);
	if (tmp < 0)
		return false;
	fd = code_file__open_map(tmp, &owner);
	close(tmp);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static void end_process(struct looking *looking)
{
	struct of_runtime *of;

	if (!looking->pid || !looking->runtime ||
		(!looking->makes_code && !looking->runtime->interprets))
		return;
	of = &looking->v[runtime__number(looking->runtime)];
	of->runtime = looking->runtime;
	of->processes++;
	of->silent += !looking->dumps && !has_map_file(looking->pid);
}

static int take(void *ctx, const struct event *event)
{
	struct looking *looking = ctx;
	const struct runtime *runtime;

	if ((pid_t)event->pid != looking->pid) {
		end_process(looking);
		looking->pid = event->pid;
		looking->runtime = NULL;
		looking->makes_code = looking->dumps = false;
	}
	if (event->kind != EVENT_MAP)
		return 0;
	runtime = runtime__of_file(event->map.path);
	/* The mapping of the program precedes those of its libraries. */
	if (runtime && !looking->runtime)
		looking->runtime = runtime;
	looking->makes_code |= event_code__is_memory(event->map.path);
	looking->dumps |= code_capture__is_dump(event->map.path);
	return 0;
}

static void add(struct diagnosis *diagnosis, const struct of_runtime *of)
{
	struct finding *finding = &diagnosis->findings[diagnosis->n];

	if (diagnosis->n + 1 == DIAGNOSIS_MAX)
		return;
	diagnosis->n++;
	finding->name = of->runtime->name;
	finding->advice[0] = '\0';
	/* This concerns programs of other users, so it is not a problem of the machine. */
	finding->state = of->silent ? FINDING_FACT : FINDING_GOOD;
	if (of->silent) {
		snprintf(finding->value, sizeof(finding->value),
			"%zu of %zu process%s write%s no names of functions", of->silent,
			of->processes, of->processes == 1 ? "" : "es", of->silent == 1 ? "s" : "");
		snprintf(finding->advice, sizeof(finding->advice), "%s", of->runtime->how);
	} else {
		snprintf(finding->value, sizeof(finding->value),
			"%zu process%s write%s names of functions", of->processes,
			of->processes == 1 ? "" : "es", of->processes == 1 ? "s" : "");
	}
}

int doctor_runtimes__look(struct diagnosis *diagnosis)
{
	struct proc_tasks_counts counts;
	struct looking looking = {0};
	struct error err;
	int code = proc_tasks__synthesize(NULL, 0, take, NULL, &looking, &counts, &err);

	end_process(&looking);
	for (size_t i = 0; i < RUNTIMES_MAX; i++)
		if (looking.v[i].processes)
			add(diagnosis, &looking.v[i]);
	return code == -ENOMEM ? code : 0;
}
