// SPDX-License-Identifier: GPL-2.0-only
/* See counters.h. */
#include "user/source/bpf/counters.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int bpf_counters__sums(int fd, uint64_t *ret, size_t n)
{
	int cpus = libbpf_num_possible_cpus(), code;
	uint32_t key = 0;
	uint64_t *values;

	memset(ret, 0, n * sizeof(*ret));
	if (cpus < 0)
		return cpus;
	values = calloc(cpus, n * sizeof(*values));
	if (!values)
		return -ENOMEM;
	code = bpf_map_lookup_elem(fd, &key, values);
	for (size_t i = 0; !code && i < (size_t)cpus * n; i++)
		ret[i % n] += values[i];
	free(values);
	return code;
}

uint64_t bpf_counters__recursion_misses(struct bpf_object *obj)
{
	struct bpf_program *program;
	uint64_t misses = 0;

	bpf_object__for_each_program (program, obj) {
		struct bpf_prog_info info = {0};
		uint32_t size = sizeof(info);

		/* Iterators have no such guard. */
		if (bpf_program__fd(program) >= 0 &&
			bpf_program__expected_attach_type(program) != BPF_TRACE_ITER &&
			!bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
			misses += info.recursion_misses;
	}
	return misses;
}

/* From 5.14 on (commit 3e87f192b405) at once. */
static int take_one(int fd, uint64_t key, uint64_t *ret)
{
	if (!bpf_map_lookup_and_delete_elem(fd, &key, ret))
		return 0;
	if (errno == ENOENT)
		return -ENOENT;
	if (bpf_map_lookup_elem(fd, &key, ret))
		return -errno;
	bpf_map_delete_elem(fd, &key);
	return 0;
}

size_t bpf_counters__take(int fd, uint64_t (*ret)[2], size_t max)
{
	uint64_t key, next;
	bool more = !bpf_map_get_next_key(fd, NULL, &key);
	size_t n = 0;

	/*
	 * A removed key may be added again at once, so the next key is found before a key is
	 * removed.
	 */
	for (size_t tries = 0; more && n < max && tries < 4 * max; tries++, key = next) {
		more = !bpf_map_get_next_key(fd, &key, &next);
		ret[n][0] = key;
		if (!take_one(fd, key, &ret[n][1]))
			n++;
	}
	return n;
}
