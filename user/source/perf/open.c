// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_event_open(2) and its refusals. The sentences follow perf's
 * evsel__open_strerror (tools/perf/util/evsel.c) and add the remedy.
 */
#include "user/source/perf/open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "user/source/proc/file.h"

int perf_open__with(
	struct perf_event_attr *attr, pid_t pid, int cpu, int leader, unsigned long flags)
{
	for (;;) {
		int fd = syscall(
			SYS_perf_event_open, attr, pid, cpu, leader, flags | PERF_FLAG_FD_CLOEXEC);

		if (fd >= 0)
			return fd;
		if (errno != EINTR)
			return -errno;
	}
}

int perf_open(struct perf_event_attr *attr, pid_t tid, int cpu)
{
	return perf_open__with(attr, tid, cpu, -1, 0);
}

static int64_t setting(const char *name, int64_t otherwise)
{
	int64_t value;

	return proc_file__number(&value, "/proc/sys/kernel/%s", name) ? otherwise : value;
}

int perf_open__paranoid(void)
{
	return setting("perf_event_paranoid", 2);
}

int64_t perf_open__max_sample_rate(void)
{
	return setting("perf_event_max_sample_rate", 100000);
}

int64_t perf_open__mlock_kb(void)
{
	return setting("perf_event_mlock_kb", 516);
}

bool perf_open__has_lost_count(void)
{
	struct perf_event_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = PERF_ATTR_SIZE_VER7;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.disabled = 1;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	fd = perf_open(&attr, 0, -1);
	if (fd < 0)
		return fd != -EINVAL;
	close(fd);
	return true;
}

bool perf_open__allow_files(size_t n)
{
	struct rlimit limit, hard;
	int64_t most;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return false;
	if (limit.rlim_cur >= n)
		return true;
	hard = (struct rlimit){.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
	if (limit.rlim_max < n) {
		/* Going beyond the hard limit needs CAP_SYS_RESOURCE, and fs.nr_open is the end. */
		if (!proc_file__number(&most, "/proc/sys/fs/nr_open") && (rlim_t)most >= n) {
			limit.rlim_cur = limit.rlim_max = most;
			if (!setrlimit(RLIMIT_NOFILE, &limit))
				return true;
		}
	}
	return !setrlimit(RLIMIT_NOFILE, &hard) && hard.rlim_cur >= n;
}

static bool is_sampled(const struct perf_event_attr *attr)
{
	return attr->config != PERF_COUNT_SW_DUMMY || attr->type != PERF_TYPE_SOFTWARE;
}

static int explain_access(struct error *err, int code, const struct perf_event_attr *attr,
	const char *name, pid_t tid)
{
	int paranoid = perf_open__paranoid();

	/* The setting allows the event, so the right to trace is missing: ptrace(2). */
	if (tid > 0 && (paranoid <= 1 || (paranoid == 2 && attr->exclude_kernel)))
		return error__set(err, code,
			"thread %d: not allowed (%s): it belongs to another user, or is protected; "
			"recording it needs CAP_PERFMON (or root)",
			tid, code == -EPERM ? "EPERM" : "EACCES");

	/* The user did not request this event, which only has the other records. */
	return error__set(err, code,
		"%s%s%snot allowed (%s): kernel.perf_event_paranoid is %d; %s needs "
		"CAP_PERFMON (or root), or 'sysctl kernel.perf_event_paranoid=%d'. In a container "
		"its seccomp profile may forbid perf_event_open as well.",
		is_sampled(attr) ? "event '" : "", is_sampled(attr) ? name : "",
		is_sampled(attr) ? "': " : "", code == -EPERM ? "EPERM" : "EACCES", paranoid,
		tid < 0 ? "recording whole CPUs" : "recording this process",
		tid < 0        ? -1
		: paranoid > 2 ? 2
			       : 1);
}

int perf_open__explain(struct error *err, int code, const struct perf_event_attr *attr,
	const char *name, pid_t tid, int cpu)
{
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
		(code == -EOPNOTSUPP || code == -EINVAL || code == -ENOENT)) {
		if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)
			return error__set(err, code,
				"event '%s': its PMU keeps no record of calls for --call-graph "
				"lbr, "
				"which needs an event of a processor with LBR: try --call-graph fp "
				"or dwarf",
				name);
		return error__set(err, code,
			"event '%s': its PMU keeps no record of branches (-b, -j), which needs an "
			"event of a processor with LBR or the like",
			name);
	}
	switch (-code) {
	case EACCES:
	case EPERM:
		return explain_access(err, code, attr, name, tid);
	case ENOENT:
		return error__set(err, code,
			"event '%s' is not supported by this machine's PMUs (a virtual machine may "
			"have none): try -e cpu-clock",
			name);
	case EMFILE:
		return error__set(err, code,
			"event '%s': too many files are open: each event needs one for each thread "
			"and CPU. Raise 'ulimit -n', which requires CAP_SYS_RESOURCE; or record "
			"fewer threads or CPUs; or record whole CPUs with -a and --filter 'pid == "
			"N'",
			name);
	case ENFILE:
		return error__set(err, code,
			"event '%s': the machine's table of open files is full (fs.file-max)",
			name);
	case ENODEV:
	case ENXIO:
		if (cpu >= 0)
			return error__set(err, code,
				"event '%s': CPU %d does not have it, or is offline", name, cpu);
		return error__set(err, code, "event '%s': this machine does not have it", name);
	case EBUSY:
		return error__set(err, code,
			"event '%s': its counter is in use, perhaps by another profiler, by an "
			"event opened with :D, or by the NMI watchdog ('sysctl "
			"kernel.nmi_watchdog=0')",
			name);
	case EOPNOTSUPP:
		if (attr->precise_ip)
			return error__set(err, code,
				"event '%s': this PMU has no precise sampling for it: try without "
				":p and :P",
				name);
		if (attr->aux_output)
			break;
		return error__set(err, code,
			"event '%s': this PMU cannot sample it (it has no overflow interrupt): try "
			"-e cpu-clock",
			name);
	case EINVAL:
		if (attr->freq && is_sampled(attr) &&
			attr->sample_freq > (uint64_t)perf_open__max_sample_rate())
			return error__set(err, code,
				"event '%s': %llu Hz is over kernel.perf_event_max_sample_rate",
				name, (unsigned long long)attr->sample_freq);
		if (attr->use_clockid)
			return error__set(err, code,
				"event '%s': refused as invalid (EINVAL): its config, its "
				"modifiers, "
				"or clock %d with this PMU; 'dmesg' may tell more",
				name, attr->clockid);
		return error__set(err, code,
			"event '%s': refused as invalid (EINVAL): its config or modifiers; 'dmesg' "
			"may tell more",
			name);
	case ENOSYS:
		return error__set(err, code,
			"perf_event_open is not available: a kernel without CONFIG_PERF_EVENTS, or "
			"a sandbox");
	case ESRCH:
		return error__set(err, code, "there is no thread %d", tid);
	case ENOMEM:
	case ENOSPC:
		return error__errno(err, code, "event '%s': the kernel has no space for it", name);
	default:
		break;
	}
	return error__errno(
		err, code, "event '%s': perf_event_open on CPU %d, thread %d", name, cpu, tid);
}

/* Returns ns; 0 if they cannot be read. */
static uint64_t time_enabled(int fd)
{
	uint64_t words[8]; /* value, time, and the rest of its format */

	return read(fd, words, sizeof(words)) >= 2 * (ssize_t)sizeof(*words) ? words[1] : 0;
}

bool perf_open__is_taken(int fd)
{
	const struct timespec tick = {.tv_nsec = 20000000};
	uint64_t before = time_enabled(fd);

	if (!before || time_enabled(fd) != before)
		return false;
	/* The event's clock may only advance with ticks. */
	nanosleep(&tick, NULL);
	return time_enabled(fd) == before;
}
