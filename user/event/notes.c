// SPDX-License-Identifier: GPL-2.0-only
/* See notes.h. */
#include "user/event/notes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfstamp/record.h"
#include "user/base/base64.h"
#include "user/event/code.h"
#include "user/event/identity.h"
#include "user/event/module.h"

#define PAGE_NOTES 256 /* numbers have 16 bits */

struct note {
	enum { NOTE_NONE, NOTE_MAP, NOTE_MODULE } kind;
	uint16_t flags;
	union {
		struct perfstamp_identity identity;
		struct perfstamp_module_state state;
	};
};

struct note_page {
	struct note notes[PAGE_NOTES];
};

void notes__free(struct notes *notes)
{
	for (size_t i = 0; i < NOTES_PAGES; i++)
		free(notes->pages[i]);
	buffer__free(&notes->bytes);
	buffer__free(&notes->about);
}

bool notes__is_note(uint64_t id, const char *path)
{
	return id == PERFSTAMP_NOTE_CGROUP &&
	       !strncmp(path, PERFSTAMP_NOTE_PREFIX, strlen(PERFSTAMP_NOTE_PREFIX));
}

static struct note *note_at(struct notes *notes, uint16_t number)
{
	struct note_page **page = &notes->pages[number / PAGE_NOTES];

	if (!*page)
		*page = calloc(1, sizeof(**page));
	return *page ? &(*page)->notes[number % PAGE_NOTES] : NULL;
}

static void decode_identity(struct cursor *in, struct perfstamp_identity *ret)
{
	ret->dev_major = cursor__u32(in);
	ret->dev_minor = cursor__u32(in);
	ret->ino = cursor__u64(in);
	ret->ino_generation = cursor__u64(in);
	ret->file_size = cursor__u64(in);
	ret->cgroup_id = cursor__u64(in);
	ret->mnt_ns = cursor__u32(in);
	ret->source = cursor__u8(in);
	ret->reason = cursor__u8(in);
	ret->build_id_size = cursor__u8(in);
	ret->cookie_size = cursor__u8(in);
	identity__decode_bytes(in, ret);
}

void notes__decode_map(struct cursor *in, struct event_map *ret, uint16_t *ret_number)
{
	ret->flags = cursor__u16(in);
	*ret_number = cursor__u16(in);
	cursor__skip(in, 4);
	decode_identity(in, &ret->identity);
	ret->stamped = true;
}

static void set_note(struct event *ret, uint32_t magic, uint16_t number)
{
	ret->kind = EVENT_NOTE;
	ret->note = (struct event_note){.magic = magic, .number = number};
}

static int keep_note(struct notes *notes, uint16_t number, const struct note *note)
{
	struct note *at = note_at(notes, number);

	if (!at)
		return -ENOMEM;
	*at = *note;
	return 0;
}

static int take_map(struct notes *notes, struct cursor *in, bool keep, struct event *ret)
{
	struct note note = {.kind = NOTE_MAP};
	struct event_map map = {0};
	uint16_t number;

	notes__decode_map(in, &map, &number);
	if (in->failed || !number)
		return -EBADMSG;
	set_note(ret, PERFSTAMP_EXTENSION_MAGIC, number);
	note.flags = map.flags;
	note.identity = map.identity;
	return keep ? keep_note(notes, number, &note) : 0;
}

/* A module's note without a number is an event itself, with the module's true name. */
static int take_module(struct notes *notes, struct cursor *in, bool keep, struct event *ret)
{
	struct event_module module = {0};
	struct note note = {.kind = NOTE_MODULE};
	uint16_t number;

	if (event_module__decode_fields(in, &module, &number))
		return -EBADMSG;
	if (!number) {
		module.path = (const char *)notes->bytes.data +
			      offsetof(struct perfstamp_module_extension, state.name);
		event_module__set(&module, ret);
		return 0;
	}
	set_note(ret, PERFSTAMP_MODULE_MAGIC, number);
	note.flags = module.flags;
	note.state = module.state;
	return keep ? keep_note(notes, number, &note) : 0;
}

/* Appends the lines that follow the note. The lines of consecutive notes are one text. */
static int take_container(
	struct notes *notes, struct cursor *in, struct cursor *behind, bool keep, struct event *ret)
{
	uint16_t size = cursor__u16(in);
	const void *text;
	uint64_t id;

	cursor__skip(in, 6);
	id = cursor__u64(in);
	text = cursor__bytes(behind, size);
	if (in->failed || !text)
		return -EBADMSG;
	set_note(ret, PERFSTAMP_CONTAINER_MAGIC, 0);
	if (!keep)
		return 0;
	if (notes->about_taken || id != notes->about_id ||
		size + notes->about.size > PERFSTAMP_CONTAINER_TEXT_MAX)
		buffer__reset(&notes->about);
	notes->about_taken = false;
	notes->about_id = id;
	return buffer__append(&notes->about, text, size);
}

static int take_check(struct cursor *in, struct event *ret)
{
	uint64_t since_ns, time_ns = event__time(ret);

	cursor__skip(in, 8);
	since_ns = cursor__u64(in);
	if (in->failed || (time_ns && since_ns > time_ns))
		return -EBADMSG;
	if (!time_ns)
		return 0; /* without a time it has no meaning */
	ret->kind = EVENT_CHECK;
	ret->check.since_ns = since_ns;
	return 0;
}

static int take(struct notes *notes, bool swap, bool keep, struct event *ret)
{
	struct cursor all, in;
	uint32_t magic;
	uint16_t size;

	cursor__init(&all, notes->bytes.data, notes->bytes.size, swap);
	in = all;
	magic = cursor__u32(&in);
	cursor__u16(&in); /* the version: a later version only appends fields */
	size = cursor__u16(&in);
	if (in.failed)
		return -EBADMSG;
	in = cursor__sub(&all, size);
	cursor__skip(&in, 8);
	switch (magic) {
	case PERFSTAMP_EXTENSION_MAGIC:
		return take_map(notes, &in, keep, ret);
	case PERFSTAMP_MODULE_MAGIC:
		return take_module(notes, &in, keep, ret);
	case PERFSTAMP_CONTAINER_MAGIC:
		return take_container(notes, &in, &all, keep, ret);
	case PERFSTAMP_CHECK_MAGIC:
		return take_check(&in, ret);
	case PERFSTAMP_CODE_MAGIC:
		event_code__decode_fields(&in, &all, ret);
		return in.failed || all.failed ? -EBADMSG : 0;
	}
	return 0; /* unknown: of a later version */
}

int notes__take(struct notes *notes, const char *path, bool swap, bool keep, struct event *ret)
{
	const char *text = path + strlen(PERFSTAMP_NOTE_PREFIX);
	int err;

	buffer__reset(&notes->bytes);
	err = base64__parse(&notes->bytes, text, strlen(text));
	return err ? err : take(notes, swap, keep, ret);
}

/* Whether the record's own identity, which perf uses, is the same as the note's. */
static bool is_same_map(
	const struct perfstamp_identity *perf, const struct perfstamp_identity *note)
{
	if (!perf->build_id_size)
		return !note->build_id_size && identity__same_inode(perf, note);
	/*
	 * The record has the cookie instead of the build-id if perf would otherwise confuse two
	 * DSOs.
	 */
	if (!note->build_id_size)
		return perf->build_id_size == note->cookie_size &&
		       !memcmp(perf->build_id, note->cookie, note->cookie_size);
	return identity__same_build_id(perf, note);
}

static bool is_same_module(const struct event_map *perf, const struct perfstamp_module_state *note)
{
	return perf->addr == note->text_addr && perf->len == note->text_size &&
	       perf->identity.build_id_size == note->build_id_size &&
	       !memcmp(perf->identity.build_id, note->build_id, note->build_id_size);
}

bool notes__find(const struct notes *notes, uint16_t number, struct event *ret)
{
	const struct note_page *page = notes->pages[number / PAGE_NOTES];
	const struct note *note = page ? &page->notes[number % PAGE_NOTES] : NULL;
	struct event_module module;

	if (note && note->kind == NOTE_MAP && is_same_map(&ret->map.identity, &note->identity)) {
		ret->map.identity = note->identity;
		ret->map.flags = note->flags;
		ret->map.stamped = true;
		return true;
	}
	if (note && note->kind == NOTE_MODULE && is_same_module(&ret->map, &note->state)) {
		module = (struct event_module){
			.flags = note->flags, .state = note->state, .path = ret->map.path};
		event_module__set(&module, ret);
		return true;
	}
	ret->map.unresolved = true;
	return false;
}

void notes__find_about(struct notes *notes, struct event_cgroup *ret)
{
	if (notes->about_taken || !notes->about.size || notes->about_id != ret->id)
		return;
	ret->about = (const char *)notes->about.data;
	ret->about_size = notes->about.size;
	notes->about_taken = true;
}
