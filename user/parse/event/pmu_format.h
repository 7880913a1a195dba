/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terms of pmu/term=value,…/ and the bit ranges for them in sysfs
 * (/sys/bus/event_source/devices/PMU/format/TERM, as "config:0-7,32-35"). Source of the format:
 * Documentation/ABI/testing/sysfs-bus-event_source-devices-format of Linux. Does not know files.
 */
#ifndef PERFSTAMP_PARSE_PMU_FORMAT_H
#define PERFSTAMP_PARSE_PMU_FORMAT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmu_term {
	char name[64];
	bool has_value;
	uint64_t value; /* 1 if there is no value, as in perf */
	char text[128]; /* the value as text; empty if there is none */
};

/*
 * Reads the next term from *@cursor. Returns 1, 0 at the end, or -EINVAL. If the value is not a
 * number, .value is 0 and .text is set.
 */
int pmu_term__next(const char **cursor, struct pmu_term *ret);

/*
 * Stores @value in the bits of @attr that @format names. Returns 0, -EINVAL for an unknown format,
 * or -ERANGE if the value does not fit.
 */
int pmu_format__apply(const char *format, uint64_t value, struct perf_event_attr *attr);

#endif
