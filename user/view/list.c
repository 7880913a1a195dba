// SPDX-License-Identifier: GPL-2.0-only
/*
 * list: see list.h.
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/containers.h"
#include "user/view/json.h"
#include "user/view/list.h"
#include "user/view/names.h"
#include "user/view/escaped.h"

#define BPF_TAG_HEX 16 /* digits of a BPF program's tag */

/* One line: a sighting, or an entry of the header that no mapping was seen of. */
struct row {
	const struct sighting *sighting; /* NULL for the latter */
	const char *path;
	struct perfstamp_identity identity;
	bool from_header; /* the build-id is the header's */
	bool kernel;
};

struct rows {
	struct row *v;
	size_t n;
	struct containers *containers;
};

static const char *source_of(const struct row *row)
{
	if (row->from_header)
		return "header";
	/* A cookie is made where the content was read, so it has a source too. */
	return row->identity.source ? name__source(row->identity.source) : NULL;
}

static const char *reason_of(const struct row *row)
{
	return row->identity.build_id_size ? NULL : name__reason(row->identity.reason);
}

static void take_header_id(struct row *row, const struct header_id *id)
{
	memcpy(row->identity.build_id, id->build_id, id->build_id_size);
	row->identity.build_id_size = id->build_id_size;
	row->from_header = true;
}

/* The next container that mapped it, each once; NULL at the end. *@i and *@mark begin as 0. */
static int next_container(struct containers *containers, const struct sighting *sighting, size_t *i,
	struct container_facts **ret)
{
	int err = 0;

	*ret = NULL;
	while (!err && *i < sighting->n_cgroups) {
		err = containers__find(containers, sighting->cgroup_ids[(*i)++], ret);
		/* Index 0 has a mark, too. */
		if (*ret && (*ret)->mark != sighting->index + (size_t)1) {
			(*ret)->mark = sighting->index + (size_t)1;
			return 0;
		}
		*ret = NULL;
	}
	return err;
}

/* 1 where it was mapped in a container that @glob matches; 0 or -ENOMEM. */
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

static bool is_wanted(const struct row *row, const struct list_options *options)
{
	if ((options->kernel_only && !row->kernel) || (options->user_only && row->kernel))
		return false;
	/* What perf buildid-list has no lines for. */
	if (!options->kernel_only && row->sighting && row->sighting->symbol)
		return false;
	if (options->path_glob && fnmatch(options->path_glob, row->path, 0))
		return false;
	return options->build_id_size <= row->identity.build_id_size &&
	       !memcmp(options->build_id, row->identity.build_id, options->build_id_size);
}

static int by_path_and_time(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	if (order)
		return order;
	if (!x->sighting || !y->sighting) /* the header's last */
		return x->sighting || y->sighting
			       ? !x->sighting - !y->sighting
			       : memcmp(x->identity.build_id, y->identity.build_id,
					 sizeof(x->identity.build_id));
	if (x->sighting->first_ns != y->sighting->first_ns)
		return x->sighting->first_ns < y->sighting->first_ns ? -1 : 1;
	return x->sighting->index < y->sighting->index ? -1 : 1;
}

static int add_row(struct rows *rows, const struct row *row, const struct list_options *options)
{
	const char *glob = options->container_glob;
	int wanted = glob ? is_in_container(rows->containers, row->sighting, glob) : 1;

	if (wanted > 0)
		rows->v[rows->n++] = *row;
	return wanted < 0 ? wanted : 0;
}

static int collect(struct rows *rows, struct model *model, const struct header_ids *ids,
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
		struct row row = {.sighting = sighting,
			.path = sighting->path,
			.identity = sighting->identity,
			.kernel = sighting->kernel};

		/* All its mappings were completed by late records. */
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
		struct row row = {.path = ids->v[i].path, .kernel = ids->v[i].kernel};

		take_header_id(&row, &ids->v[i]);
		if (!used[i] && is_wanted(&row, options))
			rows->v[rows->n++] = row;
	}
	qsort(rows->v, rows->n, sizeof(*rows->v), by_path_and_time);
cleanup:
	free(used);
	return err;
}

/*
 * The tag of a BPF program, or of a function of it, in its name, as bpf_get_prog_name() in
 * kernel/bpf/core.c makes that: in hexadecimal, into @ret. False where there is none.
 */
static bool find_tag(const struct row *row, char ret[BPF_TAG_HEX + 1])
{
	static const char PREFIX[] = "bpf_prog_";
	uint8_t tag[BPF_TAG_HEX / 2];

	if (!row->sighting || !row->sighting->symbol ||
		strncmp(row->path, PREFIX, sizeof(PREFIX) - 1) != 0)
		return false;
	snprintf(ret, BPF_TAG_HEX + 1, "%s", row->path + sizeof(PREFIX) - 1);
	return text__parse_hex(tag, sizeof(tag), ret) == sizeof(tag);
}

static const char *kind_of(const struct row *row)
{
	char tag[BPF_TAG_HEX + 1];

	return find_tag(row, tag) ? "tag" : name__kind(&row->identity);
}

static void write_id(FILE *out, const struct row *row)
{
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1] = "-";
	const char *prefix = "";

	if (find_tag(row, hex)) {
		prefix = "tag:";
	} else if (row->identity.build_id_size) {
		text__hex(hex, sizeof(hex), row->identity.build_id, row->identity.build_id_size);
	} else if (row->identity.cookie_size) {
		prefix = "cookie:";
		text__hex(hex, sizeof(hex), row->identity.cookie, row->identity.cookie_size);
	}
	fprintf(out, "%s%-*s ", prefix, 40 - (int)strlen(prefix), hex);
}

/* " (content 2 of 3)": where the build-id alone does not tell what it was. */
static void write_content(FILE *out, const struct row *row)
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

static void write_text(FILE *out, const struct row *row)
{
	write_id(out, row);
	escaped__write(out, row->path);
	if (!strcmp(kind_of(row), "none"))
		fprintf(out, " (%s)", reason_of(row));
	write_content(out, row);
	fputc('\n', out);
}

static void write_time(FILE *out, uint64_t time_ns)
{
	char text[32] = "-";

	if (time_ns)
		snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64, time_ns / 1000000000,
			time_ns % 1000000000);
	fprintf(out, " %17s", text);
}

#define CONTAINERS_SHOWN 3 /* by name; of the others there is the number */

static int write_verbose(
	FILE *out, const struct row *row, int path_width, struct containers *containers)
{
	const struct sighting none = {0};
	const struct sighting *sighting = row->sighting ? row->sighting : &none;
	const char *why = reason_of(row) ? reason_of(row) : source_of(row);
	struct container_facts *shown[CONTAINERS_SHOWN], *facts;
	size_t at = 0, n = 0;
	int err;

	while (!(err = next_container(containers, sighting, &at, &facts)) && facts) {
		if (n < CONTAINERS_SHOWN)
			shown[n] = facts;
		n++;
	}
	if (err)
		return err;
	write_id(out, row);
	fprintf(out, "%*s", path_width - (int)escaped__write(out, row->path), "");
	fprintf(out, " %-8s %-13s", kind_of(row), why ? why : "-");
	write_time(out, sighting->first_ns);
	write_time(out, sighting->last_ns);
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

	while (!(err = next_container(containers, sighting, &i, &facts)) && facts)
		json_object_array_add(array, container_facts__json(facts));
	json_object_object_add(object, "containers", array);
	return err;
}

static int write_json(
	FILE *out, const struct row *row, const struct model *model, struct containers *containers)
{
	const struct perfstamp_identity *identity = &row->identity;
	struct json_object *object = json_object_new_object();
	const struct sighting none = {0};
	const struct sighting *sighting = row->sighting ? row->sighting : &none;
	char tag[BPF_TAG_HEX + 1];
	int err;

	json__add_text(object, "path", row->path);
	json__add_bytes(object, "build_id", identity->build_id, identity->build_id_size);
	json__add_bytes(object, "cookie", identity->cookie, identity->cookie_size);
	json__add_text(object, "tag", find_tag(row, tag) ? tag : NULL);
	json__add_text(object, "kind", kind_of(row));
	json__add_text(object, "source", source_of(row));
	json__add_text(object, "reason", reason_of(row));
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

static int widest_path(const struct rows *rows)
{
	size_t widest = strlen("PATH");

	for (size_t i = 0; i < rows->n; i++) {
		size_t width = text__escape(NULL, 0, rows->v[i].path);

		if (width > widest && width <= 100) /* longer ones stick out */
			widest = width;
	}
	return widest;
}

int list__write(FILE *out, struct model *model, const struct header_ids *header_ids,
	const struct list_options *options)
{
	struct rows rows = {0};
	int path_width, err;

	err = collect(&rows, model, header_ids, options);
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
	containers__free(rows.containers);
	free(rows.v);
	return err;
}
