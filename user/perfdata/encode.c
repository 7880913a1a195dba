// SPDX-License-Identifier: GPL-2.0-only
/*
 * Record encoders, see encode.h. Layouts: enum perf_event_type in
 * include/uapi/linux/perf_event.h, and layout.h for those of user space.
 */
#include "user/perfdata/encode.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "user/base/base64.h"
#include "user/perfdata/layout.h"

static size_t record__begin(struct buffer *out, uint32_t type, uint16_t misc)
{
	struct perf_event_header header = {.type = type, .misc = misc};
	size_t start = out->size;

	buffer__append(out, &header, sizeof(header));
	return start;
}

/* Sets the size of the record, or removes the record if it is too large. */
static int record__end(struct buffer *out, size_t start)
{
	int err = out->error;
	uint16_t size;

	if (!err && out->size - start > PERFDATA_RECORD_MAX)
		err = -EOVERFLOW;
	if (err) {
		buffer__truncate(out, start);
		return err;
	}
	size = out->size - start;
	memcpy(out->data + start + offsetof(struct perf_event_header, size), &size, sizeof(size));
	return 0;
}

static void put_string(struct buffer *out, const char *s)
{
	size_t start = out->size;

	buffer__append(out, s, strlen(s) + 1);
	buffer__align(out, start, 8);
}

static void put_trailer(
	struct buffer *out, const struct event *event, const struct encode_trailer *trailer)
{
	uint64_t type = trailer->sample_type;

	if (type & PERF_SAMPLE_TID) {
		buffer__u32(out, event->pid);
		buffer__u32(out, event->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		buffer__u64(out, event->time_ns);
	if (type & PERF_SAMPLE_ID)
		buffer__u64(out, trailer->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		buffer__u64(out, trailer->id);
	if (type & PERF_SAMPLE_CPU) {
		buffer__u32(out, event->cpu == UINT32_MAX ? 0 : event->cpu);
		buffer__u32(out, 0);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		buffer__u64(out, trailer->id);
}

static void put_build_id(struct buffer *out, const uint8_t *build_id, uint8_t size)
{
	buffer__u8(out, size);
	buffer__zeros(out, 3);
	buffer__append(out, build_id, size);
	buffer__zeros(out, PERFSTAMP_BUILD_ID_MAX - size);
}

/* No PROT_* flag is in the upper half, which other readers ignore. */
static void put_prot(struct buffer *out, uint32_t prot, uint16_t note)
{
	buffer__u32(out, (prot & ((1u << PERFSTAMP_NOTE_PROT_SHIFT) - 1)) |
				 (uint32_t)note << PERFSTAMP_NOTE_PROT_SHIFT);
}

static void put_map(struct buffer *out, const struct event *event, uint16_t note)
{
	const struct event_map *map = &event->map;
	const struct perfstamp_identity *identity = &map->identity;

	buffer__u32(out, event->pid);
	buffer__u32(out, event->tid);
	buffer__u64(out, map->addr);
	buffer__u64(out, map->len);
	buffer__u64(out, map->pgoff);
	if (identity->build_id_size) {
		put_build_id(out, identity->build_id, identity->build_id_size);
	} else if (map->cookie_for_perf) {
		put_build_id(out, identity->cookie, identity->cookie_size);
	} else {
		/* The cookie is not written here, because perf would use it as a build-id. */
		buffer__u32(out, identity->dev_major);
		buffer__u32(out, identity->dev_minor);
		buffer__u64(out, identity->ino);
		buffer__u64(out, identity->ino_generation);
	}
	put_prot(out, map->prot, note);
	buffer__u32(out, map->map_flags);
	put_string(out, map->path ? map->path : "");
}

static uint16_t map_misc(const struct event *event)
{
	const struct event_map *map = &event->map;
	uint16_t misc = event->misc &
			~(PERF_RECORD_MISC_MMAP_BUILD_ID | PERF_RECORD_MISC_MMAP_DATA);

	if (!(misc & PERF_RECORD_MISC_CPUMODE_MASK))
		misc |= map->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	if (!map->executable)
		misc |= PERF_RECORD_MISC_MMAP_DATA;
	if (map->identity.build_id_size || map->cookie_for_perf)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	return misc;
}

static void put_lost(struct buffer *out, const struct event *event)
{
	if (event->type != PERF_RECORD_LOST_SAMPLES)
		buffer__u64(out, event->lost.id);
	buffer__u64(out, event->lost.lost);
}

static void put_fork(struct buffer *out, const struct event *event)
{
	buffer__u32(out, event->pid);
	buffer__u32(out, event->fork.ppid);
	buffer__u32(out, event->tid);
	buffer__u32(out, event->fork.ptid);
	buffer__u64(out, event->time_ns);
}

static void put_namespaces(struct buffer *out, const struct event *event)
{
	uint64_t n = event->namespaces.n;

	buffer__u32(out, event->pid);
	buffer__u32(out, event->tid);
	buffer__u64(out, n);
	/* The count is checked before it is multiplied. */
	if (n > PERFDATA_RECORD_MAX / sizeof(*event->namespaces.links))
		out->error = -EOVERFLOW;
	buffer__append(out, event->namespaces.links, n * sizeof(*event->namespaces.links));
}

static void put_ksymbol(struct buffer *out, const struct event_ksymbol *ksymbol)
{
	buffer__u64(out, ksymbol->addr);
	buffer__u32(out, ksymbol->len);
	buffer__u16(out, ksymbol->ksym_type);
	buffer__u16(out, ksymbol->flags);
	put_string(out, ksymbol->name);
}

static void put_bpf(struct buffer *out, const struct event_bpf *bpf)
{
	buffer__u16(out, bpf->type);
	buffer__u16(out, bpf->flags);
	buffer__u32(out, bpf->id);
	buffer__append(out, bpf->tag, sizeof(bpf->tag));
}

/* Writes the map by which perf finds the text of the module. */
static void put_module(struct buffer *out, const struct event *event, uint16_t note)
{
	const struct perfstamp_module_state *state = &event->module.state;

	record__begin(out, PERF_RECORD_MMAP2,
		PERF_RECORD_MISC_KERNEL |
			(state->build_id_size ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0));
	buffer__u32(out, event->pid);
	buffer__u32(out, event->tid);
	buffer__u64(out, state->text_addr);
	buffer__u64(out, state->text_size);
	buffer__u64(out, 0);
	put_build_id(out, state->build_id, state->build_id_size);
	put_prot(out, PROT_READ | PROT_EXEC, note);
	buffer__u32(out, MAP_PRIVATE);
	put_string(out, event->module.path);
}

int encode__event(
	struct buffer *out, const struct event *event, const struct encode_trailer *trailer)
{
	size_t start = out->size;

	switch (event->kind) {
	case EVENT_MAP:
		if (event->map.identity.build_id_size > PERFSTAMP_BUILD_ID_MAX)
			return -EINVAL;
		record__begin(out, PERF_RECORD_MMAP2, map_misc(event));
		put_map(out, event, trailer->note);
		break;
	case EVENT_COMM:
		record__begin(out, PERF_RECORD_COMM,
			event->misc | (event->comm.exec ? PERF_RECORD_MISC_COMM_EXEC : 0));
		buffer__u32(out, event->pid);
		buffer__u32(out, event->tid);
		put_string(out, event->comm.comm);
		break;
	case EVENT_FORK:
	case EVENT_EXIT:
		record__begin(out, event->kind == EVENT_FORK ? PERF_RECORD_FORK : PERF_RECORD_EXIT,
			event->misc);
		put_fork(out, event);
		break;
	case EVENT_LOST:
		record__begin(out,
			event->type == PERF_RECORD_LOST_SAMPLES ? PERF_RECORD_LOST_SAMPLES
								: PERF_RECORD_LOST,
			event->misc);
		put_lost(out, event);
		break;
	case EVENT_CGROUP:
		record__begin(out, PERF_RECORD_CGROUP, event->misc);
		buffer__u64(out, event->cgroup.id);
		put_string(out, event->cgroup.path);
		break;
	case EVENT_NAMESPACES:
		record__begin(out, PERF_RECORD_NAMESPACES, event->misc);
		put_namespaces(out, event);
		break;
	case EVENT_KSYMBOL:
		record__begin(out, PERF_RECORD_KSYMBOL, event->misc);
		put_ksymbol(out, &event->ksymbol);
		break;
	case EVENT_BPF:
		record__begin(out, PERF_RECORD_BPF_EVENT, event->misc);
		put_bpf(out, &event->bpf);
		break;
	case EVENT_MODULE:
		if (event->type != PERF_RECORD_MMAP2 ||
			event->module.state.build_id_size > PERFSTAMP_BUILD_ID_MAX)
			return -EINVAL;
		put_module(out, event, trailer->note);
		break;
	case EVENT_OTHER:
		/* A SWITCH consists of its header only. */
		if (event->type != PERF_RECORD_SWITCH)
			return -EINVAL;
		record__begin(out, PERF_RECORD_SWITCH, event->misc);
		break;
	default:
		return -EINVAL;
	}
	put_trailer(out, event, trailer);
	return record__end(out, start);
}

int encode__note(struct buffer *out, uint64_t time_ns, const void *bytes, size_t size,
	const struct encode_trailer *trailer)
{
	const struct event event = {.time_ns = time_ns, .cpu = UINT32_MAX};
	size_t start = record__begin(out, PERF_RECORD_CGROUP, 0), path;

	if (size > ENCODE_NOTE_MAX)
		out->error = -EOVERFLOW;
	buffer__u64(out, PERFSTAMP_NOTE_CGROUP);
	path = out->size;
	buffer__append(out, PERFSTAMP_NOTE_PREFIX, strlen(PERFSTAMP_NOTE_PREFIX));
	base64__put(out, bytes, size);
	buffer__u8(out, 0);
	buffer__align(out, path, 8);
	put_trailer(out, &event, trailer);
	return record__end(out, start);
}

int encode__mark(struct buffer *out, uint32_t type)
{
	return record__end(out, record__begin(out, type, 0));
}

int encode__attr(struct buffer *out, const struct perf_event_attr *attr)
{
	/* The struct of the build machine's headers may be shorter or longer than the file's. */
	size_t known = sizeof(*attr) < PERFDATA_ATTR_SIZE ? sizeof(*attr) : PERFDATA_ATTR_SIZE;
	struct perf_event_attr copy = *attr;

	copy.size = PERFDATA_ATTR_SIZE;
	buffer__append(out, &copy, known);
	return buffer__zeros(out, PERFDATA_ATTR_SIZE - known);
}

int encode__header_attr(
	struct buffer *out, const struct perf_event_attr *attr, const uint64_t *ids, size_t n_ids)
{
	size_t start = record__begin(out, PERF_RECORD_HEADER_ATTR, 0);

	if (n_ids > PERFDATA_RECORD_MAX / sizeof(*ids))
		out->error = -EOVERFLOW;
	encode__attr(out, attr);
	buffer__append(out, ids, n_ids * sizeof(*ids));
	return record__end(out, start);
}

int encode__event_name(struct buffer *out, uint64_t id, const char *name)
{
	size_t start = record__begin(out, PERF_RECORD_EVENT_UPDATE, 0);

	buffer__u64(out, PERF_EVENT_UPDATE__NAME);
	buffer__u64(out, id);
	put_string(out, name);
	return record__end(out, start);
}

int encode__tracing_data(struct buffer *out, const void *bytes, size_t size)
{
	size_t start = record__begin(out, PERF_RECORD_HEADER_TRACING_DATA, 0), data;
	int err;

	if (size > UINT32_MAX - 8)
		return -EOVERFLOW;
	buffer__u32(out, (size + 7) / 8 * 8);
	buffer__u32(out, 0);
	err = record__end(out, start);
	if (err)
		return err;
	data = out->size;
	buffer__append(out, bytes, size);
	return buffer__align(out, data, 8);
}

int encode__header_feature(struct buffer *out, uint64_t feature, const void *bytes, size_t size)
{
	size_t start = record__begin(out, PERF_RECORD_HEADER_FEATURE, 0);

	buffer__u64(out, feature);
	buffer__append(out, bytes, size);
	/*
	 * quipper assumes that PMU_MAPPINGS extends to the end of its record. The sizes of perf's
	 * features are multiples of 4, so no padding is added to them.
	 */
	buffer__align(out, start, 4);
	return record__end(out, start);
}
