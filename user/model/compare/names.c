// SPDX-License-Identifier: GPL-2.0-only
/* compare_names: see names.h. GCC (-fipa-*) and LLVM (ThinLTO) add these suffixes. */
#include "user/model/compare/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const SUFFIXES[] = {
	".part", ".cold", ".constprop", ".isra", ".lto_priv", ".llvm", ".localalias", ".ipa"};

/*
 * Whether @name ends in @suffix or in @suffix and numbers. *@ret_len is set to the length without
 * it.
 */
static bool ends_in(const char *name, size_t len, const char *suffix, size_t *ret_len)
{
	size_t size = strlen(suffix);

	for (size_t at = len; at > 0; at--) {
		if (at >= size && !strncmp(name + at - size, suffix, size) && at > size) {
			*ret_len = at - size;
			return true;
		}
		if (!isdigit((unsigned char)name[at - 1]) && name[at - 1] != '.')
			break;
	}
	return false;
}

void compare_names__function(char *ret, size_t size, const char *name)
{
	const char *clone = strstr(name, " [clone ."), *version = strchr(name, '@');
	size_t len = clone ? (size_t)(clone - name) : strlen(name);
	bool again = true;

	if (version && version > name && strcmp(version, "@plt") != 0 && !clone)
		len = version - name;
	while (again) {
		again = false;
		for (size_t i = 0; i < sizeof(SUFFIXES) / sizeof(*SUFFIXES) && !again; i++)
			again = ends_in(name, len, SUFFIXES[i], &len);
	}
	snprintf(ret, size, "%.*s", (int)(len < size ? len : size - 1), name);
}

void compare_names__dso(char *ret, size_t size, const char *name)
{
	const char *so = strstr(name, ".so");
	size_t len;

	if (*name == '[' || !so || (so[3] && so[3] != '.')) {
		snprintf(ret, size, "%s", name);
		return;
	}
	len = so - name;
	/* Remove "-1.2", but not "-x86-64". */
	for (size_t at = len; at > 1; at--) {
		if (name[at - 1] == '-' && at < len && strncmp(name + at, "64.so", 5) != 0) {
			len = at - 1;
			break;
		}
		if (!isdigit((unsigned char)name[at - 1]) && name[at - 1] != '.')
			break;
	}
	snprintf(ret, size, "%.*s.so", (int)(len < size - 4 ? len : size - 4), name);
}
