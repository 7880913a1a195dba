// SPDX-License-Identifier: GPL-2.0-only
/* See progress_bar.h. */
#include "user/cli/progress_bar.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/view/format/width.h"

#define NS_PER_S 1000000000ull
#define SHOWN_AFTER NS_PER_S       /* shorter work shows no progress */
#define SHOWN_EVERY (NS_PER_S / 5) /* interval of updates */
#define CLOCK_EVERY 256            /* calls between two readings of the clock, which take time */
#define DETAIL_MAX 256
#define COLUMNS 80 /* default width if the terminal does not report it */
#define BAR_MIN 8  /* a narrower bar is useless */
#define BAR_MAX 40

struct work {
	const char *what;
	char detail[DETAIL_MAX];
	enum progress_unit unit;
	uint64_t begin_ns;
};

static struct work work, download;
static unsigned int depth;
static unsigned int calls;
static uint64_t shown_ns;
static bool visible;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void write_amount(char *text, size_t size, enum progress_unit unit, uint64_t n)
{
	static const char *const UNITS[] = {"kB", "MB", "GB", "TB"};
	double amount = n / 1e3;
	size_t i = 0;

	if (unit == PROGRESS_ITEMS) {
		snprintf(text, size, "%" PRIu64, n);
		return;
	}
	for (; amount >= 1000 && i + 1 < sizeof(UNITS) / sizeof(UNITS[0]); i++)
		amount /= 1e3;
	snprintf(text, size, "%.1f %s", amount, UNITS[i]);
}

/* Writes "1.2 GB of 3.4 GB, 12 s left", estimated by the speed so far. */
static void write_figures(
	char *text, size_t size, const struct work *of, uint64_t done, uint64_t total)
{
	uint64_t took_ns = now_ns() - of->begin_ns;
	char part[32], whole[32];
	double left;
	int len;

	write_amount(part, sizeof(part), of->unit, done);
	if (!total) {
		snprintf(text, size, "%s", part);
		return;
	}
	write_amount(whole, sizeof(whole), of->unit, total);
	len = snprintf(text, size, "%3d%%  %s of %s", (int)(100.0 * done / total), part, whole);
	left = done ? took_ns / 1e9 / done * (total - done) : 0;
	if (left >= 60 && len > 0)
		snprintf(text + len, size - len, ", %.0f min left", left / 60);
	else if (left >= 1 && len > 0)
		snprintf(text + len, size - len, ", %.0f s left", left);
}

static int columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? COLUMNS : size.ws_col;
}

static void show(const struct work *of, uint64_t done, uint64_t total)
{
	static const char FULL[] = "========================================";
	char figures[128], title[DETAIL_MAX + 32];
	int width, room, bar, filled;

	if (done > total && total)
		done = total;
	write_figures(figures, sizeof(figures), of, done, total);
	/* Do not write to the last column, where terminals begin a new line. */
	width = columns() - 1;
	room = width - (int)strlen(figures) - 1;
	bar = room / 2 - 3;
	bar = bar > BAR_MAX ? BAR_MAX : bar;
	if (!total || bar < BAR_MIN)
		bar = 0;
	room -= bar ? bar + 3 : 0;
	if (room < 0)
		room = 0;
	snprintf(title, sizeof(title), "%s%s%s", of->what, *of->detail ? " " : "", of->detail);
	width__cut(title, room);
	fprintf(stderr, "\r\033[K%s", title);
	if (bar) {
		filled = (int)((double)bar * done / total);
		fprintf(stderr, " [%.*s%*s]", filled, FULL, bar - filled, "");
	}
	fprintf(stderr, " %.*s", width, figures);
	fflush(stderr);
	visible = true;
}

/* A dumb terminal cannot overwrite a line. */
static bool is_shown_at_all(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && (!term || strcmp(term, "dumb") != 0);
}

static bool is_due(const struct work *of)
{
	uint64_t now = now_ns();

	if (now - of->begin_ns < SHOWN_AFTER || now - shown_ns < SHOWN_EVERY || !is_shown_at_all())
		return false;
	shown_ns = now;
	return true;
}

static void begin(struct work *of, enum progress_unit unit, const char *what, const char *detail)
{
	*of = (struct work){.what = what, .unit = unit, .begin_ns = now_ns()};
	text__escape(of->detail, sizeof(of->detail), detail ? detail : "");
}

void progress_bar__begin(enum progress_unit unit, const char *what, const char *detail)
{
	if (!depth++)
		begin(&work, unit, what, detail);
}

void progress_bar__detail(const char *detail)
{
	if (depth == 1)
		text__escape(work.detail, sizeof(work.detail), detail);
}

void progress_bar__set(uint64_t done, uint64_t total)
{
	/* The number of items is small, and each may take long. */
	if (depth != 1 || (work.unit == PROGRESS_BYTES && calls++ % CLOCK_EVERY))
		return;
	if (is_due(&work))
		show(&work, done, total);
}

void progress_bar__download(const char *url, uint64_t done, uint64_t total)
{
	char text[DETAIL_MAX];

	text__escape(text, sizeof(text), url);
	if (strcmp(text, download.detail) != 0)
		begin(&download, PROGRESS_BYTES, "downloading", url);
	if (is_due(&download))
		show(&download, done, total);
}

void progress_bar__hide(void)
{
	if (visible)
		fputs("\r\033[K", stderr);
	visible = false;
}

void progress_bar__end(void)
{
	if (depth)
		depth--;
	progress_bar__hide();
}
