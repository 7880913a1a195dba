// SPDX-License-Identifier: GPL-2.0-only
/* See machine.h. */
#include "user/source/machine/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "user/source/machine/clock.h"
#include "user/source/proc/file.h"

struct machine {
	struct machine_info info;
	struct utsname uname;
	char exe[PATH_MAX];
	char *cpudesc;
	char cpuid[128];
	struct machine_cpu *cpus;
};

#define CPU_PATH "/sys/devices/system/cpu/cpu%u/topology/"

/*
 * Returns the value in the first line of /proc/cpuinfo that begins with @key; the caller frees it.
 */
static char *cpuinfo_value(const char *cpuinfo, const char *key)
{
	size_t size = strlen(key);
	const char *line, *value;

	for (line = cpuinfo; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, size) != 0 || !strchr("\t :", line[size]))
			continue;
		value = strchr(line, ':');
		if (!value)
			return NULL;
		value += strspn(value, ": \t");
		return strndup(value, strcspn(value, "\n"));
	}
	return NULL;
}

/*
 * Like perf's get_cpuid(): on x86 vendor,family,model,stepping; on arm64 the register MIDR_EL1 of
 * the first CPU that shows it.
 */
static void read_cpuinfo(struct machine *machine)
{
	char *cpuinfo, *vendor, *family, *model, *stepping;

	if (proc_file__read(&cpuinfo, NULL, "/proc/cpuinfo"))
		return;
	machine->cpudesc = cpuinfo_value(cpuinfo, "model name");
	machine->info.cpudesc = machine->cpudesc;
	vendor = cpuinfo_value(cpuinfo, "vendor_id");
	family = cpuinfo_value(cpuinfo, "cpu family");
	model = cpuinfo_value(cpuinfo, "model");
	stepping = cpuinfo_value(cpuinfo, "stepping");
	if (vendor && family && model && stepping) {
		snprintf(machine->cpuid, sizeof(machine->cpuid), "%s,%s,%s,%s", vendor, family,
			model, stepping);
		machine->info.cpuid = machine->cpuid;
	}
	free(vendor);
	free(family);
	free(model);
	free(stepping);
	free(cpuinfo);
}

static void read_midr(struct machine *machine)
{
	char *midr;

	for (uint32_t cpu = 0; cpu < machine->info.nr_cpus_avail && !machine->info.cpuid; cpu++) {
		if (proc_file__read(&midr, NULL,
			    "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1", cpu))
			continue;
		midr[strcspn(midr, "\n")] = 0;
		snprintf(machine->cpuid, sizeof(machine->cpuid), "%s", midr);
		machine->info.cpuid = machine->cpuid;
		free(midr);
	}
}

static void read_memory(struct machine *machine)
{
	char *meminfo;

	if (proc_file__read(&meminfo, NULL, "/proc/meminfo"))
		return;
	sscanf(meminfo, "MemTotal: %" SCNu64, &machine->info.total_mem_kb);
	free(meminfo);
}

/* Adds the list in @file of each CPU; equal lists are added once. */
static void read_lists(struct machine *machine, const char *file, struct machine_cpu_lists *ret)
{
	uint32_t cpu, n = machine->info.nr_cpus_avail, n_lists = 0, i;
	const char **lists;
	char *list;

	lists = calloc(n, sizeof(*lists));
	if (!lists)
		return;
	for (cpu = 0; cpu < n; cpu++) {
		if (proc_file__read(&list, NULL, CPU_PATH "%s", cpu, file))
			continue;
		list[strcspn(list, "\n")] = 0;
		for (i = 0; i < n_lists && strcmp(lists[i], list) != 0; i++)
			;
		if (i < n_lists)
			free(list);
		else
			lists[n_lists++] = list;
	}
	ret->lists = lists;
	ret->n = n_lists;
}

static void read_topology(struct machine *machine)
{
	struct machine_info *info = &machine->info;
	uint32_t cpu;
	int64_t value;

	machine->cpus = calloc(info->nr_cpus_avail, sizeof(*machine->cpus));
	if (!machine->cpus)
		return;
	info->cpus = machine->cpus;
	for (cpu = 0; cpu < info->nr_cpus_avail; cpu++) {
		/* An offline CPU has no topology; perf writes -1, too. */
		memset(&machine->cpus[cpu], 0xff, sizeof(*machine->cpus));
		if (!proc_file__number(&value, CPU_PATH "core_id", cpu))
			machine->cpus[cpu].core_id = value;
		if (!proc_file__number(&value, CPU_PATH "physical_package_id", cpu))
			machine->cpus[cpu].package_id = value;
		if (!proc_file__number(&value, CPU_PATH "die_id", cpu))
			machine->cpus[cpu].die_id = value;
	}
	read_lists(machine, "package_cpus_list", &info->packages);
	read_lists(machine, "core_cpus_list", &info->cores);
	read_lists(machine, "die_cpus_list", &info->dies);
}

static void read_clocks(struct machine *machine, int clockid)
{
	struct machine_info *info = &machine->info;
	struct timespec res = {0};

	if (clockid < 0)
		return;
	clock_getres(clockid, &res);
	info->has_clock = true;
	info->clockid = clockid;
	info->clock_res_ns = res.tv_sec * 1000000000ull + res.tv_nsec;
	info->wall_ns = clock__now(CLOCK_REALTIME);
	info->clock_ns = clock__now(clockid);
}

int machine__new(struct machine **ret, const char *version, int clockid, int argc,
	const char *const *argv, struct error *err)
{
	struct machine *machine;
	ssize_t size;

	*ret = NULL;
	machine = calloc(1, sizeof(*machine));
	if (!machine)
		return error__set(err, -ENOMEM, "out of memory");
	machine->info.version = version;
	machine->info.argc = argc;
	machine->info.argv = argv;
	if (!uname(&machine->uname)) {
		machine->info.hostname = machine->uname.nodename;
		machine->info.osrelease = machine->uname.release;
		machine->info.arch = machine->uname.machine;
	}
	size = readlink("/proc/self/exe", machine->exe, sizeof(machine->exe) - 1);
	if (size > 0)
		machine->info.exe = machine->exe;
	machine->info.nr_cpus_online = sysconf(_SC_NPROCESSORS_ONLN);
	machine->info.nr_cpus_avail = sysconf(_SC_NPROCESSORS_CONF);
	read_cpuinfo(machine);
	if (!machine->info.cpuid)
		read_midr(machine);
	read_memory(machine);
	read_topology(machine);
	read_clocks(machine, clockid);
	*ret = machine;
	return 0;
}

static void free_lists(struct machine_cpu_lists *lists)
{
	for (uint32_t i = 0; i < lists->n; i++)
		free((char *)lists->lists[i]);
	free((void *)lists->lists);
}

void machine__free(struct machine *machine)
{
	if (!machine)
		return;
	free_lists(&machine->info.packages);
	free_lists(&machine->info.cores);
	free_lists(&machine->info.dies);
	free(machine->cpus);
	free(machine->cpudesc);
	free(machine);
}

const struct machine_info *machine__info(const struct machine *machine)
{
	return &machine->info;
}

int machine__boot_id(char ret[37])
{
	char *text;
	int code = proc_file__read(&text, NULL, "/proc/sys/kernel/random/boot_id");

	if (code)
		return code;
	snprintf(ret, 37, "%.*s", (int)strcspn(text, "\n"), text);
	free(text);
	return 0;
}
