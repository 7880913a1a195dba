// SPDX-License-Identifier: GPL-2.0-only
/* See vmlinux.h. Only reads files, and only trusts their notes. */
#include "user/source/kernel/vmlinux.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/source/content/elf_file.h"

#define HEX_MAX (2 * ELF_BUILD_ID_MAX + 1)

int vmlinux__check(const char *path, const uint8_t *build_id, size_t size, struct error *err)
{
	char has[HEX_MAX] = "no build-id", wanted[HEX_MAX];
	uint8_t id[ELF_BUILD_ID_MAX];
	int n = elf_file__build_id(path, id);

	if (n == -ENOEXEC)
		return error__set(err, -EBADMSG, "%s is not ELF", path);
	if (n < 0 && n != -ENODATA && n != -EBADMSG && n != -E2BIG)
		return error__errno(err, n, "%s", path);
	if (n > 0 && (size_t)n == size && !memcmp(id, build_id, size))
		return 0;
	if (n > 0)
		text__hex(has, sizeof(has), id, n);
	text__hex(wanted, sizeof(wanted), build_id, size);
	return error__set(err, -EBADMSG,
		"%s belongs to another kernel: it has %s, the running kernel has %s", path, has,
		wanted);
}

static int make_path(char **ret, const char *root, const char *store, size_t i, const char *release,
	const char *hex)
{
	/*
	 * %1$s is the root, %2$s the release. Paths by build-id follow, as gdb and perf use them.
	 */
	static const char *const PLACES[] = {
		"%s/usr/lib/debug/boot/vmlinux-%s",
		"%s/usr/lib/debug/lib/modules/%s/vmlinux",
		"%s/usr/lib/debug/usr/lib/modules/%s/vmlinux",
		"%s/lib/modules/%s/build/vmlinux",
		"%s/lib/modules/%s/vmlinux",
		"%s/boot/vmlinux-%s",
	};
	size_t n = sizeof(PLACES) / sizeof(*PLACES);

	if (i < n)
		return asprintf(ret, PLACES[i], root, release) < 0 ? -ENOMEM : 1;
	if (i == n)
		return asprintf(ret, "%s/usr/lib/debug/.build-id/%.2s/%s.debug", root, hex,
			       hex + 2) < 0
			       ? -ENOMEM
			       : 1;
	if (i == n + 1 && store)
		return asprintf(ret, "%s/.build-id/%.2s/%s/elf", store, hex, hex + 2) < 0 ? -ENOMEM
											  : 1;
	return 0;
}

int vmlinux__find(char **ret, const char *root, const char *store, const char *release,
	const uint8_t *build_id, size_t size, struct error *err)
{
	char hex[HEX_MAX], *path;
	struct error others = {0}, why;
	int more, code;

	text__hex(hex, sizeof(hex), build_id, size);
	for (size_t i = 0; (more = make_path(&path, root, store, i, release, hex)) > 0; i++) {
		code = vmlinux__check(path, build_id, size, &why);
		if (!code) {
			*ret = path;
			return 0;
		}
		/* The first file that exists and is wrong is reported. */
		if (code != -ENOENT && code != -ENOTDIR && !others.text[0])
			others = why;
		free(path);
	}
	if (more < 0)
		return error__set(err, more, "out of memory");
	if (others.text[0])
		return error__set(err, -EBADMSG, "%s", others.text);
	return error__set(err, -ENOENT,
		"none is installed: install the distribution's package of kernel debug symbols");
}
