/* SPDX-License-Identifier: GPL-2.0-only */
/* The reader's internals, for reader.c and reader_about.c only. */
#ifndef PERFSTAMP_PERFDATA_READ_PRIVATE_H
#define PERFSTAMP_PERFDATA_READ_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "user/event/decode.h"
#include "user/perfdata/features/store.h"
#include "user/perfdata/file_header.h"
#include "user/perfdata/read/attr_list.h"
#include "user/perfdata/read/directory.h"

struct perfdata_reader {
	struct perfdata_directory files; /* one file if it is not a directory */
	struct perfdata_turn {
		uint64_t newest_ns; /* newest time in this file so far */
		bool ended;
	} * turns;           /* for each file */
	size_t at;           /* the file whose turn it is */
	uint64_t turn_begin; /* its offset at the start of its turn */
	bool is_directory;
	struct file_header header;
	struct event_decoder *decoder;
	struct attr_list attrs;
	struct feature_store *features; /* not const, because features are read on request */
};

/* Returns the file with the header; for a pipe, the only file. */
static inline struct walk *reader__main_file(const struct perfdata_reader *reader)
{
	return &reader->files.files[0];
}

static inline struct walk *reader__current(const struct perfdata_reader *reader)
{
	return &reader->files.files[reader->at];
}

#endif
