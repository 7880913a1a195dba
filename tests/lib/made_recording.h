/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording of made-up events and samples: for the one source file of a program, or of a test,
 * that writes it. The samples are laid out as made_attr() has them.
 */
#ifndef PERFSTAMP_TESTS_MADE_RECORDING_H
#define PERFSTAMP_TESTS_MADE_RECORDING_H

#include <err.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "user/perfdata/write/writer.h"

#define MADE_SAMPLE_TYPE                                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
		PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static struct perfdata_writer *writer;
static struct error error;

/* Ends the program if @result is an error. */
static inline void ok(int result)
{
	if (result)
		errx(1, "%s", error.text);
}

static inline void put_event(struct event event)
{
	ok(perfdata_writer__event(writer, &event, 0, &error));
}

/* EVENT_FORK or EVENT_EXIT of a process. */
static inline struct event made_task(
	enum event_kind kind, uint64_t time_ns, uint32_t pid, uint32_t parent, uint16_t misc)
{
	return (struct event){.kind = kind,
		.type = kind == EVENT_FORK ? PERF_RECORD_FORK : PERF_RECORD_EXIT,
		.misc = misc,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.fork = {parent, parent}};
}

static inline struct event made_comm(uint64_t time_ns, uint32_t pid, const char *name, bool exec)
{
	return (struct event){.kind = EVENT_COMM,
		.type = PERF_RECORD_COMM,
		.misc = exec ? PERF_RECORD_MISC_COMM_EXEC : 0,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.comm = {name, exec}};
}

/* An executable mapping of a file. */
static inline struct event made_map(uint64_t time_ns, uint32_t pid, uint64_t addr, uint64_t len,
	const struct perfstamp_identity *identity, const char *path, uint16_t flags)
{
	return (struct event){.kind = EVENT_MAP,
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_USER,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.map = {.addr = addr,
			.len = len,
			.prot = PROT_READ | PROT_EXEC,
			.map_flags = MAP_PRIVATE,
			.flags = flags,
			.executable = true,
			.stamped = true,
			.identity = *identity,
			.path = path}};
}

struct made_sample {
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, reserved;
	uint64_t period;
};

static inline void put_sample(uint16_t misc, struct made_sample sample)
{
	struct {
		struct perf_event_header header;
		struct made_sample sample;
	} record = {{PERF_RECORD_SAMPLE, misc, sizeof(record)}, sample};

	ok(perfdata_writer__raw(writer, &record, sizeof(record), &error));
}

static inline struct perf_event_attr made_attr(uint64_t freq)
{
	return (struct perf_event_attr){.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = freq,
		.freq = 1,
		.sample_type = MADE_SAMPLE_TYPE,
		.sample_id_all = 1};
}

/* Begins the recording in @fd, of one event, cpu-clock. */
static inline void begin_recording(int fd, const char *path, const struct perf_event_attr *attr,
	const uint64_t *ids, uint32_t n_ids)
{
	ok(perfdata_writer__new(&writer, fd, path, false));
	ok(perfdata_writer__add_attr(writer, attr, "cpu-clock", ids, n_ids, &error));
}

static inline void end_recording(void)
{
	ok(perfdata_writer__finish(writer, &error));
	perfdata_writer__free(writer);
}

#endif
