// SPDX-License-Identifier: GPL-2.0-only
/* See confined.h. */
#include "user/store/files/confined.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Soft, so that the signal tells which it was, and a little later hard. */
static void limit(int what, uint64_t value)
{
	setrlimit(what, &(struct rlimit){value, value ? value + 2 : 0});
}

void confined__bound(unsigned int seconds, uint64_t memory)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	limit(RLIMIT_CORE, 0);
	if (seconds)
		limit(RLIMIT_CPU, seconds);
	limit(RLIMIT_DATA, memory);
	signal(SIGPIPE, SIG_DFL); /* who closed its end does not want the rest */
}

int confined__start(struct confined *ret, const struct confined_options *options, struct error *err)
{
	int fds[2], failed;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return error__errno(err, -errno, "a socket for %s", options->what);
	pid = fork();
	if (pid < 0) {
		failed = -errno;
		close(fds[0]);
		close(fds[1]);
		return error__errno(err, failed, "a process for %s", options->what);
	}
	if (!pid) {
		close(fds[0]);
		confined__bound(options->seconds, options->memory);
		options->run(options->ctx, fds[1]);
		_exit(0);
	}
	close(fds[1]);
	ret->pid = pid;
	ret->fd = fds[0];
	ret->silence_ms = options->silence_ms;
	ret->at = 0;
	ret->size = 0;
	ret->timed_out = false;
	return 0;
}

bool confined__take(struct confined *confined, void *dst, size_t size)
{
	uint8_t *to = dst;

	while (size) {
		struct pollfd poll_fd = {.fd = confined->fd, .events = POLLIN};
		size_t n = confined->size - confined->at;
		ssize_t got;
		int ready;

		if (n) {
			n = n < size ? n : size;
			memcpy(to, confined->bytes + confined->at, n);
			confined->at += n;
			to += n;
			size -= n;
			continue;
		}
		ready = poll(&poll_fd, 1, confined->silence_ms);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0) {
			confined->timed_out = true;
			return false;
		}
		got = read(confined->fd, confined->bytes, sizeof(confined->bytes));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		confined->at = 0;
		confined->size = got;
	}
	return true;
}

char *confined__take_text(struct confined *confined, size_t len, size_t max)
{
	char *text = len <= max ? malloc(len + 1) : NULL;

	if (!text || !confined__take(confined, text, len)) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	return text;
}

bool confined__give(struct confined *confined, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;

	while (size) {
		ssize_t n = send(confined->fd, from, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		from += n;
		size -= n;
	}
	return true;
}

int confined__end(struct confined *confined, bool kill_it)
{
	int status = 0;

	close(confined->fd);
	if (kill_it)
		kill(confined->pid, SIGKILL);
	while (waitpid(confined->pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}
