// SPDX-License-Identifier: GPL-2.0-only
/* See faulting.h. The object's skeleton is included here and nowhere else. */
#include "user/source/bpf/faulting.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#include "bpf/casts.h"
#include "faulting.skel.h"
#include "user/source/bpf/arch.h"
#include "user/source/kernel/types.h"
#include "user/source/machine/release.h"

struct bpf_faulting {
	struct faulting_bpf *skel;
};

/*
 * The kernel functions that the object calls, and the versions from which they have the
 * expected signature.
 */
static const struct {
	const char *name;
	const char *since;
} FUNCTIONS[] = {
	{"bpf_preempt_disable", "6.10"},
	{"bpf_dynptr_from_file", "6.19"},
	{"bpf_task_work_schedule_resume", "7.0"},
};

static bool has_member(const struct btf *btf, const char *type, const char *name)
{
	const struct btf_type *t;
	const struct btf_member *member;
	int id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT), i;

	t = id < 0 ? NULL : btf__type_by_id(btf, id);
	member = t ? btf_members(t) : NULL;
	for (i = 0; member && i < btf_vlen(t); i++)
		if (!strcmp(btf__name_by_offset(btf, member[i].name_off), name))
			return true;
	return false;
}

bool bpf_faulting__what_is_missing(char *why, size_t size)
{
	struct btf *btf = btf__load_vmlinux_btf();
	const char *missing = NULL, *since = NULL;
	size_t i;

	if (libbpf_get_error(btf)) {
		snprintf(why, size, "the kernel has no BTF");
		return true;
	}
	for (i = 0; i < sizeof(FUNCTIONS) / sizeof(*FUNCTIONS) && !missing; i++) {
		if (btf__find_by_name_kind(btf, FUNCTIONS[i].name, BTF_KIND_FUNC) >= 0)
			continue;
		missing = FUNCTIONS[i].name;
		since = FUNCTIONS[i].since;
	}
	if (!missing && !has_member(btf, "bpf_iter_task_vma_kern_data", "snapshot")) {
		missing = "bpf_iter_task_vma that needs no mmap lock";
		since = "7.2";
	}
	btf__free(btf);
	if (missing)
		snprintf(why, size, "the kernel has no %s (%s on)", missing, since);
	return missing;
}

bool bpf_faulting__is_worth_trying(void)
{
	return release__is_from(6, 19);
}

int bpf_faulting__new(struct bpf_faulting **ret, const struct bpf_faulting_target *target)
{
	struct bpf_faulting *faulting;
	uint32_t key = 0;
	int fd, code;

	*ret = NULL;
	faulting = calloc(1, sizeof(*faulting));
	if (!faulting)
		return -ENOMEM;
	kernel_types__hold();
	faulting->skel = KERNEL_TYPES_OPEN(faulting_bpf);
	if (!faulting->skel) {
		code = -errno;
		kernel_types__release();
		free(faulting);
		return code;
	}
	BPF_ARCH_SET_PAGE_SIZE(faulting->skel);
	kernel_types__casts((struct cast_types *)&faulting->skel->rodata->cast_types);
	faulting->skel->rodata->wakeup_bytes = target->wakeup_bytes;
	faulting->skel->rodata->divided_bytes = target->divided_bytes;
	faulting->skel->rodata->divided_entries = target->divided_entries;
	faulting->skel->rodata->wakes_for_files = target->wakes_for_files;
	faulting->skel->rodata->tai_offset = target->tai_offset;
	faulting->skel->bss->held_sb = target->held_sb;
	faulting->skel->bss->vmemmap_base = target->vmemmap_base;
	faulting->skel->bss->direct_map_base = target->direct_map_base;
	code = bpf_map__reuse_fd(faulting->skel->maps.scratch_map, target->scratch_fd);
	if (!code)
		code = bpf_map__reuse_fd(faulting->skel->maps.ring, target->ring_fd);
	if (!code)
		code = bpf_map__reuse_fd(faulting->skel->maps.counters, target->counters_fd);
	if (!code)
		code = bpf_map__reuse_fd(faulting->skel->maps.stash, target->stash_fd);
	if (!code)
		code = bpf_map__reuse_fd(faulting->skel->maps.shares, target->shares_fd);
	if (!code)
		code = bpf_map__reuse_fd(
			faulting->skel->maps.lost_by_cgroup, target->lost_by_cgroup_fd);
	/* A tail call requires a program of the hook's own type. */
	if (!code)
		code = bpf_program__set_expected_attach_type(
			faulting->skel->progs.on_cold, target->multi ? BPF_TRACE_KPROBE_MULTI : 0);
	if (!code)
		code = kernel_types__load(faulting->skel->skeleton);
	kernel_types__release();
	if (!code) {
		fd = bpf_program__fd(faulting->skel->progs.on_cold);
		code = bpf_map_update_elem(target->on_cold_fd, &key, &fd, BPF_ANY);
	}
	if (code) {
		bpf_faulting__free(faulting);
		return code;
	}
	*ret = faulting;
	return 0;
}

void bpf_faulting__set_epoch(struct bpf_faulting *faulting, uint64_t epoch)
{
	faulting->skel->bss->stash_epoch = epoch;
}

void bpf_faulting__free(struct bpf_faulting *faulting)
{
	if (!faulting)
		return;
	faulting_bpf__destroy(faulting->skel);
	free(faulting);
}
