// SPDX-License-Identifier: GPL-2.0-only
/* See packages.h. The package database is read when the first path needs it. */
#include "user/cli/push/packages.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/cli/push/mapped_files.h"
#include "user/source/content/package_files.h"
#include "user/symbols/lookup.h"
#include "user/view/fleet/numbering.h"

/* Limit of a text in package metadata: four of them fit in an index, even escaped. */
#define FIELD_MAX 128
#define FOUND_MAX 1000000 /* limit of remembered contents at paths */

struct packages {
	struct cache *cache;
	struct numbering *found; /* contents at paths that were looked up */
	uint32_t n_found;
	struct mapped_files *mapped;
	struct package_files *files; /* NULL: not read yet */
	bool no_files;               /* there is no database */
	struct json_object **notes;  /* texts point into these */
	size_t n_notes;
	char os[64];
};

/* Reads ID of os-release(5). */
static void read_os(struct packages *packages)
{
	FILE *in = fopen("/etc/os-release", "re");
	char line[256], *value;

	if (!in)
		in = fopen("/usr/lib/os-release", "re");
	while (in && fgets(line, sizeof(line), in)) {
		if (strncmp(line, "ID=", strlen("ID=")) != 0)
			continue;
		value = line + strlen("ID=");
		value += *value == '"' || *value == '\'';
		value[strcspn(value, "\"'\n")] = '\0';
		snprintf(packages->os, sizeof(packages->os), "%s", value);
	}
	if (in)
		fclose(in);
}

int packages__new(struct packages **ret, struct cache *cache)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret || numbering__new(&(*ret)->found) || mapped_files__new(&(*ret)->mapped)) {
		packages__free(*ret);
		*ret = NULL;
		return -ENOMEM;
	}
	(*ret)->cache = cache;
	read_os(*ret);
	return 0;
}

void packages__end(struct packages *packages)
{
	package_files__free(packages->files);
	packages->files = NULL;
	packages->no_files = false;
	for (size_t i = 0; i < packages->n_notes; i++)
		json_object_put(packages->notes[i]);
	free(packages->notes);
	packages->notes = NULL;
	packages->n_notes = 0;
	/* Forget the results: these files may respond for the next recording. */
	if (packages->mapped && mapped_files__any_silent(packages->mapped)) {
		packages__forget(packages);
		mapped_files__begin(packages->mapped);
	}
}

int packages__forget(struct packages *packages)
{
	struct numbering *none;

	if (numbering__new(&none))
		return -ENOMEM;
	numbering__free(packages->found);
	packages->found = none;
	packages->n_found = 0;
	return 0;
}

void packages__free(struct packages *packages)
{
	if (!packages)
		return;
	packages__end(packages);
	mapped_files__free(packages->mapped);
	numbering__free(packages->found);
	free(packages);
}

static bool is_first_time(
	struct packages *packages, const struct perfstamp_identity *identity, const char *path)
{
	size_t size = strlen(path) + 1, own = sizeof(identity->build_id) + sizeof(identity->cookie);
	char *key = calloc(1, own + size);
	bool is_new = false;
	uint32_t number;

	if (!key)
		return false;
	memcpy(key, identity->build_id, identity->build_id_size);
	memcpy(key + sizeof(identity->build_id), identity->cookie, identity->cookie_size);
	memcpy(key + own, path, size);
	if (packages->n_found >= FOUND_MAX)
		packages__forget(packages);
	if (numbering__find(packages->found, key, own + size, &number, &is_new))
		is_new = false;
	packages->n_found += is_new;
	free(key);
	return is_new;
}

static int open_cached(struct packages *packages, const struct perfstamp_identity *identity)
{
	struct cache_entry entry;
	struct error ignored;

	if (!packages->cache ||
		lookup__find(packages->cache, identity, identity->cookie_size > 0, &entry))
		return -ENOENT;
	return cache__open_file(packages->cache, &entry, CACHE_ELF, false, &ignored);
}

/* ---- .note.package ---- */

/* Returns a text of the metadata, which is untrusted; "" if it is missing. */
static const char *text_of(struct json_object *note, const char *key)
{
	struct json_object *value;
	const char *text;

	if (!json_object_object_get_ex(note, key, &value) ||
		!json_object_is_type(value, json_type_string))
		return "";
	text = json_object_get_string(value);
	return strlen(text) <= FIELD_MAX ? text : "";
}

static bool keep_note(struct packages *packages, struct json_object *note)
{
	if (array__extend(&packages->notes, packages->n_notes, sizeof(*packages->notes)))
		return false;
	packages->notes[packages->n_notes++] = note;
	return true;
}

static bool take_note(struct packages *packages, const char *text, struct fleet_package *ret)
{
	struct json_object *note = *text ? json_tokener_parse(text) : NULL;

	if (!json_object_is_type(note, json_type_object) || !*text_of(note, "name") ||
		!keep_note(packages, note)) {
		json_object_put(note);
		return false;
	}
	*ret = (struct fleet_package){
		.kind = "note",
		.os = text_of(note, "os"),
		.name = text_of(note, "name"),
		.version = text_of(note, "version"),
		.architecture = text_of(note, "architecture"),
		.source = "",
		.source_version = "",
	};
	return true;
}

/* ---- Installed packages ---- */

static bool find_owner(struct packages *packages, const char *path, struct fleet_package *ret)
{
	struct package_file file;

	if (!packages->files && !packages->no_files)
		packages->no_files = package_files__open(&packages->files, "") != 0;
	if (packages->no_files || package_files__find(packages->files, path, &file))
		return false;
	*ret = (struct fleet_package){
		.kind = file.kind,
		.os = packages->os,
		.name = file.name,
		.version = file.version,
		.architecture = file.architecture,
		.source = file.source,
		.source_version = file.source_version,
	};
	return true;
}

size_t packages__find(void *ctx, const struct perfstamp_identity *identity, const char *path,
	struct fleet_package ret[FLEET_PACKAGES_MAX])
{
	struct packages *packages = ctx;
	struct mapped_file file;
	size_t n = 0;
	int fd;

	if (!is_first_time(packages, identity, path))
		return 0;
	mapped_files__look(packages->mapped, path, identity, &file);
	fd = file.here ? -1 : open_cached(packages, identity);
	if (fd >= 0) {
		mapped_files__read_note(fd, file.note);
		close(fd);
	}
	if (take_note(packages, file.note, &ret[n]))
		n++;
	if (file.here && find_owner(packages, path, &ret[n]))
		n++;
	return n;
}
