// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a recorder and tells what it took. One line on standard output:
 *   wall_ms stop_ms cpu_ms rss_kb kernel_kb bytes status steady
 * wall: from its start to its end; stop: from SIGINT to its end (0 if it ended by
 * itself); cpu: its own, and that of its children which it waited for; rss: the
 * most that was resident; kernel: BPF maps and perf rings that it holds besides, as
 * they were before SIGINT or, if it ends by itself, when last seen; bytes: of FILE
 * when SIGINT was sent, or else at the end; steady: ms of CPU time for each second,
 * from a second after FILE has begun to grow to SIGINT.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAPS_MAX 256 /* BPF maps that are told apart */
#define MEMORY_NS 50000000ull
#define STEADY_NS 1000000000ull

static const char USAGE[] =
	"Usage: meter [-s BYTES | -t MS] [-f FILE] [-m] COMMAND [ARG...]\n"
	"  -s BYTES  send SIGINT when FILE has so many\n"
	"  -t MS     send SIGINT so long after FILE has begun to grow\n"
	"  -f FILE   what COMMAND writes\n"
	"  -m        look at the memory in the kernel while it runs, which takes some time\n";

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static uint64_t cpu_ns(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &ts))
		return 0;
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* The bytes of the BPF map behind one descriptor, if it is one not seen before. */
static uint64_t map_bytes(const char *path, unsigned int *ids, size_t *n)
{
	unsigned long long bytes = 0;
	unsigned int id = 0;
	char line[256];
	size_t i;
	FILE *file = fopen(path, "re");

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "memlock: %llu", &bytes);
		sscanf(line, "map_id: %u", &id);
	}
	fclose(file);
	if (!id)
		return 0; /* a program */
	for (i = 0; i < *n; i++)
		if (ids[i] == id)
			return 0;
	if (*n < MAPS_MAX)
		ids[(*n)++] = id;
	return bytes;
}

static uint64_t maps_kb(pid_t pid)
{
	unsigned int ids[MAPS_MAX];
	struct dirent *entry;
	uint64_t bytes = 0;
	size_t n = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/fdinfo/%.16s", pid, entry->d_name);
		bytes += map_bytes(path, ids, &n);
	}
	if (dir)
		closedir(dir);
	return bytes / 1024;
}

/* Rings are the recorder's mappings of perf events. */
static uint64_t rings_kb(pid_t pid)
{
	unsigned long long start, end, bytes = 0;
	char path[64], line[512];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (strstr(line, "anon_inode:[perf_event]") &&
			sscanf(line, "%llx-%llx", &start, &end) == 2)
			bytes += end - start;
	fclose(file);
	return bytes / 1024;
}

static off_t size_of(const char *file)
{
	struct stat st;

	return file && !stat(file, &st) ? st.st_size : 0;
}

int main(int argc, char **argv)
{
	uint64_t start, stopped = 0, end, begun = 0, kernel_kb = 0, looked = 0, after_ns = 0, seen;
	uint64_t steady_at = 0, steady_ns = 0;
	double steady = 0;
	const struct timespec nap = {.tv_nsec = 500000};
	const char *file = NULL;
	off_t wanted = 0, bytes;
	struct rusage usage;
	bool memory = false;
	int option, status;
	pid_t pid;

	while ((option = getopt(argc, argv, "+s:t:f:m")) != -1) {
		if (option == 's')
			wanted = atoll(optarg);
		else if (option == 't')
			after_ns = strtoull(optarg, NULL, 10) * 1000000;
		else if (option == 'f')
			file = optarg;
		else if (option == 'm')
			memory = true;
		else
			optind = argc;
	}
	if (optind >= argc || ((wanted || after_ns) && !file)) {
		fputs(USAGE, stderr);
		return 2;
	}
	if (file)
		unlink(file);
	start = now_ns();
	pid = fork();
	if (pid < 0)
		return 1;
	if (!pid) {
		/* What it says must not mix with our line. */
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(argv[optind], argv + optind);
		fprintf(stderr, "meter: %s: %s\n", argv[optind], strerror(errno));
		_exit(127);
	}
	/* Without anything to wait for, no polling disturbs it. */
	while (wanted || after_ns || memory) {
		siginfo_t info = {0};

		if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid)
			break;
		bytes = size_of(file);
		if (!begun && bytes)
			begun = now_ns();
		if (begun && !steady_at && now_ns() - begun > STEADY_NS) {
			steady_at = now_ns();
			steady_ns = cpu_ns(pid);
		}
		if ((wanted && bytes >= wanted) ||
			(after_ns && begun && now_ns() - begun >= after_ns)) {
			seen = maps_kb(pid) + rings_kb(pid);
			if (seen > kernel_kb)
				kernel_kb = seen;
			if (steady_at)
				steady = (cpu_ns(pid) - steady_ns) * 1e3 / (now_ns() - steady_at);
			stopped = now_ns();
			kill(pid, SIGINT);
			break;
		}
		if (memory && now_ns() - looked > MEMORY_NS) {
			looked = now_ns();
			seen = maps_kb(pid) + rings_kb(pid);
			if (seen > kernel_kb)
				kernel_kb = seen;
		}
		nanosleep(&nap, NULL);
	}
	bytes = stopped ? size_of(file) : 0;
	if (wait4(pid, &status, 0, &usage) != pid)
		return 1;
	end = now_ns();
	printf("%.2f %.2f %.2f %ld %llu %lld %d %.3f\n", (end - start) / 1e6,
		stopped ? (end - stopped) / 1e6 : 0,
		(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
			(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3,
		usage.ru_maxrss, (unsigned long long)kernel_kb,
		(long long)(stopped ? bytes : size_of(file)),
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), steady);
	return 0;
}
