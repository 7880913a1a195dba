// SPDX-License-Identifier: GPL-2.0-only
/* See recognize.h. */
#include "user/record/files/recognize.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "user/perfdata/layout.h"
#include "user/perfdata/read/reader.h"
#include "user/perfdata/features/stamp.h"

/* Modules and mappings come first: if none has our extension, another program wrote the file. */
#define RECORDS_LOOKED_AT (1 << 17)

/*
 * Whether the file has a record that only perfstamp writes. The features that name the recorder are
 * at the end of the file.
 */
static bool has_extension(struct perfdata_reader *reader)
{
	struct error ignored;
	struct event event;

	for (int i = 0; i < RECORDS_LOOKED_AT; i++) {
		if (perfdata_reader__next(reader, &event, &ignored) <= 0)
			return false;
		if (event.kind == EVENT_MODULE || (event.kind == EVENT_MAP && event.map.stamped))
			return true;
	}
	return false;
}

static enum recognized recognize(struct perfdata_reader *reader)
{
	size_t size;
	const void *stamp = perfdata_reader__feature(reader, PERFSTAMP_FEATURE, &size);
	char number[24];

	if (stamp)
		return stamp__get(stamp, size, "file.number", number, sizeof(number)) >= 0
			       ? RECOGNIZED_OF_SEVERAL
			       : RECOGNIZED_COMPLETE;
	return perfdata_reader__is_unfinished(reader) && has_extension(reader)
		       ? RECOGNIZED_UNFINISHED
		       : RECOGNIZED_NOT;
}

enum recognized recognize__file(int directory, const char *name)
{
	enum recognized ret = RECOGNIZED_NOT;
	struct perfdata_reader *reader;
	struct error ignored;
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return RECOGNIZED_NOT;
	if (!perfdata_reader__open_fd(&reader, fd, name, &ignored)) {
		ret = recognize(reader);
		perfdata_reader__free(reader);
	}
	close(fd);
	return ret;
}
