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
	const char *path_glob;      /* NULL: any path */
	const char *container_glob; /* NULL: any container or none; see containers.h */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX]; /* the first bytes of the wanted build-ids */
	size_t build_id_size;                     /* 0: any build-id, or none */
	bool kernel_only;
	bool user_only;
};

/* One line: a sighting, or an entry of the header without a mapping. */
struct list_row {
	const struct sighting *sighting; /* NULL: an entry of the header */
	const char *path;
	struct perfstamp_identity identity;
	bool from_header; /* the build-id is from the header */
	bool kernel;
};

struct list_rows {
	struct list_row *v; /* sorted by path and time */
	size_t n;
	struct containers *containers;
};

/*
 * Collects the lines selected by @options. *@rows must be zeroed before. The pointers in it are
 * valid until the model's next event. Returns 0 or -ENOMEM; free @rows in either case.
 */
int list_rows__collect(struct list_rows *rows, struct model *model, const struct header_ids *ids,
	const struct list_options *options);
void list_rows__free(struct list_rows *rows);

/* Returns where the identity was read; NULL: there is none. */
const char *list_row__source(const struct list_row *row);
/* Returns why there is no build-id; NULL: there is one. */
const char *list_row__reason(const struct list_row *row);
/* Returns "build-id", "cookie", "tag" or "none". */
const char *list_row__kind(const struct list_row *row);
/*
 * Finds the tag in the name of a BPF program or of one of its functions, as made by
 * bpf_get_prog_name() in kernel/bpf/core.c, and stores it in @ret, in hexadecimal. Returns false if
 * there is none.
 */
bool list_row__tag(const struct list_row *row, char ret[LIST_TAG_HEX + 1]);

/*
 * Finds the next container in which @sighting was mapped. Each is returned once, and NULL at the
 * end. *@i must be 0 before the first call. Returns 0 or -ENOMEM.
 */
int list_row__next_container(struct containers *containers, const struct sighting *sighting,
	size_t *i, struct container_facts **ret);

#endif
