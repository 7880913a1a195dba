/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a perf.data file with the attributes, records and features of another one, in that file's
 * byte order. perfdata_writer encodes what this machine records; this copies bytes unchanged. Until
 * the end, the file's header states that it has no data.
 */
#ifndef PERFSTAMP_PERFDATA_CLEAN_FILE_H
#define PERFSTAMP_PERFDATA_CLEAN_FILE_H

#include <stdbool.h>

#include "user/perfdata/write/output.h"
#include "user/perfdata/read/attr.h"

struct clean_file {
	struct output out;
	bool swap;
	struct perfdata_header header; /* in this machine's byte order */
	struct buffer features[PERFDATA_FEATURE_BITS];
};

/*
 * Writes to @fd, which is empty and which the caller keeps. Returns 0 or -ENOMEM; free @file in
 * either case.
 */
int clean_file__init(struct clean_file *file, int fd, const char *name, bool swap);
void clean_file__free(struct clean_file *file);

/* Returns the attribute without the bits that perf 6.1 does not know, and would warn of. */
struct perf_event_attr clean_file__attr(const struct perf_event_attr *attr);
/* Writes the header and the @n events of @attrs. */
int clean_file__begin(
	struct clean_file *file, const struct perfdata_attr *attrs, size_t n, struct error *err);
int clean_file__record(struct clean_file *file, const void *bytes, size_t size, struct error *err);
/* Appends to feature @id, which the file then has. Returns 0 or -ENOMEM. */
int clean_file__feature(struct clean_file *file, unsigned int id, const void *bytes, size_t size);
int clean_file__finish(struct clean_file *file, struct error *err);

#endif
