// SPDX-License-Identifier: GPL-2.0-only
/*
 * See names.h.
 */
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>

#include "user/base/text.h"
#include "user/perfdata/layout.h"
#include "user/view/format/names.h"

#define NAME_OF(table, i) ((i) < sizeof(table) / sizeof((table)[0]) ? (table)[i] : NULL)

const char *name__source(unsigned int source)
{
	static const char *const NAMES[] = {
		[PERFSTAMP_SOURCE_NONE] = "none",
		[PERFSTAMP_SOURCE_PAGE_CACHE] = "page-cache",
		[PERFSTAMP_SOURCE_KERNEL] = "kernel",
		[PERFSTAMP_SOURCE_USER] = "user",
		[PERFSTAMP_SOURCE_NATIVE] = "native",
		[PERFSTAMP_SOURCE_STASH] = "stash",
		[PERFSTAMP_SOURCE_FAULTED] = "faulted",
	};
	const char *name = NAME_OF(NAMES, source);

	return name ? name : "unknown";
}

const char *name__reason(unsigned int reason)
{
	static const char *const NAMES[] = {
		[PERFSTAMP_REASON_NONE] = "none",
		[PERFSTAMP_REASON_NO_NOTE] = "no-note",
		[PERFSTAMP_REASON_NOT_ELF] = "not-elf",
		[PERFSTAMP_REASON_NOT_RESIDENT] = "not-resident",
		[PERFSTAMP_REASON_IO_ERROR] = "io-error",
		[PERFSTAMP_REASON_MALFORMED] = "malformed",
		[PERFSTAMP_REASON_TOO_LONG] = "too-long",
		[PERFSTAMP_REASON_LOOKUP_FAILED] = "lookup-failed",
		[PERFSTAMP_REASON_ANONYMOUS] = "anonymous",
		[PERFSTAMP_REASON_LIMIT] = "limit",
		[PERFSTAMP_REASON_UNKNOWN] = "unknown",
		[PERFSTAMP_REASON_CHANGING] = "changing",
	};
	const char *name = NAME_OF(NAMES, reason);

	return name ? name : "unknown";
}

const char *name__module_event(unsigned int event)
{
	static const char *const NAMES[] = {
		[PERFSTAMP_MODULE_LOAD] = "load",
		[PERFSTAMP_MODULE_INIT] = "init",
		[PERFSTAMP_MODULE_UNLOAD] = "unload",
	};
	const char *name = NAME_OF(NAMES, event);

	return name ? name : "unknown";
}

bool name__identity(
	char ret[NAME_IDENTITY_SIZE], const struct perfstamp_identity *identity, size_t digits)
{
	bool cookie = !identity->build_id_size && identity->cookie_size;
	char hex[NAME_ALL_DIGITS + 1] = "";

	if (cookie)
		text__hex(hex, sizeof(hex), identity->cookie, identity->cookie_size);
	else
		text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
	snprintf(ret, NAME_IDENTITY_SIZE, "%s%.*s", cookie ? "cookie:" : "", (int)digits, hex);
	return *hex;
}

const char *name__kind(const struct perfstamp_identity *identity)
{
	if (identity->build_id_size)
		return "build-id";
	return identity->cookie_size ? "cookie" : "none";
}

const char *name__record(uint32_t type)
{
	static const char *const NAMES[] = {
		[PERF_RECORD_MMAP] = "MMAP",
		[PERF_RECORD_LOST] = "LOST",
		[PERF_RECORD_COMM] = "COMM",
		[PERF_RECORD_EXIT] = "EXIT",
		[PERF_RECORD_THROTTLE] = "THROTTLE",
		[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
		[PERF_RECORD_FORK] = "FORK",
		[PERF_RECORD_READ] = "READ",
		[PERF_RECORD_SAMPLE] = "SAMPLE",
		[PERF_RECORD_MMAP2] = "MMAP2",
		[PERF_RECORD_AUX] = "AUX",
		[PERF_RECORD_ITRACE_START] = "ITRACE_START",
		[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
		[PERF_RECORD_SWITCH] = "SWITCH",
		[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
		[PERF_RECORD_NAMESPACES] = "NAMESPACES",
		[PERF_RECORD_KSYMBOL] = "KSYMBOL",
		[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
		[PERF_RECORD_CGROUP] = "CGROUP",
		[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
		[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
		[PERFDATA_RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
		[PERFDATA_RECORD_MMAP3] = "MMAP3",
		[PERFDATA_RECORD_MODULE] = "MODULE",
		[PERF_RECORD_HEADER_ATTR] = "HEADER_ATTR",
		[PERF_RECORD_HEADER_EVENT_TYPE] = "HEADER_EVENT_TYPE",
		[PERF_RECORD_HEADER_TRACING_DATA] = "HEADER_TRACING_DATA",
		[PERF_RECORD_HEADER_BUILD_ID] = "HEADER_BUILD_ID",
		[PERF_RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
		[PERF_RECORD_ID_INDEX] = "ID_INDEX",
		[PERF_RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
		[PERF_RECORD_AUXTRACE] = "AUXTRACE",
		[PERF_RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
		[PERF_RECORD_THREAD_MAP] = "THREAD_MAP",
		[PERF_RECORD_CPU_MAP] = "CPU_MAP",
		[PERF_RECORD_STAT_CONFIG] = "STAT_CONFIG",
		[PERF_RECORD_STAT] = "STAT",
		[PERF_RECORD_STAT_ROUND] = "STAT_ROUND",
		[PERF_RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
		[PERF_RECORD_TIME_CONV] = "TIME_CONV",
		[PERF_RECORD_HEADER_FEATURE] = "HEADER_FEATURE",
		[PERF_RECORD_COMPRESSED] = "COMPRESSED",
		[PERF_RECORD_FINISHED_INIT] = "FINISHED_INIT",
		[PERF_RECORD_COMPRESSED2] = "COMPRESSED2",
		[PERF_RECORD_BPF_METADATA] = "BPF_METADATA",
		[PERF_RECORD_SCHEDSTAT_CPU] = "SCHEDSTAT_CPU",
		[PERF_RECORD_SCHEDSTAT_DOMAIN] = "SCHEDSTAT_DOMAIN",
	};

	return NAME_OF(NAMES, type);
}
