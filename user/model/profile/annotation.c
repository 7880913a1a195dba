// SPDX-License-Identifier: GPL-2.0-only
/* annotation: see annotation.h. */
#include "user/model/profile/annotation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/model/profile/report.h"

/* Returns the index of the instruction that contains the byte at @offset, or SIZE_MAX. */
static size_t find(const struct code *code, uint64_t offset)
{
	size_t low = 0, high = code->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code->v[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || offset - code->v[low - 1].offset >= code->v[low - 1].size)
		return SIZE_MAX;
	return low - 1;
}

bool code__has(const struct code *code, uint64_t offset)
{
	return !code->size || (offset >= code->offset && offset - code->offset < code->size);
}

int annotation__count(struct annotation *ret, const struct code *code,
	const struct samples *samples, const struct resolved *resolved, const struct report *report,
	uint32_t place, uint32_t event)
{
	const struct place *of = samples__place(samples, place);

	*ret = (struct annotation){.event = event, .place = place, .code = code};
	ret->n = calloc(code->n + 1, sizeof(*ret->n));
	ret->period = calloc(code->n + 1, sizeof(*ret->period));
	if (!ret->n || !ret->period)
		return -ENOMEM;
	for (size_t i = 0; i < samples__n(samples); i++) {
		const struct sample_sum *sum = samples__at(samples, i);
		const struct place *at;
		uint32_t frame, index;
		size_t found;

		if (sum->event != event || !report__counts(report, sum, &frame))
			continue;
		index = samples__frame(samples, frame)->place;
		at = samples__place(samples, index);
		if (at->sighting != of->sighting || !resolved[index].name ||
			strcmp(resolved[index].name, resolved[place].name) ||
			!code__has(code, at->offset))
			continue;
		ret->all_n += sum->n;
		ret->all_period += sum->period;
		found = find(code, at->offset);
		if (found == SIZE_MAX)
			continue;
		ret->n[found] += sum->n;
		ret->period[found] += sum->period;
	}
	return 0;
}

void annotation__free(struct annotation *annotation)
{
	free(annotation->n);
	free(annotation->period);
}

static uint32_t file_of(struct code *code, const char *path)
{
	for (size_t i = 0; i < code->n_sources; i++)
		if (!strcmp(code->v[code->sources[i].place].source.path, path))
			return i;
	return SAMPLES_NONE;
}

static int compare_lines(const void *a, const void *b)
{
	const struct source_line *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* Collects the lines of all instructions in file @of, each line once. */
static int find_lines(struct code *code, uint32_t of)
{
	struct source_file *file = &code->sources[of];
	size_t n = 0;

	file->lines = calloc(code->n + 1, sizeof(*file->lines));
	if (!file->lines)
		return -ENOMEM;
	for (size_t i = 0; i < code->n; i++)
		if (code->v[i].source_file == of)
			file->lines[n++].number = code->v[i].source.line;
	qsort(file->lines, n, sizeof(*file->lines), compare_lines);
	for (size_t i = 0; i < n; i++)
		if (!file->n_lines ||
			file->lines[file->n_lines - 1].number != file->lines[i].number)
			file->lines[file->n_lines++] = file->lines[i];
	for (size_t i = 0; i < code->n; i++) {
		const struct source_line key = {.number = code->v[i].source.line}, *line;

		if (code->v[i].source_file != of)
			continue;
		line = bsearch(
			&key, file->lines, file->n_lines, sizeof(*file->lines), compare_lines);
		code->v[i].line = line ? line - file->lines : 0;
	}
	return 0;
}

int code__find_sources(struct code *code)
{
	int err = 0;

	for (size_t i = 0; i < code->n; i++) {
		struct instruction *at = &code->v[i];

		at->source_file = SAMPLES_NONE;
		if (!at->source.path || !at->source.line)
			continue;
		at->source_file = file_of(code, at->source.path);
		if (at->source_file != SAMPLES_NONE)
			continue;
		if (array__extend(&code->sources, code->n_sources, sizeof(*code->sources)))
			return -ENOMEM;
		at->source_file = code->n_sources;
		code->sources[code->n_sources++] = (struct source_file){.place = i};
	}
	for (size_t i = 0; i < code->n_sources && !err; i++)
		err = find_lines(code, i);
	return err;
}

void code__free(struct code *code)
{
	for (size_t i = 0; i < code->n; i++) {
		free(code->v[i].text);
		free(code->v[i].source.path);
	}
	for (size_t i = 0; i < code->n_sources; i++) {
		for (size_t k = 0; k < code->sources[i].n_lines; k++)
			free(code->sources[i].lines[k].text);
		free(code->sources[i].lines);
	}
	free(code->v);
	free(code->sources);
	free(code->file);
	*code = (struct code){0};
}
