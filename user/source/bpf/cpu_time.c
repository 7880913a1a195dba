// SPDX-License-Identifier: GPL-2.0-only
/* See cpu_time.h. The object's skeleton is included here and nowhere else. */
#include "user/source/bpf/cpu_time.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bpf/casts.h"
#include "bpf/cpu_time.h"
#include "cpu_time.skel.h"
#include "user/source/bpf/tables.h"
#include "user/source/kernel/types.h"
#include "user/source/machine/clock.h"
#include "user/source/machine/release.h"

struct bpf_cpu_time {
	struct cpu_time_bpf *skel;
	struct bpf_program *look_at_living;
	struct cpu_time_name names[CPU_TIME_NAMES]; /* while they are read */
};

static int load(struct bpf_cpu_time *cpu_time, int pids_fd)
{
	struct cpu_time_bpf *skel = cpu_time->skel;
	bool loop = release__is_from(5, 17);
	int code;

	skel->rodata->some_pids = pids_fd >= 0;
	kernel_types__casts((struct cast_types *)&skel->rodata->cast_types);
	/* Until bpf_cpu_time__begin(), all processes count as started before. */
	skel->bss->state.since = UINT64_MAX;
	bpf_program__set_autoload(skel->progs.look_at_living, loop);
	bpf_program__set_autoload(skel->progs.look_at_living_old, !loop);
	cpu_time->look_at_living = loop ? skel->progs.look_at_living
					: skel->progs.look_at_living_old;
	code = bpf_tables__grow_by_pid(skel->maps.processes);
	if (!code)
		code = bpf_tables__grow(skel->maps.names);
	if (!code)
		code = pids_fd >= 0 ? bpf_map__reuse_fd(skel->maps.recorded_pids, pids_fd)
				    : bpf_map__set_max_entries(skel->maps.recorded_pids, 1);
	return code ? code : kernel_types__load(skel->skeleton);
}

static int attach(struct cpu_time_bpf *skel)
{
	skel->links.on_exit = bpf_program__attach(skel->progs.on_exit);
	if (!skel->links.on_exit)
		return -errno;
	skel->links.on_free = bpf_program__attach(skel->progs.on_free);
	return skel->links.on_free ? 0 : -errno;
}

int bpf_cpu_time__new(struct bpf_cpu_time **ret, int pids_fd, struct error *err)
{
	struct bpf_cpu_time *cpu_time = calloc(1, sizeof(*cpu_time));
	int code;

	*ret = NULL;
	if (!cpu_time)
		return error__set(err, -ENOMEM, "out of memory");
	kernel_types__hold();
	cpu_time->skel = KERNEL_TYPES_OPEN(cpu_time_bpf);
	code = cpu_time->skel ? load(cpu_time, pids_fd) : -errno;
	kernel_types__release();
	if (!code)
		code = attach(cpu_time->skel);
	if (code) {
		bpf_cpu_time__free(cpu_time);
		return error__errno(err, code, "BPF programs that sum CPU time");
	}
	*ret = cpu_time;
	return 0;
}

void bpf_cpu_time__free(struct bpf_cpu_time *cpu_time)
{
	if (!cpu_time)
		return;
	cpu_time_bpf__destroy(cpu_time->skel);
	free(cpu_time);
}

/* The programs write nothing: reading to the end runs them. */
static int run(struct bpf_program *program, int map_fd)
{
	union bpf_iter_link_info info = {.map.map_fd = map_fd};
	LIBBPF_OPTS(bpf_iter_attach_opts, opts, .link_info = &info, .link_info_len = sizeof(info));
	struct bpf_link *link;
	int fd, code = 0;
	ssize_t n;
	char byte;

	link = bpf_program__attach_iter(program, map_fd < 0 ? NULL : &opts);
	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0)
		code = -errno;
	do
		n = code ? 0 : read(fd, &byte, sizeof(byte));
	while (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)));
	if (n < 0)
		code = -errno;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return code;
}

/*
 * The second program finds processes that are reaped in between. It runs twice, because a
 * walk over the table may skip an entry when another one is removed.
 */
static int look_at_all(struct bpf_cpu_time *cpu_time)
{
	struct bpf_program *look_at_ended = cpu_time->skel->progs.look_at_ended;
	int fd = bpf_map__fd(cpu_time->skel->maps.processes);
	int code = run(cpu_time->look_at_living, -1);

	if (!code)
		code = run(look_at_ended, fd);
	return code ? code : run(look_at_ended, fd);
}

int bpf_cpu_time__begin(struct bpf_cpu_time *cpu_time, pid_t left_out)
{
	struct cpu_time_state *state = &cpu_time->skel->bss->state;
	int code;

	state->left_out = left_out;
	__atomic_store_n(&state->since, clock__now(CLOCK_MONOTONIC), __ATOMIC_SEQ_CST);
	code = look_at_all(cpu_time);
	if (!code)
		__atomic_store_n(&state->on, 1, __ATOMIC_SEQ_CST);
	return code;
}

/*
 * Time that is added to a name between reading and removing it is lost. At most one process loses
 * time in this way.
 */
static int read_names(struct bpf_cpu_time *cpu_time, bpf_cpu_time_fn fn, void *ctx)
{
	int fd = bpf_map__fd(cpu_time->skel->maps.names), code = 0;
	struct cpu_time_name *names = cpu_time->names;
	char comm[sizeof(names->comm) + 1] = {0};
	struct cpu_time_sum sum;
	size_t i, n = 0;

	/* The keys are listed first, because a walk begins again if its last key was removed. */
	while (n < CPU_TIME_NAMES && !bpf_map_get_next_key(fd, n ? &names[n - 1] : NULL, &names[n]))
		n++;
	for (i = 0; !code && i < n; i++) {
		if (bpf_map_lookup_elem(fd, &names[i], &sum))
			continue;
		bpf_map_delete_elem(fd, &names[i]);
		memcpy(comm, names[i].comm, sizeof(names[i].comm));
		code = fn(comm, sum.ns, sum.processes, ctx);
	}
	return code;
}

int bpf_cpu_time__read(struct bpf_cpu_time *cpu_time, bool last, bpf_cpu_time_fn fn, void *ctx,
	struct bpf_cpu_time_sums *ret)
{
	struct cpu_time_state *state = &cpu_time->skel->bss->state;
	int code;

	memset(ret, 0, sizeof(*ret));
	code = look_at_all(cpu_time);
	if (last)
		__atomic_store_n(&state->on, 0, __ATOMIC_SEQ_CST);
	if (code)
		return code;
	ret->other_ns = __atomic_exchange_n(&state->other.ns, 0, __ATOMIC_SEQ_CST);
	ret->other_processes = __atomic_exchange_n(&state->other.processes, 0, __ATOMIC_SEQ_CST);
	ret->missed = __atomic_exchange_n(&state->missed, 0, __ATOMIC_SEQ_CST);
	return read_names(cpu_time, fn, ctx);
}
