// SPDX-License-Identifier: GPL-2.0-only
/* See add.h. */
#include "user/store/cache/add.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "user/io/whole.h"
#include "user/parse/elf/build_id.h"
#include "user/store/cache/cache.h"
#include "user/store/cache/origin.h"
#include "user/store/cache/private.h"
#include "user/store/files/copy.h"
#include "user/store/files/digest.h"
#include "user/store/files/inside.h"

struct content {
	int fd;
	const struct perfstamp_identity *identity;
};

/*
 * Copies the content, and takes the identity of the copy: the file may have changed since its
 * identity was read.
 */
static int write_copy(int fd, void *ctx)
{
	const struct content *content = ctx;
	struct perfstamp_identity identity;
	int code = copy__file(content->fd, fd);

	if (!code)
		code = digest__identity(fd, &identity);
	if (!code && !digest__is_same(&identity, content->identity))
		code = -ESTALE;
	return code;
}

/* Whether @fd has debug information and no bytes of code, as after `objcopy --only-keep-debug'. */
static bool is_debug_file(int fd)
{
	Elf *elf = elf_version(EV_CURRENT) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	bool info = false, code = false;
	Elf_Scn *section = NULL;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	size_t names;

	/* If e_shnum is 0, the number of sections is in section 0, where it may be any number. */
	if (elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &ehdr) &&
		elf_getshdrstrndx(elf, &names) == 0 && ehdr.e_shnum)
		while ((section = elf_nextscn(elf, section)) && gelf_getshdr(section, &shdr)) {
			const char *name = elf_strptr(elf, names, shdr.sh_name);

			if (name && (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
				info = true;
			if (shdr.sh_type == SHT_PROGBITS && shdr.sh_flags & SHF_EXECINSTR)
				code = true;
		}
	elf_end(elf);
	return info && !code;
}

/* Whether the store has other content with this build-id. @ret_same: it has this content. */
static bool has_other(
	struct cache *cache, const struct content *content, enum cache_kind kind, bool *ret_same)
{
	const struct perfstamp_identity *identity = content->identity;
	struct perfstamp_identity there;
	struct cache_entry entry;
	int fd;

	*ret_same = false;
	if (cache__find(cache, identity->build_id, identity->build_id_size, false, &entry))
		return false;
	/* A damaged file is treated as missing, and is replaced. */
	fd = cache__open_file(cache, &entry, kind, true, NULL);
	if (fd < 0)
		return false;
	*ret_same = !digest__identity(fd, &there) && digest__is_same(&there, identity);
	close(fd);
	if (*ret_same)
		cache__touch(cache, &entry);
	return !*ret_same;
}

static int add_by_cookie(struct cache *cache, struct content *content, const char *name,
	struct add_result *ret, struct error *err)
{
	const struct perfstamp_identity *identity = content->identity;
	struct cache_entry entry;
	int fd = -1, code;

	ret->cookie = true;
	if (!cache__find(cache, identity->cookie, identity->cookie_size, true, &entry))
		fd = cache__open_file(cache, &entry, CACHE_ELF, true, NULL);
	if (fd >= 0) {
		close(fd);
		cache__touch(cache, &entry);
		ret->had = true;
		return 0;
	}
	code = store__put_cookie(cache->dir, identity->cookie, identity->cookie_size, CACHE_ORIGIN,
		0644, origin__write, (void *)name, err);
	if (!code)
		code = store__put_cookie(cache->dir, identity->cookie, identity->cookie_size, "elf",
			0644, write_copy, content, err);
	return code;
}

int add__file(
	struct cache *cache, int fd, const char *name, struct add_result *ret, struct error *err)
{
	struct content content = {.fd = fd, .identity = &ret->identity};
	int code;

	memset(ret, 0, sizeof(*ret));
	code = digest__identity(fd, &ret->identity);
	if (code)
		return error__errno(err, code, "%s", name);
	if (!ret->identity.build_id_size)
		return add_by_cookie(cache, &content, name, ret, err);
	if (is_debug_file(fd))
		ret->kind = CACHE_DEBUG;
	ret->collision = has_other(cache, &content, ret->kind, &ret->had);
	if (ret->had)
		return 0;
	if (ret->collision && ret->kind == CACHE_ELF)
		return add_by_cookie(cache, &content, name, ret, err);
	return store__put(cache->dir, name, ret->identity.build_id, ret->identity.build_id_size,
		cache__kind_name(ret->kind), 0644, write_copy, &content, err);
}

struct image {
	const void *bytes;
	size_t size;
};

static int write_image(int fd, void *ctx)
{
	const struct image *image = ctx;

	return whole__write(fd, image->bytes, image->size);
}

int add__vdso(struct cache *cache, const void *bytes, size_t size, struct add_result *ret,
	struct error *err)
{
	struct image image = {.bytes = bytes, .size = size};
	int n;

	memset(ret, 0, sizeof(*ret));
	ret->kind = CACHE_VDSO;
	n = elf_build_id__of(bytes, size, ret->identity.build_id);
	if (n <= 0)
		return error__set(err, -ENODATA, "the vDSO has no build-id");
	ret->identity.build_id_size = n;
	if (store__has(cache->dir, ret->identity.build_id, n, "vdso")) {
		ret->had = true;
		return 0;
	}
	return store__put(cache->dir, "[vdso]", ret->identity.build_id, n, "vdso", 0644,
		write_image, &image, err);
}
