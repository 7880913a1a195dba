// SPDX-License-Identifier: GPL-2.0-only
/* report_view__folded: see report.h. The format is that of FlameGraph's stackcollapse-perf.pl. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/text.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

struct folding {
	const struct report_view *view;
	struct texts lines;
	uint64_t *counts; /* for each number of a line */
	size_t n_counts;
	uint32_t *stack;
	size_t stack_room;
};

/* A semicolon separates frames, so it is replaced in names. */
static void write_part(FILE *out, const char *text)
{
	size_t size = text__escape(NULL, 0, text) + 1;
	char *escaped = malloc(size);

	if (!escaped)
		return;
	text__escape(escaped, size, text);
	for (char *at = escaped; *at; at++)
		fputc(*at == ';' ? ':' : *at, out);
	free(escaped);
}

static void write_frame(FILE *out, const struct report_view *view, uint32_t place)
{
	const struct resolved *resolved = &view->resolved[place];
	const char *name = resolved->name;
	char dso[256];

	fputc(';', out);
	if (name) {
		write_part(out, name);
		for (size_t i = 0; i < resolved->n_inlined; i++) {
			fputc(';', out);
			write_part(out, resolved->inlined[i]);
			fputs(REPORT_INLINED, out);
		}
		return;
	}
	name = report_view__dso(view, place, dso, sizeof(dso));
	if (*name != '[')
		fputc('[', out);
	write_part(out, name);
	if (*name != '[')
		fputc(']', out);
}

/* Stores the frames of @frame in .stack, innermost first. Returns their number, or -ENOMEM. */
static ssize_t take_stack(struct folding *folding, uint32_t frame)
{
	size_t n = samples__frame(folding->view->samples, frame)->depth + 1;

	if (array__reserve(&folding->stack, &folding->stack_room, n, sizeof(*folding->stack)))
		return -ENOMEM;
	n = 0;
	for (; frame != SAMPLES_NONE; frame = samples__frame(folding->view->samples, frame)->parent)
		folding->stack[n++] = samples__frame(folding->view->samples, frame)->place;
	return n;
}

static int count(struct folding *folding, const char *line, uint64_t n)
{
	uint32_t number;

	if (texts__add(&folding->lines, line, &number))
		return -ENOMEM;
	if (array__reach(&folding->counts, &folding->n_counts, number, sizeof(*folding->counts)))
		return -ENOMEM;
	folding->counts[number] += n;
	return 0;
}

static int fold(struct folding *folding, const struct sample_sum *sum)
{
	const struct report_view *view = folding->view;
	char *line = NULL;
	uint32_t frame;
	size_t size;
	ssize_t n;
	FILE *out;
	int err;

	if (!report__counts(view->report, sum, &frame))
		return 0;
	n = take_stack(folding, frame);
	if (n <= 0)
		return n;
	out = open_memstream(&line, &size);
	if (!out)
		return -ENOMEM;
	write_part(out, samples__text(view->samples, sum->comm));
	while (n > 0)
		write_frame(out, view, folding->stack[--n]);
	err = fclose(out) ? -ENOMEM : count(folding, line, sum->n);
	free(line);
	return err;
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct folding *folding = ctx;

	return strcmp(texts__at(&folding->lines, *(const uint32_t *)a),
		texts__at(&folding->lines, *(const uint32_t *)b));
}

static int write_lines(FILE *out, struct folding *folding)
{
	uint32_t *order = calloc(folding->lines.n + 1, sizeof(*order));

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < folding->lines.n; i++)
		order[i] = i;
	qsort_r(order, folding->lines.n, sizeof(*order), compare, folding);
	for (size_t i = 0; i < folding->lines.n && !ferror(out); i++)
		fprintf(out, "%s %" PRIu64 "\n", texts__at(&folding->lines, order[i]),
			folding->counts[order[i]]);
	free(order);
	return 0;
}

int report_view__folded(FILE *out, const struct report_view *view)
{
	struct folding folding = {.view = view};
	size_t n = samples__n(view->samples);
	uint32_t event = 0;
	int err = 0;

	while (event + 1 < report__n_events(view->report) && !report__total_n(view->report, event))
		event++;
	for (size_t i = 0; i < n && !err; i++)
		if (samples__at(view->samples, i)->event == event)
			err = fold(&folding, samples__at(view->samples, i));
	if (!err)
		err = write_lines(out, &folding);
	texts__free(&folding.lines);
	free(folding.counts);
	free(folding.stack);
	return err;
}
