// SPDX-License-Identifier: GPL-2.0-only
/*
 * See code_reader.h. A file that became shorter, or whose last bytes that were read are
 * other ones by now, was written anew: it is another stream, from its begin.
 */
#include "user/record/capture/code_reader.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "user/record/capture/code_file.h"
#include "user/source/machine/clock.h"
#include "user/source/machine/privilege.h"

#define FOLLOWED_MAX 1024
/* Between two looks at a file: while it grows, and while it does not or is not there. */
#define LOOK_NS 40000000ull
#define LOOK_IDLE_NS 250000000ull
#define LOOK_ABSENT_NS 1000000000ull
#define GROWING_NS 2000000000ull
#define YOUNG_NS 5000000000ull
#define TAIL 64                  /* bytes by which a file is known again */
#define STREAM_MAX (64ull << 20) /* bytes of one file */
#define CHUNKS_AT_ONCE 32
/* Of all files: at once, and what may come more each second. */
#define ALL_BURST (256ull << 20)
#define ALL_RATE (1ull << 20)

struct followed {
	pid_t pid;
	uint32_t kind;
	int pidfd;
	int tmp;      /* of a map file */
	int fd;       /* -1: it is not open yet */
	bool refused; /* it was counted that it is not to be read */
	struct code_owner owner;
	uint32_t stream;
	uint64_t offset;
	uint64_t size;      /* when it was last looked at */
	uint64_t looked_ns; /* when no more than what was read was there; 0: never */
	uint64_t begun_ns;
	uint64_t grew_ns;
	uint64_t next_ns;
	uint8_t tail[TAIL];
	size_t tail_size;
};

struct reader {
	int fd;
	struct followed *v[FOLLOWED_MAX];
	size_t n;
	uint32_t streams;
	uint64_t room; /* bytes that may still be sent */
	uint64_t room_ns;
	struct code_missed missed;
};

static struct code_answer answer;

static void send_answer(struct reader *reader, size_t size)
{
	ssize_t n;

	answer.size = size;
	answer.missed = reader->missed;
	do
		n = send(reader->fd, &answer, CODE_ANSWER_SIZE(size), MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		_exit(0);
	reader->missed = (struct code_missed){0};
}

static void tell(struct reader *reader, enum code_answer_type type, pid_t pid, uint32_t kind)
{
	memset(&answer, 0, offsetof(struct code_answer, bytes));
	answer.type = type;
	answer.pid = pid;
	answer.kind = kind;
	send_answer(reader, 0);
}

/* ---- One file ---- */

static void begin_stream(struct reader *reader, struct followed *of)
{
	of->stream = ++reader->streams;
	of->offset = 0;
	of->tail_size = 0;
}

static void keep_tail(struct followed *of, const uint8_t *bytes, size_t size)
{
	if (size < TAIL) {
		of->tail_size = 0;
		return; /* it is read with the next bytes again */
	}
	memcpy(of->tail, bytes + size - TAIL, TAIL);
	of->tail_size = TAIL;
}

static bool is_same_file(const struct followed *of, uint64_t size)
{
	uint8_t now[TAIL];

	if (size < of->offset)
		return false;
	if (!of->tail_size)
		return true;
	return pread(of->fd, now, TAIL, of->offset - TAIL) == TAIL && !memcmp(now, of->tail, TAIL);
}

static void refill(struct reader *reader, uint64_t now_ns)
{
	uint64_t more = (now_ns - reader->room_ns) / 1000 * ALL_RATE / 1000000;

	if (!more)
		return;
	reader->room_ns = now_ns;
	reader->room = reader->room + more < ALL_BURST ? reader->room + more : ALL_BURST;
}

static size_t allowed(const struct reader *reader, const struct followed *of)
{
	uint64_t room = STREAM_MAX - of->offset;

	if (room > reader->room)
		room = reader->room;
	return room < PERFSTAMP_CODE_BYTES_MAX ? room : PERFSTAMP_CODE_BYTES_MAX;
}

/* Returns the bytes that were sent; 0: there are no more, or may be no more. */
static size_t send_chunk(struct reader *reader, struct followed *of)
{
	size_t size = allowed(reader, of);
	ssize_t n = size ? pread(of->fd, answer.bytes, size, of->offset) : 0;

	if (n <= 0) {
		reader->missed.unreadable += n < 0 && errno != EAGAIN;
		return 0;
	}
	memset(&answer, 0, offsetof(struct code_answer, bytes));
	answer.type = CODE_BYTES;
	answer.kind = of->kind;
	answer.pid = of->pid;
	answer.flags = of->owner.other_clock ? PERFSTAMP_CODE_OTHER_CLOCK : 0;
	answer.stream = of->stream;
	answer.offset = of->offset;
	answer.since_ns = of->looked_ns;
	answer.seen_ns = clock__now(CLOCK_MONOTONIC);
	send_answer(reader, n);
	of->offset += n;
	reader->room -= n;
	keep_tail(of, answer.bytes, n);
	return n;
}

static void read_more(struct reader *reader, struct followed *of, bool all)
{
	uint64_t before_ns = clock__now(CLOCK_MONOTONIC);
	struct stat st;
	size_t n = 0;

	refill(reader, before_ns);
	if (fstat(of->fd, &st) < 0)
		return;
	of->size = st.st_size;
	if (!is_same_file(of, of->size))
		begin_stream(reader, of);
	for (int i = 0; (all || i < CHUNKS_AT_ONCE) && of->offset < of->size; i++) {
		n = send_chunk(reader, of);
		if (!n)
			break;
		of->grew_ns = before_ns;
	}
	/* All that was there then was read. */
	if (of->offset >= of->size)
		of->looked_ns = before_ns;
}

static void look_for_map(struct reader *reader, struct followed *of)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);

	of->fd = code_file__open_map(of->tmp, &of->owner);
	/* The process may have become another user since. */
	if (of->fd == -EPERM && !code_file__owner(of->pid, &of->owner))
		of->fd = code_file__open_map(of->tmp, &of->owner);
	if (of->fd >= 0) {
		begin_stream(reader, of);
		return;
	}
	if (of->fd == -ENOENT)
		of->looked_ns = now_ns;
	else if (!of->refused)
		*(of->fd == -EPERM ? &reader->missed.foreign : &reader->missed.unreadable) += 1;
	of->refused |= of->fd != -ENOENT;
	of->fd = -1;
}

/* A file that took the place of the one that is read, or whose name is gone. */
static void look_for_another(struct reader *reader, struct followed *of)
{
	struct stat now, st;
	int fd;

	if (of->kind != PERFSTAMP_CODE_PERF_MAP || fstat(of->fd, &st) < 0 || st.st_nlink)
		return;
	fd = code_file__open_map(of->tmp, &of->owner);
	if (fd < 0)
		return;
	if (!fstat(fd, &now) && (now.st_ino != st.st_ino || now.st_dev != st.st_dev)) {
		close(of->fd);
		of->fd = fd;
		begin_stream(reader, of);
		return;
	}
	close(fd);
}

static void look(struct reader *reader, struct followed *of, bool all)
{
	uint64_t now_ns;

	if (of->fd < 0 && of->kind == PERFSTAMP_CODE_PERF_MAP)
		look_for_map(reader, of);
	if (of->fd >= 0) {
		read_more(reader, of, all);
		look_for_another(reader, of);
	}
	now_ns = clock__now(CLOCK_MONOTONIC);
	if (of->fd < 0)
		of->next_ns = now_ns +
			      (now_ns - of->begun_ns < YOUNG_NS ? LOOK_NS : LOOK_ABSENT_NS);
	else
		of->next_ns = now_ns + (now_ns - of->grew_ns < GROWING_NS ? LOOK_NS : LOOK_IDLE_NS);
}

/* ---- All of them ---- */

static void forget(struct reader *reader, size_t i)
{
	struct followed *of = reader->v[i];

	close(of->pidfd);
	if (of->tmp >= 0)
		close(of->tmp);
	if (of->fd >= 0)
		close(of->fd);
	free(of);
	reader->v[i] = reader->v[--reader->n];
}

static void end(struct reader *reader, size_t i)
{
	struct followed *of = reader->v[i];

	look(reader, of, true);
	if (of->fd >= 0 && of->size > of->offset)
		reader->missed.bytes += of->size - of->offset;
	tell(reader, CODE_GONE, of->pid, of->kind);
	forget(reader, i);
}

static int open_followed(struct followed *of, const struct code_request *request)
{
	int code;

	of->pidfd = syscall(SYS_pidfd_open, of->pid, 0);
	if (of->pidfd < 0)
		return -errno;
	code = code_file__owner(of->pid, &of->owner);
	if (code)
		return code;
	if (of->kind == PERFSTAMP_CODE_PERF_MAP) {
		of->tmp = code_file__open_tmp(of->pid);
		return of->tmp < 0 ? of->tmp : 0;
	}
	of->fd = code_file__open_dump(of->pid, request->addr, request->len, &of->owner);
	return of->fd < 0 ? of->fd : 0;
}

static void follow(struct reader *reader, const struct code_request *request)
{
	struct followed *of;
	int code;

	if (reader->n == FOLLOWED_MAX) {
		tell(reader, CODE_REFUSED, request->pid, request->kind);
		return;
	}
	of = calloc(1, sizeof(*of));
	if (!of)
		_exit(1);
	of->pid = request->pid;
	of->kind = request->kind;
	of->tmp = of->fd = of->pidfd = -1;
	of->begun_ns = clock__now(CLOCK_MONOTONIC);
	reader->v[reader->n++] = of;
	code = open_followed(of, request);
	if (code) {
		reader->missed.foreign += code == -EPERM;
		reader->missed.unreadable += code != -EPERM && code != -ESRCH && code != -ENOENT;
		tell(reader, CODE_GONE, of->pid, of->kind);
		forget(reader, reader->n - 1);
		return;
	}
	if (of->kind == PERFSTAMP_CODE_JITDUMP)
		begin_stream(reader, of);
	look(reader, of, false);
}

static void take_request(struct reader *reader)
{
	struct code_request request;
	ssize_t n = recv(reader->fd, &request, sizeof(request), 0);

	if (n < 0 && errno == EINTR)
		return;
	if (n != sizeof(request))
		_exit(0);
	if (request.type == CODE_FOLLOW) {
		follow(reader, &request);
		return;
	}
	while (reader->n)
		end(reader, reader->n - 1);
	tell(reader, CODE_ENDED, 0, 0);
}

static int time_to_wait(const struct reader *reader)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC), next_ns = UINT64_MAX;

	for (size_t i = 0; i < reader->n; i++)
		if (reader->v[i]->next_ns < next_ns)
			next_ns = reader->v[i]->next_ns;
	if (next_ns == UINT64_MAX)
		return -1;
	return next_ns <= now_ns ? 0 : (int)((next_ns - now_ns) / 1000000 + 1);
}

static void wait_and_look(struct reader *reader)
{
	static struct pollfd fds[FOLLOWED_MAX + 1];
	size_t n = reader->n;
	uint64_t now_ns;

	for (size_t i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = reader->v[i]->pidfd, .events = POLLIN};
	fds[n] = (struct pollfd){.fd = reader->fd, .events = POLLIN};
	if (poll(fds, n + 1, time_to_wait(reader)) < 0)
		return;
	now_ns = clock__now(CLOCK_MONOTONIC);
	/* From the last one down: who is forgotten has its place taken by one that was seen. */
	for (size_t i = n; i-- > 0;) {
		if (fds[i].revents)
			end(reader, i);
		else if (now_ns >= reader->v[i]->next_ns)
			look(reader, reader->v[i], false);
	}
	if (fds[n].revents)
		take_request(reader);
}

void code_reader__run(int fd, pid_t parent)
{
	static struct reader reader;

	privilege__confine(PRIVILEGE_PROCESSES, NULL);
	prctl(PR_SET_NAME, "perfstamp-code");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	/* Nobody is to wait for the end of a pipe that it holds. */
	if (fd > 0)
		close_range(0, fd - 1, 0);
	close_range(fd + 1, ~0u, 0);
	reader.fd = fd;
	reader.room = ALL_BURST;
	reader.room_ns = clock__now(CLOCK_MONOTONIC);
	for (;;)
		wait_and_look(&reader);
}
