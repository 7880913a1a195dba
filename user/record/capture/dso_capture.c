// SPDX-License-Identifier: GPL-2.0-only
/* See dso_capture.h. */
#include "user/record/capture/dso_capture.h"

#include <errno.h>
#include <poll.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "user/helper/capability.h"
#include "user/helper/helper.h"
#include "user/helper/patience.h"
#include "user/perfdata/features/stamp.h"
#include "user/perfdata/write/tally.h"
#include "user/record/capture/dso_outcomes.h"
#include "user/record/capture/dso_queue.h"
#include "user/source/containers/cgroup_owner.h"
#include "user/source/content/running.h"
#include "user/source/machine/clock.h"
#include "user/store/cache/cache.h"
#include "user/store/files/store.h"

/* The copying process (the helper) should open a requested file within this time. */
#define OPEN_NS 5000000000ull
/* Limit of starts of the process, if devices do not respond. */
#define STARTS_MAX 4
#define START_NS 3600000000000ull        /* time after which it is started once more */
#define FINISH_NS 30000000000ull         /* limit of time for all files at the end */
#define FINISH_SILENCE_NS 15000000000ull /* limit of time without progress at the end */
#define FINISH_LOOK_MS 100
#define MISSED_MAX 1000 /* missed identities that the recording lists individually */
/*
 * Limit of identities in memory. A removed identity is requested again when it is seen
 * again. Recordings run for months, and build hosts map new contents without end.
 */
#define DONE_KEPT 65536
#define MISSED_KEPT 4096
#define REQUEST_SIZE(len) (offsetof(struct dso_request, path) + (len) + 1)

struct dso_capture {
	struct dso_capture_options options;
	struct dso_copier_options copier;
	char *store;
	int clockid;
	struct helper helper; /* .pid is 0 after it has ended */
	unsigned int starts;
	uint64_t started_ns; /* monotonic */
	struct cgroup_owners owners;
	void *tree; /* all identities so far */
	struct dso_queue waiting;
	struct dsos done; /* captured, already stored or missed; the oldest first */
	struct dsos missed;
	unsigned int n_unopened, n_done, n_missed;
	unsigned int n_requested; /* sent requests whose file has not been opened */
	/* Begins again when a requested file is opened or missed, and while no request waits. */
	struct patience patience;
	struct dso_capture_counts counts;
};

static int by_content(const void *a, const void *b)
{
	const struct dso *x = a, *y = b;

	return (x->content > y->content) - (x->content < y->content);
}

static int start(struct dso_capture *capture)
{
	/* The helper parses no file. At the end it raises the priority of its copying children. */
	const struct helper_options options = {
		.name = "perfstamp-copy",
		.type = SOCK_SEQPACKET,
		.capabilities = CAPABILITY_PROCESSES | CAPABILITY_FILES | CAPABILITY_PRIORITY,
		.sandbox.needs = SANDBOX_READ | SANDBOX_WRITE | SANDBOX_PROCESSES |
				 SANDBOX_OPENAT2 | SANDBOX_FORK,
		.run = dso_copier__run,
		.ctx = &capture->copier,
	};
	int code;

	/*
	 * Checks once whether the kernel refuses writes to running programs. The helpers inherit
	 * the result, because they may not open files for writing.
	 */
	running__learn();
	code = helper__start(&capture->helper, &options);
	if (code)
		return code;
	capture->starts++;
	capture->started_ns = clock__now(CLOCK_MONOTONIC);
	return 0;
}

static void end(struct dso_capture *capture)
{
	if (capture->helper.pid)
		helper__kill(&capture->helper);
}

int dso_capture__new(struct dso_capture **ret, const struct dso_capture_options *options,
	int clockid, struct error *err)
{
	struct dso_capture *capture = calloc(1, sizeof(*capture));
	int code;

	*ret = NULL;
	if (!capture)
		return error__set(err, -ENOMEM, "out of memory");
	capture->options = *options;
	capture->clockid = clockid;
	dso_queue__init(&capture->waiting);
	TAILQ_INIT(&capture->done);
	TAILQ_INIT(&capture->missed);
	code = store__directory(&capture->store, options->buildid_dir, err);
	if (!code) {
		int root = store__open(capture->store, true, err);

		code = root < 0 ? root : 0;
		if (!code)
			close(root);
	}
	capture->copier = (struct dso_copier_options){
		.store = capture->store,
		.symbols = options->what == DSO_CAPTURE_SYMBOLS,
		.room = options->room,
		.rate = options->rate,
		.age_s = options->age_s,
		.begun_s = clock__now(CLOCK_REALTIME) / 1000000000ull,
	};
	if (!code) {
		code = start(capture);
		if (code)
			error__errno(err, code, "process that captures what is mapped");
	}
	if (code) {
		dso_capture__free(capture);
		return code;
	}
	*ret = capture;
	return 0;
}

void dso_capture__divide(struct dso_capture *capture, const struct cgroup_paths *cgroups)
{
	capture->owners.paths = cgroups;
}

static void free_dso(void *dso)
{
	free(((struct dso *)dso)->request);
	free(dso);
}

void dso_capture__free(struct dso_capture *capture)
{
	if (!capture)
		return;
	end(capture);
	tdestroy(capture->tree, free_dso);
	free(capture->store);
	free(capture);
}

static void forget_oldest(struct dso_capture *capture, struct dsos *list)
{
	struct dso *dso = TAILQ_FIRST(list);

	TAILQ_REMOVE(list, dso, list);
	tdelete(dso, &capture->tree, by_content);
	free_dso(dso);
}

/*
 * Another owner has mapped a DSO that was captured for one owner. Requests it again, so that the
 * store marks it as shared.
 */
static void request_for_all(struct dso_capture *capture, struct dso *dso)
{
	dso->shared = false;
	dso->again = true;
	dso->owner = CACHE_SHARED;
	dso->outcome = DSO_WAITS;
	dso_queue__add(&capture->waiting, dso);
	capture->n_unopened++;
}

/* Stores the outcome. The DSO no longer waits. */
static void settle(struct dso_capture *capture, struct dso *dso, enum dso_outcome outcome)
{
	bool shared = dso->shared && outcome <= DSO_HAD;

	capture->n_unopened -= dso->outcome == DSO_WAITS;
	capture->n_requested -= dso->outcome == DSO_WAITS && dso->sent;
	dso_queue__remove(&capture->waiting, dso);
	/* If it is still in the store, or cannot be read now, there is nothing new to report. */
	if (dso->again && outcome != DSO_CAPTURED)
		outcome = DSO_HAD;
	else
		capture->counts.n[outcome]++;
	if (shared) {
		request_for_all(capture, dso);
		return;
	}
	dso->again = false;
	dso->shared = false;
	dso->outcome = outcome;
	dso->settled_ns = clock__now(CLOCK_MONOTONIC);
	if (outcome > DSO_HAD) {
		TAILQ_INSERT_TAIL(&capture->missed, dso, list);
		if (++capture->n_missed > MISSED_KEPT) {
			forget_oldest(capture, &capture->missed);
			capture->n_missed--;
		}
		return;
	}
	free(dso->request);
	dso->request = NULL;
	TAILQ_INSERT_TAIL(&capture->done, dso, list);
	if (++capture->n_done > DONE_KEPT) {
		forget_oldest(capture, &capture->done);
		capture->n_done--;
	}
}

static void send_more(struct dso_capture *capture)
{
	struct dso *dso;

	while (capture->helper.pid && (dso = dso_queue__next(&capture->waiting))) {
		/* If the helper has ended, dso_capture__collect() notices this. */
		if (send(capture->helper.fd, dso->request, REQUEST_SIZE(strlen(dso->request->path)),
			    MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			return;
		dso_queue__sent(&capture->waiting, dso);
		capture->n_requested++;
	}
}

/* The number of starts is limited, because a process that hangs in the kernel cannot be ended. */
static bool may_start(const struct dso_capture *capture)
{
	return capture->starts < STARTS_MAX ||
	       clock__now(CLOCK_MONOTONIC) - capture->started_ns >= START_NS;
}

/*
 * Called if the process hangs on the first file that it has not opened, or has crashed: a new
 * process continues with the other files.
 */
static void start_again(struct dso_capture *capture, enum dso_outcome outcome)
{
	struct dso *dso;

	end(capture);
	TAILQ_FOREACH(dso, &capture->waiting.sent, list)
	if (dso->outcome == DSO_WAITS)
		break;
	if (dso)
		settle(capture, dso, outcome);
	if (may_start(capture) && !start(capture)) {
		TAILQ_FOREACH(dso, &capture->waiting.sent, list)
		{
			capture->n_unopened += dso->outcome == DSO_OPENED;
			dso->outcome = DSO_WAITS;
		}
		dso_queue__unsend(&capture->waiting);
		capture->n_requested = 0;
		patience__begin(&capture->patience, clock__now(CLOCK_MONOTONIC));
		send_more(capture);
		return;
	}
	while ((dso = dso_queue__first(&capture->waiting)))
		settle(capture, dso, outcome);
}

static void look_at(struct dso_capture *capture)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);

	if (!capture->n_requested || !capture->helper.pid) {
		patience__begin(&capture->patience, now_ns);
		return;
	}
	if (!patience__is_due(&capture->patience, now_ns, OPEN_NS))
		return;
	patience__look(&capture->patience, now_ns, true);
	if (patience__is_over(&capture->patience))
		start_again(capture, DSO_UNANSWERED);
}

static bool is_waiting(const struct dso *dso)
{
	return dso->outcome == DSO_WAITS || dso->outcome == DSO_OPENED;
}

static void take(struct dso_capture *capture, const struct dso_answer *answer)
{
	const struct dso key = {.content = answer->token};
	struct dso **found = tfind(&key, &capture->tree, by_content), *dso = found ? *found : NULL;

	if (!dso || !dso->sent || !is_waiting(dso))
		return;
	if (dso->outcome == DSO_WAITS)
		patience__begin(&capture->patience, clock__now(CLOCK_MONOTONIC));
	if (answer->outcome == DSO_OPENED) {
		capture->n_unopened -= dso->outcome == DSO_WAITS;
		capture->n_requested -= dso->outcome == DSO_WAITS;
		dso->outcome = DSO_OPENED;
		return;
	}
	capture->counts.bytes += answer->bytes;
	capture->counts.gone += answer->gone;
	settle(capture, dso, answer->outcome);
}

void dso_capture__collect(struct dso_capture *capture)
{
	struct dso_answer answer;
	ssize_t n;

	while (capture->helper.pid) {
		n = recv(capture->helper.fd, &answer, sizeof(answer), MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n == sizeof(answer) && answer.outcome > DSO_WAITS &&
			answer.outcome < DSO_OUTCOMES)
			take(capture, &answer);
		else
			start_again(capture, DSO_UNREADABLE);
	}
	look_at(capture);
	send_more(capture);
}

static struct dso_request *make_request(const struct dso_capture *capture,
	const struct event *event, uint64_t content, const struct cgroup_owner *owner)
{
	size_t len = strnlen(event->map.path, PATH_MAX - 1);
	struct dso_request *request = calloc(1, REQUEST_SIZE(len));

	if (!request)
		return NULL;
	request->token = content;
	request->addr = event->map.addr;
	request->len = event->map.len;
	request->mapped_ns = clock__to_realtime(capture->clockid, event->time_ns);
	request->identity = event->map.identity;
	request->witness = event->map.witness;
	request->owner = owner->name;
	request->turns_of = owner->number;
	request->pid = event->pid;
	memcpy(request->path, event->map.path, len);
	return request;
}

/*
 * Whether a second mapping is another chance: the first mapping was removed, there was no space, or
 * the file was written to too recently.
 */
static bool may_be_tried_again(const struct dso *dso)
{
	return dso->outcome == DSO_GONE || dso->outcome == DSO_CROWDED ||
	       dso->outcome == DSO_CHANGED;
}

/* Whether @owner is not the one for whom it was captured. */
static bool is_of_another(const struct dso *dso, const struct cgroup_owner *owner)
{
	return owner->name && dso->owner != owner->name && dso->owner != CACHE_SHARED;
}

static bool is_settled(const struct dso *dso)
{
	return dso->outcome == DSO_CAPTURED || dso->outcome == DSO_HAD;
}

/*
 * Whether a DSO was settled so long ago that it should be requested again. The request makes the
 * store mark it as seen, or capture it again if it was removed.
 */
static bool is_old(const struct dso_capture *capture, const struct dso *dso)
{
	return is_settled(dso) && clock__now(CLOCK_MONOTONIC) - dso->settled_ns >=
					  dso_copier__again_ns(&capture->copier);
}

/*
 * Another owner has mapped content that is not captured yet. Replaces the DSO's request by
 * @request, which this function owns from now on. If the old request was sent, a request for both
 * owners follows its answer; if not, @request is for both owners.
 */
static void share(struct dso *dso, struct dso_request *request)
{
	request->owner = CACHE_SHARED;
	request->turns_of = dso->turns_of;
	if (dso->sent)
		dso->shared = true;
	else
		dso->owner = CACHE_SHARED;
	free(dso->request);
	dso->request = request;
}

/* Removes it from its list, so that it can be requested again. */
static void take_back(struct dso_capture *capture, struct dso *dso)
{
	dso->again = dso->outcome <= DSO_HAD;
	if (dso->again) {
		TAILQ_REMOVE(&capture->done, dso, list);
		capture->n_done--;
		return;
	}
	TAILQ_REMOVE(&capture->missed, dso, list);
	capture->n_missed--;
	capture->counts.n[dso->outcome]--;
	free(dso->request);
}

static struct dso *find(struct dso_capture *capture, uint64_t content)
{
	struct dso *dso = calloc(1, sizeof(*dso)), **found;

	if (!dso)
		return NULL;
	dso->content = content;
	found = tsearch(dso, &capture->tree, by_content);
	if (!found || *found != dso)
		free(dso);
	return found ? *found : NULL;
}

void dso_capture__see(struct dso_capture *capture, const struct event *event)
{
	const struct perfstamp_identity *identity = &event->map.identity;
	const struct dso key = {.content = tally__content(identity)};
	struct dso **known = tfind(&key, &capture->tree, by_content), *dso = known ? *known : NULL;
	struct cgroup_owner owner;
	struct dso_request *request;
	bool crowded, may, waits;

	/* Without an identity, a copy could be neither verified nor found. */
	if (!event->map.executable || event->map.kernel || event->map.path[0] != '/' ||
		(!identity->build_id_size && !identity->cookie_size))
		return;
	may = !dso || may_be_tried_again(dso) || is_old(capture, dso);
	/* Most mappings end here: the content is known, and the same cgroup mapped it before. */
	if (!may && (dso->owner == CACHE_SHARED || dso->cgroup_id == identity->cgroup_id))
		return;
	owner = cgroup_owners__find(&capture->owners, identity->cgroup_id);
	if (dso)
		dso->cgroup_id = identity->cgroup_id;
	waits = dso && is_waiting(dso);
	if (!may && (!is_of_another(dso, &owner) || !(waits || is_settled(dso))))
		return;
	request = make_request(capture, event, key.content, &owner);
	if (!request) {
		/* The DSO is missed: the queue is full, or there is no memory. */
		capture->counts.n[DSO_CROWDED] += !dso;
		return;
	}
	if (waits) {
		share(dso, request);
		return;
	}
	if (dso)
		take_back(capture, dso);
	else
		dso = find(capture, key.content);
	if (!dso) {
		capture->counts.n[DSO_CROWDED]++;
		free(request);
		return;
	}
	crowded = !dso_queue__has_room(&capture->waiting, owner.number);
	if (!dso->again || !dso->owner)
		dso->owner = owner.name;
	else if (is_of_another(dso, &owner))
		dso->owner = CACHE_SHARED;
	dso->turns_of = owner.number;
	dso->cgroup_id = identity->cgroup_id;
	dso->outcome = DSO_WAITS;
	dso->request = request;
	dso_queue__add(&capture->waiting, dso);
	capture->n_unopened++;
	if (crowded)
		settle(capture, dso, DSO_CROWDED);
	else if (!capture->helper.pid && (!may_start(capture) || start(capture)))
		settle(capture, dso, DSO_UNANSWERED);
	dso_capture__collect(capture);
}

void dso_capture__finish(struct dso_capture *capture)
{
	static const struct dso_request LAST;
	uint64_t begin_ns = clock__now(CLOCK_MONOTONIC), now_ns = begin_ns, done_ns = begin_ns;
	unsigned int n = dso_queue__n(&capture->waiting);
	bool told = false;
	struct dso *dso;

	while (dso_queue__n(&capture->waiting) && capture->helper.pid &&
		now_ns - begin_ns < FINISH_NS && now_ns - done_ns < FINISH_SILENCE_NS) {
		struct pollfd fd = {.fd = capture->helper.fd, .events = POLLIN};
		unsigned int starts = capture->starts;

		/*
		 * Sends the last request, which raises the priority. Files that are not requested
		 * yet profit too: the user waits for all of them.
		 */
		if (!told)
			told = send(capture->helper.fd, &LAST, REQUEST_SIZE(0),
				       MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
		poll(&fd, 1, FINISH_LOOK_MS);
		dso_capture__collect(capture);
		told &= starts == capture->starts;
		now_ns = clock__now(CLOCK_MONOTONIC);
		if (dso_queue__n(&capture->waiting) != n)
			done_ns = now_ns;
		n = dso_queue__n(&capture->waiting);
	}
	while ((dso = dso_queue__first(&capture->waiting)))
		settle(capture, dso, DSO_UNFINISHED);
	end(capture);
}

void dso_capture__count(const struct dso_capture *capture, struct dso_capture_counts *ret)
{
	*ret = capture->counts;
	ret->n[DSO_WAITS] = capture->n_unopened;
	ret->n[DSO_OPENED] = dso_queue__n(&capture->waiting) - capture->n_unopened;
}

void dso_capture__describe(const struct dso_capture *capture, char *ret, size_t size)
{
	dso_counts__describe(&capture->counts, ret, size);
}

void dso_capture__stamp(const struct dso_capture *capture, struct buffer *out)
{
	const struct dso *dso;
	unsigned int n = 0;

	stamp__put(
		out, "capture", capture->options.what == DSO_CAPTURE_SYMBOLS ? "symbols" : "full");
	dso_counts__stamp(&capture->counts, out);
	TAILQ_FOREACH(dso, &capture->missed, list)
	if (n++ < MISSED_MAX)
		dso_outcome__stamp_missed(dso->outcome, dso->request, out);
}
