// SPDX-License-Identifier: GPL-2.0-only
/*
 * COMPRESSED records: what goes in comes out again, and each is what perf can
 * take: a multiple of 8 bytes, whole records, no more than it makes room for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "user/perfdata/write/compress.h"
#include "user/perfdata/read/decompress.h"
#include "user/perfdata/layout.h"

/* @n records of @size bytes; noise cannot be compressed. */
static void put_records(struct buffer *out, size_t n, size_t size, bool noise)
{
	while (n--) {
		struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = size};
		uint8_t *body;

		buffer__append(out, &header, sizeof(header));
		body = buffer__extend(out, size - sizeof(header));
		assert_non_null(body);
		for (size_t i = 0; i < size - sizeof(header); i++)
			body[i] = noise ? random() : 'x';
	}
}

/* What stock perf does: room for one record's content, which begins and ends with records. */
static void unpack(const struct buffer *packed, struct buffer *ret)
{
	struct perf_event_header header;

	for (size_t at = 0; at < packed->size; at += header.size) {
		struct decompress *decompress;
		const void *record;
		size_t size, before = ret->size;

		memcpy(&header, packed->data + at, sizeof(header));
		assert_int_equal(header.size % 8, 0);
		if (header.type != PERF_RECORD_COMPRESSED) {
			buffer__append(ret, packed->data + at, header.size);
			continue;
		}
		/* One of its own each time: none needs those before it. */
		assert_int_equal(decompress__new(&decompress, false), 0);
		decompress__feed(decompress, packed->data + at + sizeof(header),
			header.size - sizeof(header));
		while (decompress__next(decompress, &record, &size) == 1)
			buffer__append(ret, record, size);
		assert_false(decompress__is_partial(decompress));
		assert_true(ret->size > before);
		assert_true(ret->size - before <= COMPRESS_CHUNK);
		decompress__free(decompress);
	}
}

static void assert_comes_back(const struct buffer *plain)
{
	struct compress *compress;
	struct buffer packed, back;

	buffer__init(&packed, 0);
	buffer__init(&back, 0);
	assert_int_equal(compress__new(&compress, 1), 0);
	assert_int_equal(compress__records(compress, plain->data, plain->size, &packed), 0);
	unpack(&packed, &back);
	assert_int_equal(back.size, plain->size);
	if (plain->size)
		assert_memory_equal(back.data, plain->data, plain->size);
	compress__free(compress);
	buffer__free(&packed);
	buffer__free(&back);
}

static void records_come_back(void **state)
{
	static const struct {
		size_t n;
		size_t size;
		bool noise;
	} shapes[] = {
		{0, 8, false},
		{1, 8, false},
		{20000, 72, false},
		{9000, 72, true},
		{9, PERFDATA_RECORD_MAX, false},
		/* Larger, compressed, than a record may be. */
		{9, PERFDATA_RECORD_MAX, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct buffer plain;

		buffer__init(&plain, 0);
		put_records(&plain, shapes[i].n, shapes[i].size, shapes[i].noise);
		assert_comes_back(&plain);
		buffer__free(&plain);
	}
}

static void every_padding_comes_back(void **state)
{
	(void)state;
	for (size_t size = 16; size < 16 + 8 * 40; size += 8) {
		struct buffer plain;

		buffer__init(&plain, 0);
		put_records(&plain, 3, size, true);
		assert_comes_back(&plain);
		buffer__free(&plain);
	}
}

static void what_is_no_whole_record_is_refused(void **state)
{
	struct compress *compress;
	struct buffer plain, packed;

	(void)state;
	buffer__init(&plain, 0);
	buffer__init(&packed, 0);
	put_records(&plain, 2, 64, false);
	assert_int_equal(compress__new(&compress, 1), 0);
	assert_int_equal(compress__records(compress, plain.data, plain.size - 1, &packed), -EINVAL);
	compress__free(compress);
	buffer__free(&plain);
	buffer__free(&packed);
}

static void the_feature_has_level_and_ratio(void **state)
{
	struct compress *compress;
	struct buffer plain, packed, feature;
	uint32_t words[5];

	(void)state;
	buffer__init(&plain, 0);
	buffer__init(&packed, 0);
	buffer__init(&feature, 0);
	assert_int_equal(compress__new(&compress, 5), 0);
	assert_int_equal(compress__feature(compress, &feature), 0);
	assert_int_equal(feature.size, sizeof(words));
	memcpy(words, feature.data, sizeof(words));
	assert_int_equal(words[1], 1);
	assert_int_equal(words[2], 5);
	assert_int_equal(words[3], 1);
	assert_int_equal(words[4], COMPRESS_CHUNK);
	put_records(&plain, 1000, 64, false);
	assert_int_equal(compress__records(compress, plain.data, plain.size, &packed), 0);
	buffer__reset(&feature);
	assert_int_equal(compress__feature(compress, &feature), 0);
	memcpy(words, feature.data, sizeof(words));
	assert_int_equal(words[3], (plain.size + packed.size / 2) / packed.size);
	compress__free(compress);
	buffer__free(&plain);
	buffer__free(&packed);
	buffer__free(&feature);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_back),
		cmocka_unit_test(every_padding_comes_back),
		cmocka_unit_test(what_is_no_whole_record_is_refused),
		cmocka_unit_test(the_feature_has_level_and_ratio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
