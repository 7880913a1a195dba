/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks the mappings of a process in the order of their addresses, across all gaps. bpf_find_vma()
 * finds only the mapping that covers a given address, and bpf_iter_task_vma exists only from 6.7
 * on. The walk takes no lock: the caller must ensure that the mappings do not change meanwhile, and
 * must check the result.
 */
#ifndef PERFSTAMP_BPF_MEMORY_H
#define PERFSTAMP_BPF_MEMORY_H

#include "bpf/content.h"

/*
 * From 6.1 on (commit 524e00b36e8c) mappings are in a maple tree: lib/maple_tree.c,
 * include/linux/maple_tree.h. Its nodes are aligned to 256 bytes; the low bits of a
 * pointer to one have its type.
 */
#define MAPLE_NODE_MASK 255ul
#define MAPLE_TYPE_SHIFT 3
#define MAPLE_TYPE_MASK 15
#define MAPLE_NODE_SIZE 256
#define MAPLE_DEPTH_MAX 6 /* a leaf has at least 8 mappings, a node 5 children */

static __always_inline bool maple__is_leaf(u64 node)
{
	return (node >> MAPLE_TYPE_SHIFT & MAPLE_TYPE_MASK) <
	       bpf_core_enum_value(enum maple_type, maple_range_64);
}

/*
 * Descends from the node in the walk to the entry that covers walk.next, and narrows walk.last to
 * the end of that entry's range. Each node is copied as a whole.
 */
__noinline int maple__descend(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	u32 pivots, slots, n, i;
	u64 node, pivot, slot_at;

	if (!s)
		return 0;
	node = s->walk.entry;
	if ((node >> MAPLE_TYPE_SHIFT & MAPLE_TYPE_MASK) ==
		bpf_core_enum_value(enum maple_type, maple_arange_64)) {
		pivots = bpf_core_field_offset(struct maple_arange_64, pivot);
		slots = bpf_core_field_offset(struct maple_arange_64, slot);
		n = bpf_core_field_size(struct maple_arange_64, pivot) / sizeof(u64);
	} else {
		pivots = bpf_core_field_offset(struct maple_range_64, pivot);
		slots = bpf_core_field_offset(struct maple_range_64, slot);
		n = bpf_core_field_size(struct maple_range_64, pivot) / sizeof(u64);
	}
	s->walk.entry = 0;
	if (bpf_probe_read_kernel(s->raw, MAPLE_NODE_SIZE, (void *)(node & ~MAPLE_NODE_MASK)))
		return 0;
	/* Pivots after the last used one are zero. */
	for (i = 0; i < 16 && i < n; i++) {
		pivot = *(u64 *)&s->raw[(pivots + 8 * i) & MAPLE_NODE_MASK & ~7ul];
		if (!pivot && i)
			break;
		if (pivot >= s->walk.next) {
			if (pivot < s->walk.last)
				s->walk.last = pivot;
			break;
		}
	}
	/*
	 * The value is stored in memory, so that the verifier treats all exits of the loop alike.
	 */
	*(volatile u64 *)&s->walk.slot = slots + 8 * i;
	slot_at = *(volatile u64 *)&s->walk.slot;
	s->walk.entry = *(u64 *)&s->raw[slot_at & MAPLE_NODE_MASK & ~7ul];
	return 0;
}

/* Finds the entry at walk.next and moves walk.next behind it. walk.vma is 0 for a gap. */
static __always_inline void maple__step(u32 slot, struct scratch *s)
{
	int level;
	u64 node;

	s->walk.last = ~0ul;
	s->walk.entry = READ(struct mm_struct, s->walk.mm, mm_mt.ma_root);
	for (level = 0; level < MAPLE_DEPTH_MAX; level++) {
		node = s->walk.entry;
		if (!node || (level == 0 && !xa_is_node(node)))
			break;
		maple__descend(slot);
		if (maple__is_leaf(node))
			break;
	}
	/* No entry in a leaf has the bits that mark a node. */
	s->walk.vma = s->walk.entry & 3 ? 0 : s->walk.entry;
	s->walk.next = s->walk.last + 1;
	s->walk.ended = !s->walk.next || level == MAPLE_DEPTH_MAX;
}

/* Begins a walk of the memory @mm. */
static __always_inline void memory__begin(struct scratch *s, u64 mm)
{
	s->walk.mm = mm;
	s->walk.next = s->walk.vma = s->walk.pages = 0;
	s->walk.ended = 0;
}

/*
 * The next step of the walk: walk.vma is a mapping, or 0 for a gap. After the last one
 * walk.ended is set. A global function, which the verifier checks once.
 */
__noinline int memory__step(u32 slot)
{
	struct scratch *s = scratch__get(slot);

	if (!s)
		return 0;
	if (bpf_core_field_exists(struct mm_struct, mm_mt)) {
		maple__step(slot, s);
		return 0;
	}
	/* Up to 6.0, mappings are also in a list. */
	s->walk.vma = s->walk.vma ? READ(struct vm_area_struct, s->walk.vma, vm_next)
				  : READ(struct mm_struct___list, s->walk.mm, mmap);
	s->walk.ended = !s->walk.vma;
	return 0;
}

#endif
