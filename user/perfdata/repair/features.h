/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header features of a clean copy: the undamaged features of the input, those among the records
 * of a pipe, and those that are written anew. A part of repair.c, for its use only.
 */
#ifndef PERFSTAMP_PERFDATA_REPAIR_FEATURES_H
#define PERFSTAMP_PERFDATA_REPAIR_FEATURES_H

#include "user/perfdata/repair/clean_file.h"
#include "user/perfdata/read/reader.h"
#include "user/perfdata/repair/account.h"

struct repair_header {
	struct buffer build_ids; /* for a pipe: its HEADER_BUILD_ID records */
	void *tracing_data;      /* for a pipe; or NULL */
	size_t tracing_size;
	uint64_t first_sample_ns; /* of the kept samples; 0: there are none */
	uint64_t last_sample_ns;
	uint32_t n_cpus;                   /* a lower bound */
	const struct perfdata_attr *attrs; /* the events of the copy */
	size_t n_attrs;
	bool is_extract; /* write neither perfstamp's own lines nor a table of build-ids */
};

#define REPAIR_CPUS_MAX 4096 /* MAX_NR_CPUS of perf */

void repair_header__init(struct repair_header *header);
void repair_header__free(struct repair_header *header);
/* Stores a record of a pipe that is part of the header, the last one that @reader returned. */
int repair_header__take(struct repair_header *header, struct perfdata_reader *reader,
	const struct event *event, struct error *err);
/* Called for each record that is kept. */
void repair_header__kept(struct repair_header *header, const struct event *event);
/* Adds the facts about the kept records of another input. */
void repair_header__join(struct repair_header *header, const struct repair_header *other);
/* Returns an upper bound of CPU numbers: every record is of a lower one. */
uint32_t repair_header__cpus(const struct perfdata_reader *reader);
/*
 * Checks that perf can open a file with .attrs, and with the tracepoints of @reader. Returns 0, or
 * -EBADMSG with the cause.
 */
int repair_header__check(const struct repair_header *header, const struct perfdata_reader *reader,
	const char *name, struct error *err);
/* Whether two inputs have the same formats of tracepoints. */
bool repair_header__same_tracing(const struct repair_header *header,
	const struct perfdata_reader *reader, const struct repair_header *other,
	const struct perfdata_reader *other_reader);
/*
 * Called after all records were copied: writes the features of @reader to @file, and counts them in
 * @repair. Returns 0 or -ENOMEM.
 */
int repair_header__put(const struct repair_header *header, struct repair *repair,
	const struct perfdata_reader *reader, struct clean_file *file);

#endif
