// SPDX-License-Identifier: GPL-2.0-only
/*
 * See salvage.h. What perf requires of each record is in perf_session__deliver_event() and
 * perf_session__process_user_event() in tools/perf/util/session.c of Linux.
 */
#include "user/perfdata/repair/salvage.h"

#include <errno.h>
#include <string.h>

#include "user/base/cursor.h"
#include "user/perfdata/layout.h"

#define PATH_BYTES_MAX 4096 /* limit of perf's struct for mappings */
#define NAMESPACES_MAX 7    /* perf warns of more */
#define ID_INDEX_ENTRY 32
#define EXTRA_MAX 128 /* bytes for padding, and for what a later version may append */
#define BITMAP_CPUS_MAX 65536

/* Returns the minimum size of a body, for types that struct event has no kind for. */
static size_t least_body(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_AUX:
		return 24;
	case PERF_RECORD_READ:
		return 16;
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_SWITCH_CPU_WIDE:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		return 8;
	case PERF_RECORD_TEXT_POKE:
		return 16;
	default:
		return 0;
	}
}

static struct cursor body_of(const struct perfdata_reader *reader, const struct event *event)
{
	struct cursor in;

	cursor__init(&in, event->raw, event->raw_size, perfdata_reader__is_foreign_order(reader));
	cursor__skip(&in, sizeof(struct perf_event_header));
	return in;
}

static bool is_text_poke_whole(struct cursor in)
{
	uint16_t old_len, new_len;

	cursor__u64(&in);
	old_len = cursor__u16(&in);
	new_len = cursor__u16(&in);
	cursor__skip(&in, (uint64_t)old_len + new_len);
	return !in.failed;
}

static int judge_kernel_record(
	struct perfdata_reader *reader, const struct event *event, uint32_t cpus)
{
	struct cursor in = body_of(reader, event);
	int err;

	if (!event->type || event->type > PERF_RECORD_AUX_OUTPUT_HW_ID)
		return SALVAGE_NOT_READABLE;
	if (cursor__remaining(&in) < least_body(event->type) ||
		(event->type == PERF_RECORD_TEXT_POKE && !is_text_poke_whole(in)) ||
		(event->cpu != UINT32_MAX && event->cpu >= cpus) ||
		(event->kind == EVENT_NAMESPACES && event->namespaces.n > NAMESPACES_MAX) ||
		(event->kind == EVENT_MAP &&
			strnlen(event->map.path, PATH_BYTES_MAX) == PATH_BYTES_MAX))
		return SALVAGE_CONTRADICTS;
	err = perfdata_reader__check_id(reader, event);
	return err == -EBADMSG ? SALVAGE_NO_EVENT : err;
}

/* Judges the cpu and thread of each id. perf stops at an id that it does not know. */
static int judge_id_index(struct perfdata_reader *reader, struct cursor in)
{
	uint64_t n = cursor__u64(&in);
	int err = in.failed || n > cursor__remaining(&in) / ID_INDEX_ENTRY ? -EBADMSG : 0;

	for (uint64_t i = 0; i < n && !err; i++) {
		err = perfdata_reader__knows(reader, cursor__u64(&in));
		cursor__skip(&in, ID_INDEX_ENTRY - sizeof(uint64_t));
	}
	return err == -EBADMSG ? SALVAGE_CONTRADICTS : err;
}

/* Whether @in is a valid struct perf_record_cpu_map_data: a list, a bitmap or a range. */
static bool is_cpu_map(struct cursor in, uint32_t cpus)
{
	enum { LIST, BITMAP, RANGE };
	uint16_t type = cursor__u16(&in), n, size;

	switch (type) {
	case LIST:
		for (n = cursor__u16(&in); n && !in.failed; n--) {
			uint16_t cpu = cursor__u16(&in);

			if (cpu >= cpus && cpu != UINT16_MAX)
				return false;
		}
		return !in.failed;
	case BITMAP: /* of 4-byte words, or of 8-byte words after padding */
		n = cursor__u16(&in);
		size = cursor__u16(&in);
		cursor__skip(&in, size == 8 ? 4 + 8 * n : 4 * n);
		return (size == 4 || size == 8) && (uint64_t)n * size * 8 <= BITMAP_CPUS_MAX &&
		       !in.failed;
	case RANGE:
		cursor__skip(&in, 2); /* the flag for any CPU */
		n = cursor__u16(&in);
		size = cursor__u16(&in);
		return !in.failed && n <= size && size < cpus;
	default:
		return false;
	}
}

/* Judges the unit, scale, name or CPUs of an event. */
static int judge_event_update(struct perfdata_reader *reader, struct cursor in, uint32_t cpus)
{
	enum { UNIT, SCALE, NAME, CPUS };
	uint64_t type = cursor__u64(&in), id = cursor__u64(&in);
	int err = in.failed ? -EBADMSG : perfdata_reader__knows(reader, id);

	if (err == -ENOMEM)
		return err;
	if (err || type > CPUS || (type == SCALE && cursor__remaining(&in) < 8) ||
		((type == UNIT || type == NAME) && !cursor__string(&in)) ||
		(type == CPUS && !is_cpu_map(in, cpus)))
		return SALVAGE_CONTRADICTS;
	return SALVAGE_KEEP;
}

static int judge_user_record(
	struct perfdata_reader *reader, const struct event *event, uint32_t cpus)
{
	struct cursor in = body_of(reader, event);
	bool pipe = perfdata_reader__is_pipe(reader);

	switch (event->type) {
	case PERF_RECORD_FINISHED_ROUND:
		return cursor__remaining(&in) ? SALVAGE_CONTRADICTS : SALVAGE_ROUND;
	case PERF_RECORD_FINISHED_INIT:
		return cursor__remaining(&in) ? SALVAGE_CONTRADICTS : SALVAGE_KEEP;
	case PERF_RECORD_ID_INDEX:
		return judge_id_index(reader, in);
	case PERF_RECORD_TIME_CONV: /* Linux 5.10 appended fields */
		return cursor__remaining(&in) == 24 || cursor__remaining(&in) == 48
			       ? SALVAGE_KEEP
			       : SALVAGE_CONTRADICTS;
	case PERF_RECORD_THREAD_MAP:
		return cursor__u64(&in) * 24 == cursor__remaining(&in) ? SALVAGE_KEEP
								       : SALVAGE_CONTRADICTS;
	case PERF_RECORD_CPU_MAP:
		return is_cpu_map(in, cpus) ? SALVAGE_KEEP : SALVAGE_CONTRADICTS;
	case PERF_RECORD_EVENT_UPDATE:
		return judge_event_update(reader, in, cpus);
	case PERF_RECORD_HEADER_ATTR:
	case PERF_RECORD_HEADER_EVENT_TYPE:
	case PERF_RECORD_HEADER_TRACING_DATA:
	case PERF_RECORD_HEADER_BUILD_ID:
	case PERF_RECORD_HEADER_FEATURE:
		return pipe ? SALVAGE_HEADER : SALVAGE_NOT_READABLE;
	default:
		return SALVAGE_NOT_READABLE;
	}
}

/* Whether the record is so much larger than its contents that it must include the next records. */
static bool is_oversized(const struct event *event)
{
	return event->kind != EVENT_OTHER && event->type < PERF_RECORD_USER_TYPE_START &&
	       event->extra > EXTRA_MAX;
}

int salvage__judge(struct perfdata_reader *reader, const struct event *event, uint32_t cpus)
{
	/* In a pipe, strings give features sizes that are not multiples of 8. */
	if (is_oversized(event) ||
		event->raw_size % (event->type == PERF_RECORD_HEADER_FEATURE ? 4 : 8))
		return SALVAGE_CONTRADICTS;
	return event->type < PERF_RECORD_USER_TYPE_START ? judge_kernel_record(reader, event, cpus)
							 : judge_user_record(reader, event, cpus);
}
