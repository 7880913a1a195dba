/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BUILD_ID feature: build-ids by path, which perf reads from the files when
 * recording ends. Pure: bytes in, entries out.
 */
#ifndef PERFSTAMP_PERFDATA_BUILD_ID_TABLE_H
#define PERFSTAMP_PERFDATA_BUILD_ID_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct build_id_entry {
	const char *path;
	const uint8_t *build_id;
	uint8_t size; /* bytes of the build-id, at most 20 */
	bool kernel;
};

/*
 * Calls @fn for each entry of @bytes; a HEADER_BUILD_ID record is an entry as well. Pointers point
 * into @bytes. A non-zero result of @fn ends the loop, and is returned. Returns 0 at the end, or
 * -EBADMSG if the bytes are contradictory.
 */
int build_id_table__parse(const void *bytes, size_t size, bool swap,
	int (*fn)(const struct build_id_entry *entry, void *ctx), void *ctx);
/* Whether @bytes are entries without any contradiction. */
bool build_id_table__is_entry(const void *bytes, size_t size, bool swap);

#endif
