// SPDX-License-Identifier: GPL-2.0-only
/* diff_view__text: see diff.h. Writes a table, with the details of each function below it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/view/diff/private.h"
#include "user/view/format/escaped.h"
#include "user/view/format/width.h"

#define NS_PER_S 1000000000ll
#define DSO_WIDTH_MAX 40

struct table {
	const struct diff_view *view;
	struct diff_scale scale;
	int dso_width;
};

/* ---- The heading ---- */

static void write_time(FILE *out, const struct diff_side *side, uint64_t time_ns)
{
	int64_t wall = (int64_t)time_ns + side->wall_ns;
	time_t seconds = wall / NS_PER_S;
	char text[32];
	struct tm tm;

	if (!side->has_wall || !localtime_r(&seconds, &tm)) {
		fprintf(out, "%.3f", (double)time_ns / NS_PER_S);
		return;
	}
	strftime(text, sizeof(text), "%F %T", &tm);
	fputs(text, out);
}

static void write_side(FILE *out, const struct diff_view *view, enum comparison_side number)
{
	static const char *const NAMES[SIDES] = {"before:", "after: "};
	const struct diff_side *side = &view->sides[number];
	const struct side_total *total = &view->comparison->totals[number];

	fprintf(out, "# %s ", NAMES[number]);
	if (*side->build_id)
		fprintf(out, "build %.12s, ", side->build_id);
	if (side->selection) {
		escaped__write(out, side->selection);
		fputs(", ", out);
	}
	fprintf(out, "%" PRIu64 " sample%s of %zu process%s", total->n, total->n == 1 ? "" : "s",
		side->n_processes, side->n_processes == 1 ? "" : "es");
	if (side->first_ns) {
		fputs(", ", out);
		write_time(out, side, side->first_ns);
		fputs(" to ", out);
		write_time(out, side, side->last_ns);
	}
	fputs(", ", out);
	escaped__write(out, side->file);
	if (side->n_files > 1)
		fprintf(out, " and %zu more", side->n_files - 1);
	fputc('\n', out);
}

/* Writes the unit in words, which shows what a number counts. */
static void write_per(FILE *out, const struct diff_view *view)
{
	const struct side_total *totals = view->comparison->totals;

	fputs("# Values are ", out);
	switch (view->per) {
	case PER_PROCESS:
		fputs("shares of all ", out);
		escaped__write(out, view->event);
		fprintf(out, " samples of each side%s.\n",
			view->sides[BEFORE].path
				? ": of the processes that ran the build, in any DSO"
				: "");
		break;
	case PER_DSO:
		fputs("shares of the ", out);
		escaped__write(out, view->event);
		fputs(" samples in the same DSO.\n", out);
		break;
	case PER_SECOND:
		fputs("CPU seconds (", out);
		escaped__write(out, view->event);
		fprintf(out, ") in a second of life: %.1f s before, %.1f s after.\n",
			(double)totals[BEFORE].life_ns / NS_PER_S,
			(double)totals[AFTER].life_ns / NS_PER_S);
		break;
	case PER_EVENT:
		fputs("microseconds of CPU time (", out);
		escaped__write(out, view->event);
		fputs(") for each ", out);
		escaped__write(out, view->per_event);
		fprintf(out, ": %.0f before, %.0f after.\n", totals[BEFORE].per, totals[AFTER].per);
		break;
	}
}

static void write_heading(FILE *out, const struct diff_view *view)
{
	const struct differences *functions = view->kinds[UNIT_FUNCTION];

	if (view->sides[BEFORE].path) {
		fputs("# ", out);
		escaped__write(out, view->sides[BEFORE].path);
		fputc('\n', out);
	}
	write_side(out, view, BEFORE);
	write_side(out, view, AFTER);
	write_per(out, view);
	fprintf(out,
		"# In brackets: the interval that has the change with 95 %% confidence.\n"
		"# * marks more than chance: %zu of %zu functions that have enough samples.\n#\n",
		functions->n_marked, functions->n_tested);
}

/* ---- The table ---- */

static const char *mark_of(const struct difference *difference)
{
	return difference->marked ? "*" : " ";
}

static void write_values(FILE *out, const struct table *table, const struct difference *difference)
{
	const struct diff_scale *scale = &table->scale;
	double change = difference->values[AFTER] - difference->values[BEFORE];
	const char *unit = *scale->unit == '%' ? "%" : "";
	char interval[64];

	for (int side = 0; side < SIDES; side++)
		if (difference->n[side])
			fprintf(out, " %8.*f%s", scale->decimals,
				difference->values[side] * scale->factor, unit);
		else
			fprintf(out, " %8s%s", "-", *unit ? " " : "");
	snprintf(interval, sizeof(interval), "[%+.*f, %+.*f]", scale->decimals,
		difference->change.low * scale->factor, scale->decimals,
		difference->change.high * scale->factor);
	fprintf(out, " %+9.*f  %-20s", scale->decimals, change * scale->factor, interval);
}

static void write_name(FILE *out, const struct table *table, uint32_t text)
{
	const char *name = diff_view__text_at(table->view, text);

	escaped__write(out, name ? name : "[unknown]");
}

static void write_kind(FILE *out, const struct table *table, const struct difference *difference)
{
	const struct differences *functions = table->view->kinds[UNIT_FUNCTION];
	const struct unit *units = table->view->comparison->units;
	const struct unit *unit = &units[difference->unit];

	switch (difference->kind) {
	case DIFFERENCE_NEW:
	case DIFFERENCE_GONE:
		fprintf(out, " (%s", difference->kind == DIFFERENCE_NEW ? "new" : "gone");
		if (difference->renamed != COMPARISON_NONE) {
			fputs(difference->kind == DIFFERENCE_NEW ? "; was it " : "; is it now ",
				out);
			write_name(out, table, units[functions->v[difference->renamed].unit].b);
			fputc('?', out);
		}
		fputc(')', out);
		break;
	case DIFFERENCE_INLINED:
		fputs(" (now inlined into ", out);
		write_name(out, table, unit->into[AFTER]);
		fputc(')', out);
		break;
	case DIFFERENCE_OUTLINED:
		fputs(" (no longer inlined into ", out);
		write_name(out, table, unit->into[BEFORE]);
		fputc(')', out);
		break;
	case DIFFERENCE_MOVED:
		fputs(" (moved from ", out);
		write_name(out, table, unit->moved_from);
		fputc(')', out);
		break;
	case DIFFERENCE_NONE:
	case DIFFERENCE_KINDS:
		break;
	}
}

static void write_dso(FILE *out, const struct table *table, const char *dso)
{
	int width = dso ? (int)width__of(dso) : 0;

	fputs("  ", out);
	if (dso)
		escaped__write(out, dso);
	fprintf(out, "%*s", width < table->dso_width ? table->dso_width - width : 0, "");
}

static void write_function(
	FILE *out, const struct table *table, const struct difference *difference)
{
	const struct unit *unit = &table->view->comparison->units[difference->unit];
	const char *file = diff_view__text_at(table->view, unit->c);

	fprintf(out, "%s", mark_of(difference));
	write_values(out, table, difference);
	write_dso(out, table, diff_view__dso(table->view, unit, AFTER));
	fputs("  ", out);
	write_name(out, table, unit->b);
	if (file) {
		fputs("  ", out);
		escaped__write(out, file);
	}
	write_kind(out, table, difference);
	fputc('\n', out);
}

/* Writes the details of a function: its lines, or its callers. */
static void write_parts(
	FILE *out, const struct table *table, uint32_t function, enum unit_kind kind)
{
	const struct differences *parts = table->view->kinds[kind];
	const struct unit *units = table->view->comparison->units;

	for (size_t i = 0; parts && i < parts->n; i++) {
		const struct difference *part = &parts->v[i];
		const struct unit *unit = &units[part->unit];

		if (unit->a != function || !diff_view__is_shown(table->view, part))
			continue;
		fprintf(out, "%s", mark_of(part));
		write_values(out, table, part);
		write_dso(out, table, "");
		if (kind == UNIT_CALL) {
			fputs("    from ", out);
			write_name(out, table, units[unit->b].b);
		} else if (kind == UNIT_LINE) {
			fputs("    ", out);
			write_name(out, table, unit->b);
		} else {
			fputs("    with what it calls", out);
		}
		fputc('\n', out);
	}
}

static void find_widths(struct table *table)
{
	const struct differences *functions = table->view->kinds[UNIT_FUNCTION];

	table->dso_width = (int)strlen("Shared Object");
	for (size_t i = 0; i < functions->n; i++) {
		const struct unit *unit = &table->view->comparison->units[functions->v[i].unit];
		const char *dso = diff_view__dso(table->view, unit, AFTER);
		int width = dso ? (int)width__of(dso) : 0;

		if (diff_view__is_shown(table->view, &functions->v[i]) &&
			width > table->dso_width && width <= DSO_WIDTH_MAX)
			table->dso_width = width;
	}
}

/* Writes the functions that are marked only because of their callees. */
static void write_called(FILE *out, const struct table *table)
{
	const struct differences *called = table->view->kinds[UNIT_CALLED];
	const struct unit *units = table->view->comparison->units;

	if (!called || !called->n)
		return;
	fprintf(out,
		"#\n# With what they call: %zu of %zu functions changed by more than chance.\n#\n",
		called->n_marked, called->n_tested);
	for (size_t i = 0; i < called->n && !ferror(out); i++) {
		const struct difference *difference = &called->v[i];
		const struct unit *unit = diff_view__function(
			table->view, &units[difference->unit]);

		if (!diff_view__is_shown(table->view, difference))
			continue;
		fprintf(out, "%s", mark_of(difference));
		write_values(out, table, difference);
		write_dso(out, table, diff_view__dso(table->view, unit, AFTER));
		fputs("  ", out);
		write_name(out, table, unit->b);
		fputc('\n', out);
		write_parts(out, table, units[difference->unit].a, UNIT_CALL);
	}
}

int diff_view__text(FILE *out, const struct diff_view *view)
{
	const struct differences *functions = view->kinds[UNIT_FUNCTION];
	struct table table = {.view = view, .scale = diff_view__scale(view->per)};
	const char *gap = *table.scale.unit == '%' ? " " : "";

	find_widths(&table);
	write_heading(out, view);
	fprintf(out, "# %8s%s %8s%s %9s  %-20s  %-*s  %s\n#\n", "Before", gap, "After", gap,
		"Change", "95 % interval", table.dso_width, "Shared Object", "Symbol");
	for (size_t i = 0; i < functions->n && !ferror(out); i++) {
		if (!diff_view__is_shown(view, &functions->v[i]))
			continue;
		write_function(out, &table, &functions->v[i]);
		write_parts(out, &table, functions->v[i].unit, UNIT_LINE);
	}
	write_called(out, &table);
	return 0;
}
