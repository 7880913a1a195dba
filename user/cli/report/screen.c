// SPDX-License-Identifier: GPL-2.0-only
/* See screen.h. */
#define NCURSES_WIDECHAR 1
#include "user/cli/report/screen.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/view/format/width.h"

#define ESCAPE 27
#define ESCAPE_MS 100 /* wait for the rest of a key's sequence, since ssh may be slow */
#define STEP 16       /* columns to scroll sideways */
/* Like perf: rows with a large share are red, those with a medium share are green. */
#define MUCH 5.0
#define SOME 0.5

enum { PAIR_MUCH = 1, PAIR_SOME, PAIR_BAR, PAIR_SELECTED };

static char note_text[256];
static SCREEN *screen;

int screen__begin(void)
{
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return -ENOTTY;
	set_term(screen);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, true);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	if (has_colors()) {
		start_color();
		use_default_colors();
		init_pair(PAIR_MUCH, COLOR_RED, -1);
		init_pair(PAIR_SOME, COLOR_GREEN, -1);
		init_pair(PAIR_BAR, COLOR_WHITE, COLOR_BLUE);
		init_pair(PAIR_SELECTED, COLOR_BLACK, COLOR_CYAN);
	}
	return 0;
}

void screen__end(void)
{
	if (!screen)
		return;
	endwin();
	delscreen(screen);
	screen = NULL;
}

/* ---- Drawing ---- */

/* Returns the number of lines that fit on the screen. */
static size_t room(const struct screen_page *page)
{
	int used = 2 + (page->header != NULL);

	return LINES > used ? LINES - used : 1;
}

/* Returns the part of @text from @column on. A character that is two columns wide may be cut. */
static const char *scrolled(const char *text, size_t column)
{
	while (column && *text) {
		text++;
		while ((*text & 0xc0) == 0x80)
			text++;
		column--;
	}
	return text;
}

static void draw_line(int y, const char *text, size_t column, attr_t attributes, short pair)
{
	char *shown = strdup(scrolled(text, column));

	if (!shown)
		return;
	width__cut(shown, COLS > 0 ? COLS : 0);
	move(y, 0);
	attr_set(attributes, pair, NULL);
	addstr(shown);
	clrtoeol();
	if (pair == PAIR_BAR || pair == PAIR_SELECTED || attributes & A_REVERSE)
		mvchgat(y, 0, -1, attributes, pair, NULL);
	attr_set(A_NORMAL, 0, NULL);
	free(shown);
}

static short pair_of(double share)
{
	return share >= MUCH ? PAIR_MUCH : share >= SOME ? PAIR_SOME : 0;
}

static void keep_within(struct screen_page *page)
{
	size_t rows = room(page);

	if (page->selected >= page->n)
		page->selected = page->n ? page->n - 1 : 0;
	if (page->top > page->selected)
		page->top = page->selected;
	if (page->selected - page->top >= rows)
		page->top = page->selected - rows + 1;
}

static void draw(struct screen_page *page)
{
	size_t rows = room(page);
	int y = 0;

	keep_within(page);
	erase();
	draw_line(y++, page->title, 0, A_BOLD, PAIR_BAR);
	if (page->header)
		draw_line(y++, page->header, page->column, A_BOLD, 0);
	for (size_t i = page->top; i < page->n && i - page->top < rows; i++) {
		const struct screen_line *line = &page->lines[i];

		if (i != page->selected)
			draw_line(y++, line->text, page->column, A_NORMAL, pair_of(line->share));
		else if (has_colors())
			draw_line(y++, line->text, page->column, A_NORMAL, PAIR_SELECTED);
		else
			draw_line(y++, line->text, page->column, A_REVERSE, 0);
	}
	draw_line(LINES - 1, *note_text ? note_text : page->help, 0, A_NORMAL, PAIR_BAR);
	refresh();
}

/* ---- Keys ---- */

static void move_by(struct screen_page *page, size_t n, bool down)
{
	if (!down)
		page->selected -= page->selected < n ? page->selected : n;
	else if (page->n)
		page->selected += page->n - 1 - page->selected < n ? page->n - 1 - page->selected
								   : n;
}

static void search(struct screen_page *page, bool down)
{
	for (size_t i = 1; i <= page->n; i++) {
		size_t at = (page->selected + (down ? i : page->n - i)) % page->n;

		if (strstr(page->lines[at].text, page->search)) {
			page->selected = at;
			return;
		}
	}
	screen__note("not found");
}

/* Whether screen__key() handles the key: moving and searching. */
static bool is_taken(struct screen_page *page, int key)
{
	if (key == page->search_key) {
		if (screen__ask("Search: ", page->search, sizeof(page->search)) && *page->search)
			search(page, true);
		return true;
	}
	switch (key) {
	case KEY_RESIZE:
		return true;
	case KEY_UP:
	case 'k':
		move_by(page, 1, false);
		return true;
	case KEY_DOWN:
	case 'j':
		move_by(page, 1, true);
		return true;
	case KEY_PPAGE:
		move_by(page, room(page), false);
		return true;
	case KEY_NPAGE:
	case ' ':
		move_by(page, room(page), true);
		return true;
	case KEY_HOME:
	case 'g':
		page->selected = 0;
		return true;
	case KEY_END:
	case 'G':
		move_by(page, page->n, true);
		return true;
	case KEY_RIGHT:
		page->column += STEP;
		return true;
	case KEY_LEFT:
		if (!page->column)
			return false;
		page->column -= STEP;
		return true;
	case 'n':
	case 'N':
		if (*page->search)
			search(page, key == 'n');
		return true;
	default:
		return false;
	}
}

int screen__key(struct screen_page *page)
{
	int key;

	for (;;) {
		draw(page);
		key = getch();
		*note_text = '\0';
		if (key == ERR)
			return SCREEN_CLOSED;
		if (is_taken(page, key))
			continue;
		if (key == '\r' || key == KEY_ENTER)
			return SCREEN_ENTER;
		if (key == KEY_LEFT)
			return SCREEN_BACK;
		return key;
	}
}

bool screen__ask(const char *question, char *ret, size_t size)
{
	char text[128] = "";
	size_t len = 0;
	bool done = false;
	int key = 0;

	curs_set(1);
	while (!done) {
		draw_line(LINES - 1, question, 0, A_NORMAL, PAIR_BAR);
		mvaddstr(LINES - 1, (int)strlen(question), text);
		refresh();
		key = getch();
		done = key == '\r' || key == KEY_ENTER || key == ESCAPE || key == ERR;
		if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && len) {
			do
				len--;
			while (len && (text[len] & 0xc0) == 0x80);
		} else if (key >= ' ' && key < 256 && key != 127 && len + 1 < sizeof(text)) {
			text[len++] = (char)key;
		}
		text[len] = '\0';
	}
	curs_set(0);
	if (key == ESCAPE || key == ERR)
		return false;
	snprintf(ret, size, "%s", text);
	return true;
}

void screen__note(const char *text)
{
	snprintf(note_text, sizeof(note_text), "%s", text);
}

/* ---- Lines ---- */

int screen_page__add(struct screen_page *page, const char *text, double share, size_t item)
{
	if (array__extend(&page->lines, page->n, sizeof(*page->lines)))
		return -ENOMEM;
	page->lines[page->n] = (struct screen_line){strdup(text), share, item};
	return page->lines[page->n++].text ? 0 : -ENOMEM;
}

int screen_page__add_text(struct screen_page *page, const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;
	int err = copy ? 0 : -ENOMEM;

	while (!err && (line = strsep(&rest, "\n")))
		if (rest || *line)
			err = screen_page__add(page, line, -1, 0);
	free(copy);
	return err;
}

void screen_page__clear(struct screen_page *page)
{
	for (size_t i = 0; i < page->n; i++)
		free(page->lines[i].text);
	free(page->lines);
	page->lines = NULL;
	page->n = 0;
}

void screen_page__free(struct screen_page *page)
{
	screen_page__clear(page);
	free(page->title);
	free(page->header);
	free(page->help);
}
