// SPDX-License-Identifier: GPL-2.0-only
/* See sample_filter.h; the kernel side is bpf/sample_filter.bpf.c. */
#include "user/source/perf/sample_filter.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "bpf/sample_filter.h"
#include "sample_filter.skel.h"
#include "user/parse/event/sample_filter.h"
#include "user/source/kernel/types.h"
#include "user/source/perf/cgroup.h"

/* PROC_PID_INIT_INO of include/linux/proc_ns.h */
#define INITIAL_PID_NS 0xeffffffcu

_Static_assert(
	(int)SAMPLE_FILTER_IP == FILTER_IP && (int)SAMPLE_FILTER_COMM_NAME == FILTER_COMM_NAME,
	"the same fields");
_Static_assert((int)SAMPLE_FILTER_EQ == FILTER_EQ && (int)SAMPLE_FILTER_AND == FILTER_AND,
	"the same operators");
_Static_assert(
	SAMPLE_FILTER_TERMS == FILTER_TERMS && SAMPLE_FILTER_COMM == FILTER_COMM, "the same sizes");

static int fill(struct sample_filter_bpf *skel, struct sample_filter *filter, struct error *err)
{
	struct stat ns;

	/* The program sees pids of the initial namespace, but samples have those of our own. */
	if (sample_filter__has_pids(filter) &&
		(stat("/proc/self/ns/pid", &ns) || ns.st_ino != INITIAL_PID_NS))
		return error__set(err, -EOPNOTSUPP,
			"--filter: pid and tid need the initial pid namespace, outside of "
			"containers; -p, -t, uid, cgroup and comm work here");
	for (size_t i = 0; i < filter->n; i++) {
		struct sample_filter_term *from = &filter->terms[i];
		struct filter_term *to = &skel->rodata->terms[i];
		int r;

		if (from->path) {
			r = perf_cgroup__id(&from->value, from->path, err);
			if (r)
				return r;
		}
		to->field = from->field;
		to->op = from->op;
		to->or_next = from->or_next;
		to->value = from->value;
		memcpy(to->comm, from->comm, sizeof(to->comm));
		to->comm_len = from->comm_len + !from->is_prefix;
	}
	skel->rodata->n_terms = filter->n;
	return 0;
}

static int use_tree(struct sample_filter_bpf *skel, const struct sample_tree *tree)
{
	int r;

	skel->rodata->of_tree = tree;
	if (!tree) {
		r = bpf_map__set_max_entries(skel->maps.recorded_pids, 1);
		return r ? r : bpf_map__set_max_entries(skel->maps.recorded_tids, 1);
	}
	r = bpf_map__reuse_fd(skel->maps.recorded_pids, tree->pids_fd);
	if (!r)
		r = bpf_map__reuse_fd(skel->maps.recorded_tids, tree->tids_fd);
	if (!r)
		r = bpf_map__reuse_fd(skel->maps.notes, tree->notes_fd);
	return r ? r : bpf_map__reuse_fd(skel->maps.tree_counters, tree->counters_fd);
}

int sample_filter__load(struct sample_filter_bpf **ret, const char *text, uint64_t sample_type,
	const struct sample_tree *tree, struct error *err)
{
	struct sample_filter_bpf *skel = NULL;
	const char *what = text ? "--filter" : "the filter by process";
	struct sample_filter filter = {0};
	int r = 0;

	kernel_types__hold();
	if (text)
		r = sample_filter__parse(&filter, text, sample_type, err);
	if (r)
		goto cleanup;
	skel = KERNEL_TYPES_OPEN(sample_filter_bpf);
	if (!skel) {
		r = error__errno(err, -errno, "%s: BPF program", what);
		goto cleanup;
	}
	r = fill(skel, &filter, err);
	if (r)
		goto cleanup;
	r = use_tree(skel, tree);
	if (!r)
		r = kernel_types__load(skel->skeleton);
	if (r == -EPERM || r == -EACCES)
		error__set(err, r,
			"%s: on an event that is no tracepoint it needs CAP_BPF and "
			"CAP_PERFMON (or root)",
			what);
	else if (r == -EMFILE)
		error__set(err, r, "%s: too many files are open: raise 'ulimit -n'", what);
	else if (r)
		error__errno(err, r, "%s: this kernel refuses the BPF program", what);
cleanup:
	kernel_types__release();
	sample_filter__free(&filter);
	if (r)
		sample_filter_bpf__destroy(skel);
	else
		*ret = skel;
	return r;
}

void sample_filter__unload(struct sample_filter_bpf *filter)
{
	sample_filter_bpf__destroy(filter);
}

int sample_filter__fd(const struct sample_filter_bpf *filter)
{
	return bpf_program__fd(filter->progs.filter_sample);
}
