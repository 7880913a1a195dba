// SPDX-License-Identifier: GPL-2.0-only
/*
 * See completer.h. Each process has a socket, over which it gets one request at
 * a time. It ends when the socket is closed, or with the recorder.
 */
#include "user/source/content/completer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "user/parse/mountinfo.h"
#include "user/source/machine/clock.h"
#include "user/source/machine/privilege.h"
#include "user/source/proc/file.h"

#define READERS_MAX 4
#define QUEUE_MAX 1024
#define SLOW_NS 10000000ull /* after which a further process is started */
/* After which a device counts as one that does not answer: a server, and a disk, which only waits
 * for its turn. */
#define SERVER_NS 5000000000ull
#define DISK_NS 60000000000ull
/* Seen so often, in so long: otherwise it may be the recorder that has waited for its turn. */
#define LOOKS 3
#define LOOK_NS 500000000ull
#define END_MS 100

struct request {
	uint64_t token;
	struct completion_mapping mapping;
	struct perfstamp_identity identity;
};

struct reader {
	pid_t pid; /* 0: there is none */
	int fd;
	bool busy;
	uint64_t since_ns; /* monotonic, when it got */
	struct request request;
	uint64_t looked_ns; /* monotonic */
	unsigned int looks; /* at which it should have answered, and had not */
	enum { UNKNOWN, SERVED, NOT_SERVED } device;
};

struct completer {
	struct reader readers[READERS_MAX];
	int epoll_fd;
	struct request queue[QUEUE_MAX]; /* a ring */
	unsigned int first, n;
};

/* ---- In the process that reads ---- */

static void answer(const struct request *request, struct completion_result *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->token = request->token;
	ret->identity = request->identity;
	ret->code = completion__read(&request->mapping, &ret->identity, &ret->alive_ns);
}

static void __attribute__((noreturn)) read_forever(int fd, pid_t parent)
{
	struct completion_result result;
	struct request request;

	/* All that it does is to read what processes have mapped. */
	privilege__confine(PRIVILEGE_PROCESSES, NULL);
	/* Its name in top; and where the recorder is killed, it ends. */
	prctl(PR_SET_NAME, "perfstamp-read");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	/*
	 * One that cannot be killed may outlive the recorder: it must hold on to no
	 * pipe whose end someone waits for, no event and no BPF program.
	 */
	if (fd > 0)
		close_range(0, fd - 1, 0);
	close_range(fd + 1, ~0u, 0);
	while (recv(fd, &request, sizeof(request), 0) == sizeof(request)) {
		answer(&request, &result);
		if (send(fd, &result, sizeof(result), MSG_NOSIGNAL) != sizeof(result))
			break;
	}
	_exit(0);
}

/* ---- In the recorder ---- */

static int start_reader(struct completer *completer)
{
	struct epoll_event event = {.events = EPOLLIN};
	struct reader *reader = completer->readers;
	pid_t parent = getpid();
	int fds[2], code;
	size_t i;

	for (i = 0; i < READERS_MAX && reader->pid; i++)
		reader++;
	if (i == READERS_MAX)
		return -EAGAIN;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	event.data.u32 = i;
	if (epoll_ctl(completer->epoll_fd, EPOLL_CTL_ADD, fds[0], &event) < 0) {
		code = -errno;
		goto failed;
	}
	reader->pid = fork();
	if (reader->pid < 0) {
		code = -errno;
		reader->pid = 0;
		goto failed;
	}
	if (!reader->pid)
		read_forever(fds[1], parent);
	close(fds[1]);
	reader->fd = fds[0];
	reader->busy = false;
	return 0;
failed:
	close(fds[0]);
	close(fds[1]);
	return code;
}

static void end_reader(struct reader *reader)
{
	close(reader->fd);
	kill(reader->pid, SIGKILL);
}

int completer__new(struct completer **ret, struct error *err)
{
	struct completer *completer = calloc(1, sizeof(*completer));
	int code;

	*ret = NULL;
	if (!completer)
		return error__set(err, -ENOMEM, "out of memory");
	completer->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (completer->epoll_fd < 0) {
		code = -errno;
		free(completer);
		return error__errno(err, code, "epoll_create1");
	}
	code = start_reader(completer);
	if (code) {
		completer__free(completer);
		return error__errno(err, code, "process that completes identities");
	}
	*ret = completer;
	return 0;
}

void completer__free(struct completer *completer)
{
	const struct timespec ms = {.tv_nsec = 1000000};
	int i, tries = END_MS;

	if (!completer)
		return;
	for (i = 0; i < READERS_MAX; i++)
		if (completer->readers[i].pid)
			end_reader(&completer->readers[i]);
	/* One that still waits in the kernel is init's to wait for. */
	for (i = 0; i < READERS_MAX; i++)
		while (completer->readers[i].pid &&
			!waitpid(completer->readers[i].pid, NULL, WNOHANG) && tries-- > 0)
			nanosleep(&ms, NULL);
	close(completer->epoll_fd);
	free(completer);
}

int completer__fd(const struct completer *completer)
{
	return completer->epoll_fd;
}

static bool is_stuck(const struct reader *reader)
{
	return reader->pid && reader->busy && reader->looks >= LOOKS;
}

/* By the mounts that the process sees, and those that we do. */
static bool is_on_server(const struct request *request)
{
	const struct perfstamp_identity *identity = &request->identity;
	bool served = false;
	char *text;

	/* Not every rung tells the device. */
	if (!identity->dev_major && !identity->dev_minor)
		return false;
	if (!proc_file__read(&text, NULL, "/proc/%d/mountinfo", request->mapping.pid)) {
		served = mountinfo__is_served(text, identity->dev_major, identity->dev_minor);
		free(text);
	}
	if (!served && !proc_file__read(&text, NULL, "/proc/self/mountinfo")) {
		served = mountinfo__is_served(text, identity->dev_major, identity->dev_minor);
		free(text);
	}
	return served;
}

/* At one whose answer, had it given one, would have been collected. */
static void look_at(struct reader *reader, uint64_t now_ns)
{
	uint64_t waited_ns = now_ns - reader->since_ns;

	if (!reader->pid || !reader->busy || waited_ns < SERVER_NS ||
		now_ns - reader->looked_ns < LOOK_NS)
		return;
	reader->looked_ns = now_ns;
	if (reader->device == UNKNOWN)
		reader->device = is_on_server(&reader->request) ? SERVED : NOT_SERVED;
	reader->looks += reader->device == SERVED || waited_ns >= DISK_NS;
}

static bool same_device(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	return a->dev_major == b->dev_major && a->dev_minor == b->dev_minor;
}

/* Whether what @identity is on keeps a reader waiting. */
static bool on_stuck_device(
	const struct completer *completer, const struct perfstamp_identity *identity)
{
	const struct reader *reader;

	for (reader = completer->readers; reader < completer->readers + READERS_MAX; reader++)
		if (is_stuck(reader) && same_device(&reader->request.identity, identity))
			return true;
	return false;
}

static struct request *queued(struct completer *completer, unsigned int i)
{
	return &completer->queue[(completer->first + i) % QUEUE_MAX];
}

/* One that waits for work; a further one where those that there are take long. */
static struct reader *find_idle(struct completer *completer, uint64_t now_ns)
{
	struct reader *reader, *end = completer->readers + READERS_MAX;
	bool slow = true;
	int tries;

	for (tries = 0; tries < 2; tries++) {
		for (reader = completer->readers; reader < end; reader++) {
			if (!reader->pid)
				continue;
			if (!reader->busy)
				return reader;
			slow = slow && now_ns - reader->since_ns >= SLOW_NS;
		}
		/* Without memory for one more it has to wait. */
		if (!slow || start_reader(completer))
			return NULL;
	}
	return NULL;
}

static void dispatch(struct completer *completer)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	struct reader *reader;

	while (completer->n && (reader = find_idle(completer, now_ns))) {
		reader->request = *queued(completer, 0);
		completer->first = (completer->first + 1) % QUEUE_MAX;
		completer->n--;
		reader->busy = true;
		reader->since_ns = now_ns;
		reader->looked_ns = now_ns;
		reader->looks = 0;
		reader->device = UNKNOWN;
		/* It has none, so there is room; where it is dead, its end of file tells. */
		if (send(reader->fd, &reader->request, sizeof(reader->request),
			    MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
			errno != EPIPE && errno != ECONNRESET)
			kill(reader->pid, SIGKILL);
	}
}

int completer__submit(struct completer *completer, uint64_t token,
	const struct completion_mapping *mapping, const struct perfstamp_identity *identity)
{
	if (on_stuck_device(completer, identity))
		return -EBUSY;
	if (completer->n == QUEUE_MAX)
		return -EAGAIN;
	*queued(completer, completer->n++) = (struct request){
		.token = token, .mapping = *mapping, .identity = *identity};
	dispatch(completer);
	return 0;
}

static void refuse(const struct request *request, int code,
	void (*fn)(const struct completion_result *result, void *ctx), void *ctx)
{
	const struct completion_result result = {
		.token = request->token, .code = code, .identity = request->identity};

	fn(&result, ctx);
}

/* What waits for a device that does not answer. */
static void refuse_stuck(struct completer *completer,
	void (*fn)(const struct completion_result *result, void *ctx), void *ctx)
{
	unsigned int i, kept = 0, n = completer->n;

	for (i = 0; i < n; i++) {
		struct request request = *queued(completer, i);

		if (on_stuck_device(completer, &request.identity))
			refuse(&request, -EBUSY, fn, ctx);
		else
			*queued(completer, kept++) = request;
	}
	completer->n = kept;
}

static void collect_from(struct reader *reader,
	void (*fn)(const struct completion_result *result, void *ctx), void *ctx)
{
	struct completion_result result;
	ssize_t n = recv(reader->fd, &result, sizeof(result), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n == sizeof(result) && result.token == reader->request.token && reader->busy &&
		result.identity.build_id_size <= PERFSTAMP_BUILD_ID_MAX &&
		result.identity.cookie_size <= PERFSTAMP_COOKIE_MAX) {
		reader->busy = false;
		fn(&result, ctx);
		return;
	}
	/* It has crashed, or what it says makes no sense. */
	end_reader(reader);
	waitpid(reader->pid, NULL, 0);
	reader->pid = 0;
	if (reader->busy)
		refuse(&reader->request, -EIO, fn, ctx);
}

int completer__collect(struct completer *completer, int wait_ms,
	void (*fn)(const struct completion_result *result, void *ctx), void *ctx)
{
	struct epoll_event events[READERS_MAX];
	uint64_t now_ns;
	int i, n;

	n = epoll_wait(completer->epoll_fd, events, READERS_MAX, wait_ms);
	if (n < 0 && errno != EINTR)
		return -errno;
	for (i = 0; i < n; i++)
		collect_from(&completer->readers[events[i].data.u32], fn, ctx);
	now_ns = clock__now(CLOCK_MONOTONIC);
	for (i = 0; i < READERS_MAX; i++)
		look_at(&completer->readers[i], now_ns);
	refuse_stuck(completer, fn, ctx);
	dispatch(completer);
	return 0;
}

unsigned int completer__n_waiting(const struct completer *completer)
{
	unsigned int n = completer->n;
	const struct reader *reader;

	for (reader = completer->readers; reader < completer->readers + READERS_MAX; reader++)
		n += reader->pid && reader->busy && !is_stuck(reader);
	return n;
}
