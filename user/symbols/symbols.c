// SPDX-License-Identifier: GPL-2.0-only
/*
 * See symbols.h. This side starts the child with limits, and reads its answers without trusting the
 * lengths in them.
 */
#include "user/symbols/symbols.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "user/base/text.h"
#include "user/helper/confined.h"
#include "user/symbols/debuginfod.h"
#include "user/symbols/progress.h"
#include "user/symbols/read.h"
#include "user/symbols/request.h"

/* The server that forks children; it ends with this process. NULL: not started. */
static struct fork_server *forks;

static void run(void *ctx, int fd)
{
	struct symbols_request request;
	FILE *out;

	(void)ctx;
	if (symbols_request__read(&request, fd))
		return;
	out = fdopen(fd, "w");
	if (out)
		symbols_read(out, &request.options, &request.dso, request.offsets, request.n);
}

static struct confined_options child_options(bool debuginfod)
{
	struct confined_options child = {
		.what = "reading symbols",
		/* A child that asks servers needs a sandbox that permits more. */
		.server = debuginfod ? NULL : forks,
		.seconds = SYMBOLS_SECONDS_MAX,
		.memory = SYMBOLS_MEMORY_MAX,
		.silence_ms = SYMBOLS_SILENCE_MS,
		.run = run,
	};

	debuginfod__confine(&child, debuginfod);
	return child;
}

void symbols__prepare(void)
{
	const struct confined_options child = child_options(false);

	if (!forks && confined__serve(&forks, "perfstamp-elf", &child))
		forks = NULL;
}

static bool take_inlined(struct confined *answers, size_t n, struct symbol *ret)
{
	struct symbols_one_inlined one;

	if (n > SYMBOLS_INLINED_MAX)
		return false;
	ret->inlined = calloc(n, sizeof(*ret->inlined));
	ret->calls = calloc(n, sizeof(*ret->calls));
	while (ret->inlined && ret->calls && ret->n_inlined < n) {
		struct symbol_call *call = &ret->calls[ret->n_inlined];
		char **name = &ret->inlined[ret->n_inlined];

		if (!confined__take(answers, &one, sizeof(one)))
			return false;
		*name = confined__take_text(answers, one.name_len, SYMBOLS_TEXT_MAX);
		if (!*name)
			return false;
		ret->n_inlined++;
		call->line = one.line;
		if (!one.path_len)
			continue;
		call->path = confined__take_text(answers, one.path_len, SYMBOLS_TEXT_MAX);
		if (!call->path)
			return false;
	}
	return ret->inlined && ret->calls;
}

static bool take_one(struct confined *answers, struct symbol *ret)
{
	struct symbols_one one;

	if (!confined__take(answers, &one, sizeof(one)) || one.origin >= SYMBOL_ORIGINS ||
		one.lack >= SYMBOL_LACKS)
		return false;
	if (one.name_len) {
		ret->name = confined__take_text(answers, one.name_len, SYMBOLS_TEXT_MAX);
		if (!ret->name)
			return false;
	}
	if (one.line_len) {
		ret->srcline = confined__take_text(answers, one.line_len, SYMBOLS_TEXT_MAX);
		if (!ret->srcline)
			return false;
	}
	if (one.source_len) {
		ret->source = one.source;
		ret->source.path = confined__take_text(answers, one.source_len, SYMBOLS_TEXT_MAX);
		if (!ret->source.path)
			return false;
	}
	if (one.n_inlined && !take_inlined(answers, one.n_inlined, ret))
		return false;
	ret->has_address = one.has_address;
	ret->address = one.address;
	ret->origin = one.origin;
	ret->lack = one.lack;
	return true;
}

/* Reads all answers. Returns whether the child sent them completely, for all @n addresses. */
static bool take_all(struct confined *answers, const struct symbols_options *options, size_t n,
	struct symbol *ret, struct symbols_outcome *ret_outcome)
{
	size_t done = 0;
	uint8_t what;

	while (confined__take(answers, &what, 1)) {
		if (what == PROGRESS) {
			if (!progress__take(answers, options))
				return false;
		} else if (what == SYMBOLS_ONE && done < n) {
			if (!take_one(answers, &ret[done++]))
				return false;
		} else {
			return what == SYMBOLS_END && done == n &&
			       confined__take(answers, ret_outcome, sizeof(*ret_outcome)) &&
			       ret_outcome->lack < SYMBOL_LACKS;
		}
	}
	return false;
}

static enum symbol_lack lack_of(const struct confined *answers, int status)
{
	if (answers->timed_out || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		return SYMBOL_LACKS_TIME;
	return SYMBOL_LACKS_READER;
}

/* Starts the child and sends the request. Returns 0 or -errno. */
static int start(struct confined *ret, const struct symbols_options *options,
	const struct buffer *request, struct error *err)
{
	const struct confined_options child = child_options(options->debuginfod);
	int failed = confined__start(ret, &child, err);

	/* If the child has ended, this fails, and so does reading the answers. */
	if (!failed)
		confined__give(ret, request->data, request->size);
	return failed;
}

int symbols__resolve(const struct symbols_options *options, const struct symbols_dso *dso,
	const uint64_t *offsets, size_t n, struct symbol *ret, struct symbols_outcome *ret_outcome,
	struct error *err)
{
	struct confined *answers = malloc(sizeof(*answers));
	struct buffer request;
	int status, failed;
	bool whole;

	memset(ret, 0, n * sizeof(*ret));
	memset(ret_outcome, 0, sizeof(*ret_outcome));
	if (!answers)
		return error__set(err, -ENOMEM, "out of memory");
	buffer__init(&request, 0);
	symbols_request__write(&request, options, dso, offsets, n);
	failed = request.error ? error__set(err, request.error, "out of memory")
			       : start(answers, options, &request, err);
	buffer__free(&request);
	if (failed) {
		free(answers);
		return failed;
	}
	whole = take_all(answers, options, n, ret, ret_outcome);
	status = confined__end(answers, !whole);
	if (!whole) {
		/* All answers are dropped if a file crashed its reader. */
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
		free(symbols[i].source.path);
		for (size_t k = 0; k < symbols[i].n_inlined; k++) {
			free(symbols[i].inlined[k]);
			free(symbols[i].calls[k].path);
		}
		free(symbols[i].inlined);
		free(symbols[i].calls);
	}
}
