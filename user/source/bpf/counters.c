// SPDX-License-Identifier: GPL-2.0-only
/* See counters.h. */
#include "user/source/bpf/counters.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "user/parse/event/cpu_list.h"
#include "user/source/proc/file.h"

int bpf_counters__size(struct bpf_map *map)
{
	char *text;
	int cpus, code = proc_file__read(&text, NULL, "/sys/devices/system/cpu/possible");

	if (code)
		return code;
	cpus = cpu_list__end(text);
	free(text);
	return cpus ? bpf_map__set_max_entries(map, cpus) : -EBADMSG;
}

int bpf_counters__map(struct bpf_counters *ret, int fd)
{
	struct bpf_map_info info = {0};
	uint32_t size = sizeof(info);
	void *values;

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return -errno;
	values = mmap(
		NULL, (size_t)info.max_entries * info.value_size, PROT_READ, MAP_SHARED, fd, 0);
	if (values == MAP_FAILED)
		return -errno;
	ret->values = values;
	ret->entry = info.value_size / sizeof(*ret->values);
	ret->cpus = info.max_entries;
	return 0;
}

void bpf_counters__unmap(struct bpf_counters *counters)
{
	if (counters->values)
		munmap((void *)counters->values,
			counters->cpus * counters->entry * sizeof(*counters->values));
	counters->values = NULL;
}

void bpf_counters__sums(const struct bpf_counters *counters, uint64_t *ret, size_t n)
{
	memset(ret, 0, n * sizeof(*ret));
	for (size_t cpu = 0; cpu < counters->cpus; cpu++)
		for (size_t i = 0; i < n; i++)
			ret[i] += __atomic_load_n(
				&counters->values[cpu * counters->entry + i], __ATOMIC_RELAXED);
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

/* From Linux 5.14 on (commit 3e87f192b405) this is one operation. */
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
