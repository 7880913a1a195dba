/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A terminal that shows lines, one of them selected: moving, scrolling, searching,
 * resizing, with ncurses. Lines are UTF-8 without control characters, as the views write
 * them. Does not know what is shown.
 */
#ifndef PERFSTAMP_CLI_REPORT_SCREEN_H
#define PERFSTAMP_CLI_REPORT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct screen_line {
	char *text;
	double share; /* percent, which chooses the color; below 0: none */
	size_t item;  /* the caller's */
};

/* What is shown: the caller's, who may change it between calls. */
struct screen_page {
	char *title;  /* the first line */
	char *header; /* below it, and does not scroll; or NULL */
	char *help;   /* the last line */
	struct screen_line *lines;
	size_t n;
	size_t selected, top; /* kept within the lines by screen__key */
	size_t column;        /* how many columns are scrolled out at the left */
	int search_key;       /* asks what to search for; n and N search on */
	char search[128];     /* what was searched for last */
};

enum screen_key {
	SCREEN_CLOSED = -1, /* the terminal was closed */
	SCREEN_ENTER = '\n',
	SCREEN_BACK = 27, /* Escape, or Left at the first column */
	SCREEN_TAB = '\t',
};

/* Returns 0, or -ENOTTY if the terminal cannot do it (its TERM is not known). */
int screen__begin(void);
void screen__end(void);
/*
 * Shows @page until a key is pressed that is not one of moving and searching, and returns that
 * key: enum screen_key or a character.
 */
int screen__key(struct screen_page *page);
/* Asks for a text in the last line. False: Escape. */
bool screen__ask(const char *question, char *ret, size_t size);
/* Shows a text in the last line until the next key. */
void screen__note(const char *text);

/* Takes a copy of the text. Returns 0 or -ENOMEM. */
int screen_page__add(struct screen_page *page, const char *text, double share, size_t item);
/* Each line of @text. */
int screen_page__add_text(struct screen_page *page, const char *text);
/* The lines alone; screen_page__free all. */
void screen_page__clear(struct screen_page *page);
void screen_page__free(struct screen_page *page);

#endif
