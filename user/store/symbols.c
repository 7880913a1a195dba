// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbols: see symbols.h. This side makes the child, bounds it, and takes its
 * answers, which it believes no length of.
 */
#include "user/store/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/store/symbols_read.h"

/* A disk or a server may be slow where the child itself is not. */
#define SILENCE_FACTOR 10

struct answers {
	int fd;
	int silence_ms;
	uint8_t bytes[65536];
	size_t at;
	size_t size;
	bool timed_out;
};

/* Soft, so that the signal tells which it was, and a little later hard. */
static void limit(int what, uint64_t value)
{
	setrlimit(what, &(struct rlimit){value, value ? value + 2 : 0});
}

static void bound(const struct symbols_options *options)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, options->seconds);
	limit(RLIMIT_DATA, options->memory);
	signal(SIGPIPE, SIG_DFL); /* who closed the pipe does not want the rest */
}

static pid_t start(const struct symbols_options *options, const struct symbols_dso *dso,
	const uint64_t *offsets, size_t n, int *ret_fd, struct error *err)
{
	int pipes[2];
	FILE *out;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return error__errno(err, -errno, "a pipe for reading symbols");
	pid = fork();
	if (pid < 0) {
		error__errno(err, -errno, "a process for reading symbols");
		close(pipes[0]);
		close(pipes[1]);
		return -EAGAIN;
	}
	if (!pid) {
		close(pipes[0]);
		bound(options);
		out = fdopen(pipes[1], "w");
		if (out)
			symbols_read(out, options, dso, offsets, n);
		_exit(0);
	}
	close(pipes[1]);
	*ret_fd = pipes[0];
	return pid;
}

/* Reads @size bytes to @dst. False at the end, and after a silence that is too long. */
static bool take(struct answers *answers, void *dst, size_t size)
{
	uint8_t *to = dst;

	while (size) {
		struct pollfd poll_fd = {.fd = answers->fd, .events = POLLIN};
		size_t n = answers->size - answers->at;
		ssize_t got;
		int ready;

		if (n) {
			n = n < size ? n : size;
			memcpy(to, answers->bytes + answers->at, n);
			answers->at += n;
			to += n;
			size -= n;
			continue;
		}
		ready = poll(&poll_fd, 1, answers->silence_ms);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0) {
			answers->timed_out = true;
			return false;
		}
		got = read(answers->fd, answers->bytes, sizeof(answers->bytes));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		answers->at = 0;
		answers->size = got;
	}
	return true;
}

static char *take_text(struct answers *answers, size_t len)
{
	char *text = len <= SYMBOLS_TEXT_MAX ? malloc(len + 1) : NULL;

	if (!text || !take(answers, text, len)) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	return text;
}

static bool take_inlined(struct answers *answers, size_t n, struct symbol *ret)
{
	uint16_t len;

	if (n > SYMBOLS_INLINED_MAX)
		return false;
	ret->inlined = calloc(n, sizeof(char *));
	while (ret->inlined && ret->n_inlined < n) {
		if (!take(answers, &len, sizeof(len)))
			return false;
		ret->inlined[ret->n_inlined] = take_text(answers, len);
		if (!ret->inlined[ret->n_inlined])
			return false;
		ret->n_inlined++;
	}
	return ret->inlined;
}

static bool take_one(struct answers *answers, struct symbol *ret)
{
	struct symbols_one one;

	if (!take(answers, &one, sizeof(one)) || one.origin >= SYMBOL_ORIGINS ||
		one.lack >= SYMBOL_LACKS)
		return false;
	if (one.name_len) {
		ret->name = take_text(answers, one.name_len);
		if (!ret->name)
			return false;
	}
	if (one.line_len) {
		ret->srcline = take_text(answers, one.line_len);
		if (!ret->srcline)
			return false;
	}
	if (one.n_inlined && !take_inlined(answers, one.n_inlined, ret))
		return false;
	ret->origin = one.origin;
	ret->lack = one.lack;
	return true;
}

static bool take_progress(struct answers *answers, const struct symbols_options *options)
{
	struct symbols_progress progress;
	char *what;

	if (!take(answers, &progress, sizeof(progress)))
		return false;
	what = take_text(answers, progress.len);
	if (what && options->progress)
		options->progress(options->ctx, what, progress.done, progress.total);
	free(what);
	return what;
}

/* Whether it came to its end, with all @n addresses answered. */
static bool take_all(struct answers *answers, const struct symbols_options *options, size_t n,
	struct symbol *ret, struct symbols_outcome *ret_outcome)
{
	size_t done = 0;
	uint8_t what;

	while (take(answers, &what, 1)) {
		if (what == SYMBOLS_PROGRESS) {
			if (!take_progress(answers, options))
				return false;
		} else if (what == SYMBOLS_ONE && done < n) {
			if (!take_one(answers, &ret[done++]))
				return false;
		} else {
			return what == SYMBOLS_END && done == n &&
			       take(answers, ret_outcome, sizeof(*ret_outcome)) &&
			       ret_outcome->lack < SYMBOL_LACKS;
		}
	}
	return false;
}

static enum symbol_lack lack_of(const struct answers *answers, int status)
{
	if (answers->timed_out || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		return SYMBOL_LACKS_TIME;
	return SYMBOL_LACKS_READER;
}

int symbols__resolve(const struct symbols_options *options, const struct symbols_dso *dso,
	const uint64_t *offsets, size_t n, struct symbol *ret, struct symbols_outcome *ret_outcome,
	struct error *err)
{
	struct answers *answers = calloc(1, sizeof(*answers));
	int status = 0;
	bool whole;
	pid_t pid;

	memset(ret, 0, n * sizeof(*ret));
	memset(ret_outcome, 0, sizeof(*ret_outcome));
	if (!answers)
		return error__set(err, -ENOMEM, "not enough memory");
	answers->silence_ms = options->seconds * SILENCE_FACTOR * 1000;
	pid = start(options, dso, offsets, n, &answers->fd, err);
	if (pid < 0) {
		free(answers);
		return pid;
	}
	whole = take_all(answers, options, n, ret, ret_outcome);
	close(answers->fd);
	if (!whole)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!whole) {
		/* A file that ended its reader is believed nothing. */
		symbols__free(ret, n);
		memset(ret, 0, n * sizeof(*ret));
		memset(ret_outcome, 0, sizeof(*ret_outcome));
		ret_outcome->lack = lack_of(answers, status);
		for (size_t i = 0; i < n; i++)
			ret[i].lack = ret_outcome->lack;
	}
	ret_outcome->file[sizeof(ret_outcome->file) - 1] = '\0';
	ret_outcome->said[sizeof(ret_outcome->said) - 1] = '\0';
	text__sanitize(ret_outcome->said);
	free(answers);
	return 0;
}

void symbols__free(struct symbol *symbols, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(symbols[i].name);
		free(symbols[i].srcline);
		for (size_t k = 0; k < symbols[i].n_inlined; k++)
			free(symbols[i].inlined[k]);
		free(symbols[i].inlined);
	}
}
