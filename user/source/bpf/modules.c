// SPDX-License-Identifier: GPL-2.0-only
/*
 * See modules.h. The kernel side is bpf/modules.bpf.c; its skeleton is
 * included here and nowhere else.
 */
#include "user/source/bpf/modules.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/casts.h"
#include "modules.skel.h"
#include "user/source/bpf/ring.h"
#include "user/source/kernel/types.h"

/* Loading a module takes a millisecond and makes two records: room for all that a round sees. */
#define MODULE_RING_SIZE (256u << 10)

struct bpf_modules {
	struct modules_bpf *skel;
	struct bpf_ring *ring;
	/* only during a drain: */
	bpf_module_fn *fn;
	void *ctx;
	int result;
};

static int on_ring_record(void *ctx, void *data, size_t size)
{
	struct bpf_modules *modules = ctx;
	struct perfstamp_module *record = data;

	/* Only record.size bytes are copied: what follows the record belongs to the ring. */
	if (size < sizeof(*record) || record->record.size != size)
		return 0;
	if (!modules->result)
		modules->result = modules->fn(record, modules->ctx);
	return 0;
}

int bpf_modules__new(struct bpf_modules **ret, struct error *err)
{
	struct bpf_modules *modules = calloc(1, sizeof(*modules));
	int code;

	*ret = NULL;
	if (!modules)
		return error__set(err, -ENOMEM, "out of memory");
	/* Checking is cheaper than a failed load. */
	if (access("/proc/modules", F_OK)) {
		free(modules);
		return error__set(err, -ENOSYS, "the kernel has no modules (CONFIG_MODULES)");
	}
	libbpf_set_print(NULL);
	kernel_types__hold();
	modules->skel = KERNEL_TYPES_OPEN(modules_bpf);
	if (!modules->skel) {
		code = -errno;
		goto failed;
	}
	kernel_types__casts((struct cast_types *)&modules->skel->rodata->cast_types);
	modules->skel->rodata->module_wakeup_bytes = MODULE_RING_SIZE / 4;
	code = bpf_map__set_max_entries(modules->skel->maps.module_ring, MODULE_RING_SIZE);
	if (!code)
		code = kernel_types__load(modules->skel->skeleton);
	if (code)
		goto failed;
	code = bpf_ring__new(&modules->ring, bpf_map__fd(modules->skel->maps.module_ring));
	if (code)
		goto failed;
	modules->skel->links.module_load = bpf_program__attach(modules->skel->progs.module_load);
	modules->skel->links.module_init_done = bpf_program__attach(
		modules->skel->progs.module_init_done);
	modules->skel->links.module_free = bpf_program__attach(modules->skel->progs.module_free);
	if (!modules->skel->links.module_load || !modules->skel->links.module_init_done ||
		!modules->skel->links.module_free) {
		code = -errno;
		goto failed;
	}
	*ret = modules;
	kernel_types__release();
	return 0;
failed:
	kernel_types__release();
	bpf_modules__free(modules);
	return error__errno(err, code, "BPF programs for kernel modules");
}

void bpf_modules__free(struct bpf_modules *modules)
{
	if (!modules)
		return;
	bpf_ring__free(modules->ring);
	modules_bpf__destroy(modules->skel);
	free(modules);
}

int bpf_modules__fd(const struct bpf_modules *modules)
{
	return bpf_map__fd(modules->skel->maps.module_ring);
}

int bpf_modules__drain(struct bpf_modules *modules, bpf_module_fn *fn, void *ctx)
{
	int n;

	modules->fn = fn;
	modules->ctx = ctx;
	modules->result = 0;
	n = bpf_ring__read(modules->ring, on_ring_record, modules);
	return n < 0 ? n : modules->result;
}

/*
 * The open directory does not keep the module loaded. If the module was unloaded, its
 * memory may have been reused, so the directory is checked again after reading.
 */
int bpf_modules__read(struct bpf_modules *modules, const char *name, struct perfstamp_module *ret)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	char path[PATH_MAX];
	int fd, code = 0;

	if (strchr(name, '/'))
		return -ENOENT;
	snprintf(path, sizeof(path), "/sys/module/%s", name);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	modules->skel->bss->module_fd = fd;
	modules->skel->data_found->module_found.state.event = 0;
	if (bpf_prog_test_run_opts(bpf_program__fd(modules->skel->progs.read_module), &run))
		code = -errno;
	*ret = modules->skel->data_found->module_found;
	/* A removed directory has no entries. */
	if (!code && faccessat(fd, "initstate", F_OK, 0))
		code = -ENOENT;
	close(fd);
	if (code)
		return code;
	if (ret->state.event != PERFSTAMP_MODULE_LOAD || !ret->state.text_addr ||
		strncmp(ret->state.name, name, sizeof(ret->state.name)))
		return -ENOENT;
	return 0;
}

uint64_t bpf_modules__lost(const struct bpf_modules *modules)
{
	uint64_t lost = modules->skel->bss->module_ring_full;
	struct bpf_program *program;

	bpf_object__for_each_program (program, modules->skel->obj) {
		struct bpf_prog_info info = {0};
		uint32_t size = sizeof(info);

		if (!bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
			lost += info.recursion_misses;
	}
	return lost;
}
