// SPDX-License-Identifier: GPL-2.0-only
/* See check.h. */
#include "user/store/cache/check.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/parse/kernel/kallsyms.h"
#include "user/store/files/digest.h"
#include "user/store/files/store.h"

static int count_symbol(void *ctx, const struct kallsyms_symbol *symbol)
{
	(void)symbol;
	++*(uint64_t *)ctx;
	return 0;
}

/* A copy of /proc/kallsyms contains no identity to compare, but it must contain symbols. */
static int check_kallsyms(int fd, struct error *why)
{
	struct kallsyms kallsyms;
	uint64_t offset = 0, n_symbols = 0;
	char bytes[4096];
	ssize_t n;

	kallsyms__init(&kallsyms);
	while ((n = pread(fd, bytes, sizeof(bytes), offset)) > 0) {
		kallsyms__feed(&kallsyms, bytes, n, count_symbol, &n_symbols);
		offset += n;
	}
	if (n < 0)
		return -errno;
	return n_symbols ? 0 : error__set(why, -EBADMSG, "it has no symbols");
}

int content__check(int fd, const char *wanted, bool cookie, enum cache_kind kind, struct error *why)
{
	struct perfstamp_identity identity;
	char hex[STORE_HEX_MAX];
	int code;

	if (kind == CACHE_KALLSYMS)
		return check_kallsyms(fd, why);
	if (kind == CACHE_KCORE || kind == CACHE_PROBES)
		return 0;
	code = digest__identity(fd, &identity);
	if (code)
		return code;
	text__hex(hex, sizeof(hex), cookie ? identity.cookie : identity.build_id,
		cookie ? identity.cookie_size : identity.build_id_size);
	if (!strcmp(hex, wanted))
		return 0;
	return error__set(
		why, -EBADMSG, "its %s is %s", cookie ? "cookie" : "build-id", *hex ? hex : "none");
}
