/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of `list': the sightings of a model, and the build-ids that perf read when its
 * recording ended. Reads the model; does not know the output.
 */
#ifndef PERFSTAMP_VIEW_LIST_ROWS_H
#define PERFSTAMP_VIEW_LIST_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/model.h"
#include "user/view/containers.h"
#include "user/view/header_ids.h"

#define LIST_TAG_HEX 16 /* digits of a BPF program's tag */

struct list_options {
	bool json;
	bool verbose;               /* text: all columns, with a heading */
	const char *path_glob;      /* NULL: every path */
	const char *container_glob; /* NULL: wherever it was mapped; see containers.h */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX]; /* the first bytes that it must have */
	size_t build_id_size;                     /* 0: any, or none */
	bool kernel_only;
	bool user_only;
};

/* One line: a sighting, or an entry of the header without a mapping. */
struct list_row {
	const struct sighting *sighting; /* NULL for the latter */
	const char *path;
	struct perfstamp_identity identity;
	bool from_header; /* the build-id is the header's */
	bool kernel;
};

struct list_rows {
	struct list_row *v; /* by path and time */
	size_t n;
	struct containers *containers;
};

/*
 * Collects the lines selected by @options; *@rows begins zeroed. The pointers are valid
 * until the model's next event. Returns 0 or -ENOMEM; to be freed in either case.
 */
int list_rows__collect(struct list_rows *rows, struct model *model, const struct header_ids *ids,
	const struct list_options *options);
void list_rows__free(struct list_rows *rows);

/* Where the identity was read; NULL: there is none. */
const char *list_row__source(const struct list_row *row);
/* Why there is no build-id; NULL: there is one. */
const char *list_row__reason(const struct list_row *row);
/* "build-id", "cookie", "tag" or "none". */
const char *list_row__kind(const struct list_row *row);
/*
 * Stores in @ret the tag, in hexadecimal, from the name of a BPF program or of a function
 * of it, as made by bpf_get_prog_name() in kernel/bpf/core.c. False if there is none.
 */
bool list_row__tag(const struct list_row *row, char ret[LIST_TAG_HEX + 1]);

/*
 * The next container that mapped @sighting, each once; NULL at the end. *@i begins as 0.
 * Returns 0 or -ENOMEM.
 */
int list_row__next_container(struct containers *containers, const struct sighting *sighting,
	size_t *i, struct container_facts **ret);

#endif
