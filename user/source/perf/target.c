// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads from /proc/PID/task, CPUs from /sys/devices/system/cpu. Opens no event.
 */
#include "user/source/perf/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/source/proc/file.h"

/* Limit of listings, for a process that keeps making threads faster than we list them. */
#define LISTINGS_MAX 16

#define ONLINE "/sys/devices/system/cpu/online"

static int online_cpus(struct cpu_list *ret, char **ret_text, struct error *err)
{
	const char *path = ONLINE;
	int r = proc_file__read(ret_text, NULL, "%s", path);

	if (r == -ENOENT)
		return error__set(err, r, "%s: not found: mount -t sysfs sysfs /sys", path);
	if (r)
		return error__errno(err, r, "%s", path);
	r = cpu_list__parse(ret, *ret_text, err);
	if (r)
		free(*ret_text);
	else
		(*ret_text)[strcspn(*ret_text, "\n")] = '\0';
	return r;
}

int perf_target__set_cpus(struct perf_target *target, const char *text, struct error *err)
{
	char *online_text;
	int r;

	r = online_cpus(&target->cpus, &online_text, err);
	if (r)
		return r;
	r = text ? cpu_list__parse(&target->sampled, text, err) : 0;
	for (size_t i = 0; !r && i < target->sampled.n; i++)
		if (!cpu_list__has(&target->cpus, target->sampled.cpus[i]))
			r = error__set(err, -ENODEV,
				"CPU %d is offline or does not exist; online CPUs: %s",
				target->sampled.cpus[i], online_text);
	free(online_text);
	return r;
}

int perf_target__add_cpu(struct perf_target *target, int cpu)
{
	struct cpu_list *list = &target->cpus;
	int *more = realloc(list->cpus, (list->n + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	list->cpus = more;
	more[list->n++] = cpu;
	return 0;
}

int perf_target__online(struct cpu_list *ret)
{
	char *text;
	int r = online_cpus(ret, &text, NULL);

	if (!r)
		free(text);
	return r;
}

/* Reads the current text of the open file; "" if it is too long. */
static int read_online(struct perf_online *online, char *ret, size_t room)
{
	ssize_t n;

	if (!online->is_open) {
		online->fd = open(ONLINE, O_RDONLY | O_CLOEXEC);
		if (online->fd < 0)
			return -errno;
		online->is_open = true;
	}
	n = pread(online->fd, ret, room, 0);
	if (n < 0)
		return -errno;
	ret[(size_t)n < room ? n : 0] = '\0';
	return 0;
}

int perf_online__look(struct perf_online *online, const struct cpu_list **ret)
{
	char text[sizeof(online->text)] = "";
	int r = read_online(online, text, sizeof(text));

	*ret = &online->cpus;
	if (r || (*text && !strcmp(text, online->text)))
		return r;
	cpu_list__free(&online->cpus);
	online->text[0] = '\0';
	if (!*text)
		return perf_target__online(&online->cpus);
	r = cpu_list__parse(&online->cpus, text, NULL);
	if (!r)
		memcpy(online->text, text, sizeof(text));
	return r;
}

void perf_online__free(struct perf_online *online)
{
	cpu_list__free(&online->cpus);
	if (online->is_open)
		close(online->fd);
	*online = (struct perf_online){0};
}

bool perf_target__is_online(int cpu)
{
	struct cpu_list online;
	bool has;

	if (perf_target__online(&online))
		return true;
	has = cpu_list__has(&online, cpu);
	cpu_list__free(&online);
	return has;
}

static int compare_tids(const void *a, const void *b)
{
	pid_t left = *(const pid_t *)a, right = *(const pid_t *)b;

	return (left > right) - (left < right);
}

static int list_threads(pid_t pid, pid_t **ret, size_t *ret_n)
{
	struct dirent *entry;
	pid_t *tids = NULL;
	size_t n = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		pid_t tid = atoi(entry->d_name);

		if (tid <= 0)
			continue;
		if (array__extend(&tids, n, sizeof(*tids))) {
			free(tids);
			closedir(dir);
			return -ENOMEM;
		}
		tids[n++] = tid;
	}
	closedir(dir);
	if (tids)
		qsort(tids, n, sizeof(*tids), compare_tids);
	*ret = tids;
	*ret_n = n;
	return 0;
}

static int add_tids(struct perf_target *target, const pid_t *tids, size_t n, struct error *err)
{
	size_t before = target->n_tids;
	pid_t *more;

	if (!n)
		return 0;
	more = realloc(target->tids, (before + n) * sizeof(*more));
	if (!more)
		return error__errno(err, -ENOMEM, "list of threads");
	target->tids = more;
	memcpy(more + before, tids, n * sizeof(*more));
	qsort(more, before + n, sizeof(*more), compare_tids);
	target->n_tids = 1;
	for (size_t i = 1; i < before + n; i++)
		if (more[i] != more[target->n_tids - 1])
			more[target->n_tids++] = more[i];
	return 0;
}

int perf_target__add_process(struct perf_target *target, pid_t pid, struct error *err)
{
	pid_t *tids = NULL, *before = NULL;
	size_t n = 0, n_before = 0;
	bool same = false;
	int r = 0;

	if (pid <= 0)
		return error__set(err, -EINVAL, "%d is not a process id", pid);
	for (int i = 0; i < LISTINGS_MAX && !same; i++) {
		r = list_threads(pid, &tids, &n);
		if (r)
			break;
		same = before && n == n_before && !memcmp(tids, before, n * sizeof(*tids));
		free(before);
		before = tids;
		n_before = n;
	}
	if (!r && !n_before)
		r = -ESRCH;
	if (r == -ENOENT || r == -ESRCH)
		r = error__set(err, -ESRCH, "there is no process %d", pid);
	else if (r)
		error__errno(err, r, "threads of process %d", pid);
	else
		r = add_tids(target, before, n_before, err);
	free(before);
	return r;
}

int perf_target__add_thread(struct perf_target *target, pid_t tid, struct error *err)
{
	char path[64];

	if (tid <= 0)
		return error__set(err, -EINVAL, "%d is not a thread id", tid);
	snprintf(path, sizeof(path), "/proc/%d", tid);
	if (access(path, F_OK))
		return error__set(err, -ESRCH, "there is no thread %d", tid);
	return add_tids(target, &tid, 1, err);
}

int perf_target__whole_cpus(struct perf_target *target, struct error *err)
{
	pid_t all = -1;

	return add_tids(target, &all, 1, err);
}

void perf_target__free(struct perf_target *target)
{
	free(target->tids);
	cpu_list__free(&target->cpus);
	cpu_list__free(&target->sampled);
	memset(target, 0, sizeof(*target));
}
