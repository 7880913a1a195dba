/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of perf records that linux/perf_event.h does not have: those of user
 * space (tools/lib/perf/include/perf/event.h of Linux), and newer ones of the
 * kernel. Only numbers.
 */
#ifndef PERFSTAMP_EVENT_TYPES_H
#define PERFSTAMP_EVENT_TYPES_H

/* Kernel record types that the build machine's headers may not have. */
#define PERFDATA_RECORD_CALLCHAIN_DEFERRED 22 /* Linux 6.19 */
/*
 * Types of patched kernels; see user/event/native.h. They are never in perfstamp's files, so that
 * every perf can read those.
 */
#define PERFDATA_RECORD_MMAP3 23
#define PERFDATA_RECORD_MODULE 24

/* Records made by user space; they have no sample_id trailer. */
enum perfdata_user_type {
	PERF_RECORD_USER_TYPE_START = 64,
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_EVENT_TYPE = 65,
	PERF_RECORD_HEADER_TRACING_DATA = 66, /* .size more bytes follow the record */
	PERF_RECORD_HEADER_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_ID_INDEX = 69,
	PERF_RECORD_AUXTRACE_INFO = 70,
	PERF_RECORD_AUXTRACE = 71, /* .size more bytes follow the record */
	PERF_RECORD_AUXTRACE_ERROR = 72,
	PERF_RECORD_THREAD_MAP = 73,
	PERF_RECORD_CPU_MAP = 74,
	PERF_RECORD_STAT_CONFIG = 75,
	PERF_RECORD_STAT = 76,
	PERF_RECORD_STAT_ROUND = 77,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_TIME_CONV = 79,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_FINISHED_INIT = 82, /* Linux 6.0 */
	PERF_RECORD_COMPRESSED2 = 83,   /* Linux 6.16 */
	PERF_RECORD_BPF_METADATA = 84,
	PERF_RECORD_SCHEDSTAT_CPU = 85,
	PERF_RECORD_SCHEDSTAT_DOMAIN = 86,
};

/* LOST_SAMPLES that a BPF filter dropped on purpose (Linux 6.5). */
#define PERFDATA_MISC_LOST_SAMPLES_BPF (1 << 15)

#endif
