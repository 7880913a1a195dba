// SPDX-License-Identifier: GPL-2.0-only
/* See helper.h. */
#include "user/helper/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "user/helper/capability.h"

/* ---- In the child ---- */

/*
 * Sets a soft limit, whose signal shows which limit was reached, and a slightly higher hard limit.
 */
static void limit(int what, uint64_t value)
{
	setrlimit(what, &(struct rlimit){value, value ? value + 2 : 0});
}

void helper__bound(const struct helper_options *options)
{
	limit(RLIMIT_CORE, 0);
	if (options->seconds)
		limit(RLIMIT_CPU, options->seconds);
	if (options->memory)
		limit(RLIMIT_DATA, options->memory);
	/* The helper may open files, but not extend them. */
	if (!(options->sandbox.needs & SANDBOX_WRITE))
		limit(RLIMIT_FSIZE, 0);
}

/*
 * A helper that is blocked in the kernel may outlive its parent. So it must not keep open a
 * pipe on which another process waits, nor events or BPF programs. Libraries may write to
 * the first three descriptors.
 */
static void close_others(int fd, int kept_fd)
{
	int low = fd < kept_fd || !kept_fd ? fd : kept_fd, high = fd < kept_fd ? kept_fd : fd;
	int null = open("/dev/null", O_RDWR);

	for (int i = 0; i < 3; i++)
		if (i != low && i != high && null >= 0)
			dup2(null, i);
	if (low > 3)
		close_range(3, low - 1, 0);
	if (high > low + 1)
		close_range(low + 1 < 3 ? 3 : low + 1, high - 1, 0);
	close_range(high + 1 < 3 ? 3 : high + 1, ~0u, 0);
}

static void __attribute__((noreturn))
be_helper(const struct helper_options *options, int fd, pid_t parent)
{
	if (capability__keep(options->capabilities, NULL))
		_exit(1);
	if (options->name)
		prctl(PR_SET_NAME, options->name);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	close_others(fd, options->kept_fd);
	/* A write after the parent has closed its end ends the helper. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	helper__bound(options);
	if (sandbox__enter(&options->sandbox))
		_exit(1);
	options->run(options->ctx, fd);
	_exit(0);
}

/* ---- In the parent ---- */

int helper__start(struct helper *ret, const struct helper_options *options)
{
	pid_t parent = getpid();
	int fds[2], code;

	*ret = (struct helper){.fd = -1};
	if (socketpair(AF_UNIX, options->type | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	/* Without the privilege, the kernel limits the size. */
	if (options->send_bytes && setsockopt(fds[1], SOL_SOCKET, SO_SNDBUFFORCE,
					   &options->send_bytes, sizeof(options->send_bytes)) < 0)
		setsockopt(fds[1], SOL_SOCKET, SO_SNDBUF, &options->send_bytes,
			sizeof(options->send_bytes));
	ret->pid = fork();
	if (!ret->pid)
		be_helper(options, fds[1], parent);
	code = ret->pid < 0 ? -errno : 0;
	close(fds[1]);
	if (code) {
		close(fds[0]);
		ret->pid = 0;
		return code;
	}
	ret->fd = fds[0];
	return 0;
}

int helper__wait(struct helper *helper)
{
	int status = 0;

	close(helper->fd);
	while (waitpid(helper->pid, &status, 0) < 0 && errno == EINTR)
		;
	*helper = (struct helper){.fd = -1};
	return status;
}

static void end(struct helper *helper)
{
	close(helper->fd);
	helper->fd = -1;
	kill(helper->pid, SIGKILL);
}

/* Checks every millisecond, at most @tries times. Returns the exit status. */
static int wait_for_end(struct helper *helper, int *tries)
{
	const struct timespec ms = {.tv_nsec = 1000000};
	int status = 0;

	while (!waitpid(helper->pid, &status, WNOHANG) && (*tries)-- > 0)
		nanosleep(&ms, NULL);
	helper->pid = 0;
	return status;
}

int helper__kill(struct helper *helper)
{
	int tries = HELPER_END_MS;

	end(helper);
	return wait_for_end(helper, &tries);
}

void helper__kill_all(struct helper *helpers, size_t n)
{
	int tries = HELPER_END_MS;

	for (size_t i = 0; i < n; i++)
		if (helpers[i].pid)
			end(&helpers[i]);
	for (size_t i = 0; i < n; i++)
		if (helpers[i].pid)
			wait_for_end(&helpers[i], &tries);
}

void helper__abandon(struct helper *helper)
{
	end(helper);
	helper->pid = 0;
}
