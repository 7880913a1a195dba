// SPDX-License-Identifier: GPL-2.0-only
/* See ring_sizes.h. The sums are integers of bytes, and nothing here maps memory. */
#include "user/source/machine/ring_sizes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "user/parse/event/cpu_list.h"
#include "user/source/proc/file.h"

#define SCRATCH_BYTES 40960 /* bytes of the per-CPU tables of bpf/scratch.h and bpf/module.h */

/* Returns the largest power of two that is not more than @value; 0 for 0. */
static uint64_t round_down(uint64_t value)
{
	return value ? 1ull << (63 - __builtin_clzll(value)) : 0;
}

static uint64_t round_up(uint64_t value)
{
	uint64_t down = round_down(value);

	return down < value ? 2 * down : down;
}

/* The data pages of one ring; its size includes the first page. */
static size_t choose_pages(const struct ring_sizes_machine *machine, uint64_t n_rings, int *reduced)
{
	uint64_t usual = machine->mlock_kb * 1024 / machine->page, pages, fit;
	uint64_t least = machine->page < RING_SIZES_MIN ? RING_SIZES_MIN / machine->page : 1;

	usual = usual > 1 ? round_down(usual - 1) : 1;
	if (!machine->memory)
		return usual;
	fit = machine->memory / RING_SIZES_SHARE / machine->page / n_rings;
	pages = fit > 1 ? round_down(fit - 1) : 0;
	if (pages >= usual)
		return usual;
	if (pages < least)
		pages = usual < least ? usual : least;
	*reduced |= pages < usual;
	return pages;
}

/*
 * Uses the part of the share that @tables leave. User space maps the ring too, which takes no
 * further memory.
 */
static size_t choose_bpf_ring(
	const struct ring_sizes_machine *machine, uint64_t tables, int *reduced)
{
	uint64_t usual = round_up(machine->cpus * RING_SIZES_BPF_CPU), fit, share;

	if (usual < 2 * RING_SIZES_BPF_CPU)
		usual = 2 * RING_SIZES_BPF_CPU;
	if (usual > RING_SIZES_BPF_MAX)
		usual = RING_SIZES_BPF_MAX;
	if (!machine->memory)
		return usual;
	share = machine->memory / RING_SIZES_SHARE;
	fit = share > tables ? round_down(share - tables) : 0;
	if (fit >= usual)
		return usual;
	*reduced |= 1;
	return fit < RING_SIZES_BPF_MIN ? RING_SIZES_BPF_MIN : fit;
}

void ring_sizes__choose(
	struct ring_sizes *ret, const struct ring_sizes_machine *machine, uint64_t n_rings)
{
	uint64_t stash = machine->possible_cpus * RING_SIZES_STASH_CPU,
		 cgroups = machine->possible_cpus * RING_SIZES_CGROUPS_CPU, tables;

	if (!n_rings)
		n_rings = 1;
	*ret = (struct ring_sizes){0};
	ret->stash = stash > RING_SIZES_STASH_MIN ? stash : RING_SIZES_STASH_MIN;
	ret->cgroups = cgroups > RING_SIZES_CGROUPS_MIN ? cgroups : RING_SIZES_CGROUPS_MIN;
	tables = (uint64_t)ret->stash * RING_SIZES_STASH_BYTES +
		 (uint64_t)ret->cgroups * RING_SIZES_CGROUP_BYTES +
		 machine->scratch * machine->possible_cpus;
	ret->pages = choose_pages(machine, n_rings, &ret->reduced);
	ret->bpf_ring = choose_bpf_ring(machine, tables, &ret->reduced);
	ret->total = n_rings * (ret->pages + 1) * machine->page + ret->bpf_ring + tables;
}

static uint64_t cpus(int name)
{
	long n = sysconf(name);

	return n > 0 ? n : 1;
}

/* For how many CPU numbers the kernel keeps tables. */
static uint64_t possible_cpus(void)
{
	uint64_t n = cpus(_SC_NPROCESSORS_CONF), end;
	char *text;

	if (proc_file__read(&text, NULL, "/sys/devices/system/cpu/possible"))
		return n;
	end = cpu_list__end(text);
	free(text);
	return end > n ? end : n;
}

void ring_sizes__look(struct ring_sizes_machine *ret)
{
	int64_t mlock_kb;
	uint64_t kb = 0;
	char *meminfo;

	*ret = (struct ring_sizes_machine){
		.cpus = cpus(_SC_NPROCESSORS_ONLN),
		.possible_cpus = possible_cpus(),
		.page = sysconf(_SC_PAGESIZE),
		.scratch = SCRATCH_BYTES,
		.mlock_kb = 516,
	};
	if (!proc_file__number(&mlock_kb, "/proc/sys/kernel/perf_event_mlock_kb") && mlock_kb > 0)
		ret->mlock_kb = mlock_kb;
	if (proc_file__read(&meminfo, NULL, "/proc/meminfo"))
		return;
	sscanf(meminfo, "MemTotal: %" SCNu64, &kb);
	ret->memory = kb * 1024;
	free(meminfo);
}
