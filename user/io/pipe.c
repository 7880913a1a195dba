// SPDX-License-Identifier: GPL-2.0-only
/* See pipe.h. */
#include "user/io/pipe.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#define LOOK_MS 100 /* between two checks for signals */
#define PATIENCE_MS 3000

static bool is_signal_pending(void)
{
	sigset_t pending;

	return !sigpending(&pending) &&
	       (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1);
}

int pipe__await_reader(int fd)
{
	struct pollfd end = {.fd = fd};

	for (;;) {
		/* Without a reader, it reports an error, whatever is asked for. */
		if (poll(&end, 1, 0) < 0 && errno != EINTR)
			return -errno;
		if (!(end.revents & POLLERR))
			return 0;
		if (is_signal_pending())
			return -EINTR;
		poll(NULL, 0, LOOK_MS);
	}
}

static int await_room(int fd)
{
	struct pollfd end = {.fd = fd, .events = POLLOUT};
	int n, waited_ms = 0;

	while ((n = poll(&end, 1, LOOK_MS)) <= 0) {
		if (n < 0 && errno != EINTR)
			return -errno;
		waited_ms = is_signal_pending() ? waited_ms + LOOK_MS : 0;
		if (waited_ms >= PATIENCE_MS)
			return -ETIMEDOUT;
	}
	return 0;
}

int pipe__write(int fd, const void *bytes, size_t size, size_t *ret_done)
{
	int code;

	for (*ret_done = 0; *ret_done < size;) {
		size_t left = size - *ret_done;
		ssize_t n;

		code = await_room(fd);
		if (code)
			return code;
		/* If there is room, so many bytes do not block. */
		n = write(fd, (const char *)bytes + *ret_done, left < PIPE_BUF ? left : PIPE_BUF);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (n > 0)
			*ret_done += n;
	}
	return 0;
}
