// SPDX-License-Identifier: GPL-2.0-only
/* See confined.h. */
#include "user/helper/confined.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct helper_options helper_of(const struct confined_options *options)
{
	return (struct helper_options){
		.type = SOCK_STREAM,
		.seconds = options->seconds,
		.memory = options->memory,
		.capabilities = options->capabilities,
		.sandbox = options->sandbox,
		.kept_fd = options->kept_fd,
		.run = options->run,
		.ctx = options->ctx,
	};
}

int confined__serve(
	struct fork_server **ret, const char *name, const struct confined_options *options)
{
	struct helper_options helper = helper_of(options);

	helper.name = name;
	return fork_server__new(ret, &helper);
}

int confined__start(struct confined *ret, const struct confined_options *options, struct error *err)
{
	const struct helper_options helper = helper_of(options);
	int code = options->server ? fork_server__start(options->server, &ret->helper)
				   : helper__start(&ret->helper, &helper);

	if (code)
		return error__errno(err, code, "a process for %s", options->what);
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
		struct pollfd poll_fd = {.fd = confined->helper.fd, .events = POLLIN};
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
		got = read(confined->helper.fd, confined->bytes, sizeof(confined->bytes));
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
		ssize_t n = send(confined->helper.fd, from, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		from += n;
		size -= n;
	}
	return true;
}

int confined__end(struct confined *confined, bool kill)
{
	return kill ? helper__kill(&confined->helper) : helper__wait(&confined->helper);
}
