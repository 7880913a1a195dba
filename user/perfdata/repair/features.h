/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header features of a clean copy: undamaged features of the input, those among the
 * records of a pipe, and those that are written anew. A part of repair.c, for its use only.
 */
#ifndef PERFSTAMP_PERFDATA_REPAIR_FEATURES_H
#define PERFSTAMP_PERFDATA_REPAIR_FEATURES_H

#include "user/perfdata/repair/clean_file.h"
#include "user/perfdata/read/reader.h"
#include "user/perfdata/repair/account.h"

struct repair_header {
	struct buffer build_ids; /* of a pipe: its HEADER_BUILD_ID records */
	void *tracing_data;      /* of a pipe; or NULL */
	size_t tracing_size;
	uint64_t first_sample_ns; /* of the samples that are kept; 0: there is none */
	uint64_t last_sample_ns;
	uint32_t n_cpus;                   /* at least */
	const struct perfdata_attr *attrs; /* the events of the copy */
	size_t n_attrs;
	bool is_extract; /* neither perfstamp's own lines nor a table of build-ids */
};

#define REPAIR_CPUS_MAX 4096 /* MAX_NR_CPUS of perf */

void repair_header__init(struct repair_header *header);
void repair_header__free(struct repair_header *header);
/* A pipe's record of the header, the last one that @reader handed out. */
int repair_header__take(struct repair_header *header, struct perfdata_reader *reader,
	const struct event *event, struct error *err);
/* A record that is kept. */
void repair_header__kept(struct repair_header *header, const struct event *event);
/* Takes what @other, of another input, has of the records that are kept. */
void repair_header__join(struct repair_header *header, const struct repair_header *other);
/* No record is of a CPU from this number on. */
uint32_t repair_header__cpus(const struct perfdata_reader *reader);
/*
 * Whether perf opens a file of .attrs at all, with the tracepoints of @reader: returns 0,
 * or -EBADMSG with the cause.
 */
int repair_header__check(const struct repair_header *header, const struct perfdata_reader *reader,
	const char *name, struct error *err);
/* Whether the formats of tracepoints are the same in two inputs. */
bool repair_header__same_tracing(const struct repair_header *header,
	const struct perfdata_reader *reader, const struct repair_header *other,
	const struct perfdata_reader *other_reader);
/*
 * All records were copied: the features of @reader to @file, counted in @repair. Returns 0
 * or -ENOMEM.
 */
int repair_header__put(const struct repair_header *header, struct repair *repair,
	const struct perfdata_reader *reader, struct clean_file *file);

#endif
