// SPDX-License-Identifier: GPL-2.0-only
/*
 * See completer.h. Each process has a socket, over which it gets one request at
 * a time. It ends when the socket is closed, or with the recorder.
 */
#include "user/source/content/completer.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "user/helper/capability.h"
#include "user/helper/fair.h"
#include "user/helper/helper.h"
#include "user/helper/patience.h"
#include "user/parse/mountinfo.h"
#include "user/source/content/running.h"
#include "user/source/machine/clock.h"
#include "user/source/proc/file.h"

#define READERS_MAX 8
#define QUEUE_MAX 2048
#define SLOW_NS 10000000ull /* after this time, a further process is started */
/*
 * The time after which a device counts as hung: for a server, and for a disk, which may
 * only be busy.
 */
#define SERVER_NS 5000000000ull
#define DISK_NS 60000000000ull

struct request {
	uint64_t token;
	struct completion_mapping mapping;
	struct perfstamp_identity identity;
};

/* A request that waits for a reader. Owners take turns: the lowest turn is next. */
struct waiting {
	struct request request;
	uint32_t owner;
	uint64_t turn;
};

struct reader {
	bool busy;
	struct patience patience; /* since the reader got the request */
	struct request request;
	uint32_t owner; /* owner of the request */
	enum { UNKNOWN, SERVED, NOT_SERVED } device;
};

struct completer {
	struct reader readers[READERS_MAX];
	struct helper helpers[READERS_MAX]; /* the readers' processes */
	int epoll_fd;
	struct waiting queue[QUEUE_MAX]; /* in no order */
	unsigned int n;
	struct fair_places waiting, reading; /* places in the queue, and among the readers */
	struct fair_turns turns;
};

/* ---- In the process that reads ---- */

static void answer(const struct request *request, struct completion_result *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->token = request->token;
	ret->identity = request->identity;
	ret->code = completion__read(&request->mapping, &ret->identity, &ret->alive_ns);
}

static void read_forever(void *ctx, int fd)
{
	struct completion_result result;
	struct request request;

	(void)ctx;
	while (recv(fd, &request, sizeof(request), 0) == sizeof(request)) {
		answer(&request, &result);
		if (send(fd, &result, sizeof(result), MSG_NOSIGNAL) != sizeof(result))
			break;
	}
}

/* ---- In the recorder ---- */

static bool is_running(const struct completer *completer, size_t i)
{
	return completer->helpers[i].pid;
}

static int start_reader(struct completer *completer)
{
	/* It only reads mapped files of processes. */
	static const struct helper_options OPTIONS = {
		.name = "perfstamp-read",
		.type = SOCK_SEQPACKET,
		.capabilities = CAPABILITY_PROCESSES,
		.sandbox.needs = SANDBOX_READ | SANDBOX_PROCESSES,
		.run = read_forever,
	};
	struct epoll_event event = {.events = EPOLLIN};
	size_t i = 0;
	int code;

	while (i < READERS_MAX && is_running(completer, i))
		i++;
	if (i == READERS_MAX)
		return -EAGAIN;
	/* Checked here once, because the helpers may not open files for writing. */
	running__learn();
	code = helper__start(&completer->helpers[i], &OPTIONS);
	if (code)
		return code;
	event.data.u32 = i;
	if (epoll_ctl(completer->epoll_fd, EPOLL_CTL_ADD, completer->helpers[i].fd, &event) < 0) {
		code = -errno;
		helper__kill(&completer->helpers[i]);
		return code;
	}
	completer->readers[i].busy = false;
	return 0;
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
	if (!completer)
		return;
	helper__kill_all(completer->helpers, READERS_MAX);
	close(completer->epoll_fd);
	free(completer);
}

int completer__fd(const struct completer *completer)
{
	return completer->epoll_fd;
}

/* A busy reader always has a process. */
static bool is_stuck(const struct reader *reader)
{
	return reader->busy && patience__is_over(&reader->patience);
}

/* Searches the mounts of the process, and our own. */
static bool is_on_server(const struct request *request)
{
	const struct perfstamp_identity *identity = &request->identity;
	bool served = false;
	char *text;

	/* Memory is read at once, unless a process has mapped a file in place of its vDSO. */
	if (request->mapping.vdso)
		return true;
	/* Not every rung reports the device. */
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

/* Checks a reader whose answer would have been collected by now. */
static void look_at(struct reader *reader, uint64_t now_ns)
{
	if (!reader->busy || !patience__is_due(&reader->patience, now_ns, SERVER_NS))
		return;
	if (reader->device == UNKNOWN)
		reader->device = is_on_server(&reader->request) ? SERVED : NOT_SERVED;
	patience__look(&reader->patience, now_ns,
		reader->device == SERVED || now_ns - reader->patience.since_ns >= DISK_NS);
}

/* Whether both read from one device, or from the memory of one process. */
static bool same_device(const struct request *a, const struct request *b)
{
	if (a->mapping.vdso || b->mapping.vdso)
		return a->mapping.vdso == b->mapping.vdso && a->mapping.pid == b->mapping.pid;
	return a->identity.dev_major == b->identity.dev_major &&
	       a->identity.dev_minor == b->identity.dev_minor;
}

/* Whether a reader is waiting for the device of @request. */
static bool on_stuck_device(const struct completer *completer, const struct request *request)
{
	const struct reader *reader;

	for (reader = completer->readers; reader < completer->readers + READERS_MAX; reader++)
		if (is_stuck(reader) && same_device(&reader->request, request))
			return true;
	return false;
}

/*
 * Returns the request with the lowest turn whose owner may have another reader, or .n if there is
 * none.
 */
static unsigned int find_next(const struct completer *completer)
{
	unsigned int next = completer->n;

	for (unsigned int i = 0; i < completer->n; i++) {
		const struct waiting *waiting = &completer->queue[i];

		if ((next == completer->n || waiting->turn < completer->queue[next].turn) &&
			fair_places__may_take(&completer->reading, waiting->owner, READERS_MAX))
			next = i;
	}
	return next;
}

static struct waiting take_out(struct completer *completer, unsigned int i)
{
	struct waiting waiting = completer->queue[i];

	completer->queue[i] = completer->queue[--completer->n];
	fair_places__give_back(&completer->waiting, waiting.owner);
	return waiting;
}

static void end_reading(struct completer *completer, struct reader *reader)
{
	if (reader->busy)
		fair_places__give_back(&completer->reading, reader->owner);
	reader->busy = false;
}

/* Returns a reader without a request, or a new one if the others take long, or READERS_MAX. */
static size_t find_idle(struct completer *completer, uint64_t now_ns)
{
	bool slow = true;

	for (int tries = 0; tries < 2; tries++) {
		for (size_t i = 0; i < READERS_MAX; i++) {
			const struct reader *reader = &completer->readers[i];

			if (!is_running(completer, i))
				continue;
			if (!reader->busy)
				return i;
			slow = slow && now_ns - reader->patience.since_ns >= SLOW_NS;
		}
		/* If another reader cannot be started, the request has to wait. */
		if (!slow || start_reader(completer))
			break;
	}
	return READERS_MAX;
}

static void dispatch(struct completer *completer)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	unsigned int next;
	size_t i;

	while ((next = find_next(completer)) < completer->n &&
		(i = find_idle(completer, now_ns)) < READERS_MAX) {
		struct reader *reader = &completer->readers[i];
		struct waiting waiting = take_out(completer, next);

		fair_turns__serve(&completer->turns, waiting.turn);
		fair_places__take(&completer->reading, waiting.owner);
		reader->request = waiting.request;
		reader->owner = waiting.owner;
		reader->busy = true;
		patience__begin(&reader->patience, now_ns);
		reader->device = UNKNOWN;
		/*
		 * The reader has no request, so its socket has room. If it is dead, reading
		 * returns end of file.
		 */
		if (send(completer->helpers[i].fd, &reader->request, sizeof(reader->request),
			    MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
			errno != EPIPE && errno != ECONNRESET)
			kill(completer->helpers[i].pid, SIGKILL);
	}
}

int completer__submit(struct completer *completer, uint64_t token, uint32_t owner,
	const struct completion_mapping *mapping, const struct perfstamp_identity *identity)
{
	const struct request request = {.token = token, .mapping = *mapping, .identity = *identity};

	if (on_stuck_device(completer, &request))
		return -EBUSY;
	if (!fair_places__may_take(&completer->waiting, owner, QUEUE_MAX))
		return -EAGAIN;
	fair_places__take(&completer->waiting, owner);
	completer->queue[completer->n++] = (struct waiting){
		.request = request,
		.owner = owner,
		.turn = fair_turns__next(&completer->turns, owner),
	};
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

/* Answers the requests that wait for a hung device. */
static void refuse_stuck(struct completer *completer,
	void (*fn)(const struct completion_result *result, void *ctx), void *ctx)
{
	unsigned int i = 0;

	while (i < completer->n) {
		if (!on_stuck_device(completer, &completer->queue[i].request)) {
			i++;
			continue;
		}
		struct waiting waiting = take_out(completer, i);

		refuse(&waiting.request, -EBUSY, fn, ctx);
	}
}

static void collect_from(struct completer *completer, size_t i,
	void (*fn)(const struct completion_result *result, void *ctx), void *ctx)
{
	struct reader *reader = &completer->readers[i];
	struct completion_result result;
	ssize_t n = recv(completer->helpers[i].fd, &result, sizeof(result), MSG_DONTWAIT);
	bool busy = reader->busy;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	end_reading(completer, reader);
	if (n == sizeof(result) && result.token == reader->request.token && busy &&
		result.identity.build_id_size <= PERFSTAMP_BUILD_ID_MAX &&
		result.identity.cookie_size <= PERFSTAMP_COOKIE_MAX) {
		fn(&result, ctx);
		return;
	}
	/* The reader has crashed, or its answer is invalid. */
	helper__kill(&completer->helpers[i]);
	if (busy)
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
		collect_from(completer, events[i].data.u32, fn, ctx);
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
		n += reader->busy && !is_stuck(reader);
	return n;
}
