// SPDX-License-Identifier: GPL-2.0-only
/*
 * The record decoder, see decode.h. Layouts are those of enum perf_event_type
 * in include/uapi/linux/perf_event.h; samples are in decode_sample.c.
 */
#include "user/event/decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/buffer.h"
#include "user/base/cursor.h"
#include "user/event/attrs.h"
#include "user/event/code.h"
#include "user/event/decode_sample.h"
#include "user/event/module.h"
#include "user/event/native.h"
#include "user/event/notes.h"
#include "user/event/types.h"

struct event_decoder {
	bool swap;
	struct attrs attrs;
	struct buffer scratch; /* arrays of the current record, aligned and swapped */
	struct notes notes;
	bool trying; /* the bytes may not be a record: notes are not kept */
};

int event_decoder__new(struct event_decoder **ret, bool swap)
{
	struct event_decoder *decoder = calloc(1, sizeof(*decoder));

	if (!decoder)
		return -ENOMEM;
	decoder->swap = swap;
	buffer__init(&decoder->scratch, 0);
	*ret = decoder;
	return 0;
}

void event_decoder__free(struct event_decoder *decoder)
{
	if (!decoder)
		return;
	attrs__free(&decoder->attrs);
	buffer__free(&decoder->scratch);
	notes__free(&decoder->notes);
	free(decoder);
}

int event_decoder__add_attr(struct event_decoder *decoder, const struct perf_event_attr *attr,
	const uint64_t *ids, size_t n_ids)
{
	return attrs__add(&decoder->attrs, attr, ids, n_ids);
}

#define TRAILER_FIELDS                                                                             \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
		PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/* Removes the sample_id trailer from @body. */
static void decode_trailer(
	const struct attr_layout *layout, struct cursor *body, struct event *ret, uint64_t *ret_id)
{
	uint64_t type = layout->sample_type;
	size_t size = 8 * __builtin_popcountll(type & TRAILER_FIELDS);
	struct cursor trailer;

	if (size > cursor__remaining(body)) {
		body->failed = true;
		return;
	}
	cursor__init(&trailer, body->end - size, size, body->swap);
	body->end -= size;
	if (type & PERF_SAMPLE_TID) {
		ret->pid = cursor__u32(&trailer);
		ret->tid = cursor__u32(&trailer);
	}
	if (type & PERF_SAMPLE_TIME)
		ret->time_ns = cursor__u64(&trailer);
	if (type & PERF_SAMPLE_ID)
		*ret_id = cursor__u64(&trailer);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor__u64(&trailer);
	if (type & PERF_SAMPLE_CPU) {
		ret->cpu = cursor__u32(&trailer);
		cursor__u32(&trailer);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		*ret_id = cursor__u64(&trailer);
}

static void decode_pid_tid(struct cursor *body, struct event *ret)
{
	ret->pid = cursor__u32(body);
	ret->tid = cursor__u32(body);
}

static void decode_map_range(struct cursor *body, struct event *ret)
{
	struct event_map *map = &ret->map;

	ret->kind = EVENT_MAP;
	decode_pid_tid(body, ret);
	map->addr = cursor__u64(body);
	map->len = cursor__u64(body);
	map->pgoff = cursor__u64(body);
	map->kernel = (ret->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	map->executable = !(ret->misc & PERF_RECORD_MISC_MMAP_DATA);
	map->identity.reason = PERFSTAMP_REASON_UNKNOWN;
}

static void decode_mmap(struct cursor *body, struct event *ret)
{
	decode_map_range(body, ret);
	ret->map.path = cursor__string(body);
}

/* Decodes the build-id, which takes the 24 bytes of dev and ino. */
static void decode_inline_build_id(struct cursor *body, struct perfstamp_identity *ret)
{
	ret->build_id_size = cursor__u8(body);
	cursor__skip(body, 3);
	cursor__copy(body, ret->build_id, sizeof(ret->build_id));
	if (ret->build_id_size > PERFSTAMP_BUILD_ID_MAX)
		body->failed = true;
	if (!ret->build_id_size)
		return;
	ret->source = PERFSTAMP_SOURCE_NATIVE;
	ret->reason = PERFSTAMP_REASON_NONE;
}

/* In version 1, our extension follows the padded name. Other bytes there are ignored. */
static void decode_extension(struct cursor *body, struct event_map *ret)
{
	struct cursor peek = *body, in;
	uint16_t size, number;

	if (cursor__remaining(&peek) < sizeof(struct perfstamp_extension) ||
		cursor__u32(&peek) != PERFSTAMP_EXTENSION_MAGIC)
		return;
	cursor__u16(&peek); /* the version: a later version only appends fields */
	size = cursor__u16(&peek);
	in = cursor__sub(body, size);
	cursor__skip(&in, 8);
	notes__decode_map(&in, ret, &number);
	if (in.failed)
		body->failed = true;
}

/* Skips the zeros after the name that begins at @name. False if they are missing. */
static bool skip_padding(struct cursor *body, const uint8_t *name)
{
	size_t padding = -(size_t)(body->at - name) % 8;

	if (padding > cursor__remaining(body))
		return false;
	cursor__skip(body, padding);
	return true;
}

static void decode_mmap2(
	const struct event_decoder *decoder, struct cursor *body, struct event *ret)
{
	struct event_map *map = &ret->map;
	const uint8_t *name;
	uint16_t note;

	decode_map_range(body, ret);
	if (ret->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		decode_inline_build_id(body, &map->identity);
	} else {
		map->identity.dev_major = cursor__u32(body);
		map->identity.dev_minor = cursor__u32(body);
		map->identity.ino = cursor__u64(body);
		map->identity.ino_generation = cursor__u64(body);
	}
	map->prot = cursor__u32(body);
	note = map->prot >> PERFSTAMP_NOTE_PROT_SHIFT;
	map->prot &= (1u << PERFSTAMP_NOTE_PROT_SHIFT) - 1;
	map->map_flags = cursor__u32(body);
	name = body->at;
	map->path = cursor__string(body);
	if (!map->path || !skip_padding(body, name))
		return;
	if (note) {
		notes__find(&decoder->notes, note, ret);
		return;
	}
	decode_extension(body, map);
	event_module__decode(body, map->path, ret);
}

static void decode_mmap3(struct cursor *body, struct event *ret)
{
	decode_map_range(body, ret);
	native_record__map(body, &ret->map);
	ret->map.path = cursor__string(body);
}

static void decode_comm(struct cursor *body, struct event *ret)
{
	ret->kind = EVENT_COMM;
	decode_pid_tid(body, ret);
	ret->comm.comm = cursor__string(body);
	ret->comm.exec = ret->misc & PERF_RECORD_MISC_COMM_EXEC;
}

static void decode_fork(struct cursor *body, struct event *ret)
{
	uint64_t time;

	ret->kind = ret->type == PERF_RECORD_FORK ? EVENT_FORK : EVENT_EXIT;
	ret->pid = cursor__u32(body);
	ret->fork.ppid = cursor__u32(body);
	ret->tid = cursor__u32(body);
	ret->fork.ptid = cursor__u32(body);
	time = cursor__u64(body);
	if (!ret->time_ns)
		ret->time_ns = time;
}

static void decode_lost(struct cursor *body, struct event *ret)
{
	ret->kind = EVENT_LOST;
	ret->lost.id = cursor__u64(body);
	ret->lost.lost = cursor__u64(body);
}

static void decode_lost_samples(struct cursor *body, struct event *ret, uint64_t id)
{
	if (ret->misc & PERFDATA_MISC_LOST_SAMPLES_BPF)
		return;
	ret->kind = EVENT_LOST;
	ret->lost.id = id;
	ret->lost.lost = cursor__u64(body);
}

/* Decodes the extension that follows the path in our records of version 1. */
static void decode_container(struct cursor *body, struct event_cgroup *ret)
{
	struct cursor peek = *body, in;
	uint16_t size, text_size;

	if (cursor__remaining(&peek) < PERFSTAMP_CONTAINER_SIZE_1 ||
		cursor__u32(&peek) != PERFSTAMP_CONTAINER_MAGIC)
		return;
	cursor__u16(&peek); /* the version: a later version only appends fields */
	size = cursor__u16(&peek);
	in = cursor__sub(body, size);
	cursor__skip(&in, 8);
	text_size = cursor__u16(&in);
	ret->about = cursor__bytes(body, text_size);
	ret->about_size = ret->about ? text_size : 0;
	if (in.failed)
		body->failed = true;
}

static int decode_cgroup(struct event_decoder *decoder, struct cursor *body, struct event *ret)
{
	uint64_t id = cursor__u64(body);
	const uint8_t *begin = body->at;
	const char *path = cursor__string(body);
	int err;

	if (path && notes__is_note(id, path)) {
		err = notes__take(&decoder->notes, path, decoder->swap, !decoder->trying, ret);
		body->failed |= err == -EBADMSG;
		return err == -EBADMSG ? 0 : err;
	}
	ret->kind = EVENT_CGROUP;
	ret->cgroup = (struct event_cgroup){.id = id, .path = path};
	if (path && skip_padding(body, begin))
		decode_container(body, &ret->cgroup);
	if (!ret->cgroup.about && !decoder->trying)
		notes__find_about(&decoder->notes, &ret->cgroup);
	return 0;
}

static void decode_namespaces(struct cursor *body, struct event *ret, struct buffer *scratch)
{
	struct perf_ns_link_info *links;
	uint64_t n;

	ret->kind = EVENT_NAMESPACES;
	decode_pid_tid(body, ret);
	n = cursor__u64(body);
	if (n > cursor__remaining(body) / sizeof(*links)) {
		body->failed = true;
		return;
	}
	links = buffer__extend(scratch, n * sizeof(*links));
	for (uint64_t i = 0; links && i < n; i++) {
		links[i].dev = cursor__u64(body);
		links[i].ino = cursor__u64(body);
	}
	ret->namespaces.n = n;
	ret->namespaces.links = links;
}

static void decode_ksymbol(struct cursor *body, struct event *ret)
{
	const uint8_t *name;

	ret->kind = EVENT_KSYMBOL;
	ret->ksymbol.addr = cursor__u64(body);
	ret->ksymbol.len = cursor__u32(body);
	ret->ksymbol.ksym_type = cursor__u16(body);
	ret->ksymbol.flags = cursor__u16(body);
	name = body->at;
	ret->ksymbol.name = cursor__string(body);
	if (!ret->ksymbol.name || !skip_padding(body, name))
		return;
	event_module__decode(body, ret->ksymbol.name, ret);
	if (ret->kind == EVENT_KSYMBOL)
		event_code__decode(body, ret);
}

static void decode_bpf(struct cursor *body, struct event *ret)
{
	ret->kind = EVENT_BPF;
	ret->bpf.type = cursor__u16(body);
	ret->bpf.flags = cursor__u16(body);
	ret->bpf.id = cursor__u32(body);
	cursor__copy(body, ret->bpf.tag, sizeof(ret->bpf.tag));
}

/* Returns 0 or -ENOMEM. */
static int decode_body(
	struct event_decoder *decoder, struct cursor *body, struct event *ret, uint64_t id)
{
	switch (ret->type) {
	case PERF_RECORD_MMAP:
		decode_mmap(body, ret);
		break;
	case PERF_RECORD_MMAP2:
		decode_mmap2(decoder, body, ret);
		break;
	case PERF_RECORD_COMM:
		decode_comm(body, ret);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		decode_fork(body, ret);
		break;
	case PERF_RECORD_LOST:
		decode_lost(body, ret);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		decode_lost_samples(body, ret, id);
		break;
	case PERF_RECORD_CGROUP:
		return decode_cgroup(decoder, body, ret);
	case PERF_RECORD_NAMESPACES:
		decode_namespaces(body, ret, &decoder->scratch);
		break;
	case PERF_RECORD_KSYMBOL:
		decode_ksymbol(body, ret);
		break;
	case PERF_RECORD_BPF_EVENT:
		decode_bpf(body, ret);
		break;
	}
	return 0;
}

/* Only if the attribute requests it: another kernel may use these types for something else. */
static void decode_native(const struct attr_layout *layout, struct cursor *body, struct event *ret)
{
	if (ret->type == PERFDATA_RECORD_MMAP3 && layout->mmap3)
		decode_mmap3(body, ret);
	else if (ret->type == PERFDATA_RECORD_MODULE && layout->module)
		native_record__module(body, ret);
}

/* As record_trailers__are_early(), for files that contain the ring's bytes unchanged. */
static bool end_early(const struct attrs *attrs, struct cursor *body, uint32_t type)
{
	size_t trailer = 8 * __builtin_popcountll(attrs->layouts[0].sample_type & TRAILER_FIELDS);
	struct cursor rest = *body;
	const uint8_t *name;

	if (type != PERF_RECORD_KSYMBOL && type != PERF_RECORD_BPF_EVENT)
		return false;
	cursor__skip(&rest, 16);
	name = rest.at;
	if (type == PERF_RECORD_KSYMBOL && (!cursor__string(&rest) || !skip_padding(&rest, name)))
		return false;
	if (rest.failed || cursor__remaining(&rest) <= trailer)
		return false;
	body->end = rest.at + trailer;
	return true;
}

static int decode_kernel_record(
	struct event_decoder *decoder, struct cursor *body, struct event *ret, struct error *err)
{
	bool is_sample = ret->type == PERF_RECORD_SAMPLE;
	const struct attr_layout *layout;
	uint64_t id = 0;
	int found = attrs__find(&decoder->attrs, is_sample, *body, &layout);

	if (found == -EBADMSG && end_early(&decoder->attrs, body, ret->type))
		found = attrs__find(&decoder->attrs, is_sample, *body, &layout);
	if (found == -EBADMSG)
		return error__set(
			err, found, "a record of type %u with an id of no event", ret->type);
	if (found)
		return error__errno(err, found, "cannot decode");
	if (is_sample && !layout)
		return error__set(err, -EBADMSG, "a sample before any event's attribute");
	if (is_sample) {
		decode_sample(layout, body, ret, &decoder->scratch);
	} else {
		if (layout && layout->sample_id_all)
			decode_trailer(layout, body, ret, &id);
		if (decode_body(decoder, body, ret, id))
			return error__set(err, -ENOMEM, "out of memory");
		if (layout)
			decode_native(layout, body, ret);
	}
	if (decoder->scratch.error)
		return error__errno(err, decoder->scratch.error, "cannot decode");
	ret->extra = cursor__remaining(body);
	if (body->failed)
		return error__set(err, -EBADMSG,
			"a record of type %u and %zu bytes contradicts itself", ret->type,
			ret->raw_size);
	return 0;
}

int event_decoder__decode(struct event_decoder *decoder, const void *record, size_t size,
	struct event *ret, struct error *err)
{
	struct cursor body;
	uint16_t record_size;

	cursor__init(&body, record, size, decoder->swap);
	*ret = (struct event){.kind = EVENT_OTHER, .raw = record, .raw_size = size};
	ret->pid = ret->tid = ret->cpu = UINT32_MAX;
	ret->type = cursor__u32(&body);
	ret->misc = cursor__u16(&body);
	record_size = cursor__u16(&body);
	if (body.failed || record_size != size)
		return error__set(err, -EBADMSG, "a record of %zu bytes says that it has %u", size,
			record_size);
	buffer__reset(&decoder->scratch);
	if (ret->type < PERF_RECORD_USER_TYPE_START)
		return decode_kernel_record(decoder, &body, ret, err);
	if (ret->type == PERF_RECORD_FINISHED_ROUND)
		ret->kind = EVENT_FINISHED_ROUND;
	return 0;
}

int event_decoder__try(struct event_decoder *decoder, const void *record, size_t size)
{
	struct event event;
	int err;

	decoder->trying = true;
	err = event_decoder__decode(decoder, record, size, &event, NULL);
	decoder->trying = false;
	return err;
}

int event_decoder__check_id(struct event_decoder *decoder, const struct event *event)
{
	struct cursor body;

	if (event->type >= PERF_RECORD_USER_TYPE_START)
		return 0;
	cursor__init(&body, event->raw, event->raw_size, decoder->swap);
	cursor__skip(&body, sizeof(struct perf_event_header));
	return attrs__check_id(&decoder->attrs, event->type == PERF_RECORD_SAMPLE, body);
}

int event_decoder__knows(struct event_decoder *decoder, uint64_t id)
{
	return attrs__knows(&decoder->attrs, id);
}
