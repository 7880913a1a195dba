// SPDX-License-Identifier: GPL-2.0-only
/* See attr_name.h. The numbers: include/uapi/linux/perf_event.h. */
#include "user/parse/event/attr_name.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static const char *const HARDWARE[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const SOFTWARE[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
	[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
	[PERF_COUNT_SW_DUMMY] = "dummy",
	[PERF_COUNT_SW_BPF_OUTPUT] = "bpf-output",
	[PERF_COUNT_SW_CGROUP_SWITCHES] = "cgroup-switches",
};

static const char *const CACHES[] = {
	"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"};
static const char *const OPERATIONS[] = {"load", "store", "prefetch"};

static const char *at(const char *const *names, size_t n, uint64_t i)
{
	return i < n ? names[i] : NULL;
}

/* Writes "L1-dcache-loads", "L1-dcache-load-misses"; returns false if there is no such event. */
static bool write_cache(char *ret, size_t size, uint64_t config)
{
	const char *cache = at(CACHES, ARRAY_SIZE(CACHES), config & 0xff);
	const char *operation = at(OPERATIONS, ARRAY_SIZE(OPERATIONS), config >> 8 & 0xff);
	uint64_t result = config >> 16;

	if (!cache || !operation || result > PERF_COUNT_HW_CACHE_RESULT_MISS)
		return false;
	if (result == PERF_COUNT_HW_CACHE_RESULT_MISS)
		snprintf(ret, size, "%s-%s-misses", cache, operation);
	else
		snprintf(ret, size, "%s-%ss", cache, operation[0] == 'p' ? "prefetche" : operation);
	return true;
}

static void write_breakpoint(char *ret, size_t size, const struct perf_event_attr *attr)
{
	snprintf(ret, size, "mem:0x%llx:%s%s%s", (unsigned long long)attr->bp_addr,
		attr->bp_type & 1 ? "r" : "", attr->bp_type & 2 ? "w" : "",
		attr->bp_type & 4 ? "x" : "");
}

static void write_event(char *ret, size_t size, const struct perf_event_attr *attr)
{
	const char *name = NULL;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE: /* the upper half selects the PMU */
		name = at(HARDWARE, ARRAY_SIZE(HARDWARE), attr->config & 0xffffffff);
		break;
	case PERF_TYPE_SOFTWARE:
		name = at(SOFTWARE, ARRAY_SIZE(SOFTWARE), attr->config);
		break;
	case PERF_TYPE_HW_CACHE:
		if (write_cache(ret, size, attr->config & 0xffffffff))
			return;
		break;
	case PERF_TYPE_RAW:
		snprintf(ret, size, "raw 0x%llx", (unsigned long long)attr->config);
		return;
	case PERF_TYPE_BREAKPOINT:
		write_breakpoint(ret, size, attr);
		return;
	case PERF_TYPE_TRACEPOINT:
		snprintf(ret, size, "tracepoint %llu", (unsigned long long)attr->config);
		return;
	}
	if (name)
		snprintf(ret, size, "%s", name);
	else
		snprintf(ret, size, "type %u config 0x%llx", attr->type,
			(unsigned long long)attr->config);
}

void attr_name__write(char *ret, size_t size, const struct perf_event_attr *attr)
{
	char modifiers[8] = "";
	size_t n = 0, len;

	write_event(ret, size, attr);
	if (attr->exclude_kernel || attr->exclude_user || attr->exclude_hv) {
		if (!attr->exclude_kernel)
			modifiers[n++] = 'k';
		if (!attr->exclude_user)
			modifiers[n++] = 'u';
		if (!attr->exclude_hv)
			modifiers[n++] = 'h';
	}
	for (unsigned int i = 0; i < attr->precise_ip; i++)
		modifiers[n++] = 'p';
	len = strlen(ret);
	if (n)
		snprintf(ret + len, size - len, ":%.*s", (int)n, modifiers);
}
