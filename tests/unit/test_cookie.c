// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cookie v1 against a second implementation of MurmurHash3_x64_128, written
 * from its definition byte by byte, and against the vectors of docs/format.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "perfstamp/cookie.h"
#include "user/base/text.h"

static uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static uint64_t little_endian(const uint8_t *bytes, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | bytes[n];
	return value;
}

static uint64_t final_mix(uint64_t k)
{
	k = (k ^ k >> 33) * 0xff51afd7ed558ccdull;
	k = (k ^ k >> 33) * 0xc4ceb9fe1a85ec53ull;
	return k ^ k >> 33;
}

/* Any length, as the original: blocks of 16 bytes, then a tail. */
static void murmur3_x64_128(const uint8_t *bytes, size_t len, uint64_t ret[2])
{
	const uint64_t c1 = 0x87c37b91114253d5ull, c2 = 0x4cf5ad432745937full;
	const uint8_t *tail = bytes + len / 16 * 16;
	size_t n_tail = len % 16;
	uint64_t h1 = 0, h2 = 0;

	for (; bytes < tail; bytes += 16) {
		h1 ^= rotate(little_endian(bytes, 8) * c1, 31) * c2;
		h1 = (rotate(h1, 27) + h2) * 5 + 0x52dce729;
		h2 ^= rotate(little_endian(bytes + 8, 8) * c2, 33) * c1;
		h2 = (rotate(h2, 31) + h1) * 5 + 0x38495ab5;
	}
	if (n_tail > 8)
		h2 ^= rotate(little_endian(tail + 8, n_tail - 8) * c2, 33) * c1;
	if (n_tail)
		h1 ^= rotate(little_endian(tail, n_tail < 8 ? n_tail : 8) * c1, 31) * c2;
	h1 ^= len;
	h2 ^= len;
	h1 += h2;
	h2 += h1;
	h1 = final_mix(h1);
	h2 = final_mix(h2);
	h1 += h2;
	ret[0] = h1;
	ret[1] = h2 + h1;
}

static void the_second_implementation_is_murmur(void **state)
{
	uint64_t h[2];

	(void)state;
	murmur3_x64_128((const uint8_t *)"hello", 5, h);
	assert_true(h[0] == 0xcbd8a7b341bd9b02ull && h[1] == 0x5b1e906a48ae1d19ull);
	murmur3_x64_128((const uint8_t *)"The quick brown fox jumps over the lazy dog", 43, h);
	assert_true(h[0] == 0xe34bbc7bbc071b6cull && h[1] == 0x7a433ca9c49a9347ull);
}

struct vector {
	const char *content; /* the file's bytes, NULL for a ramp: byte i is i modulo 251 */
	uint64_t file_size;
	const char *cookie;
};

/* The table in docs/format.md, row by row. */
static const struct vector VECTORS[] = {
	{"", 0, "0181f91634bc40ad422aae9c81548740ab"},
	{"#!/bin/sh\n", 10, "01ae29e5c10fc8ac9c693816218d6b8bea"},
	{"#!/bin/sh\n", 4096, "01ccf677081cc63f692209ebc35e7f8539"},
	{NULL, 4096, "01fabf52b953b4d1ee1742c7f1dc1b5cfb"},
	{NULL, 4097, "01a31a09eecc4ae9462b4af7feb0f156bf"},
	{NULL, 0x0123456789abcdefull, "01fbbf235fad527d4115cd7c5b5fdb1904"},
};

static void both_agree_on_every_vector(void **state)
{
	(void)state;
	for (size_t v = 0; v < sizeof(VECTORS) / sizeof(VECTORS[0]); v++) {
		union {
			__u64 words[PERFSTAMP_COOKIE_WORDS];
			uint8_t bytes[PERFSTAMP_COOKIE_CONTENT];
		} content = {0};
		uint8_t input[PERFSTAMP_COOKIE_CONTENT + 8];
		uint8_t expected[PERFSTAMP_COOKIE_V1_SIZE] = {PERFSTAMP_COOKIE_V1};
		uint8_t cookie[PERFSTAMP_COOKIE_MAX] = {0};
		char hex[2 * PERFSTAMP_COOKIE_MAX + 1];
		uint64_t h[2];

		for (size_t i = 0; !VECTORS[v].content && i < sizeof(content); i++)
			content.bytes[i] = i % 251;
		if (VECTORS[v].content)
			memcpy(content.bytes, VECTORS[v].content, strlen(VECTORS[v].content));
		memcpy(input, content.bytes, sizeof(content));
		for (int i = 0; i < 8; i++)
			input[PERFSTAMP_COOKIE_CONTENT + i] = VECTORS[v].file_size >> (8 * i);
		murmur3_x64_128(input, sizeof(input), h);
		for (int i = 0; i < 16; i++)
			expected[1 + i] = h[i / 8] >> (8 * (i % 8));

		perfstamp_cookie(content.words, VECTORS[v].file_size, cookie);
		assert_memory_equal(cookie, expected, sizeof(expected));
		text__hex(hex, sizeof(hex), cookie, PERFSTAMP_COOKIE_V1_SIZE);
		assert_string_equal(hex, VECTORS[v].cookie);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_second_implementation_is_murmur),
		cmocka_unit_test(both_agree_on_every_vector),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
