// SPDX-License-Identifier: GPL-2.0-only
/* See code_capture.h. */
#include "user/record/capture/code_capture.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "user/event/code.h"
#include "user/helper/capability.h"
#include "user/helper/helper.h"
#include "user/base/hash.h"
#include "user/perfdata/features/stamp.h"

#define SOCKET_BYTES (4 << 20)
#define KEPT_MAX (128ull << 20) /* bytes that are kept to repeat them in the next files */
#define FINISH_NS 10000000000ull
#define FINISH_SILENCE_MS 3000 /* how long to wait for the next answer at the end */
#define COLLECT_MAX 512        /* answers handled at once, while samples wait */

struct chunk {
	STAILQ_ENTRY(chunk) list;
	struct event_code code; /* the bytes follow it */
	uint8_t bytes[];
};

STAILQ_HEAD(chunks, chunk);

struct followed {
	UT_hash_handle hh;
	uint64_t key; /* key_of() */
	struct code_request request;
	uint64_t mapped_ns; /* in the samples' clock; 0: before the recording */
	bool sent;
	bool wrote;
	struct chunks chunks;
};

struct code_capture {
	const struct clock_conversion *clock;
	struct helper helper; /* .pid is 0 after it has ended */
	bool remembers;
	bool ended;
	struct followed *by_key;
	size_t n_unsent;
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
	static const struct helper_options OPTIONS = {
		.name = "perfstamp-code",
		.type = SOCK_SEQPACKET,
		.send_bytes = SOCKET_BYTES,
		.capabilities = CAPABILITY_PROCESSES,
		.sandbox.needs = SANDBOX_READ | SANDBOX_PROCESSES | SANDBOX_OPENAT2,
		.run = code_reader__run,
	};

	return helper__start(&capture->helper, &OPTIONS);
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
	int code;

	*ret = NULL;
	if (!capture)
		return error__set(err, -ENOMEM, "out of memory");
	capture->clock = clock;
	code = start(capture);
	if (code) {
		free(capture);
		return error__errno(err, code, "process that reads perf map files");
	}
	*ret = capture;
	return 0;
}

static void forget(struct code_capture *capture, struct followed *of)
{
	struct chunk *chunk;

	while ((chunk = STAILQ_FIRST(&of->chunks))) {
		STAILQ_REMOVE_HEAD(&of->chunks, list);
		capture->kept -= chunk->code.size;
		free(chunk);
	}
	capture->n_unsent -= !of->sent;
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
	free(capture);
}

int code_capture__fd(const struct code_capture *capture)
{
	return capture->helper.fd;
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

	for (of = capture->by_key; of && capture->helper.pid && capture->n_unsent;
		of = of->hh.next) {
		if (of->sent)
			continue;
		if (send(capture->helper.fd, &of->request, sizeof(of->request),
			    MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			return;
		of->sent = true;
		capture->n_unsent--;
	}
}

void code_capture__see(struct code_capture *capture, const struct event *event)
{
	uint32_t kind = kind_of(&event->map);
	uint64_t key = key_of(event->pid, kind);
	struct followed *of;

	if (!kind || !capture->helper.pid)
		return;
	HASH_FIND(hh, capture->by_key, &key, sizeof(key), of);
	if (of)
		return;
	of = calloc(1, sizeof(*of));
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
	capture->n_unsent++;
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
	if (answer->type == CODE_BYTES)
		return take_bytes(capture, of, answer, fn, ctx);
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
		/* The reader has crashed: the followed processes get no more names. */
		capture->counts.unanswered += HASH_COUNT(capture->by_key);
		end(capture);
	}
	send_requests(capture);
	return code;
}

int code_capture__finish(struct code_capture *capture, code_capture_fn *fn, void *ctx)
{
	const struct code_request last = {.type = CODE_LAST};
	uint64_t begin_ns = clock__now(CLOCK_MONOTONIC);
	bool asked = false;
	int code = 0;

	while (!code && capture->helper.pid && !capture->ended &&
		clock__now(CLOCK_MONOTONIC) - begin_ns < FINISH_NS) {
		struct pollfd fd = {.fd = capture->helper.fd, .events = POLLIN};

		code = code_capture__collect(capture, fn, ctx);
		if (!asked && capture->helper.pid && !capture->n_unsent)
			asked = send(capture->helper.fd, &last, sizeof(last),
					MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
		if (code || capture->ended || !capture->helper.pid)
			break;
		if (!poll(&fd, 1, FINISH_SILENCE_MS))
			break;
	}
	if (capture->helper.pid && !capture->ended)
		capture->counts.unanswered += HASH_COUNT(capture->by_key);
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
	const struct code_capture_counts *counts = &capture->counts;
	const struct {
		uint64_t n;
		const char *what;
	} parts[] = {
		{counts->missed.bytes, "bytes beyond the limits"},
		{counts->missed.foreign, "files of another user, or not regular files"},
		{counts->missed.unreadable, "files that could not be read"},
		{counts->crowded, "processes over the limit"},
		{counts->unanswered, "processes whose files did not answer"},
		{counts->unkept, "bytes not repeated in later files"},
	};
	size_t at = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].n && at < size)
			at += snprintf(ret + at, size - at, "%s%" PRIu64 " %s", at ? ", " : "",
				parts[i].n, parts[i].what);
	return at;
}

void code_capture__stamp(const struct code_capture *capture, struct buffer *out)
{
	const struct code_capture_counts *counts = &capture->counts;

	stamp__put_number(out, "code.processes", counts->processes);
	stamp__put_number(out, "code.bytes", counts->bytes);
	if (counts->missed.bytes)
		stamp__put_number(out, "code.missed.bytes", counts->missed.bytes);
	if (counts->missed.foreign)
		stamp__put_number(out, "code.missed.foreign", counts->missed.foreign);
	if (counts->missed.unreadable)
		stamp__put_number(out, "code.missed.unreadable", counts->missed.unreadable);
	if (counts->crowded)
		stamp__put_number(out, "code.missed.crowded", counts->crowded);
	if (counts->unanswered)
		stamp__put_number(out, "code.missed.unanswered", counts->unanswered);
	if (counts->unkept)
		stamp__put_number(out, "code.missed.repeated", counts->unkept);
}
