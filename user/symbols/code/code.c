// SPDX-License-Identifier: GPL-2.0-only
/*
 * See code.h. This side starts the child with limits, and reads its answers without trusting the
 * lengths in them.
 */
#include "user/symbols/code/code.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/helper/confined.h"
#include "user/symbols/code/read.h"
#include "user/symbols/debuginfod.h"
#include "user/symbols/progress.h"

struct job {
	const struct symbols_options *options;
	const struct symbols_dso *dso;
	uint64_t offset;
	bool intel;
};

static void run(void *ctx, int fd)
{
	const struct job *job = ctx;
	FILE *out = fdopen(fd, "w");

	if (out)
		code_read(out, job->options, job->dso, job->offset, job->intel);
}

static bool take_one(struct confined *answers, struct code *code)
{
	struct instruction *at;
	struct code_one one;

	if (code->n >= CODE_SIZE_MAX || !confined__take(answers, &one, sizeof(one)) || !one.size)
		return false;
	if (code->n && one.offset < code->v[code->n - 1].offset + code->v[code->n - 1].size)
		return false;
	if (array__extend(&code->v, code->n, sizeof(*code->v)))
		return false;
	at = &code->v[code->n];
	*at = (struct instruction){.offset = one.offset, .address = one.address, .size = one.size};
	at->text = confined__take_text(answers, one.text_len, CODE_TEXT_MAX);
	if (!at->text)
		return false;
	code->n++;
	if (!one.path_len)
		return true;
	at->source = one.source;
	at->source.path = confined__take_text(answers, one.path_len, PATH_MAX);
	return at->source.path;
}

/* Reads all answers. Returns whether the child sent them completely. */
static bool take_all(
	struct confined *answers, const struct symbols_options *options, struct code *ret)
{
	struct code_outcome outcome;
	uint8_t what;

	while (confined__take(answers, &what, 1)) {
		if (what == PROGRESS && progress__take(answers, options))
			continue;
		if (what == CODE_ONE && take_one(answers, ret))
			continue;
		if (what != CODE_END || !confined__take(answers, &outcome, sizeof(outcome)) ||
			outcome.lack >= CODE_LACKS)
			return false;
		outcome.file[sizeof(outcome.file) - 1] = '\0';
		ret->lack = outcome.lack;
		ret->offset = outcome.offset;
		ret->size = outcome.size;
		ret->file = *outcome.file ? strdup(outcome.file) : NULL;
		return true;
	}
	return false;
}

int code__read(struct code *ret, const struct symbols_options *options,
	const struct symbols_dso *dso, uint64_t offset, bool intel, struct error *err)
{
	struct confined *answers = calloc(1, sizeof(*answers));
	struct job job = {options, dso, offset, intel};
	struct confined_options child = {
		.what = "reading code",
		.seconds = SYMBOLS_SECONDS_MAX,
		.memory = SYMBOLS_MEMORY_MAX,
		.silence_ms = SYMBOLS_SILENCE_MS,
		.run = run,
		.ctx = &job,
	};
	int failed;
	bool whole;

	*ret = (struct code){0};
	if (!answers)
		return error__set(err, -ENOMEM, "out of memory");
	code_read__load();
	debuginfod__confine(&child, options->debuginfod);
	failed = confined__start(answers, &child, err);
	if (!failed) {
		whole = take_all(answers, options, ret);
		confined__end(answers, !whole);
		if (!whole) { /* the answers are dropped if the file crashed its reader */
			code__free(ret);
			ret->lack = CODE_LACKS_READER;
		}
	}
	free(answers);
	return failed;
}
