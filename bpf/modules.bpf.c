// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records kernel modules: their loading, the return of their init function, their
 * unloading, and, when user space asks, the modules that are already loaded. A separate BPF
 * object, so that it can be used with any rung, or not at all.
 *
 * The programs are raw tracepoints, whose arguments are read by CO-RE. So they need only
 * the BTF of the kernel's own types, on every kernel from 5.10 on.
 */
#include "bpf/module.h"
#include "bpf/module_file.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096); /* bytes; user space sets it before loading */
} module_ring SEC(".maps");

const volatile __u64 module_wakeup_bytes = 1;

__u64 module_ring_full; /* records for which the ring had no room */

static __always_inline int emit(struct perfstamp_module *record)
{
	u64 flags;

	if (!record)
		return 0;
	flags = bpf_ringbuf_query(&module_ring, BPF_RB_AVAIL_DATA) >= module_wakeup_bytes
			? BPF_RB_FORCE_WAKEUP
			: BPF_RB_NO_WAKEUP;
	if (bpf_ringbuf_output(&module_ring, record, sizeof(*record), flags))
		__sync_fetch_and_add(&module_ring_full, 1);
	return 0;
}

/*
 * A module that is loaded, followed by its file's path. A file outside of the module tree
 * may be removed right after loading, so user space must read it at once.
 */
static __always_inline int emit_load(struct perfstamp_module *record)
{
	struct scratch *s = scratch__get(SLOT_HOOK);
	enum module_loader loader;
	struct perfstamp_module *out;
	u32 size, flags;

	if (!record || !s)
		return 0;
	loader = module_file__read(SLOT_HOOK);
	size = s->map.path_size;
	flags = s->map.record.flags;
	if (!size || size > PERFSTAMP_PATH_MAX) {
		if (loader == MODULE_LOADER_MEMORY)
			record->record.flags |= PERFSTAMP_MODULE_FROM_MEMORY;
		return emit(record);
	}
	__builtin_memset(&s->path_buf[size & (2 * PERFSTAMP_PATH_MAX - 1)], 0, 8);
	/*
	 * The path follows a map record in the slot. The module's record is put at the end of
	 * that record's space.
	 */
	PERFSTAMP_ASSERT(sizeof(*out) <= sizeof(s->map));
	out = (void *)&s->map + sizeof(s->map) - sizeof(*out);
	*out = *record;
	out->path_size = size;
	out->path_flags = flags;
	size = sizeof(*out) + ((size + 7) & ~7u);
	out->record.size = size;
	if (bpf_ringbuf_output(&module_ring, out, size, BPF_RB_FORCE_WAKEUP))
		__sync_fetch_and_add(&module_ring_full, 1);
	return 0;
}

SEC("raw_tp/module_load")
int module_load(struct bpf_raw_tracepoint_args *ctx)
{
	return emit_load(
		module__make(MODULE_SLOT_LOAD, (void *)ctx->args[0], PERFSTAMP_MODULE_LOAD, 0));
}

/* After booting, only modules have init functions that run here. */
SEC("raw_tp/initcall_finish")
int module_init_done(struct bpf_raw_tracepoint_args *ctx)
{
	int result = ctx->args[1];
	struct perfstamp_module *record = module__begin(MODULE_SLOT_INIT, PERFSTAMP_MODULE_INIT,
		result < 0 ? PERFSTAMP_MODULE_INIT_FAILED : 0);

	if (!record)
		return 0;
	/* User space finds the module by the address. */
	record->state.init_addr = ctx->args[0];
	record->state.init_result = result;
	return emit(record);
}

SEC("raw_tp/module_free")
int module_free(struct bpf_raw_tracepoint_args *ctx)
{
	struct module *mod = (void *)ctx->args[0];

	return emit(module__make(MODULE_SLOT_FREE, mod, PERFSTAMP_MODULE_UNLOAD,
		module__has_init(mod) ? PERFSTAMP_MODULE_INIT_FAILED : 0));
}

/* ---- A loaded module: user space asks, with the module's directory open ---- */

__u32 module_fd; /* of /sys/module/NAME */
/*
 * state.event is 0 if it is not a module. In its own section, because a struct that ends
 * with a flexible array cannot be in the middle of the skeleton's.
 */
struct perfstamp_module module_found SEC(".data.found");

SEC("raw_tp/read_module")
int read_module(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct inode___kernfs *inode;
	struct kernfs_node___kobject *node;
	struct perfstamp_module *record;
	struct file **fds, *file;
	struct module *mod;
	void *kobj;

	fds = BPF_CORE_READ(task, files, fdt, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), &fds[module_fd]))
		return 0;
	inode = (void *)BPF_CORE_READ(file, f_inode);
	node = BPF_CORE_READ(inode, i_private);
	kobj = node ? BPF_CORE_READ(node, priv) : NULL;
	if (!kobj)
		return 0;
	mod = kobj - bpf_core_field_offset(struct module, mkobj.kobj);
	/* Built-in code has a directory, too, but no module. */
	if (BPF_CORE_READ(mod, mkobj.mod) != mod)
		return 0;
	record = module__make(
		MODULE_SLOT_READ, mod, PERFSTAMP_MODULE_LOAD, PERFSTAMP_MODULE_SNAPSHOT);
	if (record)
		module_found = *record;
	return 0;
}
