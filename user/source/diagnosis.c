// SPDX-License-Identifier: GPL-2.0-only
/* See diagnosis.h. */
#include "user/source/diagnosis.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "user/helper/sandbox.h"
#include "user/source/bpf/bpf.h"
#include "user/source/bpf/faulting.h"
#include "user/source/bpf/refusal.h"
#include "user/source/bpf/task_tree.h"
#include "user/source/containers/cgroup.h"
#include "user/source/content/completion.h"
#include "user/source/perf/native.h"
#include "user/source/perf/open.h"
#include "user/source/perf/target.h"
#include "user/source/machine/privilege.h"
#include "user/source/machine/ring_sizes.h"
#include "user/source/proc/file.h"
#include "user/source/proc/tasks.h"

static struct finding *add(struct diagnosis *diagnosis, const char *name, enum finding_state state,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static struct finding *add(struct diagnosis *diagnosis, const char *name, enum finding_state state,
	const char *fmt, ...)
{
	struct finding *finding = &diagnosis->findings[diagnosis->n];
	va_list args;

	if (diagnosis->n + 1 < DIAGNOSIS_MAX)
		diagnosis->n++;
	finding->name = name;
	finding->state = state;
	finding->advice[0] = 0;
	va_start(args, fmt);
	vsnprintf(finding->value, sizeof(finding->value), fmt, args);
	va_end(args);
	return finding;
}

#define WITHOUT_BPF                                                                                \
	"; without it records have no device, inode, cgroup and mount namespace, and no cookie "   \
	"is made when a file is mapped"

static void advise(struct finding *finding, const char *advice)
{
	snprintf(finding->advice, sizeof(finding->advice), "%s", advice);
}

static void look_at_kernel(struct diagnosis *diagnosis)
{
	const char *advice, *no_btf = bpf_refusal__of_btf(&advice);
	struct utsname name;
	char *lockdown, *end;
	struct error why;

	if (!uname(&name))
		add(diagnosis, "kernel", FINDING_FACT, "%s %s", name.release, name.machine);
	if (proc_tasks__check(&why))
		add(diagnosis, "/proc", FINDING_MISSING, "%s", why.text);
	if (!no_btf)
		add(diagnosis, "BTF", FINDING_GOOD, "/sys/kernel/btf/vmlinux");
	else
		advise(add(diagnosis, "BTF", FINDING_MISSING, "%s", no_btf), advice);
	if (proc_file__read(&lockdown, NULL, "/sys/kernel/security/lockdown"))
		return;
	/* "none [integrity] confidentiality" */
	end = strchr(lockdown, ']');
	if (end)
		*end = 0;
	end = strchr(lockdown, '[');
	if (end && !strcmp(end + 1, "confidentiality"))
		advise(add(diagnosis, "lockdown", FINDING_MISSING, "%s", end + 1),
			"BPF cannot read kernel memory: boot with lockdown=integrity or none");
	else if (end)
		add(diagnosis, "lockdown", FINDING_FACT, "%s", end + 1);
	free(lockdown);
}

/* Optional, so its absence is not a finding. */
static void look_at_cold_pages(
	struct diagnosis *diagnosis, enum rung best, bool page_cache, bool cold_pages)
{
	char why[128] = "its program is refused";

	if (cold_pages) {
		add(diagnosis, "cold pages", FINDING_GOOD, "read when a file is mapped");
		return;
	}
	if (!page_cache)
		snprintf(why, sizeof(why), "the page cache cannot be read");
	else if (!bpf_faulting__what_is_missing(why, sizeof(why)) &&
		 (best == RUNG_COUNT || !rung__row(best)->reads_cold))
		snprintf(why, sizeof(why), "it requires the rung kprobe.multi or kprobe");
	add(diagnosis, "cold pages", FINDING_FACT, "read from user space, because %s", why);
}

/* No unpatched kernel has them, so their absence is not a finding. */
static bool look_at_mmap3(struct diagnosis *diagnosis)
{
	struct error why;
	bool there = !perf_native__probe(&why);

	add(diagnosis, "rung MMAP3", there ? FINDING_GOOD : FINDING_FACT, "%s",
		there ? "the kernel's own records have identities; no BPF is needed (used)"
		      : why.text);
	return there;
}

/* Each is tried, to show why a better one is not used. */
static void look_at_rungs(struct diagnosis *diagnosis)
{
	struct rung_attempt attempts[RUNG_COUNT];
	bool native = look_at_mmap3(diagnosis), page_cache = native, cold_pages = native;
	enum rung best = RUNG_COUNT;
	struct bpf_source *source;
	int rung;

	for (rung = 0; rung < RUNG_COUNT; rung++) {
		struct bpf_source_options options = {.best = rung, .last = rung};
		const struct rung_row *row = rung__row(rung);
		enum finding_state works = row->is_full ? FINDING_GOOD : FINDING_LESS;
		bool wanted = !native && best == RUNG_COUNT;

		if (bpf_source__new(&source, &options, attempts, NULL)) {
			add(diagnosis, rung__title(rung), wanted ? FINDING_LESS : FINDING_FACT,
				"%s", attempts[rung].text);
			continue;
		}
		add(diagnosis, rung__title(rung), wanted ? works : FINDING_FACT, "%s%s", row->cost,
			wanted ? " (used)" : "");
		if (best == RUNG_COUNT)
			best = rung;
		if ((int)best == rung && !native)
			cold_pages = bpf_source__reads_cold_pages(source);
		page_cache = page_cache || bpf_source__reads_page_cache(source);
		bpf_source__free(source);
	}
	if (best == RUNG_COUNT && !native) {
		advise(add(diagnosis, "rung MMAP2", FINDING_MISSING,
			       "only the kernel's own records are available (used)"),
			bpf_refusal__in_initial_pid_namespace()
				? "run as root, or with CAP_BPF and CAP_PERFMON, on a kernel with "
				  "BTF" WITHOUT_BPF
				: "use the host's pid namespace (hostPID, --pid=host)" WITHOUT_BPF);
		return;
	}
	if (page_cache)
		add(diagnosis, "page cache", FINDING_GOOD, "read when a file is mapped");
	else
		advise(add(diagnosis, "page cache", FINDING_MISSING, "cannot be read"),
			"run with CAP_SYS_ADMIN, which /proc/self/pagemap requires: without it all "
			"identities are completed in user space, and those of short-lived "
			"processes are missed");
	diagnosis->complete = page_cache;
	look_at_cold_pages(diagnosis, best, page_cache, cold_pages);
}

/* How the processes of a workload are sampled. */
/* CPU 0 may be off-line. */
static int first_cpu(void)
{
	struct cpu_list online;
	int cpu = 0;

	if (perf_target__online(&online))
		return 0;
	if (online.n)
		cpu = online.cpus[0];
	cpu_list__free(&online);
	return cpu;
}

static void look_at_trees(struct diagnosis *diagnosis)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER5,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};
	struct task_tree *tree;
	struct error why = {0};
	int fd, code = task_tree__new(&tree, false, &why);

	if (!code) {
		task_tree__free(tree);
		fd = perf_open(&attr, -1, first_cpu());
		if (fd >= 0)
			close(fd);
		else
			code = error__errno(&why, fd, "whole CPUs cannot be sampled");
	}
	if (!code)
		add(diagnosis, "workloads", FINDING_GOOD,
			"sampled through whole CPUs, filtered by process in the kernel");
	else
		advise(add(diagnosis, "workloads", FINDING_LESS,
			       "sampled task by task, which misses short processes: %s", why.text),
			bpf_refusal__in_initial_pid_namespace()
				? "run as root, or with CAP_BPF and CAP_PERFMON"
				: "use the host's pid namespace (hostPID, --pid=host)");
}

static void look_at_completion(struct diagnosis *diagnosis)
{
	struct perfstamp_identity identity = {.reason = PERFSTAMP_REASON_UNKNOWN};
	struct completion_mapping mapping = {.pid = getpid()};
	unsigned long start, end;
	uint64_t alive_ns;
	char *maps;
	int code = -ENODATA;

	/* Our own text: the first mapping with a file behind. */
	if (!proc_file__read(&maps, NULL, "/proc/self/maps")) {
		if (sscanf(maps, "%lx-%lx", &start, &end) == 2) {
			mapping.addr = start;
			mapping.len = end - start;
			code = completion__read(&mapping, &identity, &alive_ns);
		}
		free(maps);
	}
	if (!code)
		add(diagnosis, "map_files", FINDING_GOOD,
			"pages that are not in memory are completed in user space");
	else
		advise(add(diagnosis, "map_files", FINDING_LESS, "%s", strerror(-code)),
			"run with CAP_CHECKPOINT_RESTORE (Linux 5.9 on) or CAP_SYS_ADMIN to "
			"complete "
			"what was not in memory when it was mapped");
}

/* How helper processes are confined. */
static void look_at_helpers(struct diagnosis *diagnosis)
{
	struct sandbox_support support;

	sandbox__look(&support);
	if (support.seccomp && support.landlock)
		add(diagnosis, "helpers", FINDING_GOOD, "confined by seccomp and Landlock (ABI %d)",
			support.landlock);
	else if (support.seccomp)
		advise(add(diagnosis, "helpers", FINDING_LESS,
			       "confined by seccomp alone: the kernel has no Landlock"),
			"use Linux 5.13 or later with Landlock (CONFIG_SECURITY_LANDLOCK, and "
			"\"landlock\" in lsm=), which also denies what is below other "
			"directories");
	else
		advise(add(diagnosis, "helpers", FINDING_LESS, "confined by %s",
			       support.landlock ? "Landlock alone: there are no seccomp filters"
						: "limits of time and memory alone"),
			"use a kernel with CONFIG_SECCOMP_FILTER");
}

static void look_at_events(struct diagnosis *diagnosis)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = PERF_ATTR_SIZE_VER5,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
		.exclude_kernel = 1,
	};
	int fd, paranoid = perf_open__paranoid();
	int64_t hidden;

	fd = perf_open(&attr, 0, -1);
	if (fd >= 0) {
		add(diagnosis, "cycles", FINDING_GOOD, "counted by the hardware");
		close(fd);
	} else {
		advise(add(diagnosis, "cycles", FINDING_LESS, "%s: cpu-clock is sampled instead",
			       strerror(-fd)),
			"a virtual machine needs a virtual PMU to count cycles");
	}
	if (paranoid <= 0 || privilege__perfmon())
		add(diagnosis, "perf_event_paranoid", FINDING_GOOD, "%d", paranoid);
	else
		advise(add(diagnosis, "perf_event_paranoid", FINDING_LESS, "%d", paranoid),
			"the whole machine is recorded only with CAP_PERFMON or with "
			"kernel.perf_event_paranoid at 0 or below");
	add(diagnosis, "perf_event_mlock_kb", FINDING_FACT, "%" PRId64, perf_open__mlock_kb());
	add(diagnosis, "perf_event_max_sample_rate", FINDING_FACT, "%" PRId64 " Hz",
		perf_open__max_sample_rate());
	if (!proc_file__number(&hidden, "/proc/sys/kernel/kptr_restrict")) {
		if (hidden < 2)
			add(diagnosis, "kptr_restrict", FINDING_GOOD, "%" PRId64, hidden);
		else
			advise(add(diagnosis, "kptr_restrict", FINDING_LESS, "%" PRId64, hidden),
				"kernel samples have no symbols: sysctl kernel.kptr_restrict=1");
	}
}

static void look_at_cgroups(struct diagnosis *diagnosis)
{
	struct cgroup_paths *paths;

	if (!cgroup_paths__new(&paths, NULL)) {
		if (cgroup_paths__are_all(paths))
			add(diagnosis, "cgroup2", FINDING_GOOD, "mounted: containers are named");
		else
			advise(add(diagnosis, "cgroup2", FINDING_LESS,
				       "only the cgroups of this container are visible"),
				"other containers have numbers but no names: use the host's cgroup "
				"namespace (--cgroupns=host)");
		cgroup_paths__free(paths);
	} else {
		advise(add(diagnosis, "cgroup2", FINDING_LESS, "not mounted"),
			"containers have numbers but no names: mount -t cgroup2 none "
			"/sys/fs/cgroup");
	}
}

/* The default memory of a recording, which grows with the number of CPUs. */
static void look_at_memory(struct diagnosis *diagnosis)
{
	struct ring_sizes_machine machine;
	struct ring_sizes sizes;
	struct finding *finding;

	ring_sizes__look(&machine);
	ring_sizes__choose(&sizes, &machine, machine.cpus);
	finding = add(diagnosis, "ring memory", sizes.reduced ? FINDING_LESS : FINDING_FACT,
		"%" PRIu64 " MiB of %" PRIu64 ": %" PRIu64
		" rings of %zu KiB for samples, one of %zu KiB for map records, and tables",
		sizes.total >> 20, machine.memory >> 20, machine.cpus,
		sizes.pages * (size_t)machine.page / 1024, sizes.bpf_ring / 1024);
	if (sizes.reduced)
		advise(finding, "rings are smaller than usual, to use at most 2 % of the memory: "
				"if samples or map records are lost, use larger ones (record -m, "
				"--map-ring-size)");
}

void diagnosis__make(struct diagnosis *ret)
{
	memset(ret, 0, sizeof(*ret));
	look_at_kernel(ret);
	look_at_rungs(ret);
	look_at_trees(ret);
	look_at_completion(ret);
	look_at_helpers(ret);
	look_at_events(ret);
	look_at_memory(ret);
	look_at_cgroups(ret);
}
