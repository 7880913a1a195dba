// SPDX-License-Identifier: GPL-2.0-only
/* See rows.h. */
#include "user/view/list/rows.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/format/names.h"

const char *list_row__source(const struct list_row *row)
{
	if (row->from_header)
		return "header";
	/* A cookie is computed from the content that was read, so it has a source as well. */
	return row->identity.source ? name__source(row->identity.source) : NULL;
}

const char *list_row__reason(const struct list_row *row)
{
	return row->identity.build_id_size ? NULL : name__reason(row->identity.reason);
}

static void take_header_id(struct list_row *row, const struct header_id *id)
{
	memcpy(row->identity.build_id, id->build_id, id->build_id_size);
	row->identity.build_id_size = id->build_id_size;
	row->from_header = true;
}

int list_row__next_container(struct containers *containers, const struct sighting *sighting,
	size_t *i, struct container_facts **ret)
{
	int err = 0;

	*ret = NULL;
	while (!err && *i < sighting->n_cgroups) {
		err = containers__find(containers, sighting->cgroup_ids[(*i)++], ret);
		/* The mark of index 0 must differ from 0. */
		if (*ret && (*ret)->mark != sighting->index + (size_t)1) {
			(*ret)->mark = sighting->index + (size_t)1;
			return 0;
		}
		*ret = NULL;
	}
	return err;
}

/* Returns 1 if the sighting was mapped in a container that @glob matches, 0 if not, or -ENOMEM. */
static int is_in_container(
	struct containers *containers, const struct sighting *sighting, const char *glob)
{
	struct container_facts *facts;
	int err;

	for (size_t i = 0; sighting && i < sighting->n_cgroups; i++) {
		err = containers__find(containers, sighting->cgroup_ids[i], &facts);
		if (err)
			return err;
		if (facts && container_facts__matches(facts, glob))
			return 1;
	}
	return 0;
}

static bool is_wanted(const struct list_row *row, const struct list_options *options)
{
	if ((options->kernel_only && !row->kernel) || (options->user_only && row->kernel))
		return false;
	/* The init text of a module is not a DSO; the module has its own line. */
	if (row->sighting && row->sighting->init_text)
		return false;
	/* perf buildid-list prints no lines for such entries. */
	if (!options->kernel_only && row->sighting && row->sighting->symbol)
		return false;
	if (options->path_glob && fnmatch(options->path_glob, row->path, 0))
		return false;
	return options->build_id_size <= row->identity.build_id_size &&
	       !memcmp(options->build_id, row->identity.build_id, options->build_id_size);
}

static int by_path_and_time(const void *a, const void *b)
{
	const struct list_row *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	if (order)
		return order;
	if (!x->sighting || !y->sighting) /* entries of the header come last */
		return x->sighting || y->sighting
			       ? !x->sighting - !y->sighting
			       : memcmp(x->identity.build_id, y->identity.build_id,
					 sizeof(x->identity.build_id));
	if (x->sighting->first_ns != y->sighting->first_ns)
		return x->sighting->first_ns < y->sighting->first_ns ? -1 : 1;
	return x->sighting->index < y->sighting->index ? -1 : 1;
}

static int add_row(
	struct list_rows *rows, const struct list_row *row, const struct list_options *options)
{
	const char *glob = options->container_glob;
	int wanted = glob ? is_in_container(rows->containers, row->sighting, glob) : 1;

	if (wanted > 0)
		rows->v[rows->n++] = *row;
	return wanted < 0 ? wanted : 0;
}

int list_rows__collect(struct list_rows *rows, struct model *model, const struct header_ids *ids,
	const struct list_options *options)
{
	size_t n_sightings = model__n_sightings(model), n_ids = ids ? ids->n : 0;
	bool *used = calloc(n_ids + 1, sizeof(*used));
	int err = 0;

	rows->v = calloc(n_sightings + n_ids + 1, sizeof(*rows->v));
	if (!rows->v || !used || containers__new(&rows->containers, model)) {
		err = -ENOMEM;
		goto cleanup;
	}
	for (size_t i = 0; i < n_sightings; i++) {
		const struct sighting *sighting = model__sighting(model, i);
		const struct header_id *id = ids ? header_ids__find(ids, sighting->path) : NULL;
		struct list_row row = {.sighting = sighting,
			.path = sighting->path,
			.identity = sighting->identity,
			.kernel = sighting->kernel};

		/* Late records have replaced all its mappings. */
		if (!sighting->mappings && !sighting->samples)
			continue;
		if (id)
			used[id - ids->v] = true;
		if (id && !row.identity.build_id_size && !row.identity.cookie_size)
			take_header_id(&row, id);
		if (is_wanted(&row, options))
			err = add_row(rows, &row, options);
		if (err)
			goto cleanup;
	}
	for (size_t i = 0; !options->container_glob && i < n_ids; i++) {
		struct list_row row = {.path = ids->v[i].path, .kernel = ids->v[i].kernel};

		take_header_id(&row, &ids->v[i]);
		if (!used[i] && is_wanted(&row, options))
			rows->v[rows->n++] = row;
	}
	qsort(rows->v, rows->n, sizeof(*rows->v), by_path_and_time);
cleanup:
	free(used);
	return err;
}

bool list_row__tag(const struct list_row *row, char ret[LIST_TAG_HEX + 1])
{
	static const char PREFIX[] = "bpf_prog_";
	uint8_t tag[LIST_TAG_HEX / 2];

	if (!row->sighting || !row->sighting->symbol ||
		strncmp(row->path, PREFIX, sizeof(PREFIX) - 1) != 0)
		return false;
	snprintf(ret, LIST_TAG_HEX + 1, "%s", row->path + sizeof(PREFIX) - 1);
	return text__parse_hex(tag, sizeof(tag), ret) == sizeof(tag);
}

const char *list_row__kind(const struct list_row *row)
{
	char tag[LIST_TAG_HEX + 1];

	return list_row__tag(row, tag) ? "tag" : name__kind(&row->identity);
}

void list_rows__free(struct list_rows *rows)
{
	containers__free(rows->containers);
	free(rows->v);
}
