/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.data on disk: only the format, no functions. Numbers are those of Linux:
 *   tools/perf/util/header.h               the file header and HEADER_* features
 *   tools/lib/perf/include/perf/event.h    the records that user space adds
 *   tools/perf/Documentation/perf.data-file-format.txt
 * All fields are in the byte order of the machine that recorded.
 */
#ifndef PERFSTAMP_PERFDATA_LAYOUT_H
#define PERFSTAMP_PERFDATA_LAYOUT_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/event/types.h"

#define PERFDATA_MAGIC 0x32454c4946524550ull /* "PERFILE2" in little-endian bytes */
#define PERFDATA_MAGIC_SWAPPED 0x50455246494c4532ull
#define PERFDATA_MAGIC_V1 0x454c494646524550ull /* "PERFFILE", before Linux 3.6 */
#define PERFDATA_FEATURE_BITS 256

/* The attribute size that perf accepts from 6.1 on: PERF_ATTR_SIZE_VER7. */
#define PERFDATA_ATTR_SIZE 128
#define PERFDATA_RECORD_MAX 65528 /* bytes; a multiple of 8 that fits __u16 */

struct perfdata_section {
	uint64_t offset; /* bytes from the start of the file */
	uint64_t size;   /* bytes */
};

struct perfdata_header {
	uint64_t magic;
	uint64_t size;      /* bytes of this header */
	uint64_t attr_size; /* bytes of one entry of attrs: attribute and ids section */
	struct perfdata_section attrs;
	struct perfdata_section data;
	struct perfdata_section event_types; /* unused since Linux 3.x */
	/*
	 * Feature n is bit n % 64 of word n / 64. In perf this is an array of unsigned long, so a
	 * 32-bit big-endian machine writes words of 32 bits.
	 */
	uint64_t features[PERFDATA_FEATURE_BITS / 64];
};

/* The size in files from before features existed, which perf still reads. */
#define PERFDATA_HEADER_SIZE_MIN offsetof(struct perfdata_header, features)

struct perfdata_pipe_header {
	uint64_t magic;
	uint64_t size; /* 16 */
};

/* The features that follow the data: one section for each bit that is set, in bit order. */
enum perfdata_feature {
	HEADER_TRACING_DATA = 1,
	HEADER_BUILD_ID = 2,
	HEADER_HOSTNAME = 3,
	HEADER_OSRELEASE = 4,
	HEADER_VERSION = 5,
	HEADER_ARCH = 6,
	HEADER_NRCPUS = 7,
	HEADER_CPUDESC = 8,
	HEADER_CPUID = 9,
	HEADER_TOTAL_MEM = 10,
	HEADER_CMDLINE = 11,
	HEADER_EVENT_DESC = 12,
	HEADER_CPU_TOPOLOGY = 13,
	HEADER_NUMA_TOPOLOGY = 14,
	HEADER_BRANCH_STACK = 15,
	HEADER_PMU_MAPPINGS = 16,
	HEADER_GROUP_DESC = 17,
	HEADER_AUXTRACE = 18,
	HEADER_STAT = 19,
	HEADER_CACHE = 20,
	HEADER_SAMPLE_TIME = 21,
	HEADER_MEM_TOPOLOGY = 22,
	HEADER_CLOCKID = 23,
	HEADER_DIR_FORMAT = 24,
	HEADER_BPF_PROG_INFO = 25,
	HEADER_BPF_BTF = 26,
	HEADER_COMPRESSED = 27,
	HEADER_CPU_PMU_CAPS = 28,
	HEADER_CLOCK_DATA = 29,
	HEADER_HYBRID_TOPOLOGY = 30,
	HEADER_PMU_CAPS = 31, /* the last that Linux 6.1 knows */
	HEADER_CPU_DOMAIN_INFO = 32,
	HEADER_E_MACHINE = 33,
	HEADER_CLN_SIZE = 34,
	/*
	 * perfstamp's own: UTF-8 lines of key=value, see stamp.h. The number is only used by the
	 * functions here, and is never a bit of a file: perf inject (6.1 and 7.2) indexes its table
	 * by an unknown bit, and crashes. In files and pipes the lines are a second string after
	 * that of VERSION, which every reader skips.
	 */
	PERFSTAMP_FEATURE = 240,
};

#define PERF_EVENT_UPDATE__NAME 2

/* Precedes the name in a record of the BUILD_ID feature. */
struct perfdata_build_id {
	struct perf_event_header header;
	int32_t pid; /* -1: the host; otherwise the pid of a guest */
	uint8_t build_id[20];
	uint8_t size; /* valid if PERFDATA_MISC_BUILD_ID_SIZE is set; otherwise it is 20 */
	uint8_t reserved[3];
};

#define PERFDATA_MISC_BUILD_ID_SIZE (1 << 15) /* Linux 5.13 */
#define PERFDATA_STRING_ALIGN 64              /* NAME_ALIGN: strings in features are padded to it */

PERFSTAMP_ASSERT(sizeof(struct perfdata_header) == 104);
PERFSTAMP_OFFSET(perfdata_header, attrs, 24);
PERFSTAMP_OFFSET(perfdata_header, data, 40);
PERFSTAMP_OFFSET(perfdata_header, features, 72);
PERFSTAMP_ASSERT(sizeof(struct perfdata_pipe_header) == 16);
PERFSTAMP_ASSERT(sizeof(struct perfdata_build_id) == 36);

#endif
