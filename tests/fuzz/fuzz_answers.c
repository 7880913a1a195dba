// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on what servers answer over HTTP, to `push' and to the client of debuginfod: the
 * input's first byte chooses the request, the rest is what the server sends, and then it
 * closes the connection. A thread is the server. Any bytes give a code and a text.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "user/base/buffer.h"
#include "user/push/http.h"
#include "user/store/files/inside.h"
#include "user/symbols/debuginfod.h"
#include "user/view/export/otlp.pb-c.h"

#define CACHE "cache"

static volatile size_t touched;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const uint8_t *answer; /* of the present input */
static size_t answer_size;
static int listen_fd = -1, top_fd = -1;
static char url[64], top[256];

/* Reads a request up to the empty line behind its head. */
static void read_head(int fd)
{
	char head[8192];
	size_t n = 0;
	ssize_t got;

	while (n < sizeof(head) - 1 && (got = recv(fd, head + n, sizeof(head) - 1 - n, 0)) > 0) {
		n += got;
		head[n] = '\0';
		if (strstr(head, "\r\n\r\n"))
			return;
	}
}

static void *serve(void *ctx)
{
	int fd;

	while ((fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		read_head(fd);
		pthread_mutex_lock(&lock);
		if (answer_size)
			send(fd, answer, answer_size, MSG_NOSIGNAL);
		pthread_mutex_unlock(&lock);
		/* What was not read would reset the connection, and with it the answer. */
		shutdown(fd, SHUT_WR);
		fcntl(fd, F_SETFL, O_NONBLOCK);
		for (char rest[4096]; recv(fd, rest, sizeof(rest), 0) > 0;)
			;
		close(fd);
	}
	return ctx;
}

static void remove_top(void)
{
	inside__remove(top_fd, CACHE);
	rmdir(top);
}

/* Whatever address a redirect has, it is this server that is connected to. */
static void start(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	static const char *const PROXIES[] = {
		"http_proxy", "https_proxy", "all_proxy", "ftp_proxy"};
	const char *tmp = getenv("TMPDIR");
	socklen_t size = sizeof(address);
	char cache[264];
	pthread_t thread;

	listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	expect(listen_fd >= 0 && !bind(listen_fd, (void *)&address, size));
	expect(!listen(listen_fd, 16) && !getsockname(listen_fd, (void *)&address, &size));
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", ntohs(address.sin_port));
	for (size_t i = 0; i < sizeof(PROXIES) / sizeof(PROXIES[0]); i++)
		setenv(PROXIES[i], url, 1);
	unsetenv("no_proxy");
	unsetenv("NO_PROXY");
	expect(snprintf(top, sizeof(top), "%s/fuzz-answers.XXXXXX", tmp ? tmp : "/tmp") <
		(int)sizeof(top));
	expect(mkdtemp(top) != NULL);
	top_fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	expect(top_fd >= 0);
	atexit(remove_top);
	snprintf(cache, sizeof(cache), "%s/" CACHE, top);
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	setenv("DEBUGINFOD_TIMEOUT", "1", 1);
	setenv("DEBUGINFOD_RETRY_LIMIT", "1", 1);
	unsetenv("DEBUGINFOD_PROGRESS");
	unsetenv("DEBUGINFOD_VERBOSE");
	/* They stay loaded: a client alone loads and unloads them each time. */
	expect(dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_GLOBAL) != NULL);
	expect(!pthread_create(&thread, NULL, serve, NULL));
}

static void post(struct http *http)
{
	Otlp__ExportProfilesServiceResponse *response;
	unsigned int wait_s;
	struct error err = {0};
	struct buffer got;
	int ret;

	buffer__init(&got, 0);
	ret = http__post(http, "application/x-protobuf", true, "body", 4, &got, &wait_s, &err);
	expect(ret == 0 || ((ret == -EAGAIN || ret == -EBADMSG || ret == -EIO) && *err.text));
	expect(got.size <= 64 << 10 && wait_s < 86400);
	response = otlp__export_profiles_service_response__unpack(NULL, got.size, got.data);
	if (response) {
		if (response->partial_success && response->partial_success->error_message)
			touched += strlen(response->partial_success->error_message);
		otlp__export_profiles_service_response__free_unpacked(response, NULL);
	}
	buffer__free(&got);
}

static void ask_file(struct http *http, const char *method)
{
	int fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
	const struct http_file file = {.method = method, .url = url, .fd = fd, .size = 4};
	unsigned int wait_s;
	struct error err = {0};
	int64_t size;
	int ret = http__file(http, &file, &size, &wait_s, &err);

	expect(ret == 0 || (ret < 0 && *err.text));
	expect(size >= -1 && wait_s < 86400);
	close(fd);
}

static void push(unsigned int request)
{
	static const char *const METHODS[] = {"HEAD", "PUT", "DELETE"};
	struct error err = {0};
	struct http *http;

	expect(!http__new(&http, url, "X-Header: value", NULL, 1, &err));
	if (request < 3)
		ask_file(http, METHODS[request]);
	else
		post(http);
	http__free(http);
}

static void fetch(bool content)
{
	const uint8_t build_id[20] = {1, 2, 3};
	struct debuginfod *client;
	struct error err = {0};
	char *path = NULL;

	expect(!debuginfod__new(&client, NULL, NULL, &err));
	if (!debuginfod__find(client, content, build_id, sizeof(build_id), &path, &err))
		expect(!strncmp(path, top, strlen(top)));
	free(path);
	path = NULL;
	if (content &&
		!debuginfod__find_source(client, build_id, sizeof(build_id), "/a/b.c", &path, &err))
		expect(!strncmp(path, top, strlen(top)));
	free(path);
	debuginfod__free(client);
	/* The next input finds no answer of this one. */
	inside__remove(top_fd, CACHE);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	if (!size)
		return 0;
	if (listen_fd < 0)
		start();
	pthread_mutex_lock(&lock);
	answer = bytes + 1;
	answer_size = size - 1;
	pthread_mutex_unlock(&lock);
	switch (bytes[0] % 8) {
	case 6:
		fetch(true);
		break;
	case 7:
		fetch(false);
		break;
	default:
		push(bytes[0] % 8);
	}
	pthread_mutex_lock(&lock);
	answer_size = 0;
	pthread_mutex_unlock(&lock);
	return 0;
}
