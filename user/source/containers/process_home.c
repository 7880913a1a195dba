// SPDX-License-Identifier: GPL-2.0-only
/* See process_home.h. */
#include "user/source/containers/process_home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "user/source/containers/cgroup.h"
#include "user/source/machine/clock.h"
#include "user/source/proc/file.h"

#define KEPT_NS 20000000ull

static uint64_t find_cgroup(const struct cgroup_paths *cgroups, pid_t pid)
{
	static const char V2[] = "0::";
	uint64_t id = 0;
	char *text, *line, *save;

	if (!cgroups || proc_file__read(&text, NULL, "/proc/%d/cgroup", pid))
		return 0;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (!strncmp(line, V2, strlen(V2)) &&
			!cgroup_paths__id(cgroups, line + strlen(V2), &id))
			break;
	free(text);
	return id;
}

static uint32_t find_mnt_ns(pid_t pid)
{
	char path[48];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	return stat(path, &st) ? 0 : st.st_ino;
}

struct process_home process_homes__find(struct process_homes *homes, pid_t pid)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);

	if (homes->pid != pid || now_ns - homes->asked_ns > KEPT_NS) {
		homes->pid = pid;
		homes->asked_ns = now_ns;
		homes->home = (struct process_home){
			find_cgroup(homes->cgroups, pid), find_mnt_ns(pid)};
	}
	return homes->home;
}
