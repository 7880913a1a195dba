/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a file's content from its page cache, by walking the kernel's data structures.
 * It never waits and never causes I/O. A page that is not resident and a page that
 * cannot be read have different reasons. Does not know what the bytes mean.
 */
#ifndef PERFSTAMP_BPF_CONTENT_H
#define PERFSTAMP_BPF_CONTENT_H

#include "bpf/scratch.h"

#define HASH_WORDS 32

/*
 * Start of the array of struct page and of the direct map. Both are linear in the page
 * frame number. The program locate_direct_map finds them before anything is attached:
 * the kernel's own variables vmemmap_base and page_offset_base are in kallsyms only
 * with CONFIG_KALLSYMS_ALL.
 */
__u64 vmemmap_base;
__u64 direct_map_base;

static __always_inline u64 page_address(u64 page)
{
	return direct_map_base +
	       ((page - vmemmap_base) / bpf_core_type_size(struct page) << PAGE_SHIFT);
}

/* Entries of the page cache's tree: lib/xarray.c, include/linux/xarray.h. */
#define XA_CHUNK_SHIFT 6
#define XA_CHUNK_MASK 63
#define XA_MAX_DEPTH 6 /* 6 bits of index a level: files of up to 2^48 bytes */

static __always_inline bool xa_is_internal(u64 entry)
{
	return (entry & 3) == 2;
}

static __always_inline bool xa_is_node(u64 entry)
{
	return xa_is_internal(entry) && entry > 4096;
}

static __always_inline bool xa_is_value(u64 entry)
{
	return entry & 1;
}

/* Returns the entry for @index, or 0. */
static __always_inline u64 xa_load(u64 mapping, u64 index)
{
	u64 entry = READ(struct address_space, mapping, i_pages.xa_head);
	int level;

	if (!xa_is_node(entry))
		return index ? 0 : entry;
	for (level = 0; level < XA_MAX_DEPTH; level++) {
		u64 node = entry - 2;
		u64 slots = node + bpf_core_field_offset(struct xa_node, slots);
		u64 at = index >> (READ(struct xa_node, node, shift) & 63);

		if (level == 0 && at > XA_CHUNK_MASK)
			return 0;
		entry = read__u64(slots + 8 * (at & XA_CHUNK_MASK));
		/* A sibling points to the slot of its multi-index entry. */
		if (xa_is_internal(entry) && entry < 4096)
			entry = read__u64(slots + 8 * ((entry >> 2) & XA_CHUNK_MASK));
		if (!xa_is_node(entry))
			return entry;
	}
	return 0;
}

static __always_inline u64 folio_flags(u64 folio)
{
	if (bpf_core_type_exists(struct folio)) {
		if (bpf_core_field_exists(struct folio___memdesc, flags.f))
			return READ(struct folio___memdesc, folio, flags.f);
		return READ(struct folio, folio, flags);
	}
	return READ(struct page, folio, flags);
}

static __always_inline u64 folio_mapping(u64 folio)
{
	return bpf_core_type_exists(struct folio) ? READ(struct folio, folio, mapping)
						  : READ(struct page, folio, mapping);
}

static __always_inline u64 folio_index(u64 folio)
{
	return bpf_core_type_exists(struct folio) ? READ(struct folio, folio, index)
						  : READ(struct page, folio, index);
}

static __always_inline bool folio_is_uptodate(u64 folio)
{
	return folio_flags(folio) >> bpf_core_enum_value(enum pageflags, PG_uptodate) & 1;
}

/*
 * Finds page @index of the content and stores its address. Returns 0 or a reason. The
 * caller must call content__still_there after reading from it. Both are global functions,
 * so that the verifier checks them once, not for each call.
 */
__noinline int content__find_page(u32 slot, u64 index)
{
	struct scratch *s = scratch__get(slot);
	u64 folio, first;

	if (!s)
		return PERFSTAMP_REASON_IO_ERROR;
	if (s->content.page_addr && s->content.page_index == index)
		return 0;
	s->content.page_addr = 0;
	if (!s->content.mapping || !direct_map_base)
		goto missing;
	folio = xa_load(s->content.mapping, index);
	/* A value entry is the shadow of an evicted page, or a DAX frame. */
	if (!folio || xa_is_value(folio) || xa_is_internal(folio))
		goto missing;
	if (!folio_is_uptodate(folio))
		goto missing;
	first = folio_index(folio);
	if (index < first)
		goto missing;
	s->content.folio = folio;
	s->content.folio_index = first;
	s->content.page_addr = page_address(
		folio + (index - first) * bpf_core_type_size(struct page));
	s->content.page_index = index;
	return 0;
missing:
	s->content.missing_index = index;
	return PERFSTAMP_REASON_NOT_RESIDENT;
}

/*
 * Whether the page that was just read still has this content. Nothing holds a reference on its
 * folio, which can be split, freed and reused at any moment, even for another part of the same
 * file. So the entry is looked up again. The kernel does the same after it took its reference
 * (filemap_get_entry), because the folio's own fields do not show that a page has left it.
 */
__noinline int content__still_there(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	u64 folio;

	if (!s)
		return 0;
	folio = s->content.folio;
	return xa_load(s->content.mapping, s->content.page_index) == folio &&
	       folio_mapping(folio) == s->content.mapping &&
	       folio_index(folio) == s->content.folio_index && folio_is_uptodate(folio);
}

/*
 * Reads the first HEAD_SIZE bytes of the content, padded with zeros. The cookie is computed from
 * them. In most files, they contain the ELF headers and the build-id. Returns 0 or a reason.
 */
__noinline int content__read_head(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	u64 size;
	int reason;

	if (!s)
		return PERFSTAMP_REASON_IO_ERROR;
	s->content.head_size = 0;
	size = s->content.size;
	if (size) {
		reason = content__find_page(slot, 0);
		if (reason)
			return reason;
	}
	/*
	 * Beyond the end of the file, a page may have bytes that a mapping stored there. So clear
	 * the buffer first, by a read that fails.
	 */
	if (size < HEAD_SIZE)
		bpf_probe_read_kernel(s->words, sizeof(s->words), NULL);
	else
		size = HEAD_SIZE;
	/* An empty file has no page, but a cookie. */
	if (size) {
		if (bpf_probe_read_kernel(
			    s->words, size & (2 * HEAD_SIZE - 1), (void *)s->content.page_addr))
			return PERFSTAMP_REASON_IO_ERROR;
		if (!content__still_there(slot))
			return PERFSTAMP_REASON_NOT_RESIDENT;
	}
	s->content.head_size = size;
	return 0;
}

/* Whether @size bytes (at most 64) at @offset are in scratch.head. */
static __always_inline bool content__in_head(const struct scratch *s, u64 offset, u32 size)
{
	return offset < HEAD_SIZE && offset + size <= s->content.head_size;
}

/*
 * Reads @size bytes (at most 64) at @offset into scratch.bytes. Returns 0 or a reason;
 * MALFORMED if the content is shorter.
 */
__noinline int content__read(u32 slot, u64 offset, u32 size)
{
	struct scratch *s = scratch__get(slot);
	u32 here = PAGE_SIZE - (offset & PAGE_MASK);
	int reason;

	if (!s || size > 64)
		return PERFSTAMP_REASON_IO_ERROR;
	if (offset > s->content.size || size > s->content.size - offset)
		return PERFSTAMP_REASON_MALFORMED;
	if (content__in_head(s, offset, size)) {
		/* The compiler would copy byte by byte. */
		bpf_probe_read_kernel(s->bytes, 64, &s->head[offset & (HEAD_SIZE - 1)]);
		return 0;
	}
	if (here > size)
		here = size;
	reason = content__find_page(slot, offset >> PAGE_SHIFT);
	if (reason)
		return reason;
	if (bpf_probe_read_kernel(
		    s->bytes, here & 127, (void *)(s->content.page_addr + (offset & PAGE_MASK))))
		return PERFSTAMP_REASON_IO_ERROR;
	if (!content__still_there(slot))
		return PERFSTAMP_REASON_NOT_RESIDENT;
	if (here == size)
		return 0;
	reason = content__find_page(slot, (offset >> PAGE_SHIFT) + 1);
	if (reason)
		return reason;
	if (bpf_probe_read_kernel(
		    &s->bytes[here & 63], (size - here) & 63, (void *)s->content.page_addr))
		return PERFSTAMP_REASON_IO_ERROR;
	if (!content__still_there(slot))
		return PERFSTAMP_REASON_NOT_RESIDENT;
	return 0;
}

/* Hashes HASH_WORDS words from @at on: the verifier is faster with two short loops. */
__noinline int content__hash(u32 slot, u32 at)
{
	struct scratch *s = scratch__get(slot);

	if (!s)
		return 0;
	at &= PERFSTAMP_COOKIE_WORDS - HASH_WORDS;
	perfstamp_cookie_words(s->hash, &s->words[at], HASH_WORDS);
	return 0;
}

/* Stores the cookie of the content in the record. The head must have been read. */
__noinline int content__cookie(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	u32 at;

	if (!s)
		return 0;
	s->hash[0] = s->hash[1] = 0;
	for (at = 0; at < PERFSTAMP_COOKIE_WORDS; at += HASH_WORDS)
		content__hash(slot, at);
	perfstamp_cookie_end(s->hash, s->content.size, s->map.identity.cookie);
	s->map.identity.cookie_size = PERFSTAMP_COOKIE_V1_SIZE;
	return 0;
}

#endif
