// SPDX-License-Identifier: GPL-2.0-only
/* See progress.h. */
#include "user/symbols/progress.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX 4096 /* bytes of the name of the fetched file */

struct message {
	int64_t done;
	int64_t total;
	uint32_t len; /* length of the text that follows */
};

void progress__report(void *out, const char *what, long done, long total)
{
	struct message message = {done, total, strnlen(what, TEXT_MAX)};

	fputc(PROGRESS, out);
	fwrite(&message, sizeof(message), 1, out);
	fwrite(what, 1, message.len, out);
	fflush(out);
}

bool progress__take(struct confined *answers, const struct symbols_options *options)
{
	struct message message;
	char text[TEXT_MAX + 1];

	if (!confined__take(answers, &message, sizeof(message)) || message.len > TEXT_MAX ||
		!confined__take(answers, text, message.len))
		return false;
	text[message.len] = '\0';
	if (options->progress)
		options->progress(options->ctx, text, message.done, message.total);
	return true;
}
