// SPDX-License-Identifier: GPL-2.0-only
/* See libpq.h. */
#include "user/push/libpq.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#define LIBRARY "libpq.so.5"

int libpq__open(struct libpq *ret, struct error *err)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	bool whole = true;

	if (!library)
		return error__set(err, -ENOENT,
			LIBRARY " could not be opened: install libpq5 (Debian) or libpq (Fedora)");
	ret->library = library;
#define LIBPQ_LOAD(name)                                                                           \
	ret->name = (__typeof__(ret->name))dlsym(library, #name);                                  \
	whole = whole && ret->name;
	LIBPQ_FUNCTIONS(LIBPQ_LOAD)
#undef LIBPQ_LOAD
	return whole ? 0
		     : error__set(err, -ENOENT, LIBRARY " lacks functions: install a newer one");
}
