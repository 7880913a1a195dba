// SPDX-License-Identifier: GPL-2.0-only
/* See bolt.h. */
#include "user/cli/extract/bolt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/base/hash.h"

struct line_key {
	uint64_t from; /* ELF virtual addresses; 0: outside of the build */
	uint64_t to;
	/*
	 * 'B': a branch; 'F': code up to the next branch, entered from the build; 'f': entered from
	 * outside.
	 */
	uint64_t type;
};

struct line {
	struct line_key key;
	uint64_t count;
	uint64_t mispredicted;
	UT_hash_handle hh;
};

struct bolt {
	const struct segments *segments;
	struct line *lines;
	uint64_t n_branches;
	uint64_t n_outside;
};

int bolt__new(struct bolt **ret, const struct segments *segments)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->segments = segments;
	return 0;
}

void bolt__free(struct bolt *bolt)
{
	if (!bolt)
		return;
	hash__free(bolt->lines);
	free(bolt);
}

static int add_line(struct bolt *bolt, char type, uint64_t from, uint64_t to, bool mispredicted)
{
	struct line_key key;
	struct line *line;

	memset(&key, 0, sizeof(key));
	key.from = from;
	key.to = to;
	key.type = (uint64_t)type;
	HASH_FIND(hh, bolt->lines, &key, sizeof(key), line);
	if (!line) {
		line = calloc(1, sizeof(*line));
		if (!line)
			return -ENOMEM;
		line->key = key;
		HASH_ADD(hh, bolt->lines, key, sizeof(key), line);
		if (!hash__added(line)) {
			free(line);
			return -ENOMEM;
		}
	}
	line->count++;
	line->mispredicted += mispredicted;
	return 0;
}

/* Sets *@ret to the address of @offset. Returns false if it is outside of the code. */
static bool address(struct bolt *bolt, bool is_in, uint64_t offset, uint64_t *ret)
{
	*ret = 0;
	if (!is_in)
		return false;
	if (segments__address(bolt->segments, offset, ret))
		return true;
	bolt->n_outside++;
	return false;
}

int bolt__add(struct bolt *bolt, const struct bolt_branch *branch, const struct bolt_branch *newer)
{
	uint64_t from, to, end;
	bool from_in = address(bolt, branch->from_in, branch->from, &from);
	bool to_in = address(bolt, branch->to_in, branch->to, &to);
	int err;

	if (!from_in && !to_in)
		return 0;
	bolt->n_branches++;
	err = add_line(bolt, 'B', from, to, branch->mispredicted);
	if (err || !newer || !to_in || !newer->from_in ||
		!segments__address(bolt->segments, newer->from, &end) || end < to)
		return err;
	return add_line(bolt, from_in ? 'F' : 'f', to, end, false);
}

uint64_t bolt__n_branches(const struct bolt *bolt)
{
	return bolt->n_branches;
}

uint64_t bolt__n_outside(const struct bolt *bolt)
{
	return bolt->n_outside;
}

static int compare(const struct line *a, const struct line *b)
{
	if (a->key.type != b->key.type)
		return a->key.type < b->key.type ? -1 : 1;
	if (a->key.from != b->key.from)
		return a->key.from < b->key.from ? -1 : 1;
	return (a->key.to > b->key.to) - (a->key.to < b->key.to);
}

/*
 * For a library, BOLT accepts only addresses with its build-id; for a program, only those without.
 */
static void put_address(const struct bolt *bolt, FILE *out, uint64_t addr)
{
	char id[2 * PERFSTAMP_BUILD_ID_MAX + 1];

	text__hex(id, sizeof(id), bolt->segments->build_id, bolt->segments->build_id_size);
	if (addr && !bolt->segments->is_program)
		fprintf(out, " %s:%" PRIx64, id, addr);
	else
		fprintf(out, " %" PRIx64, addr);
}

void bolt__write(struct bolt *bolt, FILE *out)
{
	HASH_SORT(bolt->lines, compare);
	for (const struct line *line = bolt->lines; line; line = line->hh.next) {
		fputc((int)line->key.type, out);
		put_address(bolt, out, line->key.from);
		put_address(bolt, out, line->key.to);
		fprintf(out, " %" PRIu64, line->count);
		if (line->key.type == 'B')
			fprintf(out, " %" PRIu64, line->mispredicted);
		fputc('\n', out);
	}
}
