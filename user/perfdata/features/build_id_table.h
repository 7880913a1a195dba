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
	uint8_t size; /* bytes of it, at most 20 */
	bool kernel;
};

/*
 * Calls @fn for each entry of @bytes (a record of type HEADER_BUILD_ID is an entry too);
 * pointers are into @bytes. Stops where @fn returns non-zero, and returns that; 0 at the
 * end, -EBADMSG if the bytes are contradictory.
 */
int build_id_table__parse(const void *bytes, size_t size, bool swap,
	int (*fn)(const struct build_id_entry *entry, void *ctx), void *ctx);
/* Whether that gives entries, and nothing is contradictory. */
bool build_id_table__is_entry(const void *bytes, size_t size, bool swap);

#endif
