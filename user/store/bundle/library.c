// SPDX-License-Identifier: GPL-2.0-only
/* See library.h. */
#include "user/store/bundle/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#define LIBRARY "libarchive.so.13" /* of version 3 of libarchive */

static bool load(struct bundle_library *library)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return false;
#define LOAD(name)                                                                                 \
	library->name = (__typeof__(library->name))dlsym(handle, #name);                           \
	if (!library->name)                                                                        \
		goto missing;
	BUNDLE_LIBRARY_FUNCTIONS(LOAD)
#undef LOAD
	return true;
missing:
	dlclose(handle);
	return false;
}

int bundle_library__load(const struct bundle_library **ret, struct error *err)
{
	static struct bundle_library library;
	static bool loaded;
	const char *why;

	*ret = &library;
	if (!loaded)
		loaded = load(&library);
	if (loaded)
		return 0;
	why = dlerror();
	return error__set(err, -ELIBACC,
		"bundles need " LIBRARY " (Debian's package libarchive13): %s",
		why ? why : "it lacks functions that perfstamp needs");
}
