/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows lines on a terminal, with one of them selected: moving, scrolling, searching, resizing.
 * Uses ncurses. Lines are UTF-8 without control characters, as the views write them. Does not know
 * their meaning.
 */
#ifndef PERFSTAMP_CLI_REPORT_SCREEN_H
#define PERFSTAMP_CLI_REPORT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct screen_line {
	char *text;
	double share; /* percent, which selects the color; below 0: none */
	size_t item;  /* for the caller */
};

/* The content of the screen. The caller owns it and may change it between calls. */
struct screen_page {
	char *title;  /* the first line */
	char *header; /* below the title, does not scroll; or NULL */
	char *help;   /* the last line */
	struct screen_line *lines;
	size_t n;
	size_t selected, top; /* screen__key() keeps them within the lines */
	size_t column;        /* number of columns that are scrolled out at the left */
	int search_key;       /* the key to search; n and N repeat the search */
	char search[128];     /* the last search text */
};

enum screen_key {
	SCREEN_CLOSED = -1, /* the terminal was closed */
	SCREEN_ENTER = '\n',
	SCREEN_BACK = 27, /* Escape, or Left while no column is scrolled out */
	SCREEN_TAB = '\t',
};

/* Returns 0, or -ENOTTY if the terminal is unsuitable (its TERM is not known). */
int screen__begin(void);
void screen__end(void);
/*
 * Shows @page and handles keys for moving and searching. Returns at any other key: an enum
 * screen_key or a character.
 */
int screen__key(struct screen_page *page);
/* Reads a text in the last line. Returns false at Escape. */
bool screen__ask(const char *question, char *ret, size_t size);
/* Shows a text in the last line until the next key. */
void screen__note(const char *text);

/* Adds a copy of the text. Returns 0 or -ENOMEM. */
int screen_page__add(struct screen_page *page, const char *text, double share, size_t item);
/* Adds each line of @text. */
int screen_page__add_text(struct screen_page *page, const char *text);
/* Frees the lines only; screen_page__free() frees all. */
void screen_page__clear(struct screen_page *page);
void screen_page__free(struct screen_page *page);

#endif
