// SPDX-License-Identifier: GPL-2.0-only
/* See browser.h. The keys are those of `perf report --tui', where the browser has the function. */
#include "user/cli/report/browser.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/cli/report/screen.h"

static const char KEYS[] =
	"h help  q quit  Enter call graph  a annotate  / filter  d DSO  t thread  "
	"f find  i about  Tab event";
static const char CODE_KEYS[] = "Esc back  q quit  H hottest  / search  n next";
static const char TEXT_KEYS[] = "Esc back  q quit  / search  n next";

static const char HELP[] =
	"Up, Down, k, j         previous and next line\n"
	"Page Up, Page Down     previous and next screen; also Space\n"
	"Home, End, g, G        first and last line\n"
	"Right, Left            scroll to the side; Left goes back from a page\n"
	"\n"
	"Enter                  unfold or fold the call graph of a row; without one, annotate\n"
	"+                      unfold or fold the call graph of a row\n"
	"E, C                   unfold all, fold all\n"
	"a                      instructions and source lines of the function\n"
	"H                      there: the instruction with the most samples\n"
	"\n"
	"/                      show functions by a part of their names; an empty text shows all\n"
	"d                      show rows of this DSO; again: all\n"
	"t                      show rows of this command; again: all\n"
	"Escape                 undo the last of these\n"
	"f n N                  find a row that contains a text; next and previous one\n"
	"\n"
	"Tab                    next event or group\n"
	"i                      how much has an identity, and what has no name\n"
	"h, ?                   this page\n"
	"q, ^C                  quit\n"
	"\n"
	"The text that `perfstamp report --stdio' writes has the same rows.\n";

struct browser {
	const struct report_browser_request *request;
	const struct report_view *view;
	struct screen_page page;
	uint32_t event;
	char filter[128];
	bool by_dso, by_comm;
	uint32_t dso, comm;
	bool *unfolded; /* by row: its call graph is shown */
	size_t shown;   /* number of rows that are shown */
};

bool report_browser__is_possible(void)
{
	const char *term = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

static const struct report_row *row_at(const struct browser *browser, size_t row)
{
	return report__row(browser->view->report, row);
}

static bool has_key(const struct browser *browser, enum report_key key)
{
	for (size_t i = 0; i < browser->view->options->n_keys; i++)
		if (browser->view->options->keys[i] == key)
			return true;
	return false;
}

/* Like perf, filters by the name of the function: "tree" does not match a DSO "libtree.so". */
static bool matches_filter(
	const struct browser *browser, const char *line, const struct report_row *row)
{
	const char *name = row->inlined ? row->inlined : browser->view->resolved[row->place].name;

	if (!has_key(browser, REPORT_SYM))
		return strstr(line, browser->filter);
	return name && strstr(name, browser->filter);
}

static bool is_hidden(const struct browser *browser, const char *line, const struct report_row *row)
{
	return (browser->by_dso &&
		       report__dso(browser->view->report, row->place) != browser->dso) ||
	       (browser->by_comm && row->comm != browser->comm) ||
	       (*browser->filter && !matches_filter(browser, line, row));
}

static double share_of(const struct browser *browser, const struct report_row *row)
{
	const struct report_view *view = browser->view;
	uint64_t total = report__total_period(view->report, row->event);
	uint64_t part = view->options->children ? row->numbers->children_period
						: row->numbers->period;

	return total ? 100.0 * (double)part / (double)total : 0;
}

static int add_graph(struct browser *browser, size_t row)
{
	char *text = NULL, *rest, *line;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err = 0;

	if (!out)
		return -ENOMEM;
	report_view__graph(out, browser->view, row);
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	rest = text;
	while (!err && (line = strsep(&rest, "\n")))
		if (rest && *rest) /* skip the empty last line */
			err = screen_page__add(&browser->page, line, -1, row);
	free(text);
	return err;
}

/* A report_line_fn. */
static int add_row(void *ctx, const char *line, size_t row)
{
	struct browser *browser = ctx;
	struct screen_page *page = &browser->page;
	bool graph = row != SIZE_MAX && report__graph(browser->view->report, row);
	char mark = !graph ? ' ' : browser->unfolded[row] ? '-' : '+';
	char *text;
	int err;

	if (row != SIZE_MAX && is_hidden(browser, line, row_at(browser, row)))
		return 0;
	if (asprintf(&text, "%c%s", mark, line) < 0)
		return -ENOMEM;
	if (row == SIZE_MAX) {
		free(page->header);
		page->header = text;
		return 0;
	}
	browser->shown++;
	err = screen_page__add(page, text, share_of(browser, row_at(browser, row)), row);
	free(text);
	return !err && graph && browser->unfolded[row] ? add_graph(browser, row) : err;
}

static int set_title(struct browser *browser)
{
	const struct report_view *view = browser->view;
	char file[256], filter[160] = "", dso[128], parts[640] = "";
	size_t row = browser->page.n ? browser->page.lines[0].item : 0, size;
	FILE *out;

	text__escape(file, sizeof(file), browser->request->file);
	if (browser->by_dso && browser->page.n) {
		const char *of = report_view__dso(view, row_at(browser, row)->place, parts, 256);
		char shown[256];

		text__escape(shown, sizeof(shown), of);
		snprintf(dso, sizeof(dso), ", DSO %.100s", shown);
	} else {
		*dso = '\0';
	}
	if (*browser->filter)
		snprintf(filter, sizeof(filter), ", filter \"%s\"", browser->filter);
	snprintf(parts, sizeof(parts), "%s%s%s", dso, browser->by_comm ? ", one command" : "",
		filter);
	free(browser->page.title);
	browser->page.title = NULL;
	out = open_memstream(&browser->page.title, &size);
	if (!out)
		return -ENOMEM;
	fprintf(out, "%s: %" PRIu64 " samples of ", file,
		report_view__samples(view, browser->event));
	report_view__event(out, view, browser->event);
	fprintf(out, ", %zu rows%s", browser->shown, parts);
	return fclose(out) ? -ENOMEM : 0;
}

/* Makes all lines again. The selected row remains selected if it still exists. */
static int build(struct browser *browser)
{
	struct screen_page *page = &browser->page;
	size_t item = page->n ? page->lines[page->selected].item : SIZE_MAX;
	int err;

	browser->shown = 0;
	screen_page__clear(page);
	err = report_view__lines(browser->view, browser->event, add_row, browser);
	for (size_t i = 0; i < page->n; i++)
		if (page->lines[i].item == item) {
			page->selected = i;
			break;
		}
	return err ? err : set_title(browser);
}

/* ---- Pages of text ---- */

/* Selects the line with the most samples. Lines of perf annotate begin with their share. */
static void select_hottest(struct screen_page *page)
{
	double most = 0;

	for (size_t i = 0; i < page->n; i++)
		if (page->lines[i].share > most) {
			most = page->lines[i].share;
			page->selected = i;
		}
}

static void find_shares(struct screen_page *page)
{
	for (size_t i = 0; i < page->n; i++) {
		char *end;
		double share = strtod(page->lines[i].text, &end);

		if (end != page->lines[i].text && !strncmp(end, " : ", 3))
			page->lines[i].share = share;
	}
}

/* Returns true if the user quits. */
static bool show_text(const char *title, const char *text, bool code)
{
	struct screen_page page = {.title = strdup(title),
		.help = strdup(code ? CODE_KEYS : TEXT_KEYS),
		.search_key = '/'};
	int key = SCREEN_CLOSED;

	if (page.title && page.help && !screen_page__add_text(&page, text)) {
		if (code) {
			find_shares(&page);
			select_hottest(&page);
		}
		do {
			key = screen__key(&page);
			if (key == 'H' && code)
				select_hottest(&page);
		} while (key != SCREEN_BACK && key != 'q' && key != SCREEN_CLOSED);
	}
	screen_page__free(&page);
	return key == 'q' || key == SCREEN_CLOSED;
}

static bool annotate(struct browser *browser, const struct report_row *row)
{
	struct annotate_request request = *browser->request->annotate;
	const struct place *place = samples__place(browser->view->samples, row->place);
	char *text = NULL, title[256], name[200];
	struct error err = {0};
	bool quits = false;
	size_t size, n = 0;
	FILE *out;

	request.symbol = browser->view->resolved[row->place].name;
	request.sighting = place->sighting;
	request.one_dso = true;
	if (!request.symbol || place->sighting == SAMPLES_NONE) {
		screen__note("this has no name, and so no instructions to show");
		return false;
	}
	out = open_memstream(&text, &size);
	if (!out)
		return true;
	if (report_annotate__write(out, &request, &n, &err))
		text__escape(title, sizeof(title), err.text);
	fclose(out);
	text__escape(name, sizeof(name), request.symbol);
	if (*err.text) {
		screen__note(title);
	} else if (!n) {
		screen__note("no samples in this function itself");
	} else {
		snprintf(title, sizeof(title), "%s", name);
		quits = show_text(title, text, true);
	}
	free(text);
	return quits;
}

/* ---- Keys ---- */

static void fold_all(struct browser *browser, bool unfold)
{
	size_t n = report__n_rows(browser->view->report);

	for (size_t i = 0; i < n; i++)
		browser->unfolded[i] = unfold;
}

static void next_event(struct browser *browser)
{
	const struct report *report = browser->view->report;
	uint32_t n = report__n_events(report);

	for (uint32_t i = 1; i <= n; i++) {
		uint32_t event = (browser->event + i) % n;

		if (report_view__is_leader(browser->view, event) &&
			report_view__samples(browser->view, event)) {
			browser->event = event;
			return;
		}
	}
}

/* Undoes the last zoom: perf's zoom out. */
static void widen(struct browser *browser)
{
	if (*browser->filter)
		*browser->filter = '\0';
	else if (browser->by_comm)
		browser->by_comm = false;
	else
		browser->by_dso = false;
}

/* Applies a key to its row. Returns false if the user quits. */
static bool act_on_row(struct browser *browser, size_t number, int key)
{
	const struct report_row *row = row_at(browser, number);
	bool graph = report__graph(browser->view->report, number);

	switch (key) {
	case SCREEN_ENTER:
		if (!graph)
			return !annotate(browser, row);
		browser->unfolded[number] = !browser->unfolded[number];
		return true;
	case '+':
		browser->unfolded[number] = graph && !browser->unfolded[number];
		return true;
	case 'a':
		return !annotate(browser, row);
	case 'd':
		browser->by_dso = !browser->by_dso;
		browser->dso = report__dso(browser->view->report, row->place);
		return true;
	case 't':
		browser->by_comm = !browser->by_comm && has_key(browser, REPORT_COMM);
		browser->comm = row->comm;
		return true;
	default:
		return true;
	}
}

/* Returns false if the user quits. */
static bool act(struct browser *browser, int key)
{
	const struct screen_page *page = &browser->page;

	switch (key) {
	case 'q':
	case SCREEN_CLOSED:
		return false;
	case 'h':
	case '?':
		return !show_text("perfstamp report: keys", HELP, false);
	case 'i':
		return !show_text(
			"perfstamp report: about this recording", browser->request->about, false);
	case '/':
		screen__ask(has_key(browser, REPORT_SYM) ? "Show functions whose name contains: "
							 : "Show rows that contain: ",
			browser->filter, sizeof(browser->filter));
		return true;
	case SCREEN_TAB:
		next_event(browser);
		return true;
	case SCREEN_BACK:
		widen(browser);
		return true;
	case 'E':
	case 'C':
		fold_all(browser, key == 'E');
		return true;
	default:
		return !page->n || act_on_row(browser, page->lines[page->selected].item, key);
	}
}

int report_browser__run(const struct report_browser_request *request)
{
	struct browser browser = {.request = request, .view = request->view};
	int err;

	browser.page.help = strdup(KEYS);
	browser.page.search_key = 'f';
	browser.unfolded = calloc(
		report__n_rows(request->view->report) + 1, sizeof(*browser.unfolded));
	if (!browser.page.help || !browser.unfolded) {
		err = -ENOMEM;
		goto cleanup;
	}
	if (!report_view__samples(request->view, 0))
		next_event(&browser);
	err = screen__begin();
	if (err)
		goto cleanup;
	do
		err = build(&browser);
	while (!err && act(&browser, screen__key(&browser.page)));
	screen__end();
cleanup:
	screen_page__free(&browser.page);
	free(browser.unfolded);
	return err;
}
