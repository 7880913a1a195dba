// SPDX-License-Identifier: GPL-2.0-only
/* See code_watch.h. */
#include "user/record/capture/code_watch.h"

#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Reads because of writes, for all files together: the initial limit, and its growth per second. */
#define LOOKS_BURST 20000ull
#define LOOKS_RATE 4000ull

void code_watch__init(struct code_watch *watch)
{
	*watch = (struct code_watch){
		.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), .looks = LOOKS_BURST};
}

int code_watch__add(struct code_watch *watch, int fd)
{
	char path[40];

	if (watch->fd < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return inotify_add_watch(watch->fd, path, IN_MODIFY);
}

void code_watch__remove(struct code_watch *watch, int number)
{
	if (number >= 0)
		inotify_rm_watch(watch->fd, number);
}

void code_watch__drain(struct code_watch *watch, void (*fn)(void *ctx, int number), void *ctx)
{
	uint8_t events[4096] __attribute__((aligned(8)));
	ssize_t n = read(watch->fd, events, sizeof(events));

	for (ssize_t at = 0; at + (ssize_t)sizeof(struct inotify_event) <= n;) {
		const struct inotify_event *event = (const void *)(events + at);

		/* IN_IGNORED is the last event of a watch. */
		if (event->mask & IN_MODIFY)
			fn(ctx, event->wd);
		at += sizeof(*event) + event->len;
	}
}

bool code_watch__may_look(struct code_watch *watch, uint64_t now_ns)
{
	uint64_t more = watch->looks_ns ? (now_ns - watch->looks_ns) / 1000 * LOOKS_RATE / 1000000
					: LOOKS_BURST;

	if (more) {
		watch->looks_ns = now_ns;
		watch->looks = watch->looks + more < LOOKS_BURST ? watch->looks + more
								 : LOOKS_BURST;
	}
	if (!watch->looks)
		return false;
	watch->looks--;
	return true;
}
