// SPDX-License-Identifier: GPL-2.0-only
/* See libcurl.h. */
#include "user/push/libcurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

int libcurl__open(struct libcurl *ret, struct error *err)
{
	/* The first is Debian's build with GnuTLS, the second that of other distributions. */
	static const char *const LIBRARIES[] = {"libcurl-gnutls.so.4", "libcurl.so.4"};
	void *library = NULL;
	bool whole = true;

	for (size_t i = 0; i < sizeof(LIBRARIES) / sizeof(LIBRARIES[0]) && !library; i++)
		library = dlopen(LIBRARIES[i], RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return error__set(err, -ENOENT,
			"libcurl could not be opened: install libcurl3-gnutls (Debian 12), "
			"libcurl3t64-gnutls (Debian 13) or libcurl (Fedora)");
	ret->library = library;
#define LIBCURL_LOAD(name)                                                                         \
	ret->name = (__typeof__(ret->name))dlsym(library, #name);                                  \
	whole = whole && ret->name;
	LIBCURL_FUNCTIONS(LIBCURL_LOAD)
#undef LIBCURL_LOAD
	if (!whole || !ret->curl_global_init || ret->curl_global_init(CURL_GLOBAL_DEFAULT))
		return error__set(err, -ENOENT, "libcurl cannot be used: install a newer one");
	return 0;
}
