// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp push: sends complete files to a receiver in order. Each file is sent until the receiver
 * has confirmed it. There is no handling of signals: after a kill, the next start continues.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/cli/cli.h"
#include "user/cli/push/binaries.h"
#include "user/cli/push/files.h"
#include "user/cli/push/held.h"
#include "user/cli/push/inventory.h"
#include "user/cli/push/metrics.h"
#include "user/cli/push/options.h"
#include "user/cli/push/profiles.h"
#include "user/cli/push/receiver.h"
#include "user/push/spool.h"
#include "user/source/machine/clock.h"
#include "user/source/machine/systemd.h"
#include "user/view/format/escaped.h"

#define LOOK_MS 1000   /* interval of listing the directories */
#define WAIT_MAX_S 300 /* longest wait between two attempts, unless the receiver asks for more */

struct push {
	struct push_command command;
	const struct receiver_ops *ops;
	void *receiver;
	struct spool *spool;
	struct push_files files;
	struct metrics_server *server; /* NULL: metrics are not served */
	uint64_t n_sent, n_before, n_refused, n_missed, n_failures;
	double start_s, last_sent_s; /* seconds since 1970 */
	bool looked;                 /* the directories were listed at least once */
	uint64_t looked_ns;          /* monotonic time of the last listing; 0: list them now */
	unsigned int wait_s;         /* wait before the next attempt; 0: the last one succeeded */
	uint64_t try_again_ns;       /* monotonic time of the next attempt; 0: at once */
	struct held_files held;
};

static const struct receiver_ops *const RECEIVERS[] = {
	&INVENTORY_RECEIVER, &PROFILES_RECEIVER, &BINARIES_RECEIVER};

static const struct receiver_ops *find_receiver(const struct push_command *command)
{
	for (size_t i = 0; i < sizeof(RECEIVERS) / sizeof(RECEIVERS[0]); i++)
		if (RECEIVERS[i]->takes(command))
			return RECEIVERS[i];
	return NULL;
}

/* ---- Metrics ---- */

static double now_s(void)
{
	return (double)clock__now(CLOCK_REALTIME) / 1e9;
}

static struct push_metrics measure(const struct push *push)
{
	struct receiver_totals totals = push->ops->totals(push->receiver);
	struct push_metrics ret = {
		.version = PERFSTAMP_VERSION,
		.receiver = push->ops->kind(push->receiver),
		.start_s = push->start_s,
		.sent = push->n_sent,
		.before = push->n_before,
		.refused = push->n_refused,
		.missed = push->n_missed,
		.bytes = totals.bytes,
		.rows = totals.rows,
		.failures = push->n_failures,
		.last_sent_s = push->last_sent_s,
	};

	for (size_t i = 0; i < push->files.n; i++) {
		const struct push_file *file = &push->files.v[i];
		double completed_s = (double)file->st.st_mtim.tv_sec +
				     (double)file->st.st_mtim.tv_nsec / 1e9;

		if (spool__state(push->spool, &file->st) != SPOOL_SEEN)
			continue;
		if (!ret.waiting++ || completed_s < ret.oldest_waiting_s)
			ret.oldest_waiting_s = completed_s;
	}
	return ret;
}

static void publish(const struct push *push)
{
	struct push_metrics metrics;

	if (!push->server)
		return;
	metrics = measure(push);
	metrics_server__set(push->server, &metrics);
}

/* ---- The state ---- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3; /* FNV-1a */
	return (hash ^ 0xff) * 0x100000001b3;
}

/*
 * Returns the path of the file that stores what was sent to this receiver; the caller frees it.
 * NULL with text.
 */
static char *state_path(const struct push *push, struct error *err)
{
	const struct push_command *command = &push->command;
	const char *base = getenv("STATE_DIRECTORY"), *home = getenv("HOME");
	uint64_t hash = hash_text(0xcbf29ce484222325, command->url);
	char real[PATH_MAX];
	char *path = NULL;
	int n = -1;

	if (command->state)
		return strdup(command->state);
	if (command->binaries)
		hash = hash_text(hash, "binaries");
	/* A receiver may refuse a file with one protocol, but accept it with another. */
	else if (command->protocol != PUSH_OTLP)
		hash = hash_text(hash, push->ops->kind(push->receiver));
	/* With other patterns for binaries, other files have to be sent for the same recordings. */
	for (size_t i = 0; i < command->n_globs; i++)
		hash = hash_text(hash, command->globs[i]);
	for (size_t i = 0; i < command->n_paths; i++)
		hash = hash_text(
			hash, realpath(command->paths[i], real) ? real : command->paths[i]);
	if (base)
		n = asprintf(&path, "%.*s/push-%016" PRIx64, (int)strcspn(base, ":"), base, hash);
	else if ((base = getenv("XDG_STATE_HOME")) && *base == '/')
		n = asprintf(&path, "%s/perfstamp/push-%016" PRIx64, base, hash);
	else if (home)
		n = asprintf(&path, "%s/.local/state/perfstamp/push-%016" PRIx64, home, hash);
	else
		error__set(err, -ENOENT,
			"there is no place for what has been sent: HOME is not set; name a file "
			"with --state");
	return n < 0 ? NULL : path;
}

/* ---- Sending ---- */

static void report_missed(struct push *push, int64_t n)
{
	push->n_missed += n;
	cli__fail("warning: %" PRId64 " file%s removed before %s sent; keep more (record --keep), "
		  "or make the receiver faster",
		n, n == 1 ? " was" : "s were", n == 1 ? "it was" : "they were");
}

/*
 * Examines a file that is found for the first time. A file that an earlier run sent is only
 * counted. A refused file is tried again if it was named.
 */
static int look_at_first(struct push *push, const struct push_file *file, struct error *err)
{
	enum spool_state state = spool__state(push->spool, &file->st);

	push->n_before += state == SPOOL_SENT;
	return state == SPOOL_REFUSED && file->named
		       ? spool__set(push->spool, &file->st, file->path, SPOOL_SEEN, err)
		       : 0;
}

/* Lists the current files, and counts removed ones. Returns 0 or -errno with text. */
static int look(struct push *push, struct error *err)
{
	int code = push_files__find(&push->files, push->command.paths, push->command.n_paths, err);
	int64_t missed;

	push->looked_ns = clock__now(CLOCK_MONOTONIC);
	if (code)
		return code;
	/* A path that cannot be examined may still contain files. */
	if (!push->files.failed)
		spool__begin_look(push->spool);
	for (size_t i = 0; i < push->files.n && !code; i++) {
		const struct push_file *file = &push->files.v[i];

		spool__is_there(push->spool, &file->st);
		if (spool__state(push->spool, &file->st) == SPOOL_UNKNOWN)
			code = spool__set(push->spool, &file->st, file->path, SPOOL_SEEN, err);
		else if (!push->looked)
			code = look_at_first(push, file, err);
	}
	if (code)
		return code;
	push->looked = true;
	missed = spool__end_look(push->spool, err);
	if (missed > 0)
		report_missed(push, missed);
	return missed < 0 ? (int)missed : 0;
}

/* Returns the oldest file to send now; NULL if there is none. */
static const struct push_file *find_next(const struct push *push)
{
	for (size_t i = 0; i < push->files.n; i++) {
		const struct push_file *file = &push->files.v[i];

		if (spool__state(push->spool, &file->st) == SPOOL_SEEN &&
			!held_files__has(&push->held, &file->st))
			return file;
	}
	return NULL;
}

static void confirm(struct push *push, const struct push_file *file, enum sent sent)
{
	push->last_sent_s = now_s();
	if (sent == SENT_NEW)
		push->n_sent++;
	else
		push->n_before++;
	if (push->command.verbose) {
		escaped__write(stdout, file->path);
		printf(": %s\n", sent == SENT_NEW ? "sent" : "was there already");
	}
	fflush(stdout);
}

static void postpone(struct push *push, unsigned int wait_s)
{
	push->n_failures++;
	push->wait_s = push->wait_s ? 2 * push->wait_s : 1;
	if (push->wait_s > WAIT_MAX_S)
		push->wait_s = WAIT_MAX_S;
	if (wait_s > push->wait_s)
		push->wait_s = wait_s;
	push->try_again_ns = clock__now(CLOCK_MONOTONIC) + push->wait_s * 1000000000ull;
}

/* Skips this file now, and tries it again later. Returns 0 or -ENOMEM with text. */
static int hold(struct push *push, const struct push_file *file, struct error *err)
{
	struct error why = *err;
	bool new;

	if (held_files__add(&push->held, &file->st, clock__now(CLOCK_MONOTONIC), WAIT_MAX_S, &new))
		return error__set(err, -ENOMEM, "out of memory");
	push->n_failures++;
	if (new)
		cli__fail("%s: not sent: %s%s", file->path, why.text,
			push->command.follow ? "; perfstamp tries again until it works" : "");
	return 0;
}

/* Sends one file. Returns 0, or -errno with text if sending has to stop. */
static int send_file(struct push *push, const struct push_file *file, struct error *err)
{
	unsigned int wait_s = 0;
	enum sent sent;
	int code = push->ops->send(push->receiver, file, &sent, &wait_s, err);

	if (!code || code == -EBADMSG)
		held_files__remove(&push->held, &file->st);
	switch (code) {
	case 0:
		push->wait_s = 0;
		push->try_again_ns = 0;
		code = spool__set(push->spool, &file->st, file->path, SPOOL_SENT, err);
		if (!code)
			confirm(push, file, sent);
		return code;
	case -EBADMSG:
		cli__fail("%s: not sent: %s", file->path, err->text);
		push->n_refused++;
		return spool__set(push->spool, &file->st, file->path, SPOOL_REFUSED, err);
	case -ENODATA:
		return hold(push, file, err);
	case -ENOENT:
		/* The file was removed meanwhile: the next listing counts it. */
		push->looked_ns = 0;
		return push->command.follow ? 0 : code;
	default:
		if (!push->command.follow || code == -ENOMEM)
			return code;
		if (!push->wait_s)
			cli__fail("%s; perfstamp tries again until it works", err->text);
		postpone(push, wait_s);
		return 0;
	}
}

static bool is_look_due(const struct push *push)
{
	return !push->looked_ns ||
	       clock__now(CLOCK_MONOTONIC) - push->looked_ns >= LOOK_MS * 1000000ull;
}

static int send_all(struct push *push, struct error *err)
{
	const struct push_file *file;
	int code = look(push, err);

	publish(push);
	while (!code && (file = find_next(push)) && !push->try_again_ns) {
		code = send_file(push, file, err);
		/*
		 * Files may have been removed or completed. Do not list them after each file of a
		 * backlog.
		 */
		if (!code && push->command.follow && is_look_due(push))
			code = look(push, err);
		publish(push);
	}
	if (!code && push->files.failed) {
		*err = push->files.why;
		code = push->files.failed;
	}
	return code;
}

/* Waits for new files. A missing directory may appear later, as with the recorder. */
static int follow(struct push *push, struct error *err)
{
	struct error said = {0};
	int code;

	systemd__notify("READY=1");
	for (;;) {
		code = send_all(push, err);
		if (code == -ENOMEM)
			return code;
		if (code && strcmp(err->text, said.text) != 0)
			cli__fail("%s; perfstamp tries again until it works", err->text);
		said = code ? *err : (struct error){0};
		poll(NULL, 0, LOOK_MS);
		if (push->try_again_ns && clock__now(CLOCK_MONOTONIC) >= push->try_again_ns)
			push->try_again_ns = 0;
		held_files__update(&push->held, clock__now(CLOCK_MONOTONIC));
	}
}

static void summarize(const struct push *push)
{
	char text[256];

	*text = '\0';
	if (push->n_sent)
		push->ops->describe(push->receiver, text, sizeof(text));
	printf("%" PRIu64 " file%s sent%s%s%s", push->n_sent, push->n_sent == 1 ? "" : "s",
		*text ? " (" : "", text, *text ? ")" : "");
	if (push->n_before)
		printf(", %" PRIu64 " there already", push->n_before);
	if (push->n_refused || push->held.n)
		printf(", %" PRIu64 " not sent", push->n_refused + push->held.n);
	printf("\n");
}

static int open_all(struct push *push, struct error *err)
{
	struct push_metrics metrics;
	char *path;
	int code = push->ops->open(&push->receiver, &push->command, err);

	if (code)
		return code;
	path = state_path(push, err);
	if (!path)
		return -ENOENT;
	code = spool__open(&push->spool, path, err);
	free(path);
	if (code || !push->command.metrics)
		return code;
	metrics = measure(push);
	return metrics_server__new(&push->server, push->command.metrics, &metrics, err);
}

int cmd_push(int argc, char **argv)
{
	struct push push = {0};
	int status = CLI_DONE;
	struct error err = {0};

	cli__parse(&PUSH_ARGP, argc, argv, &push.command);
	push.start_s = now_s();
	push.ops = find_receiver(&push.command);
	if (!push.ops) {
		/* Do not print the URL itself, which may contain a secret. */
		cli__fail("the URL is not one that perfstamp sends %s to: use %s",
			push.command.binaries ? "binaries" : "recordings",
			push.command.binaries ? "file://, http://, https:// or s3://"
					      : "postgresql://, http:// or https://");
		return CLI_USAGE;
	}
	if (open_all(&push, &err) ||
		(push.command.follow ? follow(&push, &err) : send_all(&push, &err)))
		status = cli__fail("%s", err.text);
	if (push.receiver && (!status || push.n_sent))
		summarize(&push);
	if (push.n_refused || push.n_missed || push.held.n)
		status = CLI_FAILED;
	push_files__free(&push.files);
	held_files__free(&push.held);
	spool__free(push.spool);
	if (push.receiver)
		push.ops->free(push.receiver);
	for (size_t i = 0; i < push.command.n_labels; i++) {
		free(push.command.labels[i].name);
		free(push.command.labels[i].value);
	}
	return status;
}
