/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds NT_GNU_BUILD_ID in the PT_NOTE segments of the content, for both ELF classes,
 * as libelf's gelf_getnote does. Knows the ELF format; does not know pages. Content
 * that it cannot read (the other byte order, too many headers) gets a reason, and user
 * space reads it.
 */
#ifndef PERFSTAMP_BPF_BUILD_ID_H
#define PERFSTAMP_BPF_BUILD_ID_H

#include <linux/elf.h>

#include "bpf/content.h"

#define NT_GNU_BUILD_ID 3
#define PHDRS_MAX 128
#define NOTES_MAX 64    /* notes that are read of one segment */
#define NOTES_TOTAL 256 /* notes that are read of one file */

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ELFDATA_NATIVE ELFDATA2MSB
#else
#define ELFDATA_NATIVE ELFDATA2LSB
#endif

/* The walk is not finished. Not a reason code. */
#define WALK_ON 255

static __always_inline u64 align_up(u64 value, u32 to)
{
	return (value + to - 1) & ~(u64)(to - 1);
}

/* Reads one note. Returns WALK_ON, 0 if the build-id is in the record, or a reason. */
__noinline int build_id__note(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	struct elf32_note note;
	u64 name, desc, next;
	u32 size;
	int reason;

	if (!s)
		return PERFSTAMP_REASON_IO_ERROR;
	if (s->elf.note_pos >= s->elf.note_end || s->elf.note_end - s->elf.note_pos < sizeof(note))
		return PERFSTAMP_REASON_NO_NOTE;
	/* A limit, because anyone can map any file and preemption may be off here. */
	if (s->elf.notes_left == 0)
		return PERFSTAMP_REASON_LIMIT;
	s->elf.notes_left--;
	/* A GNU build-id note starts with its header and name, 16 bytes. */
	reason = content__read(slot, s->elf.note_pos, sizeof(note));
	if (reason)
		return reason;
	__builtin_memcpy(&note, s->bytes, sizeof(note));
	/* Padding counts from the start of the segment, as in gelf_getnote. */
	name = s->elf.note_pos + sizeof(note);
	desc = s->elf.note_start +
	       align_up(name + note.n_namesz - s->elf.note_start, s->elf.note_align);
	next = s->elf.note_start +
	       align_up(desc + note.n_descsz - s->elf.note_start, s->elf.note_align);
	/* gelf_getnote requires the padding of the last note as well. */
	if (next > s->elf.note_end)
		return PERFSTAMP_REASON_MALFORMED;
	s->elf.note_pos = next;
	if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || note.n_descsz == 0)
		return WALK_ON;
	reason = content__read(slot, name, 4);
	if (reason)
		return reason;
	if (*(u32 *)s->bytes != *(const u32 *)"GNU")
		return WALK_ON;
	if (note.n_descsz > PERFSTAMP_BUILD_ID_MAX)
		return PERFSTAMP_REASON_TOO_LONG;
	reason = content__read(slot, desc, note.n_descsz);
	if (reason)
		return reason;
	size = note.n_descsz;
	/* The verifier loses the bounds of a size that is on the stack. */
	barrier_var(size);
	size &= 31;
	if (bpf_probe_read_kernel(s->map.identity.build_id, size, s->bytes))
		return PERFSTAMP_REASON_IO_ERROR;
	s->map.identity.build_id_size = size;
	return 0;
}

/* Starts the note walk if program header @i is a PT_NOTE. Returns 0 or a reason. */
__noinline int build_id__phdr(u32 slot, u32 i)
{
	struct scratch *s = scratch__get(slot);
	u64 align;
	int reason;

	if (!s)
		return PERFSTAMP_REASON_IO_ERROR;
	s->elf.note_pos = s->elf.note_end = 0;
	reason = content__read(slot, s->elf.phoff + (u64)i * s->elf.phentsize,
		s->elf.is_64 ? sizeof(struct elf64_phdr) : sizeof(struct elf32_phdr));
	if (reason)
		return reason;
	if (s->elf.is_64) {
		struct elf64_phdr *phdr = (void *)s->bytes;

		if (phdr->p_type != PT_NOTE)
			return 0;
		s->elf.note_pos = phdr->p_offset;
		s->elf.note_end = phdr->p_offset + phdr->p_filesz;
		align = phdr->p_align;
	} else {
		struct elf32_phdr *phdr = (void *)s->bytes;

		if (phdr->p_type != PT_NOTE)
			return 0;
		s->elf.note_pos = phdr->p_offset;
		s->elf.note_end = (u64)phdr->p_offset + phdr->p_filesz;
		align = phdr->p_align;
	}
	/* libelf accepts a segment only if all of it is in the file. */
	if (s->elf.note_end < s->elf.note_pos || s->elf.note_end > s->content.size)
		return PERFSTAMP_REASON_MALFORMED;
	s->elf.note_start = s->elf.note_pos;
	s->elf.note_align = align == 8 ? 8 : 4;
	return 0;
}

/* Whether program header @i is in the head and is not a PT_NOTE, which is the usual case. */
static __always_inline bool build_id__is_other(const struct scratch *s, u32 i)
{
	u64 at = s->elf.phoff + (u64)i * s->elf.phentsize;

	/* The type is the first field in both classes. */
	return content__in_head(s, at, sizeof(struct elf64_phdr)) &&
	       *(const u32 *)&s->head[at & (HEAD_SIZE - 1)] != PT_NOTE;
}

/* Reads program header @i and its notes. Returns WALK_ON, 0 or a reason. */
static __always_inline int build_id__notes(u32 slot, u32 i)
{
	int found, n;

	found = build_id__phdr(slot, i);
	if (found)
		return found;
	for (n = 0; n < NOTES_MAX; n++) {
		found = build_id__note(slot);
		if (found != WALK_ON)
			break;
	}
	return found == WALK_ON ? PERFSTAMP_REASON_LIMIT : found;
}

/* Whether @reason only means that the content could not be read. */
static __always_inline bool build_id__is_unread(int reason)
{
	return reason == PERFSTAMP_REASON_NOT_RESIDENT || reason == PERFSTAMP_REASON_IO_ERROR ||
	       reason == PERFSTAMP_REASON_LIMIT;
}

/*
 * Searches segment @i. Returns 1 if the search is over; elf.reason is its result. The
 * state is in memory because the verifier would follow each state of a register as a
 * path of its own in each iteration.
 */
__noinline int build_id__segment(u32 slot, u32 i)
{
	struct scratch *s = scratch__get(slot);
	int reason;

	if (!s || i >= s->elf.phnum)
		return 1;
	if (build_id__is_other(s, i))
		return 0;
	reason = build_id__notes(slot, i);
	/* The result if no later segment has a build-id. */
	if (reason != PERFSTAMP_REASON_NO_NOTE)
		s->elf.reason = reason;
	/*
	 * Only the file's first build-id is valid. After notes that could not be read, the one
	 * found might be the second.
	 */
	return reason == 0 || build_id__is_unread(reason);
}

/* Returns 0 if the program headers can be walked here, or a reason. */
static __always_inline int build_id__check_table(const struct scratch *s, u32 phentsize)
{
	if (!s->elf.phnum)
		return 0;
	/* PN_XNUM: a section header has the number. libelf ignores e_phentsize. */
	if (s->elf.phnum == PN_XNUM || s->elf.phentsize != phentsize)
		return PERFSTAMP_REASON_LIMIT;
	if (s->elf.phoff > s->content.size ||
		(u64)s->elf.phnum * phentsize > s->content.size - s->elf.phoff)
		return PERFSTAMP_REASON_MALFORMED;
	return 0;
}

__noinline int build_id__ehdr(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	int reason;

	if (!s)
		return PERFSTAMP_REASON_IO_ERROR;
	s->elf.notes_left = NOTES_TOTAL;
	if (s->content.size < sizeof(struct elf32_hdr))
		return PERFSTAMP_REASON_NOT_ELF;
	reason = content__read(slot, 0, sizeof(struct elf32_hdr));
	if (reason)
		return reason;
	if (*(u32 *)s->bytes != *(const u32 *)ELFMAG)
		return PERFSTAMP_REASON_NOT_ELF;
	if (s->bytes[EI_VERSION] != EV_CURRENT)
		return PERFSTAMP_REASON_NOT_ELF;
	if (s->bytes[EI_DATA] != ELFDATA_NATIVE)
		return PERFSTAMP_REASON_LIMIT;
	if (s->bytes[EI_CLASS] == ELFCLASS64) {
		struct elf64_hdr *ehdr = (void *)s->bytes;

		reason = content__read(slot, 0, sizeof(*ehdr));
		if (reason)
			return reason;
		s->elf.is_64 = 1;
		s->elf.phoff = ehdr->e_phoff;
		s->elf.phnum = ehdr->e_phnum;
		s->elf.phentsize = ehdr->e_phentsize;
		return build_id__check_table(s, sizeof(struct elf64_phdr));
	}
	if (s->bytes[EI_CLASS] == ELFCLASS32) {
		struct elf32_hdr *ehdr = (void *)s->bytes;

		s->elf.is_64 = 0;
		s->elf.phoff = ehdr->e_phoff;
		s->elf.phnum = ehdr->e_phnum;
		s->elf.phentsize = ehdr->e_phentsize;
		return build_id__check_table(s, sizeof(struct elf32_phdr));
	}
	return PERFSTAMP_REASON_MALFORMED;
}

/*
 * Reads the content's build-id into the record. The head must have been read. Returns 0
 * or a reason.
 */
__noinline int build_id__read(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	int reason;
	u32 i;

	if (!s)
		return PERFSTAMP_REASON_IO_ERROR;
	reason = build_id__ehdr(slot);
	if (reason)
		return reason;
	s->elf.reason = PERFSTAMP_REASON_NO_NOTE;
	for (i = 0; i < PHDRS_MAX; i++)
		if (build_id__segment(slot, i))
			return s->elf.reason;
	return s->elf.phnum > PHDRS_MAX ? PERFSTAMP_REASON_LIMIT : s->elf.reason;
}

#endif
