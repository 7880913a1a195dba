// SPDX-License-Identifier: GPL-2.0-only
/*
 * See bpf.h. The kernel side is bpf/perfstamp.bpf.c; its skeletons are included
 * here and nowhere else.
 */
#include "user/source/bpf/bpf.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "bpf/casts.h"
#include "bpf/counters.h"
#include "user/source/bpf/arch.h"
#include "user/source/bpf/counters.h"
#include "user/source/bpf/faulting.h"
#include "user/source/bpf/iterator.h"
#include "user/source/bpf/proof.h"
#include "user/source/bpf/refusal.h"
#include "user/source/bpf/ring.h"
#include "user/source/bpf/task_tree.h"
#include "user/source/kernel/types.h"
#include "user/source/machine/clock.h"
#include <linux/types.h>
#include "perfstamp.skel.h"
#include "perfstamp_copying.skel.h"
#include "user/source/machine/privilege.h"
#include "user/source/machine/ring_sizes.h"

#define LOCATE_PAGES 4

struct bpf_source {
	struct perfstamp_bpf *skel;
	struct bpf_ring *ring;
	struct bpf_counters counters;
	struct bpf_link *links[RUNG_PROGRAMS_MAX];
	struct bpf_link *of_moves;     /* or NULL */
	struct bpf_faulting *faulting; /* NULL: content that is not in memory is not read */
	enum rung rung;
	struct task_tree *tree; /* the caller's; NULL: all processes are recorded */
	bool reads_page_cache;
	bool refused;         /* the kernel did not load the programs of a rung */
	bool without_symbols; /* the iterator over them is not loaded */
	size_t ring_size;     /* bytes */
	/* only during a drain: */
	bpf_record_fn fn;
	void *ctx;
	size_t drained; /* bytes */
	int result;
};

enum rung bpf_source__rung(const struct bpf_source *source)
{
	return source->rung;
}

bool bpf_source__reads_page_cache(const struct bpf_source *source)
{
	return source->reads_page_cache;
}

bool bpf_source__reads_cold_pages(const struct bpf_source *source)
{
	return source->faulting;
}

bool bpf_source__has_snapshot(const struct bpf_source *source)
{
	return bpf_program__autoload(source->skel->progs.snapshot_maps);
}

static int choose_programs(
	struct perfstamp_bpf *skel, const struct rung_row *row, bool without_symbols)
{
	struct bpf_program *program;

	bpf_object__for_each_program (program, skel->obj)
		bpf_program__set_autoload(program, false);
	for (const char *const *name = row->programs; *name; name++) {
		program = bpf_object__find_program_by_name(skel->obj, *name);
		if (!program)
			return -ENOENT;
		bpf_program__set_autoload(program, true);
	}
	bpf_program__set_autoload(skel->progs.moved_map, row->of_moves);
	bpf_program__set_autoload(skel->progs.snapshot_maps, !row->no_task_vma);
	bpf_program__set_autoload(skel->progs.snapshot_threads, true);
	bpf_program__set_autoload(skel->progs.locate_direct_map, true);
	bpf_program__set_autoload(
		skel->progs.print_symbols, !without_symbols && kernel_types__has("bpf_iter__ksym"));
	return 0;
}

/*
 * Finds the direct map for the programs. Searches below the current task's address for a page of
 * this process, whose frame number and bytes are known. A place is accepted only if the bytes
 * match.
 */
static int locate_with_a_page(struct perfstamp_bpf *skel)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	long page_size = sysconf(_SC_PAGESIZE);
	int memfd, pagemap = -1, code = 0;
	void *page = MAP_FAILED;
	uint32_t from = skel->bss->locate_try, i;
	uint64_t entry;

	memfd = memfd_create("perfstamp", MFD_CLOEXEC);
	if (memfd < 0)
		return -errno;
	if (ftruncate(memfd, page_size) < 0) {
		code = -errno;
		goto cleanup;
	}
	page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
	if (page == MAP_FAILED) {
		code = -errno;
		goto cleanup;
	}
	if (getrandom(skel->bss->locate_wanted, sizeof(skel->bss->locate_wanted), 0) < 0) {
		code = -errno;
		goto cleanup;
	}
	memcpy(page, skel->bss->locate_wanted, sizeof(skel->bss->locate_wanted));
	/* Documentation/admin-guide/mm/pagemap.rst: bit 63 present, bits 0-54 the frame */
	pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (pagemap < 0) {
		code = -errno;
		goto cleanup;
	}
	if (pread(pagemap, &entry, sizeof(entry), (uintptr_t)page / page_size * sizeof(entry)) !=
		sizeof(entry)) {
		code = -EIO;
		goto cleanup;
	}
	skel->bss->locate_frame = entry & ((1ull << 55) - 1);
	skel->bss->locate_fd = memfd;
	skel->bss->vmemmap_base = skel->bss->direct_map_base = 0;
	if (!(entry >> 63) || !skel->bss->locate_frame) {
		code = -EPERM;
		goto cleanup;
	}
	/* The direct map's start as computed from another page. */
	for (i = 0; i < BPF_ARCH_LOCATE_TRIES && !code && !skel->bss->direct_map_base; i++) {
		skel->bss->locate_try = (from + i) % BPF_ARCH_LOCATE_TRIES;
		code = bpf_prog_test_run_opts(bpf_program__fd(skel->progs.locate_direct_map), &run);
	}
	if (!code && !skel->bss->direct_map_base)
		code = -ENOENT;
cleanup:
	if (page != MAP_FAILED)
		munmap(page, page_size);
	if (pagemap >= 0)
		close(pagemap);
	close(memfd);
	return code;
}

/*
 * The kernel may move the page (compaction, NUMA balancing) after its frame number was
 * read. The old frame then still has the bytes, and all content would be read from wrong
 * pages. So two consecutive pages must give the same result.
 */
static int locate_direct_map(struct perfstamp_bpf *skel)
{
	uint64_t vmemmap, direct_map;
	int i, code;

	code = locate_with_a_page(skel);
	for (i = 0; !code && i < LOCATE_PAGES; i++) {
		vmemmap = skel->bss->vmemmap_base;
		direct_map = skel->bss->direct_map_base;
		code = locate_with_a_page(skel);
		if (!code && skel->bss->vmemmap_base == vmemmap &&
			skel->bss->direct_map_base == direct_map)
			return 0;
	}
	skel->bss->vmemmap_base = skel->bss->direct_map_base = 0;
	return code ? code : -EAGAIN;
}

/*
 * Attached by the function's name. For a section's name, libbpf matches a pattern against
 * all of kallsyms, which took a third of the startup time.
 */
static struct bpf_link *attach_to(const struct bpf_program *program, const char *function)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts, .syms = &function, .cnt = 1);

	return bpf_program__attach_kprobe_multi_opts(program, NULL, &opts);
}

static struct bpf_link *attach_program(
	const struct bpf_program *program, const struct rung_row *row)
{
	enum bpf_attach_type type = bpf_program__expected_attach_type(program);

	if (row->function)
		return attach_to(program, row->function);
	/* See kernel_types__open(). */
	if (type == BPF_TRACE_RAW_TP || type == BPF_TRACE_FENTRY)
		return bpf_program__attach_trace(program);
	return bpf_program__attach(program);
}

static int attach(struct bpf_source *source, const struct rung_row *row)
{
	struct bpf_program *program;

	for (size_t i = 0; row->programs[i]; i++) {
		program = bpf_object__find_program_by_name(source->skel->obj, row->programs[i]);
		source->links[i] = attach_program(program, row);
		if (!source->links[i])
			return -errno;
	}
	/* If the function cannot be probed, moved code is missed, which is rare. */
	if (row->of_moves)
		source->of_moves = bpf_program__attach(source->skel->progs.moved_map);
	return 0;
}

static void detach(struct bpf_source *source)
{
	for (size_t i = 0; i < RUNG_PROGRAMS_MAX; i++) {
		bpf_link__destroy(source->links[i]);
		source->links[i] = NULL;
	}
	bpf_link__destroy(source->of_moves);
	source->of_moves = NULL;
}

static int on_ring_record(void *ctx, void *data, size_t size)
{
	struct bpf_source *source = ctx;
	const struct perfstamp_record *record = data;

	if (size < sizeof(*record) || record->size > size)
		return 0;
	if (!source->result)
		source->result = source->fn(record, source->ctx);
	/*
	 * All records from before the drain have been read. If records are written faster than they
	 * are read, the perf rings must not wait for them.
	 */
	source->drained += size;
	return source->drained < source->ring_size ? 0 : -EAGAIN;
}

/* Optional: otherwise user space completes content that is not in memory. */
static void add_faulting(struct bpf_source *source, const struct rung_row *row)
{
	struct perfstamp_bpf *skel = source->skel;
	const struct bpf_faulting_target target = {
		.scratch_fd = bpf_map__fd(skel->maps.scratch_map),
		.ring_fd = bpf_map__fd(skel->maps.ring),
		.counters_fd = bpf_map__fd(skel->maps.counters),
		.stash_fd = bpf_map__fd(skel->maps.stash),
		.shares_fd = bpf_map__fd(skel->maps.shares),
		.lost_by_cgroup_fd = bpf_map__fd(skel->maps.lost_by_cgroup),
		.on_cold_fd = bpf_map__fd(skel->maps.on_cold_map),
		.multi = row->function,
		.wakeup_bytes = skel->rodata->wakeup_bytes,
		.divided_bytes = skel->rodata->divided_bytes,
		.divided_entries = skel->rodata->divided_entries,
		.wakes_for_files = skel->rodata->wakes_for_files,
		.vmemmap_base = skel->bss->vmemmap_base,
		.direct_map_base = skel->bss->direct_map_base,
		.held_sb = skel->bss->held_sb,
		.tai_offset = skel->rodata->tai_offset,
	};

	if (skel->rodata->reads_cold && source->reads_page_cache)
		bpf_faulting__new(&source->faulting, &target);
}

static int discard_record(const struct perfstamp_record *record, void *ctx)
{
	(void)record;
	(void)ctx;
	return 0;
}

/*
 * An attached hook may never be called. If only some processes are recorded, this process
 * is briefly the only one of them. Otherwise our mapping is recorded as any other.
 */
static int prove(struct bpf_source *source)
{
	int code = source->tree ? task_tree__add_process(source->tree, getpid(), true) : 0;

	if (code)
		return code;
	code = bpf_proof__sees_mappings(&source->counters);
	if (source->tree) {
		task_tree__remove(source->tree, getpid());
		bpf_source__drain(source, discard_record, NULL);
	}
	return code;
}

static int try_rung(struct bpf_source *source, enum rung rung,
	const struct bpf_source_options *options, struct rung_attempt *attempt)
{
	const struct rung_row *row = rung__row(rung);
	struct ring_sizes_machine machine;
	struct ring_sizes sizes;
	size_t ring_size;
	int code;

	attempt->tried = true;
	if (!BPF_ARCH_HAS_PAGE_SIZE(sysconf(_SC_PAGESIZE))) {
		attempt->code = -EOPNOTSUPP;
		snprintf(attempt->text, sizeof(attempt->text),
			"it does not support pages of %ld KiB", sysconf(_SC_PAGESIZE) / 1024);
		return attempt->code;
	}
	if (!bpf_refusal__in_initial_pid_namespace()) {
		attempt->code = -EOPNOTSUPP;
		snprintf(attempt->text, sizeof(attempt->text),
			"this pid namespace has pids of its own: use the host's (hostPID, "
			"--pid=host)");
		return attempt->code;
	}
	/* Loading first and failing after costs a tenth of a second. */
	if (row->needs_kprobes && access("/sys/bus/event_source/devices/kprobe", F_OK)) {
		code = -EOPNOTSUPP;
		bpf_refusal__explain(attempt, rung, code, "attach");
		return code;
	}
	if (row->needs_fentry && bpf_refusal__of_fentry()) {
		code = -EPERM;
		bpf_refusal__explain(attempt, rung, code, "load");
		return code;
	}
	source->skel = KERNEL_TYPES_OPEN_EITHER(perfstamp_bpf, perfstamp_copying_bpf);
	if (!source->skel) {
		code = -errno;
		bpf_refusal__explain(attempt, rung, code, "open");
		return code;
	}
	if (choose_programs(source->skel, row, source->without_symbols)) {
		code = attempt->code = -EOPNOTSUPP;
		snprintf(attempt->text, sizeof(attempt->text), "it supports only x86-64 and arm64");
		goto failed;
	}
	ring_sizes__look(&machine);
	ring_sizes__choose(&sizes, &machine, machine.cpus);
	ring_size = options->ring_size ? options->ring_size : sizes.bpf_ring;
	kernel_types__casts((struct cast_types *)&source->skel->rodata->cast_types);
	source->skel->rodata->some_pids = options->tree;
	source->skel->rodata->wakeup_bytes = ring_size / 4;
	/*
	 * If only some processes are recorded, the user has chosen which processes fill the
	 * ring. Before Linux 5.15 (commit 95b861a7935b) these programs may not read the
	 * ancestors of a task's cgroup.
	 */
	if (!options->tree && libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT,
				      BPF_FUNC_get_current_ancestor_cgroup_id, NULL) == 1) {
		source->skel->rodata->divided_bytes = ring_size;
		source->skel->rodata->divided_entries = sizes.stash;
	}
	source->skel->rodata->wakes_for_files = options->wakes_for_files;
	source->skel->rodata->tai_offset = clock__tai_offset();
	source->skel->rodata->reads_cold = row->reads_cold && bpf_faulting__is_worth_trying();
	BPF_ARCH_SET_PAGE_SIZE(source->skel);
	code = bpf_map__set_max_entries(source->skel->maps.ring, ring_size);
	if (!code)
		code = bpf_counters__size(source->skel->maps.counters);
	if (!code)
		code = bpf_map__set_max_entries(source->skel->maps.stash, sizes.stash);
	if (!code)
		code = bpf_map__set_max_entries(
			source->skel->maps.shares, options->tree ? 1 : sizes.cgroups);
	if (!code)
		code = bpf_map__set_max_entries(source->skel->maps.lost_by_cgroup, sizes.cgroups);
	/* Its memory is allocated at once, whether it is used or not. */
	if (!code && !options->tree)
		code = bpf_map__set_max_entries(source->skel->maps.recorded_pids, 1);
	else if (!code)
		code = bpf_map__reuse_fd(
			source->skel->maps.recorded_pids, task_tree__pids_fd(options->tree));
	if (!code)
		code = kernel_types__load(source->skel->skeleton);
	if (code) {
		source->refused = code != -EPERM;
		bpf_refusal__explain(attempt, rung, code, "load");
		goto failed;
	}
	code = locate_direct_map(source->skel);
	source->reads_page_cache = !code;
	add_faulting(source, row);
	code = bpf_ring__new(&source->ring, bpf_map__fd(source->skel->maps.ring));
	if (code) {
		bpf_refusal__explain(attempt, rung, code, "ring");
		goto failed;
	}
	code = bpf_counters__map(&source->counters, bpf_map__fd(source->skel->maps.counters));
	if (code) {
		bpf_refusal__explain(attempt, rung, code, "counters");
		goto failed;
	}
	code = attach(source, row);
	if (code) {
		bpf_refusal__explain(attempt, rung, code, "attach");
		goto failed;
	}
	source->rung = rung;
	source->ring_size = ring_size;
	source->tree = options->tree;
	code = prove(source);
	if (code) {
		bpf_refusal__explain(attempt, rung, code, "try");
		goto failed;
	}
	attempt->code = 0;
	return 0;
failed:
	bpf_counters__unmap(&source->counters);
	bpf_ring__free(source->ring);
	source->ring = NULL;
	bpf_faulting__free(source->faulting);
	source->faulting = NULL;
	detach(source);
	perfstamp_bpf__destroy(source->skel);
	source->skel = NULL;
	return code;
}

/* Opens the first usable rung. Returns 0, or the error of the last one, which is *@ret_last. */
static int try_rungs(struct bpf_source *source, const struct bpf_source_options *options,
	struct rung_attempt *attempts, int *ret_last)
{
	int rung, code = -EINVAL;

	for (rung = options->best; rung <= (int)options->last && rung < RUNG_COUNT; rung++) {
		code = try_rung(source, rung, options, &attempts[rung]);
		if (!code)
			return 0;
	}
	*ret_last = rung ? rung - 1 : 0;
	return code;
}

int bpf_source__new(struct bpf_source **ret, const struct bpf_source_options *options,
	struct rung_attempt *ret_attempts, struct error *err)
{
	struct rung_attempt attempts[RUNG_COUNT] = {0};
	struct bpf_source *source;
	int last = 0, code;

	*ret = NULL;
	source = calloc(1, sizeof(*source));
	if (!source)
		return error__set(err, -ENOMEM, "out of memory");
	/* Errors are returned as an errno. */
	libbpf_set_print(NULL);
	kernel_types__hold();
	code = try_rungs(source, options, attempts, &last);
	/*
	 * The iterator over symbols is optional: if the kernel refuses it, the object must be
	 * loaded without it.
	 */
	if (code && source->refused && kernel_types__has("bpf_iter__ksym")) {
		source->without_symbols = true;
		memset(attempts, 0, sizeof(attempts));
		code = try_rungs(source, options, attempts, &last);
	}
	kernel_types__release();
	if (ret_attempts)
		memcpy(ret_attempts, attempts, sizeof(attempts));
	if (code) {
		error__set(err, code, "BPF programs cannot be used: %s", attempts[last].text);
		free(source);
		return code;
	}
	*ret = source;
	return 0;
}

void bpf_source__free(struct bpf_source *source)
{
	if (!source)
		return;
	bpf_counters__unmap(&source->counters);
	bpf_ring__free(source->ring);
	bpf_faulting__free(source->faulting);
	detach(source);
	perfstamp_bpf__destroy(source->skel);
	free(source);
}

int bpf_source__fd(const struct bpf_source *source)
{
	return bpf_map__fd(source->skel->maps.ring);
}

size_t bpf_source__ring_size(const struct bpf_source *source)
{
	return source->ring_size;
}

double bpf_source__fill(const struct bpf_source *source)
{
	return (double)source->drained / (double)source->ring_size;
}

int bpf_source__drain(struct bpf_source *source, bpf_record_fn fn, void *ctx)
{
	int n;

	source->fn = fn;
	source->ctx = ctx;
	source->drained = 0;
	source->result = 0;
	n = bpf_ring__read(source->ring, on_ring_record, source);
	return n < 0 && n != -EAGAIN ? n : source->result;
}

int bpf_source__snapshot(
	struct bpf_source *source, pid_t pid, bpf_record_fn fn, void *ctx, struct error *err)
{
	int code;

	if (!bpf_source__has_snapshot(source))
		return error__set(err, -EOPNOTSUPP, "the kernel has no iterator over mappings");
	code = bpf_iterator__run(source->skel->progs.snapshot_threads, pid, fn, ctx);
	if (!code)
		code = bpf_iterator__run(source->skel->progs.snapshot_maps, pid, fn, ctx);
	if (code)
		return error__errno(err, code, "snapshot of the running processes");
	return 0;
}

int bpf_source__open_symbols(const struct bpf_source *source)
{
	const struct bpf_program *program = source->skel->progs.print_symbols;

	return bpf_program__autoload(program) ? bpf_iterator__open(program) : -EOPNOTSUPP;
}

void bpf_source__identities(const struct bpf_source *source, struct bpf_identities *ret)
{
	uint64_t sums[COUNTER_MAX];

	bpf_counters__sums(&source->counters, sums, COUNTER_MAX);
	*ret = (struct bpf_identities){
		.read = sums[COUNTER_READ], .stashed = sums[COUNTER_STASHED]};
}

void bpf_source__losses(const struct bpf_source *source, struct bpf_losses *ret)
{
	uint64_t sums[COUNTER_MAX];

	memset(ret, 0, sizeof(*ret));
	bpf_counters__sums(&source->counters, sums, COUNTER_MAX);
	ret->records = sums[COUNTER_RECORDS];
	ret->ring_full = sums[COUNTER_RING_FULL];
	ret->lookup_failed = sums[COUNTER_VMA_BUSY] + sums[COUNTER_VMA_GONE];
	ret->recursion_misses = bpf_counters__recursion_misses(source->skel->obj);
}

size_t bpf_source__take_cgroup_losses(struct bpf_source *source, uint64_t (*ret)[2], size_t max)
{
	return bpf_counters__take(bpf_map__fd(source->skel->maps.lost_by_cgroup), ret, max);
}

void bpf_source__forget_identities(struct bpf_source *source)
{
	uint64_t epoch = ++source->skel->bss->stash_epoch;

	if (source->faulting)
		bpf_faulting__set_epoch(source->faulting, epoch);
}
