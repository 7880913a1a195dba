// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has the kernel tell each executable mapping of the machine while a command runs, and
 * throws away what it tells: what the command takes longer is what the telling costs.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define CPUS_MAX 64
#define RING_PAGES 256
#define PAGE 4096
#define MMAP3_BIT (1ull << 40) /* of kernel-patch/: not in this machine's headers */
#define POLL_MS 10

static const char USAGE[] = "Usage: listen mmap2|mmap3 COMMAND [ARG...]\n"
			    "mmap2: with build-ids. Exits as the command does, or with 77 where\n"
			    "the kernel does not have it, or 1 where it has lost a record.\n";

static struct perf_event_mmap_page *rings[CPUS_MAX];
static int fds[CPUS_MAX];
static long cpus;

static void set_bits(struct perf_event_attr *attr, const char *what)
{
	uint64_t bits;
	char *at = (char *)&attr->read_format + sizeof(attr->read_format);

	if (!strcmp(what, "mmap2")) {
		attr->mmap = 1;
		attr->mmap2 = 1;
		attr->build_id = 1;
		return;
	}
	memcpy(&bits, at, sizeof(bits));
	bits |= MMAP3_BIT;
	memcpy(at, &bits, sizeof(bits));
}

static void listen_on(int cpu, const char *what)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_id_all = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_LOST,
	};
	int fd;

	set_bits(&attr, what);
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && errno == EINVAL)
		exit(77);
	if (fd < 0)
		fail("perf_event_open");
	fds[cpu] = fd;
	rings[cpu] = mmap(NULL, (1 + RING_PAGES) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (rings[cpu] == MAP_FAILED)
		fail("mmap");
}

static uint64_t drop_all(void)
{
	uint64_t bytes = 0;

	for (long cpu = 0; cpu < cpus; cpu++) {
		uint64_t head = __atomic_load_n(&rings[cpu]->data_head, __ATOMIC_ACQUIRE);

		__atomic_store_n(&rings[cpu]->data_tail, head, __ATOMIC_RELEASE);
		bytes += head;
	}
	return bytes;
}

static uint64_t lost(void)
{
	uint64_t values[2], sum = 0;

	for (long cpu = 0; cpu < cpus; cpu++) {
		if (read(fds[cpu], values, sizeof(values)) != sizeof(values))
			fail("read");
		sum += values[1];
	}
	return sum;
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc < 3 || (strcmp(argv[1], "mmap2") != 0 && strcmp(argv[1], "mmap3") != 0)) {
		fputs(USAGE, stderr);
		return 2;
	}
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpus = cpus > CPUS_MAX ? CPUS_MAX : cpus;
	for (int cpu = 0; cpu < cpus; cpu++)
		listen_on(cpu, argv[1]);
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		drop_all();
		poll(NULL, 0, POLL_MS);
	}
	/* What was not told has cost nothing. */
	if (!drop_all() || lost()) {
		fprintf(stderr, "listen: %" PRIu64 " records lost\n", lost());
		return 1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
