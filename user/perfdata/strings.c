// SPDX-License-Identifier: GPL-2.0-only
/*
 * Feature strings, see strings.h and do_write_string() in
 * tools/perf/util/header.c of Linux.
 */
#include "user/perfdata/strings.h"

#include <string.h>

#include "user/perfdata/layout.h"

int strings__put_bytes(struct buffer *out, const void *text, size_t len)
{
	size_t start = out->size + sizeof(uint32_t);
	size_t padded = (len + PERFDATA_STRING_ALIGN) & ~(size_t)(PERFDATA_STRING_ALIGN - 1);

	buffer__u32(out, padded);
	buffer__append(out, text, len);
	buffer__u8(out, 0);
	return buffer__align(out, start, PERFDATA_STRING_ALIGN);
}

int strings__put(struct buffer *out, const char *s)
{
	return strings__put_bytes(out, s, strlen(s));
}

const char *strings__get(struct cursor *in)
{
	uint32_t size = cursor__u32(in);
	const char *s = cursor__bytes(in, size);

	if (!s || !memchr(s, 0, size)) {
		in->failed = true;
		return NULL;
	}
	return s;
}

int strings__put_list(struct buffer *out, const char *const *list, uint32_t n)
{
	buffer__u32(out, n);
	for (uint32_t i = 0; i < n; i++)
		strings__put(out, list[i]);
	return out->error;
}
