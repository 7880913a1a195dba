// SPDX-License-Identifier: GPL-2.0-only
/* See series.h. */
#include "user/cli/timeline/series.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "user/perfdata/features/features.h"
#include "user/perfdata/features/stamp.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/read/reader.h"

/* Clocks are set while machines run, but only by small amounts. */
#define SAME_BOOT_NS (600ll * 1000000000)

struct file {
	const char *path;
	/* Time of the first sample, or else of the first record; 0: no record has a time. */
	uint64_t first_ns;
	char *hostname; /* NULL: not recorded */
	char boot[64];  /* id of the boot; "": not recorded */
	bool has_wall;
	int64_t wall_ns; /* add it to a time of the recording to get ns since the epoch */
};

static int by_time(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

static void read_machine(struct file *file, const struct perfdata_reader *reader)
{
	bool swap = perfdata_reader__is_foreign_order(reader);
	const char *name = NULL;
	const void *bytes;
	size_t size;

	bytes = perfdata_reader__feature(reader, HEADER_HOSTNAME, &size);
	if (bytes)
		name = feature__string(bytes, size, swap);
	file->hostname = name ? strdup(name) : NULL;
	bytes = perfdata_reader__feature(reader, HEADER_CLOCK_DATA, &size);
	file->has_wall = bytes && feature__wall_offset(bytes, size, swap, &file->wall_ns);
	bytes = perfdata_reader__feature(reader, PERFSTAMP_FEATURE, &size);
	if (!bytes || stamp__get(bytes, size, "boot", file->boot, sizeof(file->boot)) < 0)
		*file->boot = '\0';
}

/*
 * Reads up to the first sample. The mappings at the begin of a file have earlier times, samples
 * have not.
 */
static int read_file(struct file *file, struct error *err)
{
	struct perfdata_reader *reader;
	struct event event;
	int more = perfdata_reader__open(&reader, file->path, err);

	if (more)
		return more;
	while ((more = perfdata_reader__next(reader, &event, err)) > 0) {
		if (event.time_ns && event.time_ns != UINT64_MAX)
			file->first_ns = event.time_ns;
		if (event.kind == EVENT_SAMPLE)
			break;
	}
	read_machine(file, reader);
	perfdata_reader__free(reader);
	/* Damage is reported when the file is read again. */
	return more > 0 || more == -EBADMSG ? 0 : more;
}

static bool is_same_boot(const struct file *a, const struct file *b)
{
	int64_t apart = a->wall_ns - b->wall_ns;

	if (*a->boot && *b->boot)
		return !strcmp(a->boot, b->boot);
	if (a->hostname && b->hostname && strcmp(a->hostname, b->hostname) != 0)
		return false;
	return !a->has_wall || !b->has_wall || (apart <= SAME_BOOT_NS && apart >= -SAME_BOOT_NS);
}

int series__order(const char **paths, size_t n, struct error *err)
{
	struct file *files = calloc(n, sizeof(*files));
	int failed = 0;

	if (!files)
		return error__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n && !failed; i++) {
		files[i].path = paths[i];
		failed = read_file(&files[i], err);
		if (!failed && !is_same_boot(&files[0], &files[i]))
			failed = error__set(err, -EINVAL,
				"%s: of another machine or boot than %s: make a page of each",
				paths[i], paths[0]);
	}
	if (!failed) {
		qsort(files, n, sizeof(*files), by_time);
		for (size_t i = 0; i < n; i++)
			paths[i] = files[i].path;
	}
	for (size_t i = 0; i < n; i++)
		free(files[i].hostname);
	free(files);
	return failed;
}
