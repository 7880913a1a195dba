// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of patched kernels, see native.h. Their layouts are in
 * include/uapi/linux/perf_event.h of such a kernel.
 */
#include "user/event/native.h"

#include <string.h>

#include "user/event/identity.h"

/* ---- The attribute ---- */

/*
 * No header on the build machine names these bits. The position of the word has not changed
 * since 2.6.31.
 */
#define FLAGS_AT (offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t))

static uint64_t mask_of(enum native_attr bit)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return 1ull << (63 - bit);
#else
	return 1ull << bit;
#endif
}

bool native_attr__has(const struct perf_event_attr *attr, enum native_attr bit)
{
	uint64_t flags;

	memcpy(&flags, (const char *)attr + FLAGS_AT, sizeof(flags));
	return flags & mask_of(bit);
}

void native_attr__set(struct perf_event_attr *attr, enum native_attr bit)
{
	uint64_t flags;

	memcpy(&flags, (const char *)attr + FLAGS_AT, sizeof(flags));
	flags |= mask_of(bit);
	memcpy((char *)attr + FLAGS_AT, &flags, sizeof(flags));
}

/* ---- MMAP3 ---- */

/* enum perf_mmap3_source */
static uint8_t source_of(uint8_t source)
{
	static const uint8_t OURS[] = {
		[0] = PERFSTAMP_SOURCE_NONE,
		[1] = PERFSTAMP_SOURCE_PAGE_CACHE,
		[2] = PERFSTAMP_SOURCE_KERNEL,
		[3] = PERFSTAMP_SOURCE_STASH,
		[4] = PERFSTAMP_SOURCE_FAULTED,
	};

	return source < sizeof(OURS) ? OURS[source] : PERFSTAMP_SOURCE_NATIVE;
}

/* enum perf_mmap3_reason */
static uint8_t reason_of(uint8_t reason)
{
	static const uint8_t OURS[] = {
		[0] = PERFSTAMP_REASON_UNKNOWN, /* "none" is not a reason */
		[1] = PERFSTAMP_REASON_NO_NOTE,
		[2] = PERFSTAMP_REASON_NOT_ELF,
		[3] = PERFSTAMP_REASON_NOT_RESIDENT,
		[4] = PERFSTAMP_REASON_IO_ERROR,
		[5] = PERFSTAMP_REASON_MALFORMED,
		[6] = PERFSTAMP_REASON_TOO_LONG,
		[7] = PERFSTAMP_REASON_ANONYMOUS,
		[8] = PERFSTAMP_REASON_CHANGING,
		[9] = PERFSTAMP_REASON_UNKNOWN, /* a data mapping: its content is not read */
		[10] = PERFSTAMP_REASON_LIMIT,
	};

	return reason < sizeof(OURS) ? OURS[reason] : PERFSTAMP_REASON_UNKNOWN;
}

static void settle(struct perfstamp_identity *identity)
{
	if (identity->build_id_size)
		identity->reason = PERFSTAMP_REASON_NONE;
	if (!identity->build_id_size && !identity->cookie_size)
		identity->source = PERFSTAMP_SOURCE_NONE;
	else if (!identity->source)
		identity->source = PERFSTAMP_SOURCE_NATIVE;
}

void native_record__map(struct cursor *body, struct event_map *ret)
{
	struct perfstamp_identity *identity = &ret->identity;

	identity->dev_major = cursor__u32(body);
	identity->dev_minor = cursor__u32(body);
	identity->ino = cursor__u64(body);
	identity->ino_generation = cursor__u64(body);
	ret->prot = cursor__u32(body);
	ret->map_flags = cursor__u32(body);
	identity->file_size = cursor__u64(body);
	identity->source = source_of(cursor__u8(body));
	identity->reason = reason_of(cursor__u8(body));
	identity->build_id_size = cursor__u8(body);
	identity->cookie_size = cursor__u8(body);
	identity->mnt_ns = cursor__u32(body);
	identity->cgroup_id = cursor__u64(body);
	identity__decode_bytes(body, identity);
	if (!body->failed)
		settle(identity);
}

void native_record__translate(struct event *event, char *path)
{
	static const char DELETED[] = " (deleted)";
	size_t len = strlen(event->map.path), words = sizeof(DELETED) - 1;

	event->type = PERF_RECORD_MMAP2;
	event->map.stamped = true;
	if (len <= words || len - words >= PERFSTAMP_PATH_MAX ||
		strcmp(event->map.path + len - words, DELETED) != 0)
		return;
	memcpy(path, event->map.path, len - words);
	path[len - words] = '\0';
	event->map.path = path;
	event->map.flags |= PERFSTAMP_MAP_DELETED;
}

/* ---- MODULE ---- */

void native_record__module(struct cursor *body, struct event *ret)
{
	struct event_module module = {0};
	struct perfstamp_module_state *state = &module.state;
	const char *name;
	uint16_t what;

	state->text_addr = cursor__u64(body);
	state->init_addr = cursor__u64(body);
	state->text_size = cursor__u32(body);
	state->init_size = cursor__u32(body);
	state->init_result = (int32_t)cursor__u32(body);
	what = cursor__u16(body);
	state->build_id_size = cursor__u8(body);
	cursor__u8(body); /* reserved */
	cursor__copy(body, state->build_id, sizeof(state->build_id));
	cursor__u32(body); /* reserved */
	name = cursor__string(body);
	if (!name || strlen(name) >= sizeof(state->name) ||
		state->build_id_size > PERFSTAMP_BUILD_ID_MAX) {
		body->failed = true;
		return;
	}
	if (!what || what >= PERFSTAMP_MODULE_EVENT_COUNT)
		return;
	state->event = what;
	state->source = state->build_id_size ? PERFSTAMP_SOURCE_KERNEL : PERFSTAMP_SOURCE_NONE;
	state->reason = state->build_id_size ? PERFSTAMP_REASON_NONE : PERFSTAMP_REASON_UNKNOWN;
	memcpy(state->name, name, strlen(name) + 1);
	if (what == PERFSTAMP_MODULE_INIT && state->init_result < 0)
		module.flags = PERFSTAMP_MODULE_INIT_FAILED;
	ret->kind = EVENT_MODULE;
	ret->module = module;
}
