// SPDX-License-Identifier: GPL-2.0-only
/* See line_md5.h. The names in the table are skipped: libdw reads them. */
#include "user/parse/elf/line_md5.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "user/base/cursor.h"

#define VERSION 5
#define LONG_UNIT UINT32_MAX /* precedes a 64-bit length */

/* The contents of each entry of a list: pairs of content type and form. */
struct formats {
	struct cursor at;
	unsigned int n;
};

static uint64_t take_uleb(struct cursor *cursor)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = cursor__u8(cursor);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static void skip_form(struct cursor *cursor, uint64_t form, unsigned int offset_size)
{
	switch (form) {
	case DW_FORM_string:
		cursor__string(cursor);
		break;
	case DW_FORM_line_strp:
	case DW_FORM_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
		cursor__skip(cursor, offset_size);
		break;
	case DW_FORM_udata:
	case DW_FORM_strx:
		take_uleb(cursor);
		break;
	case DW_FORM_data1:
	case DW_FORM_strx1:
		cursor__skip(cursor, 1);
		break;
	case DW_FORM_data2:
	case DW_FORM_strx2:
		cursor__skip(cursor, 2);
		break;
	case DW_FORM_strx3:
		cursor__skip(cursor, 3);
		break;
	case DW_FORM_data4:
	case DW_FORM_strx4:
		cursor__skip(cursor, 4);
		break;
	case DW_FORM_data8:
		cursor__skip(cursor, 8);
		break;
	case DW_FORM_data16:
		cursor__skip(cursor, 16);
		break;
	case DW_FORM_block:
		cursor__skip(cursor, take_uleb(cursor));
		break;
	default: /* a form of unknown length */
		cursor->failed = true;
		break;
	}
}

static struct formats take_formats(struct cursor *cursor)
{
	struct formats formats = {.n = cursor__u8(cursor)};

	formats.at = *cursor;
	for (unsigned int i = 0; i < formats.n; i++) {
		take_uleb(cursor);
		take_uleb(cursor);
	}
	return formats;
}

/* Skips one entry. If it has an MD5, *@ret points to it. */
static void take_entry(struct cursor *cursor, const struct formats *formats,
	unsigned int offset_size, const uint8_t **ret)
{
	struct cursor at = formats->at;

	*ret = NULL;
	for (unsigned int i = 0; i < formats->n; i++) {
		uint64_t what = take_uleb(&at), form = take_uleb(&at);

		if (what == DW_LNCT_MD5 && form == DW_FORM_data16)
			*ret = cursor__bytes(cursor, LINE_MD5_SIZE);
		else
			skip_form(cursor, form, offset_size);
	}
}

/* Each entry has at least one byte, so a wrong count ends the loop at the end of the bytes. */
static void skip_list(
	struct cursor *cursor, const struct formats *formats, unsigned int offset_size, uint64_t n)
{
	const uint8_t *md5;

	for (uint64_t i = 0; formats->n && i < n && !cursor->failed; i++)
		take_entry(cursor, formats, offset_size, &md5);
}

int line_md5__find(const void *bytes, size_t size, bool swap, uint64_t offset, uint64_t index,
	uint8_t ret[LINE_MD5_SIZE])
{
	const uint8_t *md5 = NULL;
	unsigned int offset_size = 4;
	struct formats formats;
	struct cursor cursor;
	uint64_t length, n;

	cursor__init(&cursor, bytes, size, swap);
	cursor__skip(&cursor, offset);
	length = cursor__u32(&cursor);
	if (length == LONG_UNIT) {
		length = cursor__u64(&cursor);
		offset_size = 8;
	}
	cursor = cursor__sub(&cursor, length);
	if (cursor__u16(&cursor) != VERSION)
		return cursor.failed ? -EBADMSG : -ENODATA;
	cursor__skip(&cursor, 2); /* sizes of addresses and segment selectors */
	cursor__skip(&cursor, offset_size);
	cursor__skip(&cursor, 5); /* up to line_range */
	n = cursor__u8(&cursor);  /* opcode_base */
	cursor__skip(&cursor, n ? n - 1 : 0);
	formats = take_formats(&cursor);
	skip_list(&cursor, &formats, offset_size, take_uleb(&cursor));
	formats = take_formats(&cursor);
	n = take_uleb(&cursor);
	if (index >= n)
		return -EBADMSG;
	skip_list(&cursor, &formats, offset_size, index);
	take_entry(&cursor, &formats, offset_size, &md5);
	if (cursor.failed)
		return -EBADMSG;
	if (!md5)
		return -ENODATA;
	memcpy(ret, md5, LINE_MD5_SIZE);
	return 0;
}
