/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers for texts: each distinct text is kept once, so that numbers are compared instead of
 * texts. Pure.
 */
#ifndef PERFSTAMP_MODEL_TEXTS_H
#define PERFSTAMP_MODEL_TEXTS_H

#include <stddef.h>
#include <stdint.h>

struct text_entry;

struct texts {
	struct text_entry **v;
	size_t n;
	size_t room;
	struct text_entry *by_text;
};

/* Sets *@ret to the number of @text, from 0 in order of appearance. Returns 0 or -ENOMEM. */
int texts__add(struct texts *texts, const char *text, uint32_t *ret);
/* Valid as long as @texts. */
const char *texts__at(const struct texts *texts, uint32_t i);
void texts__free(struct texts *texts);

#endif
