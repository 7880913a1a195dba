/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the kernel's direct map, through which bpf/content.h reads pages, by a page that user space
 * has written (user/source/bpf/bpf.c). Runs before anything is attached. Does not know hooks or
 * mappings.
 */
#ifndef PERFSTAMP_BPF_DIRECT_MAP_H
#define PERFSTAMP_BPF_DIRECT_MAP_H

#include "bpf/content.h"
#include "bpf/stash.h"

#define LOCATE_SIZE 16 /* bytes that user space wrote at the page's start */

__u8 locate_wanted[LOCATE_SIZE];
__u64 locate_frame; /* page frame number, from /proc/self/pagemap */
__u32 locate_fd;    /* a memfd of one page */
__u32 locate_try;   /* number of alignment steps below the current task at which to try */

/*
 * User space runs this program in its own context, with increasing locate_try, until the program
 * has set direct_map_base. The program also stores the super block of the recorder's root. A
 * task_struct is in the direct map, so the map begins at or below it.
 */
SEC("raw_tp/locate_direct_map")
int locate_direct_map(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct file **fds, *file;
	u64 base, page, found[2];

	fds = BPF_CORE_READ(task, files, fdt, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), &fds[locate_fd]))
		return 0;
	page = xa_load((u64)BPF_CORE_READ(file, f_mapping), 0);
	if (!page || xa_is_value(page) || xa_is_internal(page))
		return 0;
	held_sb = (u64)BPF_CORE_READ(task, fs, root.mnt, mnt_sb);
	base = ((u64)task >> ARCH_DIRECT_MAP_ALIGN) - locate_try;
	base <<= ARCH_DIRECT_MAP_ALIGN;
	if (bpf_probe_read_kernel(
		    found, LOCATE_SIZE, (void *)(base + (locate_frame << PAGE_SHIFT))))
		return 0;
	if (found[0] != ((u64 *)locate_wanted)[0] || found[1] != ((u64 *)locate_wanted)[1])
		return 0;
	vmemmap_base = page - locate_frame * bpf_core_type_size(struct page);
	direct_map_base = base;
	return 0;
}

#endif
