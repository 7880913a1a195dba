// SPDX-License-Identifier: GPL-2.0-only
/* See code_capture.h. */
#include "user/record/capture/code_capture.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "user/event/code.h"
#include "user/helper/capability.h"
#include "user/helper/helper.h"
#include "user/helper/patience.h"
#include "user/base/hash.h"
#include "user/record/capture/code_silent.h"

#define SOCKET_BYTES (4 << 20)
#define KEPT_MAX (128ull << 20) /* bytes that are kept to repeat them in the next files */
#define FINISH_NS 10000000000ull
#define FINISH_SILENCE_MS 3000 /* how long to wait for the next answer at the end */
#define COLLECT_MAX 512        /* answers handled at once, while samples wait */
#define UNSENT_MAX 1024        /* processes for whose requests the socket has no room */
#define GIVEN_UP_MAX 1024      /* processes whose files did not answer, and are not asked again */
/* The time in which a file should answer: one of a server, and one of a disk, which may be busy. */
#define SERVER_NS 5000000000ull
#define DISK_NS 60000000000ull
#define STARTS_MAX                                                                                 \
	16 /* of the process in each hour: one that hangs in the kernel cannot be ended */
#define HOUR_NS 3600000000000ull

struct chunk {
	STAILQ_ENTRY(chunk) list;
	struct event_code code; /* the bytes follow it */
	uint8_t bytes[];
};

STAILQ_HEAD(chunks, chunk);

struct followed {
	UT_hash_handle hh;
	TAILQ_ENTRY(followed) list; /* of .unsent or .given_up */
	uint64_t key;               /* key_of() */
	struct code_request request;
	uint64_t mapped_ns;   /* in the samples' clock; 0: before the recording */
	uint64_t given_up_ns; /* CLOCK_MONOTONIC */
	enum { UNSENT, SENT, GIVEN_UP } state;
	bool wrote;
	struct chunks chunks;
};

TAILQ_HEAD(followeds, followed);

struct code_capture {
	const struct clock_conversion *clock;
	struct helper helper; /* .pid is 0 after it has ended */
	int epoll_fd;
	struct code_progress *progress; /* shared with the process */
	uint64_t turn;                  /* of .progress, at the last look */
	struct patience patience;       /* since then */
	struct code_silent silent;
	unsigned int starts; /* since .hour_ns */
	uint64_t hour_ns;
	bool remembers;
	bool ended;
	struct followed *by_key;
	struct followeds unsent, given_up; /* the oldest first */
	size_t n_unsent, n_given_up;
	uint64_t kept; /* bytes */
	struct code_capture_counts counts;
};

/* One kind of file that a process writes about its code. */
static uint64_t key_of(pid_t pid, uint32_t kind)
{
	return (uint64_t)(uint32_t)pid << 32 | kind;
}

static int start(struct code_capture *capture)
{
	const struct helper_options options = {
		.name = "perfstamp-code",
		.type = SOCK_SEQPACKET,
		.send_bytes = SOCKET_BYTES,
		.capabilities = CAPABILITY_PROCESSES,
		.sandbox.needs = SANDBOX_READ | SANDBOX_PROCESSES | SANDBOX_OPENAT2,
		.run = code_reader__run,
		.ctx = capture->progress,
	};
	struct epoll_event event = {.events = EPOLLIN};
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	int code;

	if (now_ns - capture->hour_ns >= HOUR_NS) {
		capture->hour_ns = now_ns;
		capture->starts = 0;
	}
	if (capture->starts == STARTS_MAX)
		return -EAGAIN;
	code = helper__start(&capture->helper, &options);
	if (code)
		return code;
	capture->starts++;
	patience__begin(&capture->patience, now_ns);
	if (epoll_ctl(capture->epoll_fd, EPOLL_CTL_ADD, capture->helper.fd, &event) < 0) {
		code = -errno;
		helper__kill(&capture->helper);
	}
	return code;
}

static void end(struct code_capture *capture)
{
	if (capture->helper.pid)
		helper__kill(&capture->helper);
}

int code_capture__new(
	struct code_capture **ret, const struct clock_conversion *clock, struct error *err)
{
	struct code_capture *capture = calloc(1, sizeof(*capture));
	int code = 0;

	*ret = NULL;
	if (!capture)
		return error__set(err, -ENOMEM, "out of memory");
	capture->clock = clock;
	TAILQ_INIT(&capture->unsent);
	TAILQ_INIT(&capture->given_up);
	capture->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	capture->progress = mmap(NULL, sizeof(*capture->progress), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (capture->epoll_fd < 0 || capture->progress == MAP_FAILED)
		code = -errno;
	if (!code)
		code = start(capture);
	if (code) {
		code_capture__free(capture);
		return error__errno(err, code, "process that reads perf map files");
	}
	*ret = capture;
	return 0;
}

/* Removes it from the list of its state. */
static void leave_list(struct code_capture *capture, struct followed *of)
{
	if (of->state == UNSENT) {
		TAILQ_REMOVE(&capture->unsent, of, list);
		capture->n_unsent--;
	} else if (of->state == GIVEN_UP) {
		TAILQ_REMOVE(&capture->given_up, of, list);
		capture->n_given_up--;
	}
}

static void forget(struct code_capture *capture, struct followed *of)
{
	struct chunk *chunk;

	while ((chunk = STAILQ_FIRST(&of->chunks))) {
		STAILQ_REMOVE_HEAD(&of->chunks, list);
		capture->kept -= chunk->code.size;
		free(chunk);
	}
	leave_list(capture, of);
	HASH_DEL(capture->by_key, of);
	free(of);
}

void code_capture__free(struct code_capture *capture)
{
	if (!capture)
		return;
	end(capture);
	while (capture->by_key)
		forget(capture, capture->by_key);
	if (capture->epoll_fd >= 0)
		close(capture->epoll_fd);
	if (capture->progress != MAP_FAILED)
		munmap(capture->progress, sizeof(*capture->progress));
	free(capture);
}

int code_capture__fd(const struct code_capture *capture)
{
	return capture->epoll_fd;
}

void code_capture__remember(struct code_capture *capture)
{
	capture->remembers = true;
}

/* ---- Followed processes ---- */

/* Recognized by its name, as in perf. The owner of the file is checked later. */
bool code_capture__is_dump(const char *path)
{
	const char *base = strrchr(path, '/');
	unsigned int pid;
	int end = 0;

	return base && sscanf(base, "/jit-%u.dump%n", &pid, &end) == 1 && end &&
	       (!base[end] || !strcmp(base + end, " (deleted)"));
}

static uint32_t kind_of(const struct event_map *map)
{
	if (!map->executable || map->kernel)
		return 0;
	if (event_code__is_memory(map->path))
		return PERFSTAMP_CODE_PERF_MAP;
	return !map->pgoff && code_capture__is_dump(map->path) ? PERFSTAMP_CODE_JITDUMP : 0;
}

static void send_requests(struct code_capture *capture)
{
	struct followed *of;

	while (capture->helper.pid && (of = TAILQ_FIRST(&capture->unsent))) {
		if (send(capture->helper.fd, &of->request, sizeof(of->request),
			    MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			return;
		leave_list(capture, of);
		of->state = SENT;
	}
}

/* The entry stays, so that the process is counted once, and its names are repeated. */
static void give_up(struct code_capture *capture, struct followed *of, uint64_t now_ns)
{
	leave_list(capture, of);
	of->state = GIVEN_UP;
	of->given_up_ns = now_ns;
	TAILQ_INSERT_TAIL(&capture->given_up, of, list);
	capture->counts.unanswered++;
	capture->n_given_up++;
}

static void forget_given_up(struct code_capture *capture)
{
	while (capture->n_given_up > GIVEN_UP_MAX)
		forget(capture, TAILQ_FIRST(&capture->given_up));
}

/* The one whose file the process reads, or read last; or NULL. */
static struct followed *find_read(const struct code_capture *capture)
{
	uint64_t key = key_of(capture->progress->pid, capture->progress->kind);
	struct followed *of;

	HASH_FIND(hh, capture->by_key, &key, sizeof(key), of);
	return of;
}

static bool is_on_server(const struct code_capture *capture)
{
	const struct followed *of = find_read(capture);
	struct mountinfo_device device;

	return of && code_silent__find(&of->request, &device) && device.served;
}

/*
 * Called if the process hangs on the file that it reads, or has crashed: a new process continues
 * with the other files. If a server does not answer, files on its device are not read again.
 */
static void start_again(struct code_capture *capture, bool hangs)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	bool reads = __atomic_load_n(&capture->progress->turn, __ATOMIC_ACQUIRE) & 1;
	struct mountinfo_device device;
	struct followed *of = find_read(capture), *next;
	bool failed;

	end(capture);
	if (reads && of && of->state != GIVEN_UP) {
		give_up(capture, of, now_ns);
		if (hangs && code_silent__find(&of->request, &device) && device.served)
			code_silent__add(&capture->silent, &device, now_ns);
	}
	failed = start(capture);
	HASH_ITER (hh, capture->by_key, of, next) {
		if (of->state == SENT) {
			of->state = UNSENT;
			TAILQ_INSERT_TAIL(&capture->unsent, of, list);
			capture->n_unsent++;
		}
		if (of->state == UNSENT &&
			(failed || code_silent__has(&capture->silent, &of->request, now_ns)))
			give_up(capture, of, now_ns);
	}
	forget_given_up(capture);
	send_requests(capture);
}

/* Checks whether the process still reads the file that it read at the last look. */
static void look_at(struct code_capture *capture)
{
	uint64_t turn = __atomic_load_n(&capture->progress->turn, __ATOMIC_ACQUIRE);
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);

	if (!capture->helper.pid || !(turn & 1) || turn != capture->turn) {
		capture->turn = turn;
		patience__begin(&capture->patience, now_ns);
		return;
	}
	if (!patience__is_due(&capture->patience, now_ns, SERVER_NS))
		return;
	patience__look(&capture->patience, now_ns,
		is_on_server(capture) || now_ns - capture->patience.since_ns >= DISK_NS);
	if (patience__is_over(&capture->patience))
		start_again(capture, true);
}

void code_capture__see(struct code_capture *capture, const struct event *event)
{
	uint32_t kind = kind_of(&event->map);
	uint64_t key = key_of(event->pid, kind), now_ns;
	struct followed *of;

	if (!kind || capture->ended)
		return;
	HASH_FIND(hh, capture->by_key, &key, sizeof(key), of);
	if (of && of->state != GIVEN_UP)
		return;
	now_ns = clock__now(CLOCK_MONOTONIC);
	if (of && now_ns - of->given_up_ns < HOUR_NS)
		return;
	if (of)
		forget(capture, of);
	of = capture->n_unsent < UNSENT_MAX ? calloc(1, sizeof(*of)) : NULL;
	if (!of) {
		capture->counts.crowded++;
		return;
	}
	of->key = key;
	of->mapped_ns = event->time_ns;
	of->request = (struct code_request){
		.type = CODE_FOLLOW,
		.kind = kind,
		.pid = event->pid,
		.dev_major = event->map.identity.dev_major,
		.dev_minor = event->map.identity.dev_minor,
		.addr = event->map.addr,
		.len = event->map.len,
	};
	STAILQ_INIT(&of->chunks);
	HASH_ADD(hh, capture->by_key, key, sizeof(of->key), of);
	if (!hash__added(of)) {
		free(of);
		capture->counts.crowded++;
		return;
	}
	TAILQ_INSERT_TAIL(&capture->unsent, of, list);
	capture->n_unsent++;
	if ((!capture->helper.pid && start(capture)) ||
		code_silent__has(&capture->silent, &of->request, now_ns))
		give_up(capture, of, now_ns);
	forget_given_up(capture);
	send_requests(capture);
}

/* ---- Their files ---- */

static int pass_on(const struct event_code *code, uint64_t time_ns, code_capture_fn *fn, void *ctx)
{
	const struct event event = {
		.kind = EVENT_CODE,
		.type = PERF_RECORD_KSYMBOL,
		.misc = PERF_RECORD_MISC_KERNEL,
		.time_ns = time_ns,
		.pid = UINT32_MAX,
		.tid = UINT32_MAX,
		.cpu = UINT32_MAX,
		.code = *code,
	};

	return fn(ctx, &event);
}

static void keep(struct code_capture *capture, struct followed *of, const struct event_code *code)
{
	struct chunk *chunk;

	if (!capture->remembers)
		return;
	chunk = capture->kept + code->size <= KEPT_MAX ? malloc(sizeof(*chunk) + code->size) : NULL;
	if (!chunk) {
		capture->counts.unkept += code->size;
		return;
	}
	chunk->code = *code;
	memcpy(chunk->bytes, code->bytes, code->size);
	chunk->code.bytes = chunk->bytes;
	STAILQ_INSERT_TAIL(&of->chunks, chunk, list);
	capture->kept += code->size;
}

static int take_bytes(struct code_capture *capture, struct followed *of,
	const struct code_answer *answer, code_capture_fn *fn, void *ctx)
{
	uint64_t seen_ns = clock_conversion__from_monotonic(capture->clock, answer->seen_ns);
	struct event_code code = {
		.pid = of->request.pid,
		.stream = answer->stream,
		.kind = of->request.kind,
		.flags = answer->flags,
		.offset = answer->offset,
		.since_ns = answer->since_ns ? clock_conversion__from_monotonic(
						       capture->clock, answer->since_ns)
					     : of->mapped_ns,
		.seen_ns = seen_ns,
		.clock_ns = (int64_t)(seen_ns - answer->seen_ns),
		.bytes = answer->bytes,
		.size = answer->size,
	};

	if (of->request.position.stream != answer->stream)
		of->request.position = (struct code_position){.stream = answer->stream};
	of->request.position.offset = answer->offset;
	of->request.position.looked_ns = answer->since_ns;
	code_position__advance(&of->request.position, answer->bytes, answer->size);
	if (code.since_ns > seen_ns)
		code.since_ns = seen_ns;
	capture->counts.processes += !of->wrote;
	capture->counts.bytes += code.size;
	of->wrote = true;
	keep(capture, of, &code);
	return pass_on(&code,
		clock_conversion__from_monotonic(capture->clock, clock__now(CLOCK_MONOTONIC)), fn,
		ctx);
}

static int take(struct code_capture *capture, const struct code_answer *answer, code_capture_fn *fn,
	void *ctx)
{
	uint64_t key = key_of(answer->pid, answer->kind);
	struct followed *of;

	capture->counts.missed.bytes += answer->missed.bytes;
	capture->counts.missed.foreign += answer->missed.foreign;
	capture->counts.missed.unreadable += answer->missed.unreadable;
	capture->ended |= answer->type == CODE_ENDED;
	HASH_FIND(hh, capture->by_key, &key, sizeof(key), of);
	if (!of)
		return 0;
	if (answer->type == CODE_BYTES && of->state == SENT)
		return take_bytes(capture, of, answer, fn, ctx);
	if (answer->type == CODE_BYTES || of->state != SENT)
		return 0;
	capture->counts.crowded += answer->type == CODE_REFUSED;
	forget(capture, of);
	return 0;
}

/* Whether the @n bytes at @answer begin with a whole answer. */
static bool is_sound(const struct code_answer *answer, size_t n)
{
	return n >= CODE_ANSWER_ROOM(0) && answer->size <= sizeof(answer->bytes) &&
	       n >= CODE_ANSWER_ROOM(answer->size);
}

/* Handles the answers in one message. Returns -EBADMSG if the message is invalid. */
static int take_message(struct code_capture *capture, const uint8_t *message, size_t size,
	code_capture_fn *fn, void *ctx)
{
	int code = 0;

	for (size_t at = 0; !code && at < size;) {
		const struct code_answer *answer = (const void *)(message + at);

		if (!is_sound(answer, size - at))
			return -EBADMSG;
		code = take(capture, answer, fn, ctx);
		at += CODE_ANSWER_ROOM(answer->size);
	}
	return code;
}

int code_capture__collect(struct code_capture *capture, code_capture_fn *fn, void *ctx)
{
	static uint8_t message[CODE_MESSAGE_MAX] __attribute__((aligned(8)));
	int code = 0;
	ssize_t n;

	for (int i = 0; !code && capture->helper.pid && i < COLLECT_MAX; i++) {
		n = recv(capture->helper.fd, message, sizeof(message), MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		code = n > 0 ? take_message(capture, message, n, fn, ctx) : -EBADMSG;
		if (code != -EBADMSG)
			continue;
		code = 0;
		start_again(capture, false);
	}
	look_at(capture);
	send_requests(capture);
	return code;
}

int code_capture__finish(struct code_capture *capture, code_capture_fn *fn, void *ctx)
{
	const struct code_request last = {.type = CODE_LAST};
	uint64_t begin_ns = clock__now(CLOCK_MONOTONIC);
	unsigned int starts = capture->starts;
	bool asked = false;
	int code = 0;

	while (!code && capture->helper.pid && !capture->ended &&
		clock__now(CLOCK_MONOTONIC) - begin_ns < FINISH_NS) {
		struct pollfd fd = {.fd = capture->epoll_fd, .events = POLLIN};

		code = code_capture__collect(capture, fn, ctx);
		asked &= starts == capture->starts;
		starts = capture->starts;
		if (!asked && capture->helper.pid && !capture->n_unsent)
			asked = send(capture->helper.fd, &last, sizeof(last),
					MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
		if (code || capture->ended || !capture->helper.pid)
			break;
		if (!poll(&fd, 1, FINISH_SILENCE_MS))
			break;
	}
	if (!capture->ended)
		capture->counts.unanswered += HASH_COUNT(capture->by_key) - capture->n_given_up;
	capture->ended = true;
	end(capture);
	return code;
}

int code_capture__synthesize(struct code_capture *capture, code_capture_fn *fn, void *ctx)
{
	struct followed *of;
	struct chunk *chunk;
	int code = 0;

	for (of = capture->by_key; of; of = of->hh.next) {
		chunk = STAILQ_FIRST(&of->chunks);
		for (; chunk && !code; chunk = STAILQ_NEXT(chunk, list))
			code = pass_on(&chunk->code, 0, fn, ctx);
	}
	return code;
}

/* ---- The recording's own lines ---- */

void code_capture__count(const struct code_capture *capture, struct code_capture_counts *ret)
{
	*ret = capture->counts;
}

bool code_capture__warning(const struct code_capture *capture, char *ret, size_t size)
{
	return code_counts__warning(&capture->counts, ret, size);
}

void code_capture__stamp(const struct code_capture *capture, struct buffer *out)
{
	code_counts__stamp(&capture->counts, out);
}
