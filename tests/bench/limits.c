// SPDX-License-Identifier: GPL-2.0-only
/*
 * The least that the kernel asks for what a recorder does, to hold recorders against: an empty BPF
 * program where the rung sys_exit has its own, the same with a record of 8 bytes in a ring, and the
 * write of bytes. Knows nothing of perfstamp. Nobody reads the ring: it is large enough.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define RING_SIZE (16u << 20)
#define PERF_RING (129 * 4096u) /* 128 pages and the one before them */
#define PIECE (256u << 10)      /* bytes of a write */
#define MEDIAN_OF 11

static const char USAGE[] =
	"Usage: limits start              prints ms: the smallest program that makes a record is\n"
	"                                 loaded and attached, an event opened on each CPU, with "
	"a\n"
	"                                 ring, and all is closed again\n"
	"       limits write FILE BYTES   prints ms of CPU time: so many bytes are written\n"
	"       limits stop FILE          prints ms: such events are disabled, and 4 KiB written\n"
	"       limits empty COMMAND...   runs it with an empty program at the end of system "
	"calls\n"
	"       limits mmap COMMAND...    the same, with a record for each mmap\n"
	"       limits exec COMMAND...    the same, with a record for each exec\n";

static double now_ms(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

static int load(const struct bpf_insn *insns, size_t n)
{
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "limits", "GPL", insns, n, NULL);

	if (fd < 0)
		fail("a program");
	return fd;
}

#define INSN(c, d, s, o, i)                                                                        \
	((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define MOV(d, i) INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define COPY(d, s) INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define ADD(d, i) INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define LOAD(d, s, o) INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, o, 0)
#define CALL(f) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, f)
#define EXIT INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static int load_empty(void)
{
	const struct bpf_insn insns[] = {MOV(0, 0), EXIT};

	return load(insns, 2);
}

#ifdef __x86_64__
#define NUMBER_AT ((int)offsetof(struct user_regs_struct, orig_rax)) /* in struct pt_regs */
#else
#define NUMBER_AT (-1)
#endif

/* At the end of system call @number: the tracepoint's first argument is its struct pt_regs. */
static int load_record(int number, int ring)
{
	const struct bpf_insn insns[] = {
		LOAD(3, 1, 0),
		ADD(3, NUMBER_AT),
		COPY(1, 10),
		ADD(1, -8),
		MOV(2, 8),
		CALL(BPF_FUNC_probe_read_kernel),
		LOAD(1, 10, -8),
		INSN(BPF_JMP | BPF_JNE | BPF_K, 1, 0, 7, number),
		INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, ring),
		INSN(0, 0, 0, 0, 0),
		COPY(2, 10),
		ADD(2, -8),
		MOV(3, 8),
		MOV(4, BPF_RB_NO_WAKEUP),
		CALL(BPF_FUNC_ringbuf_output),
		MOV(0, 0),
		EXIT,
	};

	if (NUMBER_AT < 0) {
		errno = EOPNOTSUPP;
		fail("the number of a system call on this architecture");
	}
	return load(insns, sizeof(insns) / sizeof(insns[0]));
}

static int make_ring(void)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "limits", 0, 0, RING_SIZE, NULL);

	if (fd < 0)
		fail("a ring");
	return fd;
}

static int attach(int program)
{
	int fd = bpf_raw_tracepoint_open("sys_exit", program);

	if (fd < 0)
		fail("sys_exit");
	return fd;
}

static int open_event(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = 99,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.disabled = 1,
	};
	/* Of this process: nobody else's is looked at. */
	int fd = syscall(SYS_perf_event_open, &attr, getpid(), cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		fail("an event");
	if (mmap(NULL, PERF_RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED)
		fail("its ring");
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		fail("an event");
	return fd;
}

/* In a child, whose end closes all. */
static void start_once(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		attach(load_record(SYS_mmap, make_ring()));
		for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
			open_event(cpu);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
		fail("a child");
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_median(double *ms)
{
	qsort(ms, MEDIAN_OF, sizeof(*ms), compare);
	printf("%.4f\n", ms[MEDIAN_OF / 2]);
}

static void time_start(void)
{
	double ms[MEDIAN_OF];

	for (size_t i = 0; i < MEDIAN_OF; i++) {
		double begin = now_ms(CLOCK_MONOTONIC);

		start_once();
		ms[i] = now_ms(CLOCK_MONOTONIC) - begin;
	}
	print_median(ms);
}

static int create(const char *path)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0)
		fail(path);
	return fd;
}

static void put(int fd, const char *bytes, size_t size)
{
	if (write(fd, bytes, size) != (ssize_t)size)
		fail("write");
}

static void time_stop(const char *path)
{
	static const char bytes[4096];
	double ms[MEDIAN_OF];
	int fd = create(path), n = sysconf(_SC_NPROCESSORS_CONF);

	for (size_t i = 0; i < MEDIAN_OF; i++) {
		int *events = calloc(n, sizeof(*events));
		double begin;

		if (!events)
			fail("events");
		for (int cpu = 0; cpu < n; cpu++)
			events[cpu] = open_event(cpu);
		begin = now_ms(CLOCK_MONOTONIC);
		for (int cpu = 0; cpu < n; cpu++)
			if (ioctl(events[cpu], PERF_EVENT_IOC_DISABLE, 0))
				fail("an event");
		put(fd, bytes, sizeof(bytes));
		ms[i] = now_ms(CLOCK_MONOTONIC) - begin;
		for (int cpu = 0; cpu < n; cpu++)
			close(events[cpu]);
		free(events);
	}
	close(fd);
	print_median(ms);
}

static void time_write(const char *path, uint64_t bytes)
{
	static char piece[PIECE];
	double begin = now_ms(CLOCK_PROCESS_CPUTIME_ID);
	int fd = create(path);

	for (uint64_t n; bytes; bytes -= n) {
		n = bytes < sizeof(piece) ? bytes : sizeof(piece);
		put(fd, piece, n);
	}
	close(fd);
	printf("%.4f\n", now_ms(CLOCK_PROCESS_CPUTIME_ID) - begin);
}

static int run(char **command)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		execvp(command[0], command);
		fail(command[0]);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		fail("a child");
	return status ? 1 : 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "start") && argc == 2) {
		time_start();
		return 0;
	}
	if (!strcmp(what, "stop") && argc == 3) {
		time_stop(argv[2]);
		return 0;
	}
	if (!strcmp(what, "write") && argc == 4) {
		time_write(argv[2], strtoull(argv[3], NULL, 0));
		return 0;
	}
	if (argc > 2 && !strcmp(what, "empty"))
		attach(load_empty());
	else if (argc > 2 && !strcmp(what, "mmap"))
		attach(load_record(SYS_mmap, make_ring()));
	else if (argc > 2 && !strcmp(what, "exec"))
		attach(load_record(SYS_execve, make_ring()));
	else {
		fputs(USAGE, stderr);
		return 2;
	}
	return run(argv + 2);
}
