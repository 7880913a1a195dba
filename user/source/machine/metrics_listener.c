// SPDX-License-Identifier: GPL-2.0-only
/* See metrics_listener.h. */
#include "user/source/machine/metrics_listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#define REQUEST_MAX 4096 /* bytes; longer requests are not answered */
#define TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

struct metrics_listener {
	metrics_write_fn *fn;
	void *ctx;
	int epoll_fd;
	int timer_fd;
	int listen_fd;
	int fd; /* the client, or -1 */
	bool answering;
	char request[REQUEST_MAX];
	size_t request_size;
	char *answer;
	size_t answer_size;
	size_t sent;
	uint64_t cut;
	struct sockaddr_un path; /* .sun_path is empty for an address that is not a file */
};

/* ---- Addresses ---- */

static int parse_port(const char *text, in_port_t *ret)
{
	char *end;
	unsigned long port = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || !port || port > UINT16_MAX)
		return -EINVAL;
	*ret = htons(port);
	return 0;
}

static int parse_address(const char *where, struct sockaddr_storage *ret, socklen_t *ret_size)
{
	struct sockaddr_in *four = (void *)ret;
	struct sockaddr_in6 *six = (void *)ret;
	const char *colon = strrchr(where, ':');
	char host[64];

	if (!colon || snprintf(host, sizeof(host), "%.*s", (int)(colon - where), where) >=
			      (int)sizeof(host))
		return -EINVAL;
	memset(ret, 0, sizeof(*ret));
	if (!strcmp(host, "[::1]")) {
		six->sin6_family = AF_INET6;
		six->sin6_addr = in6addr_loopback;
		*ret_size = sizeof(*six);
		return parse_port(colon + 1, &six->sin6_port);
	}
	four->sin_family = AF_INET;
	*ret_size = sizeof(*four);
	if (!strcmp(host, "localhost"))
		four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else if (inet_pton(AF_INET, host, &four->sin_addr) != 1 ||
		 ntohl(four->sin_addr.s_addr) >> 24 != IN_LOOPBACKNET)
		return -EINVAL;
	return parse_port(colon + 1, &four->sin_port);
}

static int open_socket(int family)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	return fd < 0 ? -errno : fd;
}

/* Whether no process listens on the socket. Does not block if the listener does not answer. */
static bool is_abandoned(const struct sockaddr_un *path)
{
	int fd = open_socket(AF_UNIX);
	bool is;

	if (fd < 0)
		return false;
	is = connect(fd, (const void *)path, sizeof(*path)) < 0 && errno == ECONNREFUSED;
	close(fd);
	return is;
}

static int bind_path(struct metrics_listener *listener, const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	mode_t mask;
	int code;

	if (snprintf(address.sun_path, sizeof(address.sun_path), "%s", path) >=
		(int)sizeof(address.sun_path))
		return -ENAMETOOLONG;
	listener->listen_fd = open_socket(AF_UNIX);
	if (listener->listen_fd < 0)
		return listener->listen_fd;
	mask = umask(0177);
	code = bind(listener->listen_fd, (void *)&address, sizeof(address)) < 0 ? -errno : 0;
	if (code == -EADDRINUSE && is_abandoned(&address) && !unlink(path))
		code = bind(listener->listen_fd, (void *)&address, sizeof(address)) < 0 ? -errno
											: 0;
	umask(mask);
	if (!code)
		listener->path = address;
	return code;
}

static int bind_address(struct metrics_listener *listener, const char *where)
{
	struct sockaddr_storage address;
	socklen_t size;
	int one = 1, code = parse_address(where, &address, &size);

	if (code)
		return code;
	listener->listen_fd = open_socket(address.ss_family);
	if (listener->listen_fd < 0)
		return listener->listen_fd;
	setsockopt(listener->listen_fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	return bind(listener->listen_fd, (void *)&address, size) < 0 ? -errno : 0;
}

static int poll_fd(struct metrics_listener *listener, int operation, int fd, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.fd = fd};

	return epoll_ctl(listener->epoll_fd, operation, fd, &event) < 0 ? -errno : 0;
}

int metrics_text__make(metrics_write_fn *write, void *ctx, char **ret, size_t *ret_size)
{
	FILE *out = open_memstream(ret, ret_size);
	int code;

	if (!out) {
		*ret = NULL;
		return -ENOMEM;
	}
	write(ctx, out);
	code = ferror(out) ? -ENOMEM : 0;
	if (fclose(out))
		code = -ENOMEM;
	if (code) {
		free(*ret);
		*ret = NULL;
	}
	return code;
}

int metrics_listener__new(struct metrics_listener **ret, const char *where, metrics_write_fn *fn,
	void *ctx, struct error *err)
{
	struct metrics_listener *listener = calloc(1, sizeof(*listener));
	bool is_path = where[0] == '/' || !strncmp(where, "unix:", 5);
	int code = 0;

	*ret = NULL;
	if (!listener)
		return error__set(err, -ENOMEM, "out of memory");
	listener->fn = fn;
	listener->ctx = ctx;
	listener->listen_fd = listener->fd = -1;
	listener->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	listener->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (listener->epoll_fd < 0 || listener->timer_fd < 0)
		code = -errno;
	if (!code)
		code = is_path ? bind_path(listener, where[0] == '/' ? where : where + 5)
			       : bind_address(listener, where);
	if (!code && listen(listener->listen_fd, 1) < 0)
		code = -errno;
	if (!code)
		code = poll_fd(listener, EPOLL_CTL_ADD, listener->timer_fd, EPOLLIN);
	if (!code)
		code = poll_fd(listener, EPOLL_CTL_ADD, listener->listen_fd, EPOLLIN);
	if (!code) {
		*ret = listener;
		return 0;
	}
	metrics_listener__free(listener);
	if (code == -EADDRINUSE)
		return error__set(err, code, "%s is in use by another process", where);
	return code == -EINVAL ? error__set(err, code,
					 "%s: expected the path of a socket, or 127.0.0.1:PORT, "
					 "[::1]:PORT or localhost:PORT",
					 where)
			       : error__errno(err, code, "cannot listen on %s", where);
}

/* ---- Clients ---- */

static void set_timer(struct metrics_listener *listener, int seconds)
{
	const struct itimerspec when = {.it_value = {.tv_sec = seconds}};

	timerfd_settime(listener->timer_fd, 0, &when, NULL);
}

static void end(struct metrics_listener *listener)
{
	close(listener->fd);
	listener->fd = -1;
	free(listener->answer);
	listener->answer = NULL;
	listener->answering = false;
	set_timer(listener, 0);
	poll_fd(listener, EPOLL_CTL_MOD, listener->listen_fd, EPOLLIN);
}

static void take(struct metrics_listener *listener)
{
	listener->fd = accept4(listener->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (listener->fd < 0)
		return;
	listener->request_size = 0;
	set_timer(listener, METRICS_TIMEOUT_S);
	/* The next client waits until this one is done. */
	if (poll_fd(listener, EPOLL_CTL_MOD, listener->listen_fd, 0) ||
		poll_fd(listener, EPOLL_CTL_ADD, listener->fd, EPOLLIN))
		end(listener);
}

static const char *status_of(const char *request)
{
	size_t len;

	if (strncmp(request, "GET ", 4) != 0)
		return "405 Method Not Allowed";
	request += 4;
	len = strcspn(request, " ?\r\n");
	return (len == 1 && *request == '/') || (len == 8 && !strncmp(request, "/metrics", 8))
		       ? "200 OK"
		       : "404 Not Found";
}

static int make_answer(struct metrics_listener *listener)
{
	const char *status = status_of(listener->request);
	char *text = NULL;
	size_t size = 0;
	int code = 0, head;

	if (status[0] == '2')
		code = metrics_text__make(listener->fn, listener->ctx, &text, &size);
	if (code)
		return code;
	head = asprintf(&listener->answer,
		"HTTP/1.0 %s\r\nContent-Type: " TYPE "\r\nContent-Length: %zu\r\n"
		"Connection: close\r\n\r\n%.*s",
		status, size, (int)size, text ? text : "");
	free(text);
	if (head < 0) {
		listener->answer = NULL;
		return -ENOMEM;
	}
	listener->answer_size = head;
	listener->sent = 0;
	listener->answering = true;
	return 0;
}

static void answer(struct metrics_listener *listener)
{
	ssize_t n;

	while (listener->sent < listener->answer_size) {
		n = send(listener->fd, listener->answer + listener->sent,
			listener->answer_size - listener->sent, MSG_NOSIGNAL);
		if (n < 0 && errno == EAGAIN) {
			poll_fd(listener, EPOLL_CTL_MOD, listener->fd, EPOLLOUT);
			return;
		}
		if (n < 0)
			break;
		listener->sent += n;
	}
	end(listener);
}

static void read_request(struct metrics_listener *listener)
{
	ssize_t n = recv(listener->fd, listener->request + listener->request_size,
		REQUEST_MAX - 1 - listener->request_size, 0);

	if (n < 0 && errno == EAGAIN)
		return;
	if (n <= 0) {
		end(listener);
		return;
	}
	listener->request_size += n;
	listener->request[listener->request_size] = '\0';
	if (strstr(listener->request, "\r\n\r\n") || strstr(listener->request, "\n\n")) {
		if (make_answer(listener))
			end(listener);
		else
			answer(listener);
	} else if (listener->request_size == REQUEST_MAX - 1) {
		listener->cut++;
		end(listener);
	}
}

void metrics_listener__handle(struct metrics_listener *listener)
{
	uint64_t n;

	if (read(listener->timer_fd, &n, sizeof(n)) == sizeof(n) && listener->fd >= 0) {
		listener->cut++;
		end(listener);
	}
	if (listener->fd < 0)
		take(listener);
	if (listener->fd < 0)
		return;
	if (listener->answering)
		answer(listener);
	else
		read_request(listener);
}

int metrics_listener__fd(const struct metrics_listener *listener)
{
	return listener->epoll_fd;
}

uint64_t metrics_listener__cut(const struct metrics_listener *listener)
{
	return listener->cut;
}

void metrics_listener__free(struct metrics_listener *listener)
{
	if (!listener)
		return;
	if (listener->fd >= 0)
		close(listener->fd);
	if (listener->path.sun_path[0])
		unlink(listener->path.sun_path);
	if (listener->listen_fd >= 0)
		close(listener->listen_fd);
	if (listener->timer_fd >= 0)
		close(listener->timer_fd);
	if (listener->epoll_fd >= 0)
		close(listener->epoll_fd);
	free(listener->answer);
	free(listener);
}
