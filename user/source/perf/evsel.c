// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens one event everywhere, with fallbacks if the kernel refuses it. The order of
 * fallbacks follows perf's evsel__open_cpu and evsel__fallback.
 */
#include "user/source/perf/evsel.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/event/native.h"
#include "user/parse/event/attr.h"
#include "user/source/perf/open.h"

#define GROUP_MAX 64 /* members whose losses are reported */

void perf_notes__add(struct perf_notes *notes, const char *fmt, ...)
{
	va_list args;
	int n;

	/* Without memory, a note is skipped: the recording need not stop for it. */
	if (array__extend(&notes->notes, notes->n, sizeof(*notes->notes)))
		return;
	va_start(args, fmt);
	n = vasprintf(&notes->notes[notes->n], fmt, args);
	va_end(args);
	if (n >= 0)
		notes->n++;
}

void perf_notes__free(struct perf_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		free(notes->notes[i]);
	free(notes->notes);
	notes->notes = NULL;
	notes->n = 0;
}

void evsel__init(struct evsel *evsel, struct perf_name *name)
{
	memset(evsel, 0, sizeof(*evsel));
	evsel->name = name->name;
	evsel->attr = name->attr;
	evsel->modifiers = name->modifiers;
	evsel->cpus = name->cpus;
	evsel->group = name->group;
	memcpy(evsel->group_name, name->group_name, sizeof(evsel->group_name));
	evsel->name_end = name->end;
	evsel->cgroup = -1;
	memset(name, 0, sizeof(*name));
}

void evsel__close(struct evsel *evsel)
{
	for (size_t i = 0; evsel->fds && i < evsel->n_cpus * evsel->n_tids; i++)
		if (evsel->fds[i] >= 0)
			close(evsel->fds[i]);
	free(evsel->fds);
	free(evsel->ids);
	free(evsel->ids_now);
	evsel->fds = NULL;
	evsel->ids = NULL;
	evsel->ids_now = NULL;
	evsel->n_ids = 0;
}

void evsel__free(struct evsel *evsel)
{
	evsel__close(evsel);
	sample_filter__unload(evsel->filter_bpf);
	if (evsel->cgroup >= 0)
		close(evsel->cgroup);
	free(evsel->filter);
	free(evsel->name);
	cpu_list__free(&evsel->cpus);
	memset(evsel, 0, sizeof(*evsel));
}

int evsel__fd(const struct evsel *evsel, size_t cpu, size_t tid)
{
	return evsel->fds[cpu * evsel->n_tids + tid];
}

static int ioctl_all(const struct evsel *evsel, unsigned long request, unsigned long arg)
{
	int first = 0;

	for (size_t i = 0; i < evsel->n_cpus * evsel->n_tids; i++)
		if (evsel->fds[i] >= 0 && ioctl(evsel->fds[i], request, arg) && !first)
			first = -errno;
	return first;
}

int evsel__ioctl(const struct evsel *evsel, unsigned long request)
{
	return ioctl_all(evsel, request, 0);
}

/* The layout of read(2), by read_format: see struct perf_event_attr in linux/perf_event.h. */
static uint64_t lost_of(const struct evsel *evsel, const uint64_t *words, size_t n, uint64_t id)
{
	uint64_t format = evsel__opened_attr(evsel, &evsel->attr).read_format;
	size_t at = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);

	/*
	 * Without a group: value, times, id, lost. With a group: the number of events, times, and
	 * for each event value, id, lost.
	 */
	if (!(format & PERF_FORMAT_GROUP))
		return at + 2 < n ? words[at + 2] : 0;
	for (at++; at + 2 < n; at += 3)
		if (words[at + 1] == id)
			return words[at + 2];
	return 0;
}

/* Reads the losses of descriptor @i, which has the id @id. */
static uint64_t lost_at(const struct evsel *evsel, size_t i, uint64_t id)
{
	uint64_t words[3 + 3 * GROUP_MAX];
	ssize_t size = read(evsel->fds[i], words, sizeof(words));

	return size > 0 ? lost_of(evsel, words, size / sizeof(*words), id) : 0;
}

int evsel__lost(const struct evsel *evsel, uint64_t *ret)
{
	size_t n_ids = 0;

	if (!(evsel->attr.read_format & PERF_FORMAT_LOST))
		return -EOPNOTSUPP;
	*ret += evsel->lost;
	for (size_t i = 0; i < evsel->n_cpus * evsel->n_tids; i++)
		if (evsel->fds[i] >= 0)
			*ret += lost_at(evsel, i,
				evsel->ids_now ? evsel->ids_now[i].now : evsel->ids[n_ids++]);
	return 0;
}

bool evsel__is_taken(const struct evsel *evsel, size_t cpu)
{
	int fd = evsel__fd(evsel, cpu, 0);

	return fd >= 0 && perf_open__is_taken(fd);
}

static int set_filter(const struct evsel *evsel, int fd)
{
	int r = 0;

	if (evsel->filter_bpf)
		r = ioctl(fd, PERF_EVENT_IOC_SET_BPF, sample_filter__fd(evsel->filter_bpf));
	else if (evsel->filter)
		r = ioctl(fd, PERF_EVENT_IOC_SET_FILTER, evsel->filter);
	return r ? -errno : 0;
}

int evsel__apply_filter(struct evsel *evsel, struct error *err)
{
	int r;

	if (!evsel->filter && !evsel->tree)
		return 0;
	if (!evsel->tree && evsel->attr.type == PERF_TYPE_TRACEPOINT) {
		r = ioctl_all(evsel, PERF_EVENT_IOC_SET_FILTER, (unsigned long)evsel->filter);
		return r ? error__errno(err, r,
				   "event '%s': the kernel does not understand the filter '%s'; "
				   "its fields are in events/*/*/format below tracefs",
				   evsel->name, evsel->filter)
			 : 0;
	}
	/* The program may be loaded already, by the check whether it can be. */
	r = evsel->filter_bpf ? 0
			      : sample_filter__load(&evsel->filter_bpf, evsel->filter,
					evsel->attr.sample_type, evsel->tree, err);
	if (r)
		return r;
	r = ioctl_all(evsel, PERF_EVENT_IOC_SET_BPF, sample_filter__fd(evsel->filter_bpf));
	return r ? error__errno(err, r, "event '%s': filter", evsel->name) : 0;
}

static void rename_to(struct evsel *evsel, const char *fmt, const char *old)
{
	char *name;

	if (asprintf(&name, fmt, old) < 0)
		return;
	free(evsel->name);
	evsel->name = name;
}

static bool is_cycles(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE &&
	       (uint32_t)attr->config == PERF_COUNT_HW_CPU_CYCLES;
}

static bool drop_precise(struct evsel *evsel, int code)
{
	if (!evsel->modifiers.precise_max || !evsel->attr.precise_ip)
		return false;
	if (code != -EINVAL && code != -EOPNOTSUPP && code != -ENOENT)
		return false;
	evsel->attr.precise_ip--;
	return true;
}

static bool use_cpu_clock(struct evsel *evsel, int code, struct perf_notes *notes)
{
	if (!is_cycles(&evsel->attr) || evsel->modifiers.precise)
		return false;
	if (code != -ENOENT && code != -EOPNOTSUPP && code != -ENODEV && code != -ENXIO)
		return false;
	perf_notes__add(notes,
		"event '%s' is not available: this machine, perhaps a virtual one, has no hardware "
		"counters; cpu-clock is recorded instead",
		evsel->name);
	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	evsel->attr.precise_ip = 0;
	cpu_list__free(&evsel->cpus);
	rename_to(evsel, "cpu-clock%s", strchr(evsel->name, ':') ? strchr(evsel->name, ':') : "");
	return true;
}

static bool leave_kernel_out(struct evsel *evsel, int code, struct perf_notes *notes)
{
	int paranoid = perf_open__paranoid();

	if ((code != -EACCES && code != -EPERM) || paranoid <= 1 || evsel->attr.exclude_user)
		return false;
	if (!attr__drop_kernel(&evsel->attr))
		return false;
	rename_to(evsel, strchr(evsel->name, ':') ? "%su" : "%s:u", evsel->name);
	perf_notes__add(notes,
		"kernel.perf_event_paranoid=%d: the kernel is not sampled, '%s' is recorded (to "
		"include it, run as root or with CAP_PERFMON, or 'sysctl "
		"kernel.perf_event_paranoid=1')",
		paranoid, evsel->name);
	return true;
}

/* Where an event is opened. */
struct place {
	pid_t tid;
	int cpu;
	int leader; /* descriptor of the group's leader there; -1: none */
};

struct perf_event_attr evsel__opened_attr(
	const struct evsel *evsel, const struct perf_event_attr *attr)
{
	struct perf_event_attr opened = *attr;

	/* The time enabled stops when the kernel has removed the event from its CPU. */
	if (evsel->sideband)
		opened.read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED;
	/* A file has what the recording is of; the tree begins at the exec by itself. */
	if (evsel->tree)
		opened.inherit = opened.enable_on_exec = 0;
	/* The clocks need not run when not sampling. Not all other PMUs know the bit. */
	if (evsel->tree && opened.type == PERF_TYPE_SOFTWARE)
		opened.exclude_idle = 1;
	if (!evsel->mmap3)
		return opened;
	/* MMAP3 replaces these records: the kernel need not check whether they are wanted. */
	opened.mmap = opened.mmap2 = opened.build_id = 0;
	native_attr__set(&opened, NATIVE_ATTR_MMAP3);
	return opened;
}

static int open_attr(
	const struct evsel *evsel, struct perf_event_attr *attr, const struct place *place)
{
	struct perf_event_attr opened = evsel__opened_attr(evsel, attr);
	bool of_cgroup = evsel->cgroup >= 0;
	int fd;

	fd = perf_open__with(&opened, of_cgroup ? evsel->cgroup : place->tid, place->cpu,
		place->leader, of_cgroup ? PERF_FLAG_PID_CGROUP : 0);
	/* If the size is too large, the kernel returns the largest size. */
	attr->size = opened.size;
	return fd;
}

/* Tries @attr once. If it works, keeps it and returns the descriptor. */
static int try_attr(struct evsel *evsel, struct perf_event_attr *attr, const struct place *place)
{
	int fd = open_attr(evsel, attr, place);

	if (fd >= 0)
		evsel->attr = *attr;
	return fd;
}

static int try_without_guest_filter(struct evsel *evsel, const struct place *place, int code)
{
	struct perf_event_attr attr = evsel->attr;

	if (!attr.exclude_guest || evsel->modifiers.guest_given)
		return code;
	attr.exclude_guest = 0;
	return try_attr(evsel, &attr, place);
}

static int try_without_newest(
	struct evsel *evsel, const struct place *place, struct perf_notes *notes, int code)
{
	struct perf_event_attr attr = evsel->attr;
	const char *dropped[8];
	size_t n = 0;

	while (code == -EINVAL && n < sizeof(dropped) / sizeof(dropped[0])) {
		dropped[n] = attr__drop_newest(&attr);
		if (!dropped[n])
			return -EINVAL;
		n++;
		code = try_attr(evsel, &attr, place);
	}
	/* The kernel still refuses the event, so those features were not the reason. */
	if (code >= 0)
		for (size_t i = 0; i < n; i++)
			perf_notes__add(notes, "this kernel has no %s", dropped[i]);
	return code;
}

static int try_without_namespaces(
	struct evsel *evsel, const struct place *place, struct perf_notes *notes, int code)
{
	struct perf_event_attr attr = evsel->attr;
	int fd;

	if (!attr.namespaces)
		return code;
	attr.namespaces = 0;
	fd = try_attr(evsel, &attr, place);
	if (fd < 0)
		return code;
	perf_notes__add(notes, "namespaces are not recorded: this requires CAP_PERFMON");
	return fd;
}

/* Opens the event for the first time: finds out which of its features this machine allows. */
static int open_first(struct evsel *evsel, const struct place *place, struct perf_notes *notes)
{
	for (;;) {
		int fd = open_attr(evsel, &evsel->attr, place);
		int code = fd;

		if (fd >= 0)
			return fd;
		/* attr.size is now the size that the kernel knows; we set nothing beyond it. */
		if (code == -E2BIG && evsel->attr.size > PERF_ATTR_SIZE_VER0 &&
			evsel->attr.size < PERF_ATTR_SIZE_VER7)
			continue;
		if (drop_precise(evsel, code) || use_cpu_clock(evsel, code, notes) ||
			leave_kernel_out(evsel, code, notes))
			continue;
		if (code == -EINVAL || code == -EOPNOTSUPP)
			fd = try_without_guest_filter(evsel, place, code);
		if (fd < 0 && code == -EINVAL)
			fd = try_without_newest(evsel, place, notes, code);
		if (fd < 0 && (code == -EACCES || code == -EPERM))
			fd = try_without_namespaces(evsel, place, notes, code);
		/* The error reported is the one for the requested event. */
		return fd < 0 ? code : fd;
	}
}

static int add_id(struct evsel *evsel, int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_ID, &evsel->ids[evsel->n_ids]))
		return -errno;
	evsel->n_ids++;
	return 0;
}

static int open_one(struct evsel *evsel, const struct perf_target *target, size_t c, size_t t,
	bool *gone, struct perf_notes *notes, struct error *err)
{
	struct place place = {target->tids[t], target->cpus.cpus[c], -1};
	pid_t tid = place.tid;
	int cpu = place.cpu;
	int fd, r;

	if (evsel->leader) {
		place.leader = evsel__fd(evsel->leader, c, t);
		if (place.leader < 0)
			return error__set(err, -EINVAL,
				"event '%s': CPU %d does not have the leader of its group, '%s'",
				evsel->name, cpu, evsel->leader->name);
	}
	fd = evsel->n_ids ? open_attr(evsel, &evsel->attr, &place)
			  : open_first(evsel, &place, notes);
	if (fd == -EINVAL && evsel->leader)
		return error__set(err, fd,
			"event '%s': the kernel refuses it in a group with '%s': their PMUs "
			"differ, or there are more events than counters; with W, as in {...}:W, "
			"they are then recorded as single events",
			evsel->name, evsel->leader->name);
	if (fd == -ENOENT && evsel->cgroup >= 0)
		return error__set(err, fd,
			"event '%s': its cgroup does not have the perf_event controller, which is "
			"enabled with any controller in its parent's cgroup.subtree_control",
			evsel->name);
	if (fd == -ESRCH && tid > 0) {
		gone[t] = true;
		return 0;
	}
	/* A CPU can go off-line after it was listed. */
	if (fd == -ENODEV && (evsel->sideband || !target->sampled.n) &&
		!perf_target__is_online(cpu))
		return 0;
	if (fd < 0)
		return perf_open__explain(err, fd, &evsel->attr, evsel->name, tid, cpu);
	evsel->fds[c * evsel->n_tids + t] = fd;
	r = add_id(evsel, fd);
	if (r)
		return error__errno(err, r, "event '%s': id", evsel->name);
	return 0;
}

bool evsel__is_for(const struct evsel *evsel, const struct perf_target *target, size_t c)
{
	int cpu = target->cpus.cpus[c];

	/* A sampled process may have started on another CPU. */
	if (!evsel->sideband && target->sampled.n && !cpu_list__has(&target->sampled, cpu))
		return false;
	/* Without a list, all CPUs have the event. use_cpu_clock removes the list. */
	return !evsel->cpus.n || cpu_list__has(&evsel->cpus, cpu);
}

int evsel__open(struct evsel *evsel, const struct perf_target *target, bool *gone,
	struct perf_notes *notes, struct error *err)
{
	size_t n = target->cpus.n * target->n_tids;
	int r;

	evsel->n_cpus = target->cpus.n;
	evsel->n_tids = target->n_tids;
	evsel->fds = malloc(n * sizeof(*evsel->fds));
	evsel->ids = malloc(n * sizeof(*evsel->ids));
	if (!evsel->fds || !evsel->ids) {
		evsel->n_cpus = 0;
		return error__errno(err, -ENOMEM, "event '%s'", evsel->name);
	}
	memset(evsel->fds, -1, n * sizeof(*evsel->fds));
	for (size_t c = 0; c < target->cpus.n; c++) {
		for (size_t t = 0; t < target->n_tids; t++) {
			if (gone[t] || !evsel__is_for(evsel, target, c))
				continue;
			r = open_one(evsel, target, c, t, gone, notes, err);
			if (r)
				return r;
		}
	}
	return 0;
}

int evsel__grow(struct evsel *evsel, size_t n_cpus)
{
	struct evsel_id *ids = realloc(evsel->ids_now, n_cpus * sizeof(*ids));
	size_t n_ids = 0;
	int *fds;

	if (!ids)
		return -ENOMEM;
	/* A file that was begun before has only this id. Samples contain their CPU. */
	for (size_t c = evsel->ids_now ? evsel->n_cpus : 0; c < n_cpus; c++) {
		bool is_open = c < evsel->n_cpus && evsel->fds[c] >= 0;

		ids[c].now = ids[c].told = evsel->ids[is_open ? n_ids++ : 0];
	}
	evsel->ids_now = ids;
	fds = realloc(evsel->fds, n_cpus * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	evsel->fds = fds;
	while (evsel->n_cpus < n_cpus)
		fds[evsel->n_cpus++] = -1;
	return 0;
}

uint64_t evsel__announced_id(const struct evsel *evsel, size_t c)
{
	return evsel->ids_now[c].told;
}

int evsel__open_later(struct evsel *evsel, const struct perf_target *target, size_t c, int leader,
	struct error *err)
{
	const struct place place = {-1, target->cpus.cpus[c], leader};
	int fd, r;

	fd = open_attr(evsel, &evsel->attr, &place);
	if (fd == -ENODEV)
		return fd;
	if (fd < 0)
		return perf_open__explain(err, fd, &evsel->attr, evsel->name, -1, place.cpu);
	r = set_filter(evsel, fd);
	if (r) {
		close(fd);
		return error__errno(err, r, "event '%s': filter", evsel->name);
	}
	return fd;
}

int evsel__replace(struct evsel *evsel, size_t c, int fd)
{
	struct evsel_id *id = &evsel->ids_now[c];
	int old = evsel->fds[c];

	if (old >= 0)
		evsel->lost += lost_at(evsel, c, id->now);
	evsel->fds[c] = fd;
	ioctl(fd, PERF_EVENT_IOC_ID, &id->now);
	return old;
}
