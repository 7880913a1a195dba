// SPDX-License-Identifier: GPL-2.0-only
/* MD5s of source files in line tables of DWARF 5, whole, cut off and contradictory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "user/parse/elf/line_md5.h"

#define TABLE_MAX 256

struct table {
	uint8_t bytes[TABLE_MAX];
	size_t size;
};

static void add(struct table *table, const void *bytes, size_t size)
{
	assert_true(table->size + size <= sizeof(table->bytes));
	memcpy(table->bytes + table->size, bytes, size);
	table->size += size;
}

static void add_byte(struct table *table, uint8_t byte)
{
	add(table, &byte, 1);
}

static void add_number(struct table *table, uint64_t number, size_t size, bool big)
{
	for (size_t i = 0; i < size; i++)
		add_byte(table, number >> 8 * (big ? size - 1 - i : i));
}

/*
 * A unit of two directories and the @n files "a.c", "b.c", ..., the MD5 of which are 16 times
 * 1, 2, ...; without @md5 they have none. Its length is filled in.
 */
static void add_unit(
	struct table *table, unsigned int version, bool big, bool dwarf64, bool md5, unsigned int n)
{
	size_t at = table->size, offset_size = dwarf64 ? 8 : 4;
	struct table length = {0};

	if (dwarf64)
		add_number(table, UINT32_MAX, 4, big);
	add_number(table, 0, offset_size, big);
	add_number(table, version, 2, big);
	add(table, "\x08\x00", 2);
	add_number(table, 0, offset_size, big);    /* what it says is not needed */
	add(table, "\x01\x01\x01\xfb\x0e\x04", 6); /* the last is opcode_base */
	add(table, "\x00\x01\x01", 3);             /* three opcodes */
	add(table, (uint8_t[]){1, DW_LNCT_path, DW_FORM_line_strp, 2}, 4);
	add_number(table, 0, offset_size, big);
	add_number(table, 1, offset_size, big);
	add(table, (uint8_t[]){md5 ? 3 : 2, DW_LNCT_path, DW_FORM_string}, 3);
	add(table, (uint8_t[]){DW_LNCT_directory_index, DW_FORM_udata}, 2);
	if (md5)
		add(table, (uint8_t[]){DW_LNCT_MD5, DW_FORM_data16}, 2);
	add_byte(table, n);
	for (unsigned int i = 0; i < n; i++) {
		add(table, (uint8_t[]){'a' + i, '.', 'c', 0, 0x80, 0x01}, 6);
		for (unsigned int k = 0; md5 && k < 16; k++)
			add_byte(table, i + 1);
	}
	add_number(&length, table->size - at - (dwarf64 ? 12 : 4), offset_size, big);
	memcpy(table->bytes + at + (dwarf64 ? 4 : 0), length.bytes, offset_size);
}

/* Reads a copy of exactly its size, so that ASan sees each byte too many. The first byte. */
static int find(const struct table *table, size_t size, bool swap, uint64_t offset, uint64_t index)
{
	uint8_t md5[LINE_MD5_SIZE] = {0}, *copy = malloc(size ? size : 1);
	int err;

	assert_non_null(copy);
	memcpy(copy, table->bytes, size);
	err = line_md5__find(copy, size, swap, offset, index, md5);
	free(copy);
	for (size_t i = 1; i < sizeof(md5); i++)
		assert_int_equal(md5[i], md5[0]);
	return err ? err : md5[0];
}

static const bool BIG_HERE = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static void test_of_each_file(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		bool big = kind & 1, dwarf64 = kind & 2;
		struct table table = {0};
		size_t second;

		add_unit(&table, 5, big, dwarf64, true, 1);
		second = table.size;
		add_unit(&table, 5, big, dwarf64, true, 3);
		assert_int_equal(find(&table, table.size, big != BIG_HERE, 0, 0), 1);
		assert_int_equal(find(&table, table.size, big != BIG_HERE, second, 0), 1);
		assert_int_equal(find(&table, table.size, big != BIG_HERE, second, 2), 3);
		/* The next one's are not this one's. */
		assert_int_equal(find(&table, table.size, big != BIG_HERE, 0, 1), -EBADMSG);
		assert_int_equal(find(&table, table.size, big != BIG_HERE, second, 3), -EBADMSG);
	}
}

static void test_where_there_is_none(void **state)
{
	struct table older = {0}, without = {0};

	(void)state;
	add_unit(&older, 4, BIG_HERE, false, true, 1);
	assert_int_equal(find(&older, older.size, false, 0, 0), -ENODATA);
	add_unit(&without, 5, BIG_HERE, false, false, 2);
	assert_int_equal(find(&without, without.size, false, 0, 1), -ENODATA);
}

static void test_cut_off(void **state)
{
	struct table table = {0};

	(void)state;
	add_unit(&table, 5, BIG_HERE, false, true, 2);
	for (size_t size = 0; size < table.size; size++)
		assert_int_equal(find(&table, size, false, 0, 1), -EBADMSG);
	assert_int_equal(find(&table, table.size, false, table.size, 0), -EBADMSG);
	assert_int_equal(find(&table, table.size, false, UINT64_MAX, 0), -EBADMSG);
}

/* Whatever a byte is, it ends, and within the bytes. */
static void test_contradictory(void **state)
{
	struct table table = {0};

	(void)state;
	add_unit(&table, 5, BIG_HERE, false, true, 2);
	for (size_t i = 0; i < table.size; i++)
		for (unsigned int byte = 0; byte < 256; byte++) {
			uint8_t was = table.bytes[i], md5[LINE_MD5_SIZE];

			table.bytes[i] = byte;
			line_md5__find(table.bytes, table.size, false, 0, 1, md5);
			table.bytes[i] = was;
		}
	/* As many directories as can be, and files, that consist of nothing. */
	table = (struct table){0};
	add_unit(&table, 5, BIG_HERE, false, true, 1);
	memcpy(table.bytes + 21, "\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0\x7f", 13);
	assert_int_equal(find(&table, table.size, false, 0, 0x7e), -ENODATA);
}

int main(void)
{
	const struct CMUnitTest TESTS[] = {
		cmocka_unit_test(test_of_each_file),
		cmocka_unit_test(test_where_there_is_none),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_contradictory),
	};

	return cmocka_run_group_tests(TESTS, NULL, NULL);
}
