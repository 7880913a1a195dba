// SPDX-License-Identifier: GPL-2.0-only
/*
 * Maps files executable, in the ways in which programs come to do so, and holds
 * the mappings until it is told to end. It prints "ready" and all its processes
 * once everything is mapped, so that whoever waits knows what must be seen.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAPPED_MAX (8u << 20) /* bytes of a file that are mapped: some are huge, and sparse */

static const char USAGE[] =
	"Usage: mapper [-c] [-x] [-R ROOT] [-n PROCESSES] [-r ROUNDS -t MS] WAY:FILE...\n"
	"Maps each FILE executable, in PROCESSES children (0: only here), prints \"ready "
	"PID...\",\n"
	"and holds them until a line or the end of standard input, or SIGTERM. With -r, each\n"
	"child lives MS milliseconds and is then replaced by a new one, ROUNDS times, and\n"
	"\"ready\" comes when all are over. With -c, the pages of each file are dropped before\n"
	"it is mapped. With -x, another thread maps them after the main thread has exited. With "
	"-R, files are those below ROOT, for a process that has it as its\n"
	"root.\n"
	"Ways: mmap, shared (MAP_SHARED), mprotect (mapped readable, then made executable),\n"
	"dlopen, memfd and tmpfile (a copy without a name), unlinked (a copy that loses its\n"
	"name), twice (two mappings of one file), exec (a child runs it, and stays), spawn (a\n"
	"child of posix_spawn runs it with an argument, and is waited for), vdso (moves the\n"
	"vDSO below 4 GiB, and maps the file readable in its place).\n";

static bool cold;

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "mapper: %s: %s\n", what, why);
	_exit(1);
}

static void *map_fd(int fd, const char *name, int prot, int flags)
{
	struct stat st;
	size_t size;
	void *at;

	if (fstat(fd, &st))
		fail(name, strerror(errno));
	size = st.st_size > MAPPED_MAX ? MAPPED_MAX : st.st_size ? st.st_size : 1;
	at = mmap(NULL, size, prot, flags, fd, 0);
	if (at == MAP_FAILED)
		fail(name, strerror(errno));
	if (!(prot & PROT_EXEC) && mprotect(at, size, prot | PROT_EXEC))
		fail(name, strerror(errno));
	return at;
}

/* What is written, and mapped by nobody, can be dropped. squashfs has nothing to write. */
static void make_cold(int fd)
{
	if (cold &&
		((fsync(fd) && errno != EINVAL) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)))
		fail("dropping pages", strerror(errno));
}

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail(path, strerror(errno));
	make_cold(fd);
	return fd;
}

static void copy_to(int to, const char *path)
{
	int from = open_file(path);
	ssize_t n;

	while ((n = sendfile(to, from, NULL, 1 << 20)) > 0)
		continue;
	if (n < 0)
		fail(path, strerror(errno));
	close(from);
}

#define YOUNG_NS 200000000ll

/*
 * What is read in user space has no id where it was written to within 100 ms before it was
 * mapped (rule 6 of docs/design.md).
 */
static void outlive_youth(int fd)
{
	const struct timespec moment = {.tv_nsec = 10000000};
	struct timespec now;
	long long age_ns;
	struct stat st;

	do {
		nanosleep(&moment, NULL);
		clock_gettime(CLOCK_REALTIME, &now);
		if (fstat(fd, &st))
			fail("fstat", strerror(errno));
		age_ns = (now.tv_sec - st.st_ctim.tv_sec) * 1000000000ll + now.tv_nsec -
			 st.st_ctim.tv_nsec;
	} while (age_ns < YOUNG_NS);
}

static void map_copy(const char *path, int fd, const char *unlinked)
{
	if (fd < 0)
		fail(path, strerror(errno));
	copy_to(fd, path);
	make_cold(fd);
	outlive_youth(fd);
	map_fd(fd, path, PROT_READ | PROT_EXEC, MAP_PRIVATE);
	if (unlinked)
		unlink(unlinked);
	close(fd);
}

static void by_mmap(const char *path)
{
	int fd = open_file(path);

	map_fd(fd, path, PROT_READ | PROT_EXEC, MAP_PRIVATE);
	close(fd);
}

static void by_shared(const char *path)
{
	int fd = open_file(path);

	map_fd(fd, path, PROT_READ | PROT_EXEC, MAP_SHARED);
	close(fd);
}

static void by_mprotect(const char *path)
{
	int fd = open_file(path);

	map_fd(fd, path, PROT_READ, MAP_PRIVATE);
	close(fd);
}

static void by_dlopen(const char *path)
{
	close(open_file(path));
	if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
		fail(path, dlerror());
}

/* Returns once the child has become the program: then the pipe closes. */
static void by_exec(const char *path)
{
	int ends[2], code = 0;

	close(open_file(path));
	if (pipe2(ends, O_CLOEXEC))
		fail("pipe", strerror(errno));
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl(path, path, NULL);
		if (write(ends[1], &errno, sizeof(errno)) < 0)
			_exit(2);
		_exit(1);
	}
	close(ends[1]);
	if (read(ends[0], &code, sizeof(code)) == sizeof(code))
		fail(path, strerror(code));
	close(ends[0]);
}

static void by_spawn(const char *path)
{
	char *const argv[] = {(char *)path, "over", NULL};
	char *const envp[] = {NULL};
	int code, status;
	pid_t pid;

	close(open_file(path));
	code = posix_spawn(&pid, path, NULL, NULL, argv, envp);
	if (code)
		fail(path, strerror(code));
	if (waitpid(pid, &status, 0) != pid || status)
		fail(path, "it failed");
}

/* Its name tells of which file it is. */
static void by_memfd(const char *path)
{
	size_t length = strlen(path);

	map_copy(path, memfd_create(length > 200 ? path + length - 200 : path, MFD_CLOEXEC), NULL);
}

static void by_tmpfile(const char *path)
{
	char *dir = strdup(path), *slash = strrchr(dir, '/');

	if (slash)
		*slash = 0;
	map_copy(path, open(slash ? dir : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0700), NULL);
	free(dir);
}

static void by_unlinked(const char *path)
{
	char *name = NULL;

	if (asprintf(&name, "%s.%d", path, getpid()) < 0)
		fail(path, "out of memory");
	map_copy(path, open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700), name);
	free(name);
}

/* Nothing of the C library that calls the vDSO may be used from here on. */
static void by_vdso(const char *path)
{
	void *low = (void *)0x20000000;
	unsigned long start = 0, end = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	int fd = open_file(path);
	char line[512];

	while (maps && fgets(line, sizeof(line), maps) && !strstr(line, "[vdso]"))
		continue;
	if (!maps || sscanf(line, "%lx-%lx", &start, &end) != 2 ||
		mremap((void *)start, end - start, end - start, MREMAP_MAYMOVE | MREMAP_FIXED,
			low) != low)
		fail("vDSO", "cannot be moved");
	if (mmap(low, end - start, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) != low)
		fail(path, strerror(errno));
	fclose(maps);
	close(fd);
}

static void by_two(const char *path)
{
	by_mmap(path);
	by_mmap(path);
}

static void map_one(const char *argument)
{
	static const struct {
		const char *name;
		void (*map)(const char *path);
	} WAYS[] = {
		{"mmap", by_mmap},
		{"shared", by_shared},
		{"mprotect", by_mprotect},
		{"dlopen", by_dlopen},
		{"memfd", by_memfd},
		{"tmpfile", by_tmpfile},
		{"unlinked", by_unlinked},
		{"twice", by_two},
		{"exec", by_exec},
		{"spawn", by_spawn},
		{"vdso", by_vdso},
	};
	const char *colon = strchr(argument, ':');

	for (size_t i = 0; colon && i < sizeof(WAYS) / sizeof(WAYS[0]); i++) {
		if (strlen(WAYS[i].name) == (size_t)(colon - argument) &&
			!strncmp(WAYS[i].name, argument, colon - argument)) {
			WAYS[i].map(colon + 1);
			return;
		}
	}
	fail(argument, "no such way");
}

/* A child that maps all, tells it, and stays. */
static pid_t start_child(char **files, int tell, long ms)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork", strerror(errno));
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (; *files; files++)
		map_one(*files);
	if (write(tell, "", 1) != 1)
		_exit(1);
	if (ms)
		usleep(ms * 1000);
	else
		pause();
	_exit(0);
}

static void wait_told(void)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

	while (poll(&in, 1, -1) < 0 && errno == EINTR)
		continue;
}

static int hold_children(char **files, long n)
{
	pid_t *pids = calloc(n, sizeof(*pids));
	int tell[2];
	char byte;

	if (!pids || pipe2(tell, O_CLOEXEC))
		fail("pipe", strerror(errno));
	for (long i = 0; i < n; i++)
		pids[i] = start_child(files, tell[1], 0);
	close(tell[1]);
	/* The end of the pipe before all have told: one has died. */
	for (long i = 0; i < n; i++)
		if (read(tell[0], &byte, 1) != 1)
			return 1;
	printf("ready");
	for (long i = 0; i < n; i++)
		printf(" %d", pids[i]);
	putchar('\n');
	fclose(stdout);
	wait_told();
	for (long i = 0; i < n; i++)
		kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		continue;
	return 0;
}

static int run_rounds(char **files, long n, long rounds, long ms)
{
	long started = 0, running = 0, failed = 0;
	int status, null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	while (started < rounds || running) {
		if (started < rounds && running < n) {
			start_child(files, null, ms ? ms : 1);
			started++;
			running++;
			continue;
		}
		if (wait(&status) > 0) {
			running--;
			failed += status != 0;
		}
	}
	printf("ready\n");
	return failed != 0;
}

static long number(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (end == text || *end || value < 0) {
		fputs(USAGE, stderr);
		exit(2);
	}
	return value;
}

static void map_and_wait(char **files)
{
	for (; *files; files++)
		map_one(*files);
	printf("ready %d\n", getpid());
	fclose(stdout);
	wait_told();
}

static bool main_has_exited(void)
{
	FILE *file = fopen("/proc/self/stat", "r");
	char state = 0;

	if (!file || fscanf(file, "%*d (mapper) %c", &state) != 1)
		fail("/proc/self/stat", "cannot be read");
	fclose(file);
	return state == 'Z';
}

static void *run_outliving(void *files)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	while (!main_has_exited())
		nanosleep(&moment, NULL);
	map_and_wait(files);
	exit(0);
}

static void outlive_main(char **files)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_outliving, files))
		fail("thread", "cannot be started");
	pthread_exit(NULL);
}

int main(int argc, char **argv)
{
	long n = 0, rounds = 0, ms = 0;
	const char *root = NULL;
	bool outlived = false;
	int option;

	while ((option = getopt(argc, argv, "cn:r:R:t:x")) != -1) {
		if (option == 'c')
			cold = true;
		else if (option == 'x')
			outlived = true;
		else if (option == 'R')
			root = optarg;
		else if (option == 'n')
			n = number(optarg);
		else if (option == 'r')
			rounds = number(optarg);
		else if (option == 't')
			ms = number(optarg);
		else
			optind = argc;
	}
	if (optind >= argc) {
		fputs(USAGE, stderr);
		return 2;
	}
	if (root && (chroot(root) || chdir("/")))
		fail(root, strerror(errno));
	if (rounds)
		return run_rounds(argv + optind, n ? n : 1, rounds, ms);
	if (n)
		return hold_children(argv + optind, n);
	if (outlived)
		outlive_main(argv + optind);
	map_and_wait(argv + optind);
	return 0;
}
