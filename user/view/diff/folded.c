// SPDX-License-Identifier: GPL-2.0-only
/* diff_view__folded: see diff.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/text.h"
#include "user/view/diff/private.h"

/* Limit of a name in bytes, because all lines are in memory at once, and names are untrusted. */
#define PART_MAX 1024

struct line {
	char *text;
	double n[SIDES];
};

/* A semicolon separates frames, so it is replaced in names. */
static void write_part(FILE *out, const char *text)
{
	char escaped[PART_MAX];

	text__escape(escaped, sizeof(escaped), text);
	for (char *at = escaped; *at; at++)
		fputc(*at == ';' ? ':' : *at, out);
}

static void write_frame(FILE *out, const struct diff_view *view, const struct unit *chain)
{
	const struct unit *function;
	const char *dso;

	/* The root of a chain is the thread's name. */
	if (chain->b == COMPARISON_NONE) {
		write_part(out, comparison__at(view->comparison, chain->c));
		return;
	}
	fputc(';', out);
	function = &view->comparison->units[chain->b];
	dso = function->nameless ? diff_view__text_at(view, function->a) : NULL;
	if (dso && *dso != '[')
		fputc('[', out);
	write_part(out, dso ? dso : comparison__at(view->comparison, function->b));
	if (dso && *dso != '[')
		fputc(']', out);
}

/* The recursion is as deep as a chain, which the kernel limits. */
static int write_chain(FILE *out, const struct diff_view *view, uint32_t number)
{
	const struct unit *units = view->comparison->units;
	uint32_t *stack = NULL;
	size_t n = 0;

	for (; number != COMPARISON_NONE; number = units[number].a) {
		if (array__extend(&stack, n, sizeof(*stack))) {
			free(stack);
			return -ENOMEM;
		}
		stack[n++] = number;
	}
	while (n > 0)
		write_frame(out, view, &units[stack[--n]]);
	free(stack);
	return 0;
}

static int make_line(struct line *ret, const struct diff_view *view, uint32_t number)
{
	const struct unit *unit = &view->comparison->units[number];
	size_t size;
	FILE *out = open_memstream(&ret->text, &size);
	int err;

	if (!out)
		return -ENOMEM;
	err = write_chain(out, view, number);
	if (fclose(out))
		err = -ENOMEM;
	ret->n[BEFORE] = (double)unit->sides[BEFORE].n;
	ret->n[AFTER] = (double)unit->sides[AFTER].n;
	return err;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

/* Functions with one name in two DSOs or files have the same text, so their lines are merged. */
static void write_lines(FILE *out, const struct line *lines, size_t n, double scale)
{
	double before = 0, after = 0;

	for (size_t i = 0; i < n && !ferror(out); i++) {
		before += lines[i].n[BEFORE];
		after += lines[i].n[AFTER];
		if (i + 1 < n && !strcmp(lines[i].text, lines[i + 1].text))
			continue;
		fprintf(out, "%s %.0f %.0f\n", lines[i].text, before * scale, after);
		before = after = 0;
	}
}

int diff_view__folded(FILE *out, const struct diff_view *view)
{
	const struct comparison *comparison = view->comparison;
	const struct side_total *totals = comparison->totals;
	struct line *lines = calloc(comparison->n + 1, sizeof(*lines));
	size_t n = 0;
	int err = lines ? 0 : -ENOMEM;

	for (size_t i = 0; i < comparison->n && !err; i++) {
		const struct unit *unit = &comparison->units[i];

		if (unit->kind == UNIT_CHAIN && (unit->sides[BEFORE].n || unit->sides[AFTER].n))
			err = make_line(&lines[n++], view, i);
	}
	if (!err) {
		qsort(lines, n, sizeof(*lines), compare);
		write_lines(out, lines, n,
			totals[BEFORE].n ? (double)totals[AFTER].n / (double)totals[BEFORE].n : 1);
	}
	for (size_t i = 0; i < n; i++)
		free(lines[i].text);
	free(lines);
	return err;
}
