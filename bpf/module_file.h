/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the file from which a module is being loaded, from the arguments of the system call
 * in the caller's saved registers. Does not know hooks or the ring.
 */
#ifndef PERFSTAMP_BPF_MODULE_FILE_H
#define PERFSTAMP_BPF_MODULE_FILE_H

#include "bpf/arch.h"
#include "bpf/path.h"

enum module_loader {
	MODULE_LOADER_UNKNOWN, /* the loader could not be determined */
	MODULE_LOADER_FILE,    /* finit_module */
	MODULE_LOADER_MEMORY,  /* init_module: from no file */
};

#ifdef ARCH_HAS_SYSCALLS
/* Address of the struct pt_regs of the current system call. */
static __always_inline u64 module_file__regs(struct task_struct *task)
{
	/*
	 * bpf_task_pt_regs() exists from 5.15 on (commit dd6e10fbd9fb). In older kernels the
	 * registers are at the very end of the stack.
	 */
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_task_pt_regs))
		return (u64)bpf_task_pt_regs((void *)bpf_get_current_task_btf());
	return (u64)BPF_CORE_READ(task, stack) + ARCH_THREAD_SIZE -
	       bpf_core_type_size(struct pt_regs___kernel);
}

/* Which system call it is, and the file descriptor of finit_module. */
static __always_inline enum module_loader module_file__loader(struct task_struct *task, u32 *ret_fd)
{
	struct pt_regs___kernel *regs = (void *)module_file__regs(task);
	long nr;
	bool compat = ARCH_SYSCALL(task, regs, BPF_CORE_READ, &nr);

	*ret_fd = ARCH_ARG_0(regs, BPF_CORE_READ, compat);
	if (nr == (compat ? SYS_32_finit_module : SYS_64_finit_module))
		return MODULE_LOADER_FILE;
	return nr == (compat ? SYS_32_init_module : SYS_64_init_module) ? MODULE_LOADER_MEMORY
									: MODULE_LOADER_UNKNOWN;
}
#else
static __always_inline enum module_loader module_file__loader(struct task_struct *task, u32 *ret_fd)
{
	*ret_fd = 0;
	return MODULE_LOADER_UNKNOWN;
}
#endif

/*
 * Stores the path of the file in the slot's record, from the root of the mount namespace;
 * path_size is 0 if there is no file. The loading process may reopen the descriptor
 * meanwhile, so user space checks that the file has the module's build-id.
 */
static __always_inline enum module_loader module_file__read(u32 slot)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct scratch *s = scratch__get(slot);
	enum module_loader loader;
	struct file **fds, *file;
	u32 fd;

	if (!s)
		return MODULE_LOADER_UNKNOWN;
	s->map.path_size = 0;
	s->map.record.flags = 0;
	loader = module_file__loader(task, &fd);
	if (loader != MODULE_LOADER_FILE || fd >= BPF_CORE_READ(task, files, fdt, max_fds))
		return loader;
	fds = BPF_CORE_READ(task, files, fdt, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), fds + fd) || !file)
		return loader;
	path__read(slot, (u64)file + bpf_core_field_offset(struct file, f_path), 0);
	return loader;
}

#endif
