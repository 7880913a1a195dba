/* SPDX-License-Identifier: GPL-2.0-only */
/* libcurl, which is loaded when it is needed, for the same reasons as libpq (libpq.h). */
#ifndef PERFSTAMP_PUSH_LIBCURL_H
#define PERFSTAMP_PUSH_LIBCURL_H

/* The macros that check types do not work with pointers to functions. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo

#include "user/base/error.h"

#define LIBCURL_FUNCTIONS(F)                                                                       \
	F(curl_easy_cleanup)                                                                       \
	F(curl_easy_getinfo)                                                                       \
	F(curl_easy_init)                                                                          \
	F(curl_easy_perform)                                                                       \
	F(curl_easy_reset)                                                                         \
	F(curl_easy_setopt)                                                                        \
	F(curl_easy_strerror)                                                                      \
	F(curl_global_init)                                                                        \
	F(curl_slist_append)                                                                       \
	F(curl_slist_free_all)

/* Each member has the name of its function. */
struct libcurl {
	void *library;
#define LIBCURL_MEMBER(name) __typeof__(name) *name;
	LIBCURL_FUNCTIONS(LIBCURL_MEMBER)
#undef LIBCURL_MEMBER
};

/* Returns 0, or -ENOENT with text if the library is not installed or too old. It stays loaded. */
int libcurl__open(struct libcurl *ret, struct error *err);

#endif
