// SPDX-License-Identifier: GPL-2.0-only
/* See control.h, and evlist__ctlfd_process() of perf. */
#include "user/record/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/record/files/output.h"

#define LINE_MAX_SIZE 256 /* a longer line is not a command, and is truncated */

struct control {
	int fd;
	int ack_fd;       /* -1: commands are not answered */
	bool fifo;        /* opened here, and closed here */
	bool stop;        /* the stop command has arrived */
	size_t snapshots; /* requests that have not been answered */
	size_t length;
	char line[LINE_MAX_SIZE];
};

/*
 * Opens for reading and writing, so that opening does not block, and the FIFO does not end when the
 * other side closes it.
 */
static int open_fifo(int *ret, const char *path, struct error *err)
{
	*ret = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (*ret < 0)
		return error__errno(err, -errno, "--control: %s", path);
	if (output__is_planted(path))
		return error__set(err, -EPERM,
			"--control: %s was made by another user, in a directory that everybody can "
			"write to: remove it, or choose another name or directory",
			path);
	return 0;
}

static int take_fd(int *ret, int fd, struct error *err)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return error__errno(err, -errno, "--control: file descriptor %d", fd);
	*ret = fd;
	return 0;
}

int control__new(struct control **ret, const struct control_spec *spec, struct error *err)
{
	struct control *control = calloc(1, sizeof(*control));
	int code;

	if (!control)
		return error__set(err, -ENOMEM, "out of memory");
	control->fd = control->ack_fd = -1;
	control->fifo = spec->fifo;
	if (spec->fifo) {
		code = open_fifo(&control->fd, spec->path, err);
		if (!code && *spec->ack_path)
			code = open_fifo(&control->ack_fd, spec->ack_path, err);
	} else {
		code = take_fd(&control->fd, spec->fd, err);
		if (!code && spec->ack_fd >= 0)
			code = take_fd(&control->ack_fd, spec->ack_fd, err);
	}
	if (code) {
		control__free(control);
		return code;
	}
	*ret = control;
	return 0;
}

void control__free(struct control *control)
{
	if (!control)
		return;
	if (control->fifo && control->fd >= 0)
		close(control->fd);
	if (control->fifo && control->ack_fd >= 0)
		close(control->ack_fd);
	free(control);
}

int control__fd(const struct control *control)
{
	return control->fd;
}

/* If answers are not read, they are dropped: a full pipe must not stop the recorder. */
static void answer(const struct control *control)
{
	static const char ACK[] = "ack\n";
	ssize_t n;

	if (control->ack_fd < 0)
		return;
	do
		n = write(control->ack_fd, ACK, sizeof(ACK) - 1);
	while (n < 0 && errno == EINTR);
}

void control__answer_snapshots(struct control *control)
{
	for (; control->snapshots; control->snapshots--)
		answer(control);
}

/* Executes a command. Returns 1 if it can be answered now, 0, or -errno. */
static int obey(struct control *control, struct evlist *evlist, const struct control_hooks *hooks,
	struct error *err)
{
	int code;

	switch (control_command__parse(control->line)) {
	case CONTROL_ENABLE:
		code = evlist__resume(evlist, err);
		return code ? code : 1;
	case CONTROL_DISABLE:
		evlist__pause(evlist);
		return 1;
	case CONTROL_STOP:
		control->stop = true;
		hooks->stop(hooks->ctx);
		return 1;
	case CONTROL_PING:
		return 1;
	case CONTROL_SNAPSHOT:
		control->snapshots += hooks->snapshot(hooks->ctx);
		return 0;
	case CONTROL_EVLIST:
		hooks->list(hooks->ctx);
		return 1;
	case CONTROL_UNKNOWN:
		break;
	}
	hooks->unknown(hooks->ctx, control->line);
	return 0;
}

int control__handle(struct control *control, struct evlist *evlist,
	const struct control_hooks *hooks, struct error *err)
{
	char byte;
	ssize_t n;

	/*
	 * Read byte by byte, as perf does, so that bytes after the command remain for another
	 * reader.
	 */
	while ((n = read(control->fd, &byte, 1)) == 1 || (n < 0 && errno == EINTR)) {
		int code;

		if (n < 0)
			continue;
		if (byte != '\n' && byte != '\0') {
			if (control->length < sizeof(control->line) - 1)
				control->line[control->length++] = byte;
			continue;
		}
		control->line[control->length] = '\0';
		control->length = 0;
		if (!*control->line)
			continue;
		code = obey(control, evlist, hooks, err);
		if (code < 0)
			return code;
		if (code)
			answer(control);
		if (control->stop)
			return 1;
	}
	if (n == 0)
		return 0;
	if (errno == EAGAIN || errno == EWOULDBLOCK)
		return 1;
	return error__errno(err, -errno, "--control");
}
