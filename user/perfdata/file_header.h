/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header of a perf.data file or pipe, checked and in this machine's byte
 * order. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_FILE_HEADER_H
#define PERFSTAMP_PERFDATA_FILE_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/perfdata/layout.h"

struct file_header {
	struct perfdata_header header;
	bool swap;
	bool pipe;
	/* data.size is 0: the recorder was killed, and the rest of the file may be read */
	bool no_size;
	/* the file ends before its data or its features end */
	bool cut;
	uint64_t data_end;
	uint64_t sections; /* offset of the feature section table; 0 for none */
};

/*
 * @bytes is the beginning of the input: PERFDATA_HEADER_READ bytes, or fewer if the input is
 * shorter. @file_size is UINT64_MAX if the input is not seekable. Returns 0, or -EBADMSG with the
 * cause in @err.
 */
#define PERFDATA_HEADER_READ sizeof(struct perfdata_header)
int file_header__parse(struct file_header *ret, const void *bytes, size_t size, uint64_t file_size,
	struct error *err);

bool file_header__has_feature(const struct file_header *header, unsigned int id);
/* Returns the number of sections before that of @id. */
size_t file_header__section_index(const struct file_header *header, unsigned int id);

#endif
