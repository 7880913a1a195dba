// SPDX-License-Identifier: GPL-2.0-only
/* See shape.h. */
#include "user/perfdata/features/shape.h"

#include <stdint.h>

#include "user/base/cursor.h"
#include "user/perfdata/strings.h"

static void skip_bitmap(struct cursor *in)
{
	uint64_t bits = cursor__u64(in);

	cursor__skip(in, bits > UINT64_MAX - 63 ? UINT64_MAX : (bits + 63) / 64 * 8);
}

static void skip_program(struct cursor *in)
{
	uint32_t info_size = cursor__u32(in), data_size = cursor__u32(in);

	cursor__u64(in); /* bit set of the arrays that exist */
	cursor__skip(in, (uint64_t)info_size + data_size);
}

static const char *walk(struct cursor *in, const char *shape);

/* Each iteration consumes bytes, so a wrong count ends the loop at the end of the bytes. */
static const char *walk_list(struct cursor *in, const char *shape, uint64_t n)
{
	const char *end = shape;
	int depth = 1;

	for (; depth; end++)
		depth += (*end == '(' || *end == '{') - (*end == ')' || *end == '}');
	for (; n && !in->failed; n--)
		walk(in, shape);
	return end;
}

/* Reads up to the end of @shape, or up to its closing bracket. */
static const char *walk(struct cursor *in, const char *shape)
{
	while (*shape && !in->failed) {
		switch (*shape++) {
		case '4':
			cursor__u32(in);
			break;
		case '8':
			cursor__u64(in);
			break;
		case 's':
			strings__get(in);
			break;
		case 'b':
			skip_bitmap(in);
			break;
		case 'B':
			cursor__skip(in, cursor__u32(in));
			break;
		case 'd':
			skip_program(in);
			break;
		case '(':
			shape = walk_list(in, shape, cursor__u32(in));
			break;
		case '{':
			shape = walk_list(in, shape, cursor__u64(in));
			break;
		default:
			return shape;
		}
	}
	return shape;
}

bool feature_shape__fits(const char *shape, const void *bytes, size_t size, bool swap)
{
	struct cursor in;

	if (!shape)
		return true;
	cursor__init(&in, bytes, size, swap);
	walk(&in, shape);
	return !in.failed;
}
