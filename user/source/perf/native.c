// SPDX-License-Identifier: GPL-2.0-only
/* See native.h. */
#include "user/source/perf/native.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/event/decode.h"
#include "user/event/native.h"
#include "user/event/types.h"
#include "user/source/content/file_identity.h"
#include "user/source/perf/open.h"
#include "user/source/perf/ring.h"

#define RING_PAGES 2 /* enough for one mapping of our own */

/* What is mapped, and whether a record has reported it. */
struct trial {
	struct event_decoder *decoder;
	struct perfstamp_identity identity; /* read from the file */
	uint64_t addr;
	uint64_t len;
	bool told;
};

/*
 * Whether the record's statement about the content is true. The content was in memory when we
 * began, but may have been evicted since.
 */
static bool is_content(const struct perfstamp_identity *told, const struct perfstamp_identity *read)
{
	return told->file_size == read->file_size &&
	       (!told->build_id_size ||
		       (told->build_id_size == read->build_id_size &&
			       !memcmp(told->build_id, read->build_id, sizeof(told->build_id)))) &&
	       (!told->cookie_size ||
		       (told->cookie_size == read->cookie_size &&
			       !memcmp(told->cookie, read->cookie, sizeof(told->cookie))));
}

static bool is_reported(const struct trial *trial, const struct event *event)
{
	const struct event_map *map = &event->map;

	return event->type == PERFDATA_RECORD_MMAP3 && event->kind == EVENT_MAP &&
	       event->pid == (uint32_t)getpid() && map->addr == trial->addr &&
	       map->len == trial->len && !map->pgoff && map->executable &&
	       map->prot == (PROT_READ | PROT_EXEC) && map->path[0] &&
	       is_content(&map->identity, &trial->identity);
}

static int look_at_span(void *ctx, const void *records, size_t size)
{
	struct trial *trial = ctx;
	const char *at = records, *end = at + size;
	struct perf_event_header header;
	struct event event;

	for (; at < end; at += header.size) {
		memcpy(&header, at, sizeof(header));
		/* If another kernel uses the bit differently, its record may not be decodable. */
		if (!event_decoder__decode(trial->decoder, at, header.size, &event, NULL))
			trial->told |= is_reported(trial, &event);
	}
	return 0;
}

/* Maps the start of this program as if it were run. */
static int map_something(struct trial *trial, struct perf_ring *ring, struct error *err)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), code;
	void *mapped = MAP_FAILED;

	code = fd < 0 ? -errno
		      : file_identity__read_with_cookie(
				fd, PERFSTAMP_SOURCE_USER, &trial->identity);
	if (!code) {
		trial->len = sysconf(_SC_PAGESIZE);
		mapped = mmap(NULL, trial->len, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		code = mapped == MAP_FAILED ? -errno : 0;
	}
	if (fd >= 0)
		close(fd);
	if (code)
		return error__errno(err, code, "/proc/self/exe cannot be mapped to try it");
	trial->addr = (uintptr_t)mapped;
	code = perf_ring__read(ring, look_at_span, trial, err);
	munmap(mapped, trial->len);
	if (!code && !trial->told)
		return error__set(err, -EOPNOTSUPP,
			"this kernel accepts bit %d of an event's attribute, but writes no mapping "
			"with it",
			NATIVE_ATTR_MMAP3);
	return code;
}

static int try_event(int fd, const struct perf_event_attr *attr, struct error *err)
{
	struct trial trial = {0};
	struct perf_ring *ring = NULL;
	int code = event_decoder__new(&trial.decoder, false);

	if (!code)
		code = event_decoder__add_attr(trial.decoder, attr, NULL, 0);
	if (!code)
		code = perf_ring__new(&ring, fd, -1, RING_PAGES);
	if (code)
		error__errno(err, code, "a ring of %d pages", RING_PAGES);
	else
		code = map_something(&trial, ring, err);
	perf_ring__free(ring);
	event_decoder__free(trial.decoder);
	return code;
}

int perf_native__probe(struct error *ret_why)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER7,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd, code;

	native_attr__set(&attr, NATIVE_ATTR_MMAP3);
	fd = perf_open(&attr, 0, -1);
	if (fd == -EINVAL || fd == -E2BIG)
		return error__set(ret_why, -EOPNOTSUPP, "this kernel has no PERF_RECORD_MMAP3");
	if (fd < 0)
		return error__errno(ret_why, fd, "perf_event_open");
	code = try_event(fd, &attr, ret_why);
	close(fd);
	return code;
}
