// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on what clients send to a running recorder: commands of --control, and requests
 * to the metrics socket. The input's first byte chooses one and how long its pieces are; the
 * rest is sent in these pieces. Any bytes give acknowledgements or one answer.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "user/io/whole.h"
#include "user/record/control.h"
#include "user/record/files/output.h"
#include "user/source/machine/metrics_listener.h"

#define LINE_MAX_SIZE 256
#define SENT_MAX 16384 /* bytes: what a socket's buffer takes */

static volatile size_t touched;
static struct sockaddr_un address = {.sun_family = AF_UNIX};

/* There are no events here: of these, control.c needs no more than that they return. */
int evlist__resume(struct evlist *evlist, struct error *err)
{
	(void)evlist, (void)err;
	return 0;
}

void evlist__pause(struct evlist *evlist)
{
	(void)evlist;
}

bool output__is_planted(const char *name)
{
	return !name;
}

struct asked {
	unsigned int stops, snapshots, lists, unknown;
};

static void stop(void *ctx)
{
	((struct asked *)ctx)->stops++;
}

static bool snapshot(void *ctx)
{
	return ++((struct asked *)ctx)->snapshots % 2;
}

static void list(void *ctx)
{
	((struct asked *)ctx)->lists++;
}

static void unknown(void *ctx, const char *line)
{
	expect(*line && strlen(line) < LINE_MAX_SIZE && !strchr(line, '\n'));
	((struct asked *)ctx)->unknown++;
}

static void control(const uint8_t *bytes, size_t size, size_t piece)
{
	struct control_spec spec = {.ack_fd = -1};
	struct asked asked = {0};
	const struct control_hooks hooks = {stop, snapshot, list, unknown, &asked};
	struct control *control;
	struct error err = {0};
	int commands[2];

	expect(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, commands));
	spec.fd = commands[1];
	spec.ack_fd = commands[1];
	expect(!control__new(&control, &spec, &err));
	for (size_t at = 0; at < size && !asked.stops; at += piece) {
		size_t n = size - at < piece ? size - at : piece;

		expect(!whole__write(commands[0], bytes + at, n));
		expect(control__handle(control, NULL, &hooks, &err) == 1);
		control__answer_snapshots(control);
	}
	expect(asked.stops <= 1);
	close(commands[0]);
	control__free(control);
	close(commands[1]);
}

static void write_metrics(void *ctx, FILE *out)
{
	(void)ctx;
	fputs("perfstamp_up 1\n", out);
}

static void remove_socket(void)
{
	unlink(address.sun_path);
}

static struct metrics_listener *listen_once(void)
{
	static struct metrics_listener *listener;
	const char *tmp = getenv("TMPDIR");
	struct error err = {0};

	if (listener)
		return listener;
	expect(snprintf(address.sun_path, sizeof(address.sun_path), "%s/fuzz-commands.%d",
		       tmp ? tmp : "/tmp", getpid()) < (int)sizeof(address.sun_path));
	expect(!metrics_listener__new(&listener, address.sun_path, write_metrics, NULL, &err));
	atexit(remove_socket);
	return listener;
}

static void metrics(const uint8_t *bytes, size_t size, size_t piece)
{
	struct metrics_listener *listener = listen_once();
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char answer[512];
	ssize_t n;

	expect(fd >= 0 && !connect(fd, (void *)&address, sizeof(address)));
	metrics_listener__handle(listener);
	for (size_t at = 0; at < size; at += piece) {
		if (send(fd, bytes + at, size - at < piece ? size - at : piece, MSG_NOSIGNAL) < 0)
			break;
		metrics_listener__handle(listener);
	}
	shutdown(fd, SHUT_WR);
	metrics_listener__handle(listener);
	n = recv(fd, answer, sizeof(answer) - 1, 0);
	if (n > 0) {
		answer[n] = '\0';
		expect(!strncmp(answer, "HTTP/1.0 ", strlen("HTTP/1.0 ")));
		touched += n;
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	size_t piece;

	if (!size || size > SENT_MAX)
		return 0;
	piece = 1 + bytes[0] / 2;
	if (bytes[0] & 1)
		metrics(bytes + 1, size - 1, piece);
	else
		control(bytes + 1, size - 1, piece);
	return 0;
}
