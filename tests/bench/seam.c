// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has a recorder that writes DIR/data switch to a next file, by SIGUSR2, and tells from
 * outside what each switch took, one line each: milliseconds from its first change in DIR to
 * the last, and the bytes that the next file begins with. What is recorded must be at rest,
 * so that nothing but the switch changes a file.
 */
#include <err.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define QUIET_MS 2000 /* without a change: it is over */
#define HANGS_MS 120000

static const char USAGE[] = "Usage: seam N DIR COMMAND [ARG...]\n";

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* From the first change, which is waited for, to the last before it is quiet. */
static double changes_ms(int watch)
{
	static char events[1 << 16];
	struct pollfd pollfd = {.fd = watch, .events = POLLIN};
	double first = 0, last = 0;

	while (poll(&pollfd, 1, first > 0 ? QUIET_MS : HANGS_MS) > 0) {
		last = now_ms();
		if (!(first > 0))
			first = last;
		if (read(watch, events, sizeof(events)) < 0)
			err(1, "inotify");
	}
	if (!(first > 0))
		errx(1, "the recorder wrote nothing");
	return last - first;
}

int main(int argc, char **argv)
{
	int n = argc > 3 ? atoi(argv[1]) : 0, watch, i, status;
	char path[PATH_MAX];
	struct stat st;
	double ms;
	pid_t pid;

	if (n <= 0) {
		fputs(USAGE, stderr);
		return 2;
	}
	watch = inotify_init1(IN_CLOEXEC);
	if (watch < 0 || inotify_add_watch(watch, argv[2],
				 IN_MODIFY | IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO) < 0)
		err(1, "%s", argv[2]);
	snprintf(path, sizeof(path), "%s/data", argv[2]);
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		execvp(argv[3], argv + 3);
		err(127, "%s", argv[3]);
	}
	changes_ms(watch);
	for (i = 0; i < n; i++) {
		if (kill(pid, SIGUSR2))
			err(1, "SIGUSR2");
		ms = changes_ms(watch);
		if (stat(path, &st))
			err(1, "%s", path);
		printf("%.3f %lld\n", ms, (long long)st.st_size);
	}
	kill(pid, SIGINT);
	return waitpid(pid, &status, 0) != pid;
}
