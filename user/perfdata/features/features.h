/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header features. One table has for each feature its number, its name, how it is written and
 * shown, its shape, and whether a pipe may contain it. Pure: encodes data from a struct
 * machine_info, which user/source fills, and parses the bytes from the reader.
 */
#ifndef PERFSTAMP_PERFDATA_FEATURES_H
#define PERFSTAMP_PERFDATA_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/perfdata/layout.h"

struct machine_cpu {
	uint32_t core_id;
	uint32_t package_id;
	uint32_t die_id;
};

/* Lists of CPUs that share something, in sysfs' format ("0,2-3"), each list once. */
struct machine_cpu_lists {
	const char *const *lists;
	uint32_t n;
};

/* The data about the machine and the recording. NULL or 0 means: not known. */
struct machine_info {
	const char *hostname;
	const char *osrelease;
	const char *version; /* version of the recording tool */
	const char *arch;
	const char *cpudesc;
	const char *cpuid;
	uint32_t nr_cpus_online;
	uint32_t nr_cpus_avail; /* number of entries of .cpus, unless that is NULL */
	uint64_t total_mem_kb;
	const char *exe;
	const char *const *argv;
	uint32_t argc;
	const struct machine_cpu *cpus;
	struct machine_cpu_lists packages;
	struct machine_cpu_lists cores;
	struct machine_cpu_lists dies;
	bool has_clock; /* the events use .clockid */
	uint32_t clockid;
	uint64_t clock_res_ns;
	uint64_t clock_ns; /* read at the same moment as .wall_ns */
	uint64_t wall_ns;  /* CLOCK_REALTIME */
};

/* Returns "hostname" and so on; NULL if the feature is not in the table. */
const char *feature__name(unsigned int id);
/* Returns false if stock perf stops at a HEADER_FEATURE record with this id. */
bool feature__in_pipe(unsigned int id);
/*
 * Whether the feature describes the records of its own file. Then the next file needs another one.
 */
bool feature__is_of_records(unsigned int id);
/*
 * Whether the counts and lengths in the bytes are consistent for perf's reader. True for unknown
 * features.
 */
bool feature__fits(unsigned int id, const void *bytes, size_t size, bool swap);

/*
 * Appends the bytes of feature @id. Returns 0, -ENODATA if @info lacks the data, -ENOTSUP if this
 * table cannot write the feature, or the buffer's error.
 */
int feature__encode(struct buffer *out, unsigned int id, const struct machine_info *info);

/*
 * Appends lines of text, "name: value\n", escaped, without a NUL at the end. If the table cannot
 * show the feature, appends its size. Returns 0, -EBADMSG if the bytes are contradictory, or the
 * buffer's error.
 */
int feature__describe(
	struct buffer *out, unsigned int id, const void *bytes, size_t size, bool swap);

/* Returns the text of a feature that is one string; NULL if it is malformed. */
const char *feature__string(const void *bytes, size_t size, bool swap);
/*
 * Reads HEADER_CLOCK_DATA: *@ret, added to a time of the recording, gives ns since the epoch.
 * Returns false if the bytes are damaged.
 */
bool feature__wall_offset(const void *bytes, size_t size, bool swap, int64_t *ret);

#endif
