// SPDX-License-Identifier: GPL-2.0-only
/* See lookup.h. */
#include "user/symbols/lookup.h"

#include <errno.h>
#include <unistd.h>

#include "user/event/identity.h"
#include "user/store/files/digest.h"
#include "user/store/files/inside.h"
#include "user/store/files/sums.h"

bool lookup__is(int fd, const struct perfstamp_identity *identity, bool shared)
{
	struct perfstamp_identity found;

	if (digest__identity(fd, &found) || !identity__same_build_id(&found, identity))
		return false;
	if (identity->build_id_size && !shared)
		return true;
	return identity->cookie_size && identity__same_cookie(&found, identity);
}

/* Whether the ELF file of @entry is the content with this cookie. */
static bool has_cookie(struct cache *cache, const struct cache_entry *entry,
	const struct perfstamp_identity *identity)
{
	struct error ignored;
	int fd = cache__open_file(cache, entry, CACHE_ELF, false, &ignored);
	bool same = fd >= 0 && lookup__is(fd, identity, true);

	if (fd >= 0)
		close(fd);
	return same;
}

/* Not if it only has the definitions of probes, or a kcore without symbols. */
static bool has_content(const struct cache_entry *entry)
{
	return entry->there[CACHE_ELF] || entry->there[CACHE_DEBUG] || entry->there[CACHE_VDSO] ||
	       entry->there[CACHE_KALLSYMS];
}

int lookup__find(struct cache *cache, const struct perfstamp_identity *identity, bool shared,
	struct cache_entry *ret)
{
	int code = -ENOENT;

	if (identity->cookie_size)
		code = cache__find(cache, identity->cookie, identity->cookie_size, true, ret);
	if (!code && ret->there[CACHE_ELF])
		return 0;
	code = cache__find(cache, identity->build_id, identity->build_id_size, false, ret);
	if (code)
		return code == -EXDEV ? -ENOENT : code;
	if (!has_content(ret))
		return -ENOENT;
	return shared && !has_cookie(cache, ret, identity) ? -ENOENT : 0;
}

int lookup__directory(const char *store, const char *hex, char *ret, size_t size)
{
	int root = store__open(store, false, NULL), code;

	if (root < 0)
		return root;
	code = store__resolve(root, hex, ret, size);
	close(root);
	return code;
}

bool lookup__undamaged(const char *store, const char *dir, const char *name)
{
	int root = store__open(store, false, NULL), at, fd, code = -ENOENT;

	if (root < 0)
		return false;
	at = inside__directory(root, dir, false);
	close(root);
	if (at < 0)
		return false;
	fd = inside__file(at, name);
	if (fd >= 0) {
		code = sums__check(at, name, fd);
		close(fd);
	}
	close(at);
	return !code || code == -ENODATA;
}
