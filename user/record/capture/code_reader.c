// SPDX-License-Identifier: GPL-2.0-only
/*
 * See code_reader.h. A file that became shorter, or whose last read bytes have changed, was
 * rewritten: it is a new stream, from its beginning.
 *
 * A sample can be named unless its time is between the last reading without the line and the first
 * reading with it. So the reader wakes up for each write, unless there are too many. An answer
 * waits for further ones, so that the recorder need not wake up for each.
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
#include "user/record/capture/code_watch.h"
#include "user/source/machine/clock.h"

#define FOLLOWED_MAX 1024
/*
 * Time between two looks at a file: while it grows, and while it does not grow or does not exist.
 */
#define LOOK_NS 40000000ull
#define LOOK_IDLE_NS 250000000ull
#define LOOK_ABSENT_NS 1000000000ull
/*
 * How long an answer waits for further ones, which are sent together with it. While writes are
 * notified, ends of processes are not checked.
 */
#define SEND_NS LOOK_NS
#define ENDS_NS 5000000ull
#define GROWING_NS 2000000000ull
#define YOUNG_NS 5000000000ull
#define STREAM_MAX (64ull << 20) /* limit of bytes for one file */
#define CHUNKS_AT_ONCE 32
/* For all files: the initial limit, and its growth per second. */
#define ALL_BURST (256ull << 20)
#define ALL_RATE (1ull << 20)

struct followed {
	pid_t pid;
	uint32_t kind;
	int pidfd;
	int tmp;      /* directory of a map file */
	int fd;       /* -1: not open yet */
	bool refused; /* already counted as unreadable */
	struct code_owner owner;
	struct code_position at;
	bool continues; /* .at is from the reader before, until the file is open */
	uint64_t size;  /* size at the last look */
	uint64_t begun_ns;
	uint64_t grew_ns;
	uint64_t next_ns;
	int watch;        /* number of its watch, or -1 */
	bool told;        /* it was written to after the last look */
	uint64_t last_ns; /* time of the last look */
	/* The newest bytes, if they are a single new line that waits to be sent: */
	uint64_t line_message; /* the message that contains it; 0: there is none */
	size_t line_at;
	int64_t line_mtime_ns; /* mtime of the file then, CLOCK_MONOTONIC */
};

struct reader {
	int fd;
	struct followed *v[FOLLOWED_MAX];
	size_t n;
	struct code_progress *progress;
	struct code_missed missed;
	struct code_watch watch;
	uint64_t reported_ns;   /* time of the last notification of a write */
	uint64_t ended_ns;      /* time of the last check for ended processes */
	int64_t real_offset_ns; /* CLOCK_REALTIME minus CLOCK_MONOTONIC at the last look */
	uint64_t n_messages;
	uint64_t since_ns; /* when the first answer was added to the message */
	size_t size;       /* bytes of the next message so far */
};

static uint8_t message[CODE_MESSAGE_MAX] __attribute__((aligned(8)));

static void send_message(struct reader *reader)
{
	ssize_t n;

	if (!reader->size)
		return;
	do
		n = send(reader->fd, message, reader->size, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		_exit(0);
	reader->size = 0;
	reader->n_messages++;
}

/* Returns space for an answer with @size bytes, which is then a part of the message. */
static struct code_answer *next_answer(
	struct reader *reader, enum code_answer_type type, pid_t pid, uint32_t kind, size_t size)
{
	struct code_answer *answer;

	if (reader->size + CODE_ANSWER_ROOM(size) > sizeof(message))
		send_message(reader);
	answer = (void *)(message + reader->size);
	memset(answer, 0, offsetof(struct code_answer, bytes));
	answer->type = type;
	answer->pid = pid;
	answer->kind = kind;
	return answer;
}

static void put(struct reader *reader, struct code_answer *answer, size_t size)
{
	if (!reader->size)
		reader->since_ns = clock__now(CLOCK_MONOTONIC);
	answer->size = size;
	answer->missed = reader->missed;
	reader->missed = (struct code_missed){0};
	reader->size += CODE_ANSWER_ROOM(size);
}

static void answer(struct reader *reader, enum code_answer_type type, pid_t pid, uint32_t kind)
{
	put(reader, next_answer(reader, type, pid, kind, 0), 0);
	send_message(reader);
}

/* ---- One file ---- */

/* Before each step that may wait for a server, so that the recorder sees which file it is. */
static void step(struct reader *reader, const struct followed *of)
{
	struct code_progress *progress = reader->progress;

	progress->pid = of->pid;
	progress->kind = of->kind;
	__atomic_store_n(&progress->turn, (progress->turn + 1) | 1, __ATOMIC_RELEASE);
}

static void done(struct reader *reader)
{
	struct code_progress *progress = reader->progress;

	__atomic_store_n(&progress->turn, (progress->turn | 1) + 1, __ATOMIC_RELEASE);
}

static void begin_stream(struct reader *reader, struct followed *of)
{
	of->at.stream = ++reader->progress->streams;
	of->at.offset = 0;
	of->at.tail_size = 0;
	of->line_message = 0;
}

void code_position__advance(struct code_position *position, const uint8_t *bytes, size_t size)
{
	size_t kept = size < CODE_TAIL ? CODE_TAIL - size : 0;

	position->offset += size;
	if (size > CODE_TAIL) {
		bytes += size - CODE_TAIL;
		size = CODE_TAIL;
	}
	if (kept > position->tail_size)
		kept = position->tail_size;
	memmove(position->tail, position->tail + position->tail_size - kept, kept);
	memcpy(position->tail + kept, bytes, size);
	position->tail_size = kept + size;
}

static bool is_same_file(const struct followed *of, uint64_t size)
{
	uint8_t now[CODE_TAIL];

	if (size < of->at.offset)
		return false;
	return pread(of->fd, now, of->at.tail_size, of->at.offset - of->at.tail_size) ==
		       (ssize_t)of->at.tail_size &&
	       !memcmp(now, of->at.tail, of->at.tail_size);
}

static void refill(struct reader *reader, uint64_t now_ns)
{
	uint64_t more = (now_ns - reader->progress->room_ns) / 1000 * ALL_RATE / 1000000;

	if (!more)
		return;
	reader->progress->room_ns = now_ns;
	reader->progress->room = reader->progress->room + more < ALL_BURST
					 ? reader->progress->room + more
					 : ALL_BURST;
}

static size_t allowed(const struct reader *reader, const struct followed *of)
{
	uint64_t room = STREAM_MAX - of->at.offset;

	if (room > of->size - of->at.offset)
		room = of->size - of->at.offset;
	if (room > reader->progress->room)
		room = reader->progress->room;
	return room < PERFSTAMP_CODE_BYTES_MAX ? room : PERFSTAMP_CODE_BYTES_MAX;
}

/*
 * Sends bytes that the file had at @seen_ns. Returns the number of bytes sent; 0: the limit is
 * reached.
 */
static size_t send_chunk(struct reader *reader, struct followed *of, uint64_t seen_ns)
{
	size_t size = allowed(reader, of);
	struct code_answer *answer = next_answer(reader, CODE_BYTES, of->pid, of->kind, size);
	ssize_t n;

	step(reader, of);
	n = size ? pread(of->fd, answer->bytes, size, of->at.offset) : 0;
	if (n <= 0) {
		if (n < 0 && errno != EAGAIN && !of->refused) {
			reader->missed.unreadable++;
			of->refused = true;
		}
		return 0;
	}
	answer->flags = of->owner.other_clock ? PERFSTAMP_CODE_OTHER_CLOCK : 0;
	answer->stream = of->at.stream;
	answer->offset = of->at.offset;
	answer->since_ns = of->at.looked_ns;
	answer->seen_ns = seen_ns;
	put(reader, answer, n);
	reader->progress->room -= n;
	code_position__advance(&of->at, answer->bytes, n);
	return n;
}

static int64_t mtime_of(const struct stat *st)
{
	return st->st_mtim.tv_sec * 1000000000ll + st->st_mtim.tv_nsec;
}

static bool is_still(const struct followed *of, const struct stat *st)
{
	struct stat now;

	return !fstat(of->fd, &now) && now.st_size == st->st_size && mtime_of(&now) == mtime_of(st);
}

/* Whether the newest @size bytes of the message are one line. */
static bool is_line(const struct reader *reader, size_t size)
{
	size_t room = CODE_ANSWER_ROOM(size);
	const struct code_answer *answer = (const void *)(message + reader->size - room);

	return reader->size >= room && answer->size == size &&
	       memchr(answer->bytes, '\n', size) == answer->bytes + size - 1;
}

/*
 * A line that appears alone was written by one write, just before which the kernel set the
 * file's mtime: the line did not exist earlier. But the mtime may be that of the next line,
 * whose write has begun. It belongs to this line if the next line has a later mtime.
 */
static void date_line(
	struct reader *reader, struct followed *of, const struct stat *st, size_t size)
{
	int64_t offset_ns = clock__coarse_offset(), mtime_ns = mtime_of(st) - offset_ns;
	bool alone = size && size <= PERFSTAMP_CODE_BYTES_MAX && reader->size &&
		     offset_ns == reader->real_offset_ns && is_line(reader, size) &&
		     is_still(of, st);
	struct code_answer *before = (void *)(message + of->line_at);

	reader->real_offset_ns = offset_ns;
	if (alone && of->line_message == reader->n_messages && mtime_ns > of->line_mtime_ns &&
		of->line_mtime_ns > (int64_t)before->since_ns &&
		of->line_mtime_ns < (int64_t)before->seen_ns)
		before->since_ns = of->line_mtime_ns;
	of->line_message = alone ? reader->n_messages : 0;
	of->line_at = alone ? reader->size - CODE_ANSWER_ROOM(size) : 0;
	of->line_mtime_ns = mtime_ns;
}

static void read_more(struct reader *reader, struct followed *of, bool all)
{
	uint64_t before_ns = clock__now(CLOCK_MONOTONIC), seen_ns, first;
	struct stat st;
	size_t n = 0;

	refill(reader, before_ns);
	if (fstat(of->fd, &st) < 0)
		return;
	seen_ns = clock__now(CLOCK_MONOTONIC);
	of->size = st.st_size;
	if (!is_same_file(of, of->size))
		begin_stream(reader, of);
	first = of->at.offset;
	for (int i = 0; (all || i < CHUNKS_AT_ONCE) && of->at.offset < of->size; i++) {
		n = send_chunk(reader, of, seen_ns);
		if (!n)
			break;
		of->grew_ns = before_ns;
	}
	if (of->kind == PERFSTAMP_CODE_PERF_MAP && of->at.offset > first)
		date_line(reader, of, &st, of->at.offset - first);
	/* Everything in the file at that time was read. */
	if (of->at.offset >= of->size)
		of->at.looked_ns = before_ns;
}

/* Begins to read the file opened for @of from its start. */
static void begin_file(struct reader *reader, struct followed *of, int fd)
{
	of->fd = fd;
	if (of->kind == PERFSTAMP_CODE_PERF_MAP)
		of->watch = code_watch__add(&reader->watch, fd);
	if (!of->continues)
		begin_stream(reader, of);
	of->continues = false;
}

static void look_for_map(struct reader *reader, struct followed *of)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);

	of->fd = code_file__open_map(of->tmp, &of->owner);
	/* The process may have changed its user meanwhile. */
	if (of->fd == -EPERM && !code_file__owner(of->pid, &of->owner))
		of->fd = code_file__open_map(of->tmp, &of->owner);
	if (of->fd >= 0) {
		begin_file(reader, of, of->fd);
		return;
	}
	if (of->fd == -ENOENT)
		of->at.looked_ns = now_ns;
	else if (!of->refused)
		*(of->fd == -EPERM ? &reader->missed.foreign : &reader->missed.unreadable) += 1;
	of->refused |= of->fd != -ENOENT;
	of->fd = -1;
}

/* Opens the file that is now at the name, if the old one was replaced or deleted. */
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
		code_watch__remove(&reader->watch, of->watch);
		close(of->fd);
		begin_file(reader, of, fd);
		return;
	}
	close(fd);
}

static void look(struct reader *reader, struct followed *of, bool all)
{
	uint64_t now_ns;

	step(reader, of);
	if (of->fd < 0 && of->kind == PERFSTAMP_CODE_PERF_MAP)
		look_for_map(reader, of);
	if (of->fd >= 0) {
		read_more(reader, of, all);
		look_for_another(reader, of);
	}
	now_ns = clock__now(CLOCK_MONOTONIC);
	of->last_ns = now_ns;
	of->told = false;
	if (of->fd < 0)
		of->next_ns = now_ns +
			      (now_ns - of->begun_ns < YOUNG_NS ? LOOK_NS : LOOK_ABSENT_NS);
	else
		of->next_ns = now_ns + (now_ns - of->grew_ns < GROWING_NS ? LOOK_NS : LOOK_IDLE_NS);
	done(reader);
}

/* ---- All files ---- */

static void forget(struct reader *reader, size_t i)
{
	struct followed *of = reader->v[i];

	step(reader, of);
	code_watch__remove(&reader->watch, of->watch);
	close(of->pidfd);
	if (of->tmp >= 0)
		close(of->tmp);
	if (of->fd >= 0)
		close(of->fd);
	done(reader);
	free(of);
	reader->v[i] = reader->v[--reader->n];
}

static void end(struct reader *reader, size_t i)
{
	struct followed *of = reader->v[i];

	look(reader, of, true);
	if (of->fd >= 0 && of->size > of->at.offset)
		reader->missed.bytes += of->size - of->at.offset;
	answer(reader, CODE_GONE, of->pid, of->kind);
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
		answer(reader, CODE_REFUSED, request->pid, request->kind);
		return;
	}
	of = calloc(1, sizeof(*of));
	if (!of)
		_exit(1);
	of->pid = request->pid;
	of->kind = request->kind;
	of->tmp = of->fd = of->pidfd = of->watch = -1;
	of->begun_ns = clock__now(CLOCK_MONOTONIC);
	of->at = request->position;
	of->continues = of->at.stream;
	step(reader, of);
	reader->v[reader->n++] = of;
	code = open_followed(of, request);
	if (code) {
		reader->missed.foreign += code == -EPERM;
		reader->missed.unreadable += code != -EPERM && code != -ESRCH && code != -ENOENT;
		answer(reader, CODE_GONE, of->pid, of->kind);
		forget(reader, reader->n - 1);
		return;
	}
	if (of->kind == PERFSTAMP_CODE_JITDUMP)
		begin_file(reader, of, of->fd);
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
	answer(reader, CODE_ENDED, 0, 0);
}

static void on_write(void *ctx, int number)
{
	struct reader *reader = ctx;

	for (size_t i = 0; i < reader->n; i++) {
		struct followed *of = reader->v[i];
		uint64_t look_ns = of->last_ns + CODE_WATCH_LOOK_NS;

		if (of->watch != number || of->told)
			continue;
		of->told = true;
		if (look_ns < of->next_ns &&
			code_watch__may_look(&reader->watch, reader->reported_ns))
			of->next_ns = look_ns;
	}
}

/* Returns the time to wait for; NULL if there is nothing to do before the next notification. */
static const struct timespec *time_to_wait(const struct reader *reader, bool ends)
{
	static struct timespec ret;
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC), next_ns = UINT64_MAX;

	for (size_t i = 0; i < reader->n; i++)
		if (reader->v[i]->next_ns < next_ns)
			next_ns = reader->v[i]->next_ns;
	if (reader->size && reader->since_ns + SEND_NS < next_ns)
		next_ns = reader->since_ns + SEND_NS;
	if (!ends && reader->ended_ns + ENDS_NS < next_ns)
		next_ns = reader->ended_ns + ENDS_NS;
	if (next_ns == UINT64_MAX)
		return NULL;
	next_ns = next_ns > now_ns ? next_ns - now_ns : 0;
	ret = (struct timespec){next_ns / 1000000000, next_ns % 1000000000};
	return &ret;
}

/*
 * While thousands of writes a second are notified, not all processes are checked each time. Nothing
 * is lost: the reader has their files open, also after their end.
 */
static void wait_and_look(struct reader *reader)
{
	static struct pollfd fds[FOLLOWED_MAX + 2];
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	bool ends = now_ns - reader->reported_ns > ENDS_NS || now_ns - reader->ended_ns >= ENDS_NS;
	size_t n = reader->n, n_fds = ends ? n + 2 : 2;

	fds[0] = (struct pollfd){.fd = reader->fd, .events = POLLIN};
	fds[1] = (struct pollfd){.fd = reader->watch.fd, .events = POLLIN};
	for (size_t i = 2; i < n_fds; i++)
		fds[i] = (struct pollfd){.fd = reader->v[i - 2]->pidfd, .events = POLLIN};
	if (ppoll(fds, n_fds, time_to_wait(reader, ends), NULL) < 0)
		return;
	now_ns = clock__now(CLOCK_MONOTONIC);
	if (ends)
		reader->ended_ns = now_ns;
	if (fds[1].revents) {
		reader->reported_ns = now_ns;
		code_watch__drain(&reader->watch, on_write, reader);
	}
	/* From the last one down, because the last entry takes the place of a removed one. */
	for (size_t i = n; i-- > 0;) {
		if (i + 2 < n_fds && fds[i + 2].revents)
			end(reader, i);
		else if (now_ns >= reader->v[i]->next_ns)
			look(reader, reader->v[i], false);
	}
	if (reader->size && now_ns >= reader->since_ns + SEND_NS)
		send_message(reader);
	if (fds[0].revents)
		take_request(reader);
}

void code_reader__run(void *ctx, int fd)
{
	static struct reader reader;

	prctl(PR_SET_TIMERSLACK, 10000);
	reader.fd = fd;
	reader.progress = ctx;
	done(&reader);
	if (!reader.progress->room_ns) {
		reader.progress->room = ALL_BURST;
		reader.progress->room_ns = clock__now(CLOCK_MONOTONIC);
	}
	reader.n_messages = 1;
	code_watch__init(&reader.watch);
	for (;;)
		wait_and_look(&reader);
}
