// SPDX-License-Identifier: GPL-2.0-only
/*
 * See fork_server.h. The control socket preserves message boundaries. A request is one byte
 * with the helper's end of a socket; the answer is the pid, or -errno.
 */
#include "user/helper/fork_server.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME "perfstamp-fork"
#define ANSWER_MS 10000 /* far more than a fork takes, which is microseconds */

struct fork_server {
	struct helper helper; /* the server */
	struct helper_options helpers;
	struct sandbox_filter filter;
	pid_t parent;
};

/* ---- In the server, and in its helpers ---- */

static void __attribute__((noreturn))
be_helper(const struct fork_server *server, int control, int fd)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != server->parent)
		_exit(0);
	close(control);
	if (server->helpers.name)
		prctl(PR_SET_NAME, server->helpers.name);
	helper__bound(&server->helpers);
	if (sandbox__enter_filter(&server->filter))
		_exit(1);
	server->helpers.run(server->helpers.ctx, fd);
	_exit(0);
}

/*
 * Makes the helper a child of the server's parent, which waits for it. The C library has no
 * function for this. The system call suffices, because the server has one thread and no
 * fork handlers.
 */
static pid_t fork_sibling(void)
{
	long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);

	return pid < 0 ? -errno : pid;
}

/* Receives a socket. Returns -1 if the parent has ended, or sent no socket. */
static int take_socket(int control)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room;
	char byte;
	struct iovec part = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &room,
		.msg_controllen = sizeof(room),
	};
	struct cmsghdr *header;
	ssize_t n;
	int fd;

	do
		n = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	header = n == 1 ? CMSG_FIRSTHDR(&message) : NULL;
	if (!header || header->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

static void serve(void *ctx, int control)
{
	const struct fork_server *server = ctx;
	int fd;

	while ((fd = take_socket(control)) >= 0) {
		pid_t pid = fork_sibling();

		if (!pid)
			be_helper(server, control, fd);
		close(fd);
		if (send(control, &pid, sizeof(pid), MSG_NOSIGNAL) != sizeof(pid))
			return;
	}
}

/* ---- In the parent ---- */

static int start(struct fork_server *server)
{
	struct helper_options options = {
		.name = NAME,
		.type = SOCK_SEQPACKET,
		.capabilities = server->helpers.capabilities,
		.sandbox = server->helpers.sandbox,
		.run = serve,
		.ctx = server,
	};

	/* The server's helpers inherit its privileges, and drop those that they do not need. */
	options.sandbox.needs |= SANDBOX_FORK;
	return helper__start(&server->helper, &options);
}

int fork_server__new(struct fork_server **ret, const struct helper_options *helpers)
{
	struct fork_server *server = calloc(1, sizeof(*server));
	int code;

	*ret = server;
	if (!server)
		return -ENOMEM;
	server->helpers = *helpers;
	server->helper.fd = -1;
	server->parent = getpid();
	code = sandbox__make_filter(&server->filter, &helpers->sandbox);
	if (!code)
		code = start(server);
	if (code) {
		fork_server__free(server);
		*ret = NULL;
	}
	return code;
}

void fork_server__free(struct fork_server *server)
{
	if (!server)
		return;
	if (server->helper.pid)
		helper__kill(&server->helper);
	sandbox__free_filter(&server->filter);
	free(server);
}

pid_t fork_server__pid(const struct fork_server *server)
{
	return server->helper.pid;
}

static bool give_socket(const struct fork_server *server, int fd)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room = {0};
	char byte = 0;
	struct iovec part = {&byte, 1};
	const struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &room,
		.msg_controllen = sizeof(room),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	ssize_t n;

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	do
		n = sendmsg(server->helper.fd, &message, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

/* Returns the pid, or -errno; -EPIPE: the server has ended, or does not answer. */
static pid_t ask(const struct fork_server *server, int fd)
{
	struct pollfd poll_fd = {.fd = server->helper.fd, .events = POLLIN};
	pid_t pid;
	int ready;

	if (!server->helper.pid || !give_socket(server, fd))
		return -EPIPE;
	do
		ready = poll(&poll_fd, 1, ANSWER_MS);
	while (ready < 0 && errno == EINTR);
	if (ready <= 0 || read(server->helper.fd, &pid, sizeof(pid)) != sizeof(pid))
		return -EPIPE;
	return pid;
}

int fork_server__start(struct fork_server *server, struct helper *ret)
{
	int fds[2], code;
	pid_t pid;

	*ret = (struct helper){.fd = -1};
	if (socketpair(AF_UNIX, server->helpers.type | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	pid = ask(server, fds[1]);
	if (pid == -EPIPE) {
		if (server->helper.pid)
			helper__kill(&server->helper);
		code = start(server);
		pid = code ? code : ask(server, fds[1]);
	}
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return pid;
	}
	*ret = (struct helper){.pid = pid, .fd = fds[0]};
	return 0;
}
