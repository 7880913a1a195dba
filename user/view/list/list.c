// SPDX-License-Identifier: GPL-2.0-only
/*
 * See list.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/format/json.h"
#include "user/view/list/list.h"
#include "user/view/format/names.h"
#include "user/view/format/escaped.h"

static void write_id(FILE *out, const struct list_row *row)
{
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1] = "-";
	const char *prefix = "";

	if (list_row__tag(row, hex)) {
		prefix = "tag:";
	} else if (row->identity.build_id_size) {
		text__hex(hex, sizeof(hex), row->identity.build_id, row->identity.build_id_size);
	} else if (row->identity.cookie_size) {
		prefix = "cookie:";
		text__hex(hex, sizeof(hex), row->identity.cookie, row->identity.cookie_size);
	}
	fprintf(out, "%s%-*s ", prefix, 40 - (int)strlen(prefix), hex);
}

/* Writes " (content 2 of 3)" if the build-id alone does not identify the content. */
static void write_content(FILE *out, const struct list_row *row)
{
	const struct sighting *sighting = row->sighting;

	if (!sighting || sighting->n_contents < 2 || row->from_header)
		return;
	if (sighting->content)
		fprintf(out, " (content %" PRIu32 " of %" PRIu32 ")", sighting->content,
			sighting->n_contents);
	else
		fprintf(out, " (one of %" PRIu32 " contents)", sighting->n_contents);
}

static void write_text(FILE *out, const struct list_row *row)
{
	write_id(out, row);
	escaped__write(out, row->path);
	if (!strcmp(list_row__kind(row), "none"))
		fprintf(out, " (%s)", list_row__reason(row));
	write_content(out, row);
	fputc('\n', out);
}

void list__write_time(FILE *out, uint64_t time_ns)
{
	char text[32] = "-";

	if (time_ns)
		snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64, time_ns / 1000000000,
			time_ns % 1000000000);
	fprintf(out, " %17s", text);
}

#define CONTAINERS_SHOWN 3 /* containers that are shown by name; of others, only the number is */

static int write_verbose(
	FILE *out, const struct list_row *row, int path_width, struct containers *containers)
{
	const struct sighting none = {0};
	const struct sighting *sighting = row->sighting ? row->sighting : &none;
	const char *why = list_row__reason(row) ? list_row__reason(row) : list_row__source(row);
	struct container_facts *shown[CONTAINERS_SHOWN], *facts;
	size_t at = 0, n = 0;
	int err;

	while (!(err = list_row__next_container(containers, sighting, &at, &facts)) && facts) {
		if (n < CONTAINERS_SHOWN)
			shown[n] = facts;
		n++;
	}
	if (err)
		return err;
	write_id(out, row);
	fprintf(out, "%*s", path_width - (int)escaped__write(out, row->path), "");
	fprintf(out, " %-8s %-13s", list_row__kind(row), why ? why : "-");
	list__write_time(out, sighting->first_ns);
	list__write_time(out, sighting->last_ns);
	fprintf(out, " %-5s %8" PRIu64 " %9zu %10zu %8" PRIu64, sighting->alive ? "alive" : "-",
		sighting->mappings, sighting->n_processes, n, sighting->samples);
	for (size_t i = 0; i < n && i < CONTAINERS_SHOWN; i++) {
		char label[4 * CONTAINER_TEXT_MAX];

		container_facts__label(shown[i], label, sizeof(label));
		fputs(i ? "," : " ", out);
		escaped__write(out, label);
	}
	fputs(n > CONTAINERS_SHOWN ? ",...\n" : "\n", out);
	return 0;
}

static void write_heading(FILE *out, int path_width)
{
	fprintf(out, "%-40s %-*s %-8s %-13s %17s %17s %-5s %8s %9s %10s %8s %s\n", "IDENTITY",
		path_width, "PATH", "KIND", "SOURCE/REASON", "FIRST", "LAST", "STATE", "MAPPINGS",
		"PROCESSES", "CONTAINERS", "SAMPLES", "IN");
}

static void add_cgroups(
	struct json_object *object, const struct model *model, const struct sighting *sighting)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < sighting->n_cgroups; i++) {
		struct json_object *cgroup = json_object_new_object();
		const char *path = model__cgroup_path(model, sighting->cgroup_ids[i]);
		struct container is;

		json__add_number(cgroup, "id", sighting->cgroup_ids[i]);
		json__add_text(cgroup, "path", path);
		container__parse(&is, path ? path : "/");
		json__add_text(cgroup, "unit", *is.unit ? is.unit : NULL);
		json_object_array_add(array, cgroup);
	}
	json_object_object_add(object, "cgroups", array);
}

static void add_mnt_namespaces(struct json_object *object, const struct sighting *sighting)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < sighting->n_mnt_ns; i++)
		json_object_array_add(array, json_object_new_int64(sighting->mnt_ns[i]));
	json_object_object_add(object, "mount_namespaces", array);
}

static int add_containers(
	struct json_object *object, struct containers *containers, const struct sighting *sighting)
{
	struct json_object *array = json_object_new_array();
	struct container_facts *facts;
	size_t i = 0;
	int err;

	while (!(err = list_row__next_container(containers, sighting, &i, &facts)) && facts)
		json_object_array_add(array, container_facts__json(facts));
	json_object_object_add(object, "containers", array);
	return err;
}

static int write_json(FILE *out, const struct list_row *row, const struct model *model,
	struct containers *containers)
{
	const struct perfstamp_identity *identity = &row->identity;
	struct json_object *object = json_object_new_object();
	const struct sighting none = {0};
	const struct sighting *sighting = row->sighting ? row->sighting : &none;
	char tag[LIST_TAG_HEX + 1];
	int err;

	json__add_text(object, "path", row->path);
	json__add_bytes(object, "build_id", identity->build_id, identity->build_id_size);
	json__add_bytes(object, "cookie", identity->cookie, identity->cookie_size);
	json__add_text(object, "tag", list_row__tag(row, tag) ? tag : NULL);
	json__add_text(object, "kind", list_row__kind(row));
	json__add_text(object, "source", list_row__source(row));
	json__add_text(object, "reason", list_row__reason(row));
	json__add_number(object, "contents", sighting->n_contents);
	json__add_number(object, "content", sighting->content);
	json__add_number(object, "first_ns", sighting->first_ns);
	json__add_number(object, "last_ns", sighting->last_ns);
	json__add_number(object, "mappings", sighting->mappings);
	json__add_number(object, "processes", sighting->n_processes);
	err = add_containers(object, containers, sighting);
	json__add_number(object, "samples", sighting->samples);
	json__add_bool(object, "alive", sighting->alive);
	json__add_bool(object, "kernel", row->kernel);
	json__add_bool(object, "read_late", row->from_header);
	json__add_number(object, "dev_major", identity->dev_major);
	json__add_number(object, "dev_minor", identity->dev_minor);
	json__add_number(object, "ino", identity->ino);
	json__add_number(object, "ino_generation", identity->ino_generation);
	json__add_number(object, "file_size", identity->file_size);
	add_cgroups(object, model, sighting);
	add_mnt_namespaces(object, sighting);
	json__write_line(object, out);
	return err;
}

static int widest_path(const struct list_rows *rows)
{
	size_t widest = strlen("PATH");

	for (size_t i = 0; i < rows->n; i++) {
		size_t width = text__escape(NULL, 0, rows->v[i].path);

		if (width > widest && width <= 100) /* longer texts exceed the column */
			widest = width;
	}
	return widest;
}

int list__write(FILE *out, struct model *model, const struct header_ids *header_ids,
	const struct list_options *options)
{
	struct list_rows rows = {0};
	int path_width, err;

	err = list_rows__collect(&rows, model, header_ids, options);
	if (err)
		goto cleanup;
	path_width = widest_path(&rows);
	if (options->verbose && !options->json && rows.n)
		write_heading(out, path_width);
	for (size_t i = 0; !err && i < rows.n && !ferror(out); i++) {
		if (options->json)
			err = write_json(out, &rows.v[i], model, rows.containers);
		else if (options->verbose)
			err = write_verbose(out, &rows.v[i], path_width, rows.containers);
		else
			write_text(out, &rows.v[i]);
	}
	err = err ? err : (int)rows.n;
cleanup:
	list_rows__free(&rows);
	return err;
}
