// SPDX-License-Identifier: GPL-2.0-only
/*
 * See proof.h.
 *
 * kernel.ftrace_enabled=0 (kernel/trace/ftrace.c) disables kprobe.multi, fentry and kprobes at the
 * start of functions. The file kprobes/enabled in debugfs (kernel/kprobes.c) disables all kprobes.
 * In both cases, programs can still be attached without an error.
 */
#include "user/source/bpf/proof.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/counters.h"
#include "user/source/bpf/counters.h"

#define TRIES 8 /* the recursion guard may skip our program while it runs for another process */

/* A mapping of any process proves it. */
static uint64_t sum_seen(const struct bpf_counters *counters)
{
	uint64_t sums[COUNTER_MAX];

	bpf_counters__sums(counters, sums, COUNTER_MAX);
	return sums[COUNTER_RECORDS] + sums[COUNTER_RING_FULL] + sums[COUNTER_VMA_BUSY] +
	       sums[COUNTER_VMA_GONE];
}

/* Our own program, a file that can certainly be executed. */
static int map_and_unmap(void)
{
	long page_size = sysconf(_SC_PAGESIZE);
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), code = 0;
	void *page;

	if (fd < 0)
		return -errno;
	page = mmap(NULL, page_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (page == MAP_FAILED)
		code = -errno;
	else
		munmap(page, page_size);
	close(fd);
	return code;
}

int bpf_proof__sees_mappings(const struct bpf_counters *counters)
{
	uint64_t before = sum_seen(counters);
	int code = 0;

	for (int try = 0; !code && try < TRIES; try++) {
		code = map_and_unmap();
		if (!code && sum_seen(counters) != before)
			return 0;
	}
	return code ? code : -ENODATA;
}
