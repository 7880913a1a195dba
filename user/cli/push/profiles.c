// SPDX-License-Identifier: GPL-2.0-only
/*
 * See profiles.h. The profile is made by `perfstamp export --otlp' in a process of its own, so that
 * its memory is free again, and a recording that crashes it is refused.
 */
#include "user/cli/push/profiles.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/push/http.h"
#include "user/view/export/gzip.h"
#include "user/view/export/otlp.pb-c.h"

#define PATH "/v1development/profiles" /* of opentelemetry-proto 1.11.0 */
#define TYPE "application/x-protobuf"
#define HEADERS_MAX 65536
#define BODY_MAX ((size_t)1 << 30) /* bytes, gzipped */

extern char **environ;

struct receiver {
	const struct push_command *command;
	char *url;
	struct http *http;
	uint64_t bytes;    /* that were sent */
	uint64_t rejected; /* profiles, by what the receiver says */
};

/* ---- The profile ---- */

static int start_export(const char *path, pid_t *ret_pid, int *ret_fd)
{
	char *const argv[] = {"perfstamp", "export", "--otlp", "--no-debuginfod", "-o", "-", "-i",
		(char *)path, NULL};
	posix_spawn_file_actions_t actions;
	int fds[2], code;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	code = posix_spawn_file_actions_init(&actions);
	if (!code) {
		code = posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
		if (!code)
			code = posix_spawn(
				ret_pid, "/proc/self/exe", &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(fds[1]);
	if (code)
		close(fds[0]);
	else
		*ret_fd = fds[0];
	return -code;
}

/* Compresses what comes from @fd into memory, which is the caller's to free. */
static int compress(int fd, char **ret, size_t *ret_size, uint64_t *ret_read)
{
	FILE *out = open_memstream(ret, ret_size), *gzip = out ? gzip__open(out) : NULL;
	static char bytes[1 << 16];
	int code = gzip ? 0 : -ENOMEM;
	ssize_t n = 0;

	*ret_read = 0;
	while (!code && ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))) {
		if (n > 0 && fwrite(bytes, 1, n, gzip) != (size_t)n)
			code = -ENOMEM;
		*ret_read += n > 0 ? n : 0;
		/* The size is that of the last flush. */
		if (!code && fflush(out))
			code = -ENOMEM;
		if (*ret_size > BODY_MAX)
			code = -EFBIG;
	}
	if (!code && n < 0)
		code = -errno;
	if (gzip && fclose(gzip))
		code = -ENOMEM;
	if (out && fclose(out))
		code = -ENOMEM;
	return code;
}

static int make_profile(const char *path, char **ret, size_t *ret_size, struct error *err)
{
	uint64_t n_read = 0;
	int fd = -1, status = 0, code;
	pid_t pid = -1;

	*ret = NULL;
	code = start_export(path, &pid, &fd);
	if (code)
		return error__errno(err, code, "perfstamp export cannot be started");
	code = compress(fd, ret, ret_size, &n_read);
	close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (code == -EFBIG)
		return error__set(err, -EBADMSG, "%s: its profile is larger than 1 GiB", path);
	if (code)
		return error__errno(err, code, "%s: its profile cannot be made", path);
	/* Of a damaged recording it writes what there is before the damage, and fails. */
	if (!WIFEXITED(status) || !n_read)
		return error__set(
			err, -EBADMSG, "%s: perfstamp export cannot make a profile of it", path);
	return 0;
}

/* Without samples there is nothing to send. */
static int count_samples(const struct push_file *file, bool force, uint64_t *ret, struct error *err)
{
	struct input input = {0};
	int code = input__read(&input, file->path, err);

	if (code && !push_files__may_work_later(code))
		code = -EBADMSG;
	if (!code && file->named && !force && input.unfinished)
		code = error__set(err, -EBADMSG,
			"%s: it is still being written, or its recorder was killed; --force pushes "
			"what it has",
			file->path);
	*ret = code ? 0 : model__ledger(input.model)->samples;
	input__free(&input);
	return code;
}

/* ---- Sending ---- */

/* The receiver may take a part of what it confirms. */
static void read_answer(struct receiver *receiver, const char *path, const struct buffer *answer)
{
	Otlp__ExportProfilesServiceResponse *response =
		otlp__export_profiles_service_response__unpack(NULL, answer->size, answer->data);

	if (response && response->partial_success &&
		response->partial_success->rejected_profiles > 0) {
		receiver->rejected += response->partial_success->rejected_profiles;
		cli__fail("warning: %s: the receiver has rejected %" PRId64 " profiles: %s", path,
			response->partial_success->rejected_profiles,
			response->partial_success->error_message);
	}
	if (response)
		otlp__export_profiles_service_response__free_unpacked(response, NULL);
}

static int profiles_send(void *ctx, const struct push_file *file, enum sent *ret,
	unsigned int *ret_wait_s, struct error *err)
{
	struct receiver *receiver = ctx;
	struct buffer answer;
	char *body = NULL;
	size_t size = 0;
	uint64_t n;
	int code = count_samples(file, receiver->command->force, &n, err);

	*ret_wait_s = 0;
	*ret = SENT_NEW;
	if (code || !n)
		return code;
	buffer__init(&answer, 0);
	code = make_profile(file->path, &body, &size, err);
	if (!code)
		code = http__post(receiver->http, TYPE, body, size, &answer, ret_wait_s, err);
	if (!code) {
		receiver->bytes += size;
		read_answer(receiver, file->path, &answer);
	}
	buffer__free(&answer);
	free(body);
	return code;
}

static int read_headers(const struct push_command *command, char **ret, struct error *err)
{
	const char *directory = getenv("CREDENTIALS_DIRECTORY"), *path = command->headers;
	char *credential = NULL;
	FILE *in = NULL;
	size_t n;
	int code = 0;

	*ret = NULL;
	if (!path && directory && asprintf(&credential, "%s/headers", directory) >= 0 &&
		!access(credential, F_OK))
		path = credential;
	if (path)
		in = fopen(path, "re");
	if (path && !in)
		code = error__errno(err, -errno, "%s", path);
	if (in) {
		*ret = calloc(1, HEADERS_MAX + 1);
		n = *ret ? fread(*ret, 1, HEADERS_MAX, in) : 0;
		if (!*ret)
			code = error__set(err, -ENOMEM, "out of memory");
		else if (ferror(in) || strlen(*ret) != n || !strchr(*ret, ':'))
			code = error__set(err, -EINVAL, "%s: it has no lines `NAME: VALUE'", path);
		fclose(in);
	}
	free(credential);
	return code;
}

/* Where a URL has no path, the one of the protocol is meant. */
static char *whole_url(const char *url)
{
	const char *host = strstr(url, "://") + strlen("://"), *path = host + strcspn(host, "/?#");
	char *ret;

	if (*path && strcmp(path, "/") != 0)
		return strdup(url);
	return asprintf(&ret, "%.*s" PATH, (int)(path - url), url) < 0 ? NULL : ret;
}

static void profiles_free(void *ctx)
{
	struct receiver *receiver = ctx;

	if (!receiver)
		return;
	http__free(receiver->http);
	free(receiver->url);
	free(receiver);
}

static int profiles_open(void **ret, const struct push_command *command, struct error *err)
{
	struct receiver *receiver = calloc(1, sizeof(*receiver));
	char *headers = NULL;
	int code;

	*ret = NULL;
	if (!receiver)
		return error__set(err, -ENOMEM, "out of memory");
	receiver->command = command;
	receiver->url = whole_url(command->url);
	code = receiver->url ? read_headers(command, &headers, err)
			     : error__set(err, -ENOMEM, "out of memory");
	if (!code)
		code = http__new(&receiver->http, receiver->url, headers,
			command->timeout_s ? command->timeout_s : 60, err);
	free(headers);
	if (code) {
		profiles_free(receiver);
		return code;
	}
	*ret = receiver;
	return 0;
}

static void describe(const void *ctx, char *ret, size_t size)
{
	const struct receiver *receiver = ctx;

	snprintf(ret, size, "%" PRIu64 " bytes", receiver->bytes);
}

const struct receiver_ops PROFILES_RECEIVER = {
	.takes = http__is_url,
	.open = profiles_open,
	.send = profiles_send,
	.describe = describe,
	.free = profiles_free,
};
