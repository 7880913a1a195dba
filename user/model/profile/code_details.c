// SPDX-License-Identifier: GPL-2.0-only
/* See code_details.h. Lines are sorted by their offsets; a jitdump may have them in any order. */
#include "user/model/profile/code_details.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/model/profile/texts.h"

#define BYTES_MAX (512ull << 20)

struct line {
	uint64_t offset;
	uint32_t line;
	uint32_t file; /* index in .files */
};

struct detail {
	struct line *lines;
	size_t n_lines, lines_room;
	uint8_t *unwind; /* NULL: none */
	size_t unwind_size, unwind_hdr_size;
};

struct code_details {
	struct texts files;
	struct detail *v;
	size_t n, room;
	uint64_t bytes;
};

int code_details__new(struct code_details **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void code_details__free(struct code_details *details)
{
	if (!details)
		return;
	for (size_t i = 0; i < details->n; i++) {
		free(details->v[i].lines);
		free(details->v[i].unwind);
	}
	texts__free(&details->files);
	free(details->v);
	free(details);
}

static int take_room(struct code_details *details, uint64_t bytes)
{
	if (bytes > BYTES_MAX - details->bytes)
		return -E2BIG;
	details->bytes += bytes;
	return 0;
}

int code_details__begin(struct code_details *details, uint32_t *ret)
{
	int err = take_room(details, sizeof(*details->v));

	if (!err)
		err = array__reserve(
			&details->v, &details->room, details->n + 1, sizeof(*details->v));
	if (err)
		return err;
	details->v[details->n] = (struct detail){0};
	*ret = details->n++;
	return 0;
}

int code_details__add_line(
	struct code_details *details, uint64_t offset, uint32_t line, const char *file)
{
	struct detail *to = &details->v[details->n - 1];
	struct line new = {.offset = offset, .line = line};
	size_t n_files = details->files.n;
	int err = take_room(details, sizeof(new));

	if (!err)
		err = texts__add(&details->files, file, &new.file);
	if (!err && details->files.n > n_files)
		err = take_room(details, strlen(file));
	if (!err)
		err = array__reserve(&to->lines, &to->lines_room, to->n_lines + 1, sizeof(new));
	if (err)
		return err;
	to->lines[to->n_lines++] = new;
	return 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void code_details__end(struct code_details *details)
{
	struct detail *to = &details->v[details->n - 1];
	bool sorted = true;

	for (size_t i = 1; i < to->n_lines; i++)
		sorted &= to->lines[i - 1].offset <= to->lines[i].offset;
	if (!sorted)
		qsort(to->lines, to->n_lines, sizeof(*to->lines), by_offset);
}

int code_details__set_unwind(struct code_details *details, const struct code_unwind *unwind)
{
	struct detail *to = &details->v[details->n - 1];
	int err = take_room(details, unwind->size);

	if (err)
		return err;
	to->unwind = malloc(unwind->size);
	if (!to->unwind)
		return -ENOMEM;
	memcpy(to->unwind, unwind->bytes, unwind->size);
	to->unwind_size = unwind->size;
	to->unwind_hdr_size = unwind->hdr_size;
	return 0;
}

static const struct detail *find(const struct code_details *details, uint32_t number)
{
	return details && number < details->n ? &details->v[number] : NULL;
}

const char *code_details__line(
	const struct code_details *details, uint32_t number, uint64_t offset, uint32_t *ret)
{
	const struct detail *detail = find(details, number);
	size_t low = 0, high = detail ? detail->n_lines : 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (detail->lines[mid].offset <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return NULL;
	*ret = detail->lines[low - 1].line;
	return texts__at(&details->files, detail->lines[low - 1].file);
}

bool code_details__has_lines(const struct code_details *details, uint32_t number)
{
	const struct detail *detail = find(details, number);

	return detail && detail->n_lines;
}

bool code_details__nth_line(const struct code_details *details, uint32_t number, size_t i,
	uint64_t *ret_offset, uint32_t *ret_line, const char **ret_file)
{
	const struct detail *detail = find(details, number);

	if (!detail || i >= detail->n_lines)
		return false;
	*ret_offset = detail->lines[i].offset;
	*ret_line = detail->lines[i].line;
	*ret_file = texts__at(&details->files, detail->lines[i].file);
	return true;
}

bool code_details__unwind(
	const struct code_details *details, uint32_t number, struct code_unwind *ret)
{
	const struct detail *detail = find(details, number);

	if (!detail || !detail->unwind)
		return false;
	*ret = (struct code_unwind){detail->unwind, detail->unwind_size, detail->unwind_hdr_size};
	return true;
}
