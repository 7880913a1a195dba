// SPDX-License-Identifier: GPL-2.0-only
/*
 * See profiles.h. A child process, `perfstamp export --otlp', makes the profile, so that its memory
 * is freed. A recording that crashes it is refused. If it fails or is killed for another reason,
 * the machine is the cause, and the recording is tried again.
 */
#include "user/cli/push/profiles.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/push/http.h"
#include "user/view/export/gzip.h"
#include "user/view/export/otlp.pb-c.h"
#include "user/view/export/pushed.h"

/* Parca accepts requests of 32 MiB, counted after base64 is decoded. */
#define PARCA_MAX (((size_t)32 << 20) - 65536)
#define HOST_SIZE 1024
#define BODY_MAX ((size_t)1 << 30) /* limit of a gzipped profile */

extern char **environ;

/* How to send a profile with each protocol. */
static const struct protocol {
	const char *kind;
	const char *format; /* the option of export */
	const char *path;   /* used if the URL has no path */
	const char *type;
	size_t size_max; /* limit of the gzipped output of export */
	/* Makes the request; NULL: the profile is the request. */
	int (*make)(char **ret, size_t *ret_size, const struct pushed_profile *profile);
} PROTOCOLS[] = {
	/* opentelemetry-proto 1.11.0 */
	[PUSH_OTLP] = {"otlp", "--otlp", "/v1development/profiles", "application/x-protobuf",
		BODY_MAX, NULL},
	[PUSH_OTLP15] = {"otlp-1.5", "--otlp=1.5", "/v1development/profiles",
		"application/x-protobuf", BODY_MAX, NULL},
	[PUSH_PYROSCOPE] = {"pyroscope", "--pprof", "/push.v1.PusherService/Push",
		"application/proto", BODY_MAX, pushed__pyroscope},
	[PUSH_PARCA] = {"parca", "--pprof", "/api/profiles/writeraw", "application/json", PARCA_MAX,
		pushed__parca},
};

struct receiver {
	const struct push_command *command;
	const struct protocol *protocol;
	char *url;
	struct http *http;
	uint64_t bytes;    /* bytes that were sent */
	uint64_t rejected; /* profiles that the receiver reported as rejected */
};

/* ---- The profile ---- */

static int start_export(const char *path, const char *format, pid_t *ret_pid, int *ret_fd)
{
	char *const argv[] = {"perfstamp", "export", (char *)format, "--no-debuginfod", "-o", "-",
		"-i", (char *)path, NULL};
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

/* Reads @fd to its end into memory, which the caller frees. With @pack, compresses it with gzip. */
static int read_all(int fd, bool pack, char **ret, size_t *ret_size, uint64_t *ret_read)
{
	FILE *out = open_memstream(ret, ret_size);
	FILE *gzip = out && pack ? gzip__open(out) : out;
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
	if (gzip && gzip != out && fclose(gzip))
		code = -ENOMEM;
	if (out && fclose(out))
		code = -ENOMEM;
	return code;
}

static bool is_crash(int status)
{
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE ||
	       signal == SIGABRT;
}

/* Whether export wrote a complete profile of all that is readable in the recording. */
static bool is_whole(int status)
{
	return WIFEXITED(status) &&
	       (WEXITSTATUS(status) == CLI_DONE || WEXITSTATUS(status) == CLI_PARTLY);
}

static int make_profile(const struct protocol *protocol, const char *path, char **ret,
	size_t *ret_size, struct error *err)
{
	uint64_t n_read = 0;
	int fd = -1, status = 0, code;
	pid_t pid = -1;

	*ret = NULL;
	code = start_export(path, protocol->format, &pid, &fd);
	if (code)
		return error__errno(err, code == -ENOMEM ? code : -EAGAIN,
			"perfstamp export cannot be started");
	/* pprof is already gzipped. */
	code = read_all(fd, !protocol->make, ret, ret_size, &n_read);
	close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (code == -EFBIG)
		return error__set(err, -EBADMSG, "%s: its profile is larger than 1 GiB", path);
	if (code)
		return error__errno(err, code, "%s: its profile cannot be made", path);
	if (is_crash(status))
		return error__set(err, -EBADMSG, "%s: it crashes perfstamp export", path);
	if (!is_whole(status) || !n_read)
		return error__set(
			err, -ENODATA, "%s: perfstamp export cannot make a profile of it", path);
	if (*ret_size > protocol->size_max)
		return error__set(err, -EBADMSG,
			"%s: its profile of %zu bytes is larger than the %zu that %s takes", path,
			*ret_size, protocol->size_max, protocol->kind);
	return 0;
}

/*
 * Counts the samples: without samples there is nothing to send. Sets @host to the name in the
 * recording.
 */
static int count_samples(const struct push_file *file, bool force, uint64_t *ret,
	char host[HOST_SIZE], struct error *err)
{
	struct input input = {0};
	int code = push_file__read(file, NULL, force, &input, err);

	*ret = code ? 0 : model__ledger(input.model)->samples;
	text__escape(host, HOST_SIZE, !code && input.hostname ? input.hostname : "unknown");
	input__free(&input);
	return code;
}

/* Adds a label, unless one with that name was given. */
static void add_label(struct pushed_profile *profile, struct pushed_label *labels, const char *name,
	const char *value)
{
	for (size_t i = 0; i < profile->n_labels; i++)
		if (!strcmp(labels[i].name, name))
			return;
	labels[profile->n_labels++] = (struct pushed_label){name, value};
}

/* Replaces a pprof profile by a request that contains it. */
static int make_request(const struct receiver *receiver, const struct push_file *file,
	const char *host, char **body, size_t *size, struct error *err)
{
	struct pushed_label labels[PUSH_LABELS_MAX + 3];
	struct pushed_profile profile = {.pprof = *body, .size = *size, .labels = labels};
	uint8_t digest[DIGEST_SIZE];
	char *request = NULL;
	int code = push_file__digest(file, digest, err);

	if (code)
		return code;
	memcpy(profile.id, digest, sizeof(profile.id));
	for (size_t i = 0; i < receiver->command->n_labels; i++)
		add_label(&profile, labels, receiver->command->labels[i].name,
			receiver->command->labels[i].value);
	add_label(&profile, labels, "__name__", "process_cpu");
	add_label(&profile, labels, "service_name", "perfstamp");
	add_label(&profile, labels, "hostname", host);
	code = receiver->protocol->make(&request, size, &profile);
	free(*body);
	*body = request;
	return code ? error__set(err, code, "out of memory") : 0;
}

/* ---- Sending ---- */

/* Reads an answer. The receiver may confirm the request and still reject a part of it. */
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
	const struct protocol *protocol = receiver->protocol;
	char host[HOST_SIZE];
	int code = count_samples(file, receiver->command->force, &n, host, err);

	*ret_wait_s = 0;
	*ret = SENT_NEW;
	if (code || !n)
		return code;
	buffer__init(&answer, 0);
	code = make_profile(protocol, file->path, &body, &size, err);
	if (!code && protocol->make)
		code = make_request(receiver, file, host, &body, &size, err);
	if (!code)
		code = http__post(receiver->http, protocol->type, !protocol->make, body, size,
			&answer, ret_wait_s, err);
	if (!code) {
		receiver->bytes += size;
		if (!protocol->make)
			read_answer(receiver, file->path, &answer);
	}
	buffer__free(&answer);
	free(body);
	return code;
}

/* Returns the URL, with the path of the protocol if it has no path. */
static char *whole_url(const char *url, const char *protocol_path)
{
	const char *host = strstr(url, "://") + strlen("://"), *path = host + strcspn(host, "/?#");
	char *ret;

	if (*path && strcmp(path, "/") != 0)
		return strdup(url);
	return asprintf(&ret, "%.*s%s", (int)(path - url), url, protocol_path) < 0 ? NULL : ret;
}

static bool takes(const struct push_command *command)
{
	return !command->binaries && http__is_url(command->url);
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
	struct push_server server = {0};
	int code;

	*ret = NULL;
	if (!receiver)
		return error__set(err, -ENOMEM, "out of memory");
	receiver->command = command;
	receiver->protocol = &PROTOCOLS[command->protocol];
	receiver->url = whole_url(command->url, receiver->protocol->path);
	code = receiver->url ? push_command__server(command, &server, err)
			     : error__set(err, -ENOMEM, "out of memory");
	if (!code)
		code = http__new(&receiver->http, receiver->url, server.headers, server.authorities,
			server.timeout_s, err);
	free(server.headers);
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

static const char *kind(const void *ctx)
{
	const struct receiver *receiver = ctx;

	return receiver->protocol->kind;
}

static struct receiver_totals totals(const void *ctx)
{
	const struct receiver *receiver = ctx;

	return (struct receiver_totals){.bytes = receiver->bytes};
}

const struct receiver_ops PROFILES_RECEIVER = {
	.kind = kind,
	.takes = takes,
	.open = profiles_open,
	.send = profiles_send,
	.describe = describe,
	.totals = totals,
	.free = profiles_free,
};
