// SPDX-License-Identifier: GPL-2.0-only
/*
 * See binaries.h. Keys are the paths of debuginfod's URLs: buildid/ID/executable and
 * buildid/ID/debuginfo. If there is nothing better, a file with symbols but without debug
 * information is sent as debuginfo. An empty file beside it marks that a later push may replace it.
 */
#include "user/cli/push/binaries.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/cli/needs.h"
#include "user/cli/push/elf_parts.h"
#include "user/base/hash.h"
#include "user/push/objects.h"
#include "user/store/cache/cache.h"
#include "user/symbols/lookup.h"
#include "user/view/format/escaped.h"

#define KEY_SIZE (STORE_HEX_MAX + 32)
#define EXECUTABLE "executable"
#define DEBUGINFO "debuginfo"
#define SYMBOLS_ONLY "perfstamp-symbols-only"

#define DONE_MAX 1000000 /* limit of remembered build-ids */

/* A build-id whose files were sent, or need not be. */
struct done {
	char hex[STORE_HEX_MAX];
	bool missing; /* the cache did not have it, but may have it for a later recording */
	UT_hash_handle hh;
};

struct receiver {
	const struct push_command *command;
	struct objects *objects;
	struct cache *cache; /* NULL: there is no cache */
	char *cache_dir;
	struct push_server server;
	struct done *done;
	uint64_t n_sent, bytes; /* files that were sent, and the sum of their sizes */
	uint64_t n_there;       /* files that the receiver already had */
	uint64_t n_missing;     /* builds that the cache does not have */
	uint64_t n_shared;      /* builds whose build-id belongs to several contents */
	uint64_t n_damaged;     /* files of the cache that do not have their identity */
	uint64_t n_refused;     /* files that the receiver refused */
	uint64_t n_left;        /* files beyond the budget, left for a later recording */
};

/* The state of sending the files of one recording. */
struct sending {
	struct receiver *receiver;
	uint64_t bytes; /* bytes sent for this recording */
	bool left;      /* a part of the current build was not sent */
	unsigned int *ret_wait_s;
};

/* ---- Finished build-ids ---- */

static struct done *find_done(const struct receiver *receiver, const char *hex)
{
	struct done *done;

	HASH_FIND_STR(receiver->done, hex, done);
	return done;
}

static void forget_done(struct receiver *receiver)
{
	hash__free(receiver->done);
}

static int add_done(struct receiver *receiver, const char *hex, bool missing)
{
	struct done *done = find_done(receiver, hex);

	if (!done) {
		/* Start again with an empty list: the receiver is asked which files it has. */
		if (HASH_COUNT(receiver->done) >= DONE_MAX)
			forget_done(receiver);
		done = calloc(1, sizeof(*done));
		if (!done)
			return -ENOMEM;
		snprintf(done->hex, sizeof(done->hex), "%s", hex);
		HASH_ADD_STR(receiver->done, hex, done);
		if (!hash__added(done)) {
			free(done);
			return -ENOMEM;
		}
		receiver->n_missing += missing;
	} else {
		receiver->n_missing -= done->missing && !missing;
	}
	done->missing = missing;
	return 0;
}

/* ---- One file ---- */

static void make_key(char ret[KEY_SIZE], const char *hex, const char *what)
{
	snprintf(ret, KEY_SIZE, "buildid/%s/%s", hex, what);
}

static int put(struct sending *sending, const char *hex, const char *what, int fd, uint64_t size,
	struct error *err)
{
	struct receiver *receiver = sending->receiver;
	uint8_t sha256[DIGEST_SIZE];
	char key[KEY_SIZE];
	int code = digest__sha256(fd, sha256);

	make_key(key, hex, what);
	if (code)
		return error__errno(err, code, "%s", key);
	code = objects__put(receiver->objects, key, fd, size, sha256, sending->ret_wait_s, err);
	if (code)
		return code;
	receiver->bytes += size;
	sending->bytes += size;
	return 0;
}

/* Whether the budget allows another file. The first one is always sent. */
static bool is_affordable(const struct sending *sending, uint64_t size)
{
	uint64_t budget = sending->receiver->command->budget;

	return !budget || !sending->bytes ||
	       (sending->bytes <= budget && size <= budget - sending->bytes);
}

/* Puts an empty file as the marker. */
static int put_mark(struct sending *sending, const char *hex, struct error *err)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC), code;

	if (fd < 0)
		return error__errno(err, -errno, "/dev/null");
	code = put(sending, hex, SYMBOLS_ONLY, fd, 0, err);
	close(fd);
	return code;
}

/*
 * Returns 1 if the receiver has the file, with *@ret_size set as by objects__find; 0 if it has not;
 * or an error of objects__find.
 */
static int is_there(struct sending *sending, const char *hex, const char *what, int64_t *ret_size,
	struct error *err)
{
	char key[KEY_SIZE];
	int code;

	make_key(key, hex, what);
	code = objects__find(sending->receiver->objects, key, ret_size, sending->ret_wait_s, err);
	return code == -ENOENT ? 0 : code ? code : 1;
}

/*
 * Creates or removes the marker @what, depending on @symbols_only. Returns 0, -EBADMSG if the
 * receiver refuses this file, or -errno.
 */
static int see_to(struct sending *sending, const char *hex, const char *what, bool symbols_only,
	int fd, const char *path, struct error *err)
{
	struct receiver *receiver = sending->receiver;
	int64_t size, mark_size;
	int there = is_there(sending, hex, what, &size, err), marked = 0, code = 0;
	bool is_debug = !strcmp(what, DEBUGINFO);
	char key[KEY_SIZE];
	struct stat st;

	if (there >= 0 && is_debug && !symbols_only)
		marked = is_there(sending, hex, SYMBOLS_ONLY, &mark_size, err);
	if (there < 0 || marked < 0)
		return there < 0 ? there : marked;
	if (fstat(fd, &st) < 0)
		return error__errno(err, -errno, "%s", path);
	/* A smaller file on the receiver was truncated or is stripped. */
	if (there && !marked && (symbols_only || size < 0 || size >= st.st_size)) {
		receiver->n_there++;
		return 0;
	}
	if (!is_affordable(sending, st.st_size)) {
		receiver->n_left++;
		sending->left = true;
		return 0;
	}
	make_key(key, hex, what);
	if (symbols_only)
		code = put_mark(sending, hex, err);
	if (!code)
		code = put(sending, hex, what, fd, st.st_size, err);
	if (!code && marked) {
		char mark[KEY_SIZE];

		make_key(mark, hex, SYMBOLS_ONLY);
		code = objects__remove(receiver->objects, mark, sending->ret_wait_s, err);
	}
	if (code)
		return code;
	receiver->n_sent++;
	if (receiver->command->verbose) {
		printf("%s: ", key);
		escaped__write(stdout, path);
		printf(", %" PRIu64 " bytes\n", (uint64_t)st.st_size);
	}
	return 0;
}

/* ---- One build ---- */

/*
 * Opens the verified file of the cache. Returns -ENOENT if there is none, or if it is damaged,
 * which is reported.
 */
static int open_file(struct receiver *receiver, const struct cache_entry *entry,
	enum cache_kind kind, struct elf_parts *ret, struct error *err)
{
	struct error why = {0};
	int fd = entry->there[kind] ? cache__open_file(receiver->cache, entry, kind, true, &why)
				    : -ENOENT;
	int code = fd < 0 ? fd : elf_parts__read(ret, fd, &why);

	if (code && fd >= 0)
		close(fd);
	if (code == -EBADMSG) {
		cli__fail("warning: %s: not sent: %s", entry->hex, why.text);
		receiver->n_damaged++;
		return -ENOENT;
	}
	if (code && code != -ENOENT)
		*err = why;
	return code ? code : fd;
}

/*
 * Counts a refused file. If the receiver refuses a file, for example because it is too large, the
 * others are still sent.
 */
static int take_refusal(
	struct receiver *receiver, int code, const char *path, const struct error *err)
{
	if (code != -EBADMSG)
		return code;
	cli__fail("warning: %s: not sent: %s", path, err->text);
	receiver->n_refused++;
	return 0;
}

static int send_entry(struct sending *sending, const struct cache_entry *entry, const char *path,
	struct error *err)
{
	struct receiver *receiver = sending->receiver;
	struct elf_parts parts = {0}, debug_parts = {0};
	int fd = open_file(receiver, entry, CACHE_ELF, &parts, err), debug, code = 0;

	if (fd < 0 && fd != -ENOENT)
		return fd;
	debug = open_file(receiver, entry, CACHE_DEBUG, &debug_parts, err);
	if (debug < 0 && debug != -ENOENT)
		code = debug;
	if (!code && fd >= 0 && parts.code)
		code = take_refusal(receiver,
			see_to(sending, entry->hex, EXECUTABLE, false, fd, path, err), path, err);
	if (!code && debug >= 0)
		code = see_to(sending, entry->hex, DEBUGINFO, false, debug, path, err);
	else if (!code && fd >= 0 && (parts.dwarf || !parts.code))
		code = see_to(sending, entry->hex, DEBUGINFO, !parts.dwarf, fd, path, err);
	code = take_refusal(receiver, code, path, err);
	if (fd >= 0)
		close(fd);
	if (debug >= 0)
		close(debug);
	return code;
}

/* Whether the user allows the file to leave this machine. */
static bool is_allowed(const void *ctx, const char *path)
{
	const struct push_command *command = ctx;

	for (size_t i = 0; i < command->n_globs; i++)
		if (!fnmatch(command->globs[i], path, 0))
			return true;
	return !command->n_globs;
}

static int send_need(struct sending *sending, const struct need *need, struct error *err)
{
	struct receiver *receiver = sending->receiver;
	const struct perfstamp_identity *identity = &need->identity;
	struct cache_entry entry;
	char hex[STORE_HEX_MAX];
	struct done *done;
	int code;

	if (identity->build_id_size < 2 || !is_allowed(receiver->command, need->path))
		return 0;
	text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
	done = find_done(receiver, hex);
	if (done && !done->missing)
		return 0;
	/*
	 * A server identifies files by build-id alone. If several contents share it, any file would
	 * be wrong for some users.
	 */
	if (need->n_contents > 1) {
		receiver->n_shared++;
		return add_done(receiver, hex, false);
	}
	code = receiver->cache
		       ? lookup__find(receiver->cache, identity, identity->cookie_size > 0, &entry)
		       : -ENOENT;
	/* A debug file has no cookie: if there is no binary with this content, it is sent alone. */
	if (code == -ENOENT && receiver->cache &&
		!lookup__find(receiver->cache, identity, false, &entry)) {
		entry.there[CACHE_ELF] = false;
		code = entry.there[CACHE_DEBUG] ? 0 : -ENOENT;
	}
	if (code == -ENOENT)
		return add_done(receiver, hex, true);
	if (code)
		return error__errno(err, code, "%s: the cache's file", hex);
	/* The cache has this file by its cookie; servers need its build-id. */
	memcpy(entry.hex, hex, sizeof(hex));
	entry.cookie = false;
	sending->left = false;
	code = send_entry(sending, &entry, need->path, err);
	return code || sending->left ? code : add_done(receiver, hex, false);
}

/* ---- A recording ---- */

/* Opens the cache. It is created when the first binary is captured. */
static int open_cache(struct receiver *receiver, struct error *err)
{
	int code = receiver->cache ? 0
				   : cache__open(&receiver->cache, receiver->cache_dir, false, err);

	return code == -ENOENT && receiver->command->follow ? 0 : code;
}

static int binaries_send(void *ctx, const struct push_file *file, enum sent *ret,
	unsigned int *ret_wait_s, struct error *err)
{
	struct receiver *receiver = ctx;
	struct sending sending = {.receiver = receiver, .ret_wait_s = ret_wait_s};
	struct input input = {0};
	struct needs needs = {0};
	int code = push_file__read(file, NULL, receiver->command->force, &input, err);

	*ret_wait_s = 0;
	*ret = SENT_NEW;
	/* Skip a recording that cannot be read. */
	if (code) {
		input__free(&input);
		return code;
	}
	code = open_cache(receiver, err);
	if (!code && needs__collect(&needs, &input, true, is_allowed, receiver->command))
		code = error__set(err, -ENOMEM, "out of memory");
	/* Send the files with the most samples first. */
	for (size_t i = 0; i < needs.n && !code; i++)
		code = send_need(&sending, &needs.v[i], err);
	needs__free(&needs);
	input__free(&input);
	/*
	 * The caller would take these codes for a fault of the recording, which is not the cause.
	 */
	return code == -ENOENT || code == -EBADMSG || code == -ESTALE ? -EIO : code;
}

static void binaries_free(void *ctx)
{
	struct receiver *receiver = ctx;

	if (!receiver)
		return;
	forget_done(receiver);
	objects__free(receiver->objects);
	cache__free(receiver->cache);
	free(receiver->cache_dir);
	free(receiver->server.headers);
	free(receiver);
}

static int open_objects(struct receiver *receiver, struct error *err)
{
	struct push_server *server = &receiver->server;
	int code = push_command__server(receiver->command, server, err);
	const struct objects_options options = {
		.url = receiver->command->url,
		.headers = server->headers,
		.authorities = server->authorities,
		.timeout_s = server->timeout_s,
	};

	return code ? code : objects__new(&receiver->objects, &options, err);
}

static int binaries_open(void **ret, const struct push_command *command, struct error *err)
{
	struct receiver *receiver = calloc(1, sizeof(*receiver));
	int code;

	*ret = NULL;
	if (!receiver)
		return error__set(err, -ENOMEM, "out of memory");
	receiver->command = command;
	code = open_objects(receiver, err);
	if (!code)
		code = store__directory(&receiver->cache_dir, command->buildid_dir, err);
	if (!code)
		code = open_cache(receiver, err);
	if (code) {
		binaries_free(receiver);
		return code;
	}
	*ret = receiver;
	return 0;
}

static void add_count(char *ret, size_t size, uint64_t n, const char *what)
{
	size_t used = strlen(ret);

	if (n)
		snprintf(ret + used, size - used, "%s%" PRIu64 " %s", used ? ", " : "", n, what);
}

static void describe(const void *ctx, char *ret, size_t size)
{
	const struct receiver *receiver = ctx;

	snprintf(ret, size, "%" PRIu64 " binar%s, %" PRIu64 " bytes", receiver->n_sent,
		receiver->n_sent == 1 ? "y" : "ies", receiver->bytes);
	add_count(ret, size, receiver->n_there, "there already");
	add_count(ret, size, receiver->n_missing, "not in the cache");
	add_count(ret, size, receiver->n_left, "over the budget");
	add_count(ret, size, receiver->n_shared, "of a shared build-id");
	add_count(ret, size, receiver->n_damaged, "damaged");
	add_count(ret, size, receiver->n_refused, "refused");
}

static const char *kind(const void *ctx)
{
	(void)ctx;
	return "binaries";
}

static struct receiver_totals totals(const void *ctx)
{
	const struct receiver *receiver = ctx;

	return (struct receiver_totals){.bytes = receiver->bytes};
}

static bool takes(const struct push_command *command)
{
	return command->binaries && objects__is_url(command->url);
}

const struct receiver_ops BINARIES_RECEIVER = {
	.takes = takes,
	.open = binaries_open,
	.send = binaries_send,
	.describe = describe,
	.kind = kind,
	.totals = totals,
	.free = binaries_free,
};
