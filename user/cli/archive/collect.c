// SPDX-License-Identifier: GPL-2.0-only
/* See archive_collect() in archive.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/cli/archive/archive.h"
#include "user/cli/cli.h"
#include "user/io/regular.h"
#include "user/record/kernel/capture_symbols.h"
#include "user/source/content/completion.h"
#include "user/store/bundle/embedded.h"
#include "user/store/cache/add.h"
#include "user/symbols/lookup.h"

static void note(void *ctx, const char *text)
{
	(void)ctx;
	cli__fail("%s", text);
}

void archive_collection__free(struct archive_collection *collection)
{
	bundle_plan__free(collection->plan);
	cache__free(collection->cache);
	cache__free(collection->embedded);
	cache__free(collection->kernel);
	embedded__remove(collection->embedded_dir);
	embedded__remove(collection->kernel_dir);
}

/* Adds the files of @cache for @need. Returns 1 if the need is met, 0 if not, or -errno. */
static int take_from(struct archive_collection *collection, struct cache *cache,
	const struct need *need, struct error *err)
{
	struct error why = {0};
	struct cache_entry entry;
	unsigned int files;
	int code;

	if (!cache || lookup__find(cache, &need->identity, need->n_contents > 1, &entry))
		return 0;
	code = bundle_plan__add_entry(collection->plan, cache, &entry, &files, &why);
	if (code) {
		*err = why;
		return code;
	}
	if (why.text[0])
		cli__fail("%s", why.text);
	/* No file is added if an earlier need with another cookie has added the same one. */
	return files ||
	       (!entry.cookie && bundle_plan__has(collection->plan, need->identity.build_id,
					 need->identity.build_id_size));
}

static int take_path(
	struct archive_collection *collection, const struct need *need, struct error *err)
{
	bool shared = need->n_contents > 1, by_cookie = !need->identity.build_id_size;
	int fd = *need->path == '/' ? regular__open(need->path) : -1, code = 0;

	if (fd < 0)
		return 0;
	if (lookup__is(fd, &need->identity, shared)) {
		/* perf stores one content for each build-id. */
		if (!by_cookie && bundle_plan__has(collection->plan, need->identity.build_id,
					  need->identity.build_id_size))
			by_cookie = true;
		if (!by_cookie || need->identity.cookie_size)
			code = bundle_plan__add_file(
				collection->plan, fd, need->path, &need->identity, by_cookie, err);
		else
			code = -ENOENT;
		code = code == -ENOENT || code == -EINVAL ? 0 : code ? code : 1;
	}
	close(fd);
	return code;
}

/* Stores the running kernel's symbols, the files of its modules, and the vDSO. */
static void capture_kernel(struct archive_collection *collection)
{
	struct capture_counts counts;
	struct add_result result;
	struct error why;
	size_t size;
	void *image;

	collection->kernel_tried = true;
	if (embedded__make_directory(&collection->kernel_dir, &why) ||
		cache__open(&collection->kernel, collection->kernel_dir, true, &why)) {
		cli__fail("cannot add the kernel's symbols: %s", why.text);
		return;
	}
	if (capture__kernel(collection->kernel_dir, true, &counts, &why))
		cli__fail("cannot read the running kernel's symbols: %s", why.text);
	if (!completion__map_vdso(&image, &size)) {
		add__vdso(collection->kernel, image, size, &result, &why);
		free(image);
	}
}

/* This includes modules: they belong to the running kernel if their build-ids do. */
static int take_kernel(
	struct archive_collection *collection, const struct need *need, struct error *err)
{
	if (!need->kernel && strncmp(need->path, "[vdso", 5) != 0)
		return 0;
	if (!collection->kernel_tried)
		capture_kernel(collection);
	return take_from(collection, collection->kernel, need, err);
}

static void report_lacking(const struct need *need)
{
	const struct perfstamp_identity *identity = &need->identity;
	char hex[STORE_HEX_MAX], path[4 * PERFSTAMP_PATH_MAX];
	bool cookie = !identity->build_id_size;

	text__hex(hex, sizeof(hex), cookie ? identity->cookie : identity->build_id,
		cookie ? identity->cookie_size : identity->build_id_size);
	text__escape(path, sizeof(path), need->path);
	cli__fail("missing: %s%s %s (%" PRIu64 " sample%s)", cookie ? "cookie:" : "", hex, path,
		need->samples, need->samples == 1 ? "" : "s");
}

static int take(struct archive_collection *collection, const struct need *need, struct error *err)
{
	int taken = take_from(collection, collection->cache, need, err);

	if (!taken)
		taken = take_from(collection, collection->embedded, need, err);
	if (!taken)
		taken = take_path(collection, need, err);
	if (!taken)
		taken = take_kernel(collection, need, err);
	if (taken < 0)
		return taken;
	collection->needed++;
	collection->taken += taken;
	if (!taken)
		report_lacking(need);
	return 0;
}

static int open_stores(struct archive_collection *collection, struct error *err)
{
	int code = cache__open(&collection->cache, collection->store, false, err);

	if (code && code != -ENOENT)
		return code;
	code = embedded__unpack(&collection->embedded_dir, collection->recording, note, NULL, err);
	/* The bundle is damaged: use the other sources. */
	if (code == -EBADMSG)
		cli__fail("%s", err->text);
	if (!code)
		code = cache__open(&collection->embedded, collection->embedded_dir, false, err);
	return code == -ENOMEM ? code : 0;
}

static int collect(struct archive_collection *collection, struct input *input, struct error *err)
{
	struct needs needs = {0};
	int code;

	if (collection->embed &&
		(input->pipe || input->directory || input->unfinished || input->damaged))
		return error__set(err, -EINVAL,
			"%s: only a complete recording in a file can contain a bundle%s",
			collection->recording,
			input->pipe        ? ": this one is in pipe format"
			: input->directory ? ": this one is a directory; `perfstamp check "
					     "--repair' converts it to one file"
					   : ": `perfstamp check --repair' makes a complete one of "
					     "the readable part");
	code = bundle_plan__new(&collection->plan);
	if (!code)
		code = needs__collect(&needs, input, collection->all, NULL, NULL);
	if (code)
		error__set(err, code, "out of memory");
	else
		code = open_stores(collection, err);
	for (size_t i = 0; !code && i < needs.n; i++)
		code = take(collection, &needs.v[i], err);
	if (!code && needs.unidentified)
		cli__fail("%zu mapped files with samples have no identity and are not bundled: "
			  "`perfstamp check' shows why",
			needs.unidentified);
	if (!code && input->damaged) {
		cli__fail("%s", input->damage.text);
		collection->damaged = true;
	}
	needs__free(&needs);
	return code;
}

int archive_collect(struct archive_collection *collection)
{
	struct input input;
	struct error err;
	int code;

	code = input__read_chains(&input, collection->recording, &err);
	if (!code)
		code = collect(collection, &input, &err);
	input__free(&input);
	return code ? cli__fail("%s", err.text) : CLI_DONE;
}
