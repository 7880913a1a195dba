// SPDX-License-Identifier: GPL-2.0-only
/*
 * See texts.h. This side starts the child with limits, and reads its answers without trusting the
 * lengths in them.
 */
#include "user/symbols/source/texts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "user/base/text.h"
#include "user/helper/confined.h"
#include "user/symbols/debuginfod.h"
#include "user/symbols/progress.h"
#include "user/symbols/source/read.h"

struct job {
	const struct symbols_options *options;
	const struct symbols_dso *dso;
	const struct source_want *wants;
	size_t n;
};

static void run(void *ctx, int fd)
{
	const struct job *job = ctx;
	FILE *out = fdopen(fd, "w");

	if (out)
		source_read(out, job->options, job->dso, job->wants, job->n);
}

static bool take_file(struct confined *answers, struct source_file *file)
{
	struct source_answer answer;
	struct source_text text;

	if (!confined__take(answers, &answer, sizeof(answer)) || answer.origin >= SOURCE_ORIGINS ||
		answer.lack >= SOURCE_LACKS)
		return false;
	file->origin = answer.origin;
	file->lack = answer.lack;
	for (size_t i = 0; file->origin && i < file->n_lines; i++) {
		struct source_line *line = &file->lines[i];

		if (!confined__take(answers, &text, sizeof(text)))
			return false;
		if (!text.there)
			continue;
		line->cut = text.cut;
		line->text = confined__take_text(answers, text.len, SOURCE_TEXT_MAX);
		if (!line->text)
			return false;
	}
	return true;
}

/* Reads the answers. Returns the number of files with an answer; the files after them have none. */
static size_t take_all(
	struct confined *answers, const struct job *job, struct source_outcome *ret_outcome)
{
	size_t done = 0;
	uint8_t what;

	while (confined__take(answers, &what, 1)) {
		if (what == PROGRESS && progress__take(answers, job->options))
			continue;
		if (what == SOURCE_ONE && done < job->n &&
			take_file(answers, job->wants[done].file)) {
			done++;
			continue;
		}
		if (what == SOURCE_END)
			confined__take(answers, ret_outcome, sizeof(*ret_outcome));
		break;
	}
	return done;
}

static void forget(struct source_file *file)
{
	for (size_t i = 0; i < file->n_lines; i++) {
		free(file->lines[i].text);
		file->lines[i].text = NULL;
	}
	file->origin = SOURCE_NONE;
	file->lack = SOURCE_LACKS_READER;
}

int source_texts__read(const struct symbols_options *options, const struct symbols_dso *dso,
	const struct source_want *wants, size_t n, struct source_outcome *ret_outcome,
	struct error *err)
{
	struct confined *answers = calloc(1, sizeof(*answers));
	struct job job = {options, dso, wants, n};
	struct confined_options child = {
		.what = "reading source files",
		.seconds = SYMBOLS_SECONDS_MAX,
		.memory = SYMBOLS_MEMORY_MAX,
		.silence_ms = SYMBOLS_SILENCE_MS,
		.run = run,
		.ctx = &job,
	};
	size_t done;
	int failed;

	memset(ret_outcome, 0, sizeof(*ret_outcome));
	if (!answers)
		return error__set(err, -ENOMEM, "out of memory");
	debuginfod__confine(&child, options->debuginfod);
	failed = confined__start(answers, &child, err);
	if (!failed) {
		done = take_all(answers, &job, ret_outcome);
		confined__end(answers, done < n);
		/* Files are independent, so the answers before a failure are kept. */
		for (; done < n; done++)
			forget(wants[done].file);
	}
	ret_outcome->said[SYMBOLS_SAID_MAX - 1] = '\0';
	text__sanitize(ret_outcome->said);
	free(answers);
	return failed;
}
