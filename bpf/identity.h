/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The identity of a regular file's content: from the stash, or read from the page
 * cache. Content that may be written at the same time gets an identity only if several
 * readings agree.
 */
#ifndef PERFSTAMP_BPF_IDENTITY_H
#define PERFSTAMP_BPF_IDENTITY_H

#include "bpf/build_id.h"
#include "bpf/counters.h"
#include "bpf/stash.h"

#define FILE_FRONT 128 /* bytes of struct file with the fields that are read */
#define FILE_READ(s, field) FRONT_READ((s)->raw, FILE_FRONT, struct file, file, field)

#define READINGS_MAX 12
#define READINGS_EQUAL 4 /* readings in a row that must be equal */

/* Starts a reading: reads the head of the content. Returns 0 or a reason. */
__noinline int identity__begin(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	struct perfstamp_identity *id;

	if (!s)
		return PERFSTAMP_REASON_IO_ERROR;
	id = &s->map.identity;
	/* Each reading uses the size that the file has at its start. */
	if (s->readings) {
		s->before = *id;
		inode__copy(s);
		inode__stamps(s, &s->stamps);
	}
	__builtin_memset(id->build_id, 0, sizeof(id->build_id) + sizeof(id->cookie));
	id->build_id_size = id->cookie_size = 0;
	id->source = PERFSTAMP_SOURCE_NONE;
	id->file_size = s->stamps.size;
	s->content.size = s->stamps.size;
	s->content.page_addr = 0;
	return content__read_head(slot);
}

static __always_inline bool identity__agrees(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	const u64 *x = (const u64 *)a->build_id, *y = (const u64 *)b->build_id;

	/* Compares build-id and cookie, after the reason and the sizes. */
	return x[-1] == y[-1] && x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3] &&
	       x[4] == y[4] && a->file_size == b->file_size;
}

/* Whether nobody can have written to the content while it was read. */
static __always_inline bool identity__is_of_one_moment(struct scratch *s)
{
	if (inode__is_writable(s->inode))
		return false;
	inode__copy(s);
	inode__stamps(s, &s->stamps_now);
	return stamps__agree(&s->stamps, &s->stamps_now);
}

/*
 * Ends a reading for which build_id__read returned @reason. Returns 1 to accept it, 0
 * to read again: if the file is open for writing, several readings must agree. Stores
 * through a shared mapping leave no trace, so this is no proof; but content that never
 * existed would have to be read four times in a row.
 */
__noinline int identity__end(u32 slot, u32 reason)
{
	struct scratch *s = scratch__get(slot);
	struct perfstamp_identity *id;

	if (!s)
		return 1;
	id = &s->map.identity;
	if (reason) {
		__builtin_memset(id->build_id, 0, sizeof(id->build_id));
		id->build_id_size = 0;
	}
	id->reason = reason;
	id->source = PERFSTAMP_SOURCE_PAGE_CACHE;
	content__cookie(slot);
	if (!s->readings && !s->writable) {
		if (identity__is_of_one_moment(s)) {
			if (reason != PERFSTAMP_REASON_NOT_RESIDENT &&
				reason != PERFSTAMP_REASON_IO_ERROR)
				stash__keep(slot);
			return 1;
		}
	}
	s->equal = s->readings && identity__agrees(id, &s->before) ? s->equal + 1 : 1;
	s->readings++;
	return s->equal >= READINGS_EQUAL;
}

/* Called if the readings did not agree, or a page was evicted. */
static __always_inline void identity__none(struct perfstamp_identity *id, u32 reason)
{
	__builtin_memset(id->build_id, 0, sizeof(id->build_id) + sizeof(id->cookie));
	id->build_id_size = id->cookie_size = 0;
	id->source = PERFSTAMP_SOURCE_NONE;
	id->reason = reason;
}

/*
 * Reads the identity of the content of scratch.inode into the record. @writable: the file was open
 * for writing before scratch.stamps were read. Inlined, because the verifier allows eight frames
 * and the walk needs most of them.
 */
static __always_inline void identity__of_inode(u32 slot, struct scratch *s, bool writable)
{
	int i, reason;

	s->known = !writable && s->anchor && stash__find(slot);
	if (s->known && s->entry.settled) {
		stash__serve(s);
		counter__add(COUNTER_STASHED);
		return;
	}
	counter__add(COUNTER_READ);
	s->writable = writable;
	s->readings = s->equal = 0;
	for (i = 0; i < READINGS_MAX; i++) {
		reason = identity__begin(slot);
		if (reason) {
			identity__none(&s->map.identity, reason);
			return;
		}
		if (identity__end(slot, build_id__read(slot)))
			return;
	}
	identity__none(&s->map.identity, PERFSTAMP_REASON_CHANGING);
}

/* Reads the inode of @file and its content's identity. Returns the file's FMODE_* flags. */
static __always_inline u32 identity__of_file(u32 slot, struct scratch *s, u64 file)
{
	struct perfstamp_identity *id = &s->map.identity;
	u32 mode, file_mode;
	bool writable;

	FRONT_COPY(s->raw, FILE_FRONT, file);
	s->inode = FILE_READ(s, f_inode);
	s->content.mapping = FILE_READ(s, f_mapping);
	file_mode = FILE_READ(s, f_mode);

	writable = inode__is_writable(s->inode);
	inode__copy(s);
	inode__stamps(s, &s->stamps);
	s->sb = INODE_READ(s, i_sb);
	s->key.ino = id->ino = INODE_READ(s, i_ino);
	s->key.generation = id->ino_generation = INODE_READ(s, i_generation);
	s->key.dev = READ(struct super_block, s->sb, s_dev);
	mode = INODE_READ(s, i_mode);
	s->anchor = stash__anchor(s, file);
	id->dev_major = s->key.dev >> MINOR_BITS;
	id->dev_minor = s->key.dev & ((1 << MINOR_BITS) - 1);
	id->file_size = s->stamps.size;
	if ((mode & S_IFMT) != S_IFREG)
		id->reason = PERFSTAMP_REASON_NOT_ELF;
	else if (s->map.map_flags & MAP_HUGETLB)
		/* The index of a hugetlbfs file counts huge pages. */
		id->reason = PERFSTAMP_REASON_NOT_RESIDENT;
	else
		identity__of_inode(slot, s, writable);
	return file_mode;
}

#endif
