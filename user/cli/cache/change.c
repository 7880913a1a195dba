// SPDX-License-Identifier: GPL-2.0-only
/* perfstamp cache add, remove, verify and trim: the verbs that change the cache. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/base/text.h"
#include "user/cli/cache/cache.h"
#include "user/cli/cli.h"
#include "user/cli/progress_bar.h"
#include "user/io/regular.h"
#include "user/record/kernel/capture_symbols.h"
#include "user/record/kernel/capture_kcore.h"
#include "user/source/content/completion.h"
#include "user/source/content/same_code.h"
#include "user/parse/probes.h"
#include "user/store/cache/add.h"
#include "user/store/cache/trim.h"
#include "user/store/cache/probes.h"
#include "user/store/cache/skeleton.h"
#include "user/view/format/json.h"

/*
 * Whether the cached file with the build-id of @fd has the same code. A stripped copy has the same
 * code. Returns 1 or 0, or -errno if this is not known, for example because the code was not
 * captured.
 */
static int has_same_code(
	const struct cache_command *command, const struct perfstamp_identity *identity, int fd)
{
	struct cache_entry entry;
	int there, code;

	code = cache__find(
		command->cache, identity->build_id, identity->build_id_size, false, &entry);
	if (code)
		return code;
	there = cache__open_file(command->cache, &entry, CACHE_ELF, false, NULL);
	if (there < 0)
		return there;
	code = skeleton__is(fd) || skeleton__is(there) ? -ENODATA : same_code__files(fd, there);
	close(there);
	return code;
}

static void show_added(const struct cache_command *command, const char *name, int fd,
	const struct add_result *result)
{
	const struct perfstamp_identity *identity = &result->identity;
	int same = result->collision && fd >= 0 ? has_same_code(command, identity, fd) : -ENODATA;
	char hex[STORE_HEX_MAX];
	struct json_object *object;

	if (command->json) {
		object = json_object_new_object();
		json__add_text(object, "path", name);
		json__add_bytes(object, "build_id", identity->build_id, identity->build_id_size);
		json__add_bytes(object, "cookie", identity->cookie, identity->cookie_size);
		json__add_text(object, "kind", cache__kind_name(result->kind));
		json__add_bool(object, "had", result->had);
		json__add_bool(object, "collision", result->collision);
		if (same >= 0)
			json__add_bool(object, "same_code", same);
		json__write_line(object, stdout);
	} else if (result->collision) {
		text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
		cli__fail("%s: the cache has other content with the build-id %s%s: both are kept; "
			  "this one is stored by its cookie, where perf does not look",
			name, hex,
			same < 0 ? ""
			: same   ? ", and the same code, as a stripped copy has"
				 : ", and other code: it is another program");
	}
}

static int add_vdso(struct cache_command *command, struct error *err)
{
	struct add_result result;
	size_t size;
	void *image;
	int code;

	code = completion__map_vdso(&image, &size);
	if (code)
		return error__errno(err, code, "[vdso]");
	code = add__vdso(command->cache, image, size, &result, err);
	if (!code)
		show_added(command, "[vdso]", -1, &result);
	free(image);
	return code;
}

static int add_kernel(struct cache_command *command, struct error *err)
{
	struct capture_counts counts;
	int code = capture__kernel(cache__dir(command->cache), true, &counts, err);

	if (!code && counts.failed)
		return error__set(err, -EIO, "the symbols of %zu modules were not added: %s",
			counts.failed, counts.why.text);
	return code;
}

static int add_path(struct cache_command *command, const char *path, struct error *err)
{
	struct add_result result;
	char *name;
	int fd, code;

	fd = regular__open(path);
	if (fd < 0)
		return error__errno(err, fd, "%s", path);
	name = realpath(path, NULL);
	if (!name) {
		code = error__errno(err, -errno, "%s", path);
	} else {
		code = add__file(command->cache, fd, name, &result, err);
		if (!code)
			show_added(command, name, fd, &result);
	}
	free(name);
	close(fd);
	return code;
}

int cache_command__add(struct cache_command *command)
{
	int status = CLI_DONE;

	for (size_t i = 0; i < command->n_args; i++) {
		const char *what = command->args[i];
		struct error err;
		int code;

		if (!strcmp(what, STORE_KERNEL))
			code = add_kernel(command, &err);
		else if (!strcmp(what, STORE_KCORE))
			code = capture__kcore(cache__dir(command->cache), &err);
		else if (!strcmp(what, "[vdso]"))
			code = add_vdso(command, &err);
		else
			code = add_path(command, what, &err);
		if (code == -ESTALE)
			status = cli__fail("%s: it changed while it was copied", what);
		else if (code)
			status = cli__fail("%s", err.text);
	}
	return status;
}

/* The fields of an entry that are needed here. Whole entries are large, and there may be many. */
struct choice {
	char hex[STORE_HEX_MAX];
	bool cookie;
	char *dir;
	uint64_t bytes;
};

/* Entries that are removed after the cache was listed. */
struct chosen {
	struct choice *v;
	size_t n, room;
	const char *what; /* an id or a name */
};

static int choose(void *ctx, const struct cache_entry *entry)
{
	struct chosen *chosen = ctx;

	if (!cache_command__is_asked(entry, chosen->what))
		return 0;
	if (array__reserve(&chosen->v, &chosen->room, chosen->n + 1, sizeof(*chosen->v)))
		return -ENOMEM;
	chosen->v[chosen->n] = (struct choice){
		.cookie = entry->cookie, .dir = strdup(entry->dir), .bytes = entry->bytes};
	memcpy(chosen->v[chosen->n].hex, entry->hex, sizeof(entry->hex));
	return chosen->v[chosen->n++].dir ? 0 : -ENOMEM;
}

static void free_chosen(struct chosen *chosen)
{
	for (size_t i = 0; i < chosen->n; i++)
		free(chosen->v[i].dir);
	free(chosen->v);
}

static void show_removed(const struct cache_entry *entry)
{
	struct json_object *object = json_object_new_object();

	json__add_text(object, "build_id", entry->cookie ? NULL : entry->hex);
	json__add_text(object, "cookie", entry->cookie ? entry->hex : NULL);
	json__add_number(object, "bytes", entry->bytes);
	json__write_line(object, stdout);
}

static int remove_one(struct cache_command *command, const struct choice *choice)
{
	struct cache_entry entry;
	struct error err;

	memcpy(entry.hex, choice->hex, sizeof(entry.hex));
	entry.cookie = choice->cookie;
	entry.bytes = choice->bytes;
	snprintf(entry.dir, sizeof(entry.dir), "%s", choice->dir);
	if (cache__remove(command->cache, &entry, &err))
		return cli__fail("%s", err.text);
	if (command->json)
		show_removed(&entry);
	return CLI_DONE;
}

int cache_command__remove(struct cache_command *command)
{
	int status = CLI_DONE;

	for (size_t i = 0; i < command->n_args; i++) {
		struct chosen chosen = {.what = command->args[i]};
		int code = cache__for_each(command->cache, choose, &chosen, NULL);

		if (code)
			status = cli__fail("%s: %s", cache__dir(command->cache), strerror(-code));
		else if (!chosen.n)
			status = cli__fail(
				"%s: not in %s", chosen.what, cache__dir(command->cache));
		for (size_t k = 0; !code && k < chosen.n; k++)
			if (remove_one(command, &chosen.v[k]) != CLI_DONE)
				status = CLI_FAILED;
		free_chosen(&chosen);
	}
	return status;
}

struct verification {
	struct cache_command *command;
	uint64_t files, bad, unreadable;
	uint64_t done, entries;
};

static void show_bad(const struct verification *verification, const struct cache_entry *entry,
	enum cache_kind kind, const struct error *why)
{
	struct json_object *object;

	progress_bar__hide();
	if (!verification->command->json) {
		printf("%s\n", why->text);
		return;
	}
	object = json_object_new_object();
	json__add_text(object, "id", entry->hex);
	json__add_text(object, "path", entry->name);
	json__add_text(object, "kind", cache__kind_name(kind));
	json__add_text(object, "why", why->text);
	json__write_line(object, stdout);
}

/*
 * perf adds to probe definitions in place. Definitions that were changed and are still valid are
 * kept, but not used.
 */
static int verify_probes(
	struct verification *verification, const struct cache_entry *entry, struct error *ret_why)
{
	bool changed = false;
	struct buffer text;
	int code;

	buffer__init(&text, PROBES_MAX);
	code = probes__read(verification->command->cache, entry, &text, &changed, ret_why);
	buffer__free(&text);
	if (code || !changed)
		return code;
	verification->unreadable++;
	cli__fail("%s/%s/probes: it has changed since it was added: perf modified it, or it is "
		  "damaged; `perfstamp cache probe add --force' accepts it",
		cache__dir(verification->command->cache), entry->dir);
	return 0;
}

static int count_entry(void *ctx, const struct cache_entry *entry)
{
	struct verification *verification = ctx;

	(void)entry;
	verification->entries++;
	return 0;
}

static int verify_entry(void *ctx, const struct cache_entry *entry)
{
	struct verification *verification = ctx;
	struct cache *cache = verification->command->cache;

	progress_bar__detail(entry->dir);
	progress_bar__set(verification->done++, verification->entries);

	for (int kind = 0; kind < CACHE_N_KINDS; kind++) {
		struct error why, err;
		int code;

		if (!entry->there[kind])
			continue;
		verification->files++;
		code = kind == CACHE_PROBES ? verify_probes(verification, entry, &why)
					    : cache__verify(cache, entry, kind, &why);
		/* Another process has removed it. */
		if (!code || code == -ENOENT)
			continue;
		if (code != -EBADMSG) {
			verification->unreadable++;
			cli__fail("%s", why.text);
			continue;
		}
		verification->bad++;
		show_bad(verification, entry, kind, &why);
		if (cache__quarantine(cache, entry, kind, &err)) {
			verification->unreadable++;
			cli__fail("%s", err.text);
		}
	}
	return 0;
}

int cache_command__verify(struct cache_command *command)
{
	struct verification verification = {.command = command};
	uint64_t foreign = 0;
	int code, swept;

	swept = cache__sweep(command->cache);
	code = cache__for_each(command->cache, count_entry, &verification, NULL);
	progress_bar__begin(PROGRESS_ITEMS, "verifying", NULL);
	if (!code)
		code = cache__for_each(command->cache, verify_entry, &verification, &foreign);
	progress_bar__end();
	if (code)
		return cli__fail("%s: %s", cache__dir(command->cache), strerror(-code));
	if (swept < 0)
		cli__fail("%s: cannot remove leftover files: %s", cache__dir(command->cache),
			strerror(-swept));
	if (!command->json)
		printf("%" PRIu64 " file%s verified, %" PRIu64 " quarantined, %" PRIu64
		       " names that lead nowhere or out of the cache, %d leftovers removed\n",
			verification.files, verification.files == 1 ? "" : "s", verification.bad,
			foreign, swept < 0 ? 0 : swept);
	return verification.bad || verification.unreadable ? CLI_FAILED : CLI_DONE;
}

static void show_trimmed(void *ctx, const struct cache_entry *entry)
{
	const struct cache_command *command = ctx;

	if (command->json)
		show_removed(entry);
}

int cache_command__trim(struct cache_command *command)
{
	const struct trim_options options = {
		.bounded = command->bounded,
		.size = command->size,
		.oldest_s = command->age_s ? time(NULL) - (int64_t)command->age_s : INT64_MIN,
		.removed = show_trimmed,
		.ctx = command,
	};
	struct trim_result result;
	struct error err;
	uint64_t freed;

	cache__sweep(command->cache);
	/* Quarantined entries are removed first. */
	freed = cache__empty_quarantine(command->cache);
	if (cache__trim(command->cache, &options, &result, &err))
		return cli__fail("%s", err.text);
	if (!command->json)
		printf("%zu entries removed, %zu left; %" PRIu64 " bytes freed, %" PRIu64 " left\n",
			result.removed, result.left, freed + result.bytes_removed,
			result.bytes_left);
	return CLI_DONE;
}
