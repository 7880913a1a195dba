// SPDX-License-Identifier: GPL-2.0-only
/*
 * Error texts and the escaping of untrusted text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "user/base/error.h"
#include "user/base/text.h"

static void carries_code_and_text(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(error__set(&err, -EIO, "%s: offset %d", "file", 7), -EIO);
	assert_string_equal(err.text, "file: offset 7");
	assert_int_equal(error__errno(&err, -ENOENT, "%s", "file"), -ENOENT);
	assert_string_equal(err.text, "file: No such file or directory");
	assert_int_equal(error__set(NULL, -EIO, "%s", "nobody reads it"), -EIO);
	assert_int_equal(error__errno(NULL, -EIO, "%s", "nobody reads it"), -EIO);
}

static void cannot_drive_a_terminal(void **state)
{
	struct error err;

	(void)state;
	error__set(&err, -EIO, "%s", "/tmp/\x1b[2J\nroot\x7f\xc2\x9b é");
	assert_string_equal(err.text, "/tmp/?[2J?root??? é");
}

static void long_text_is_cut(void **state)
{
	char path[2 * ERROR_TEXT_MAX];
	struct error err;

	(void)state;
	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	error__set(&err, -EIO, "%s", path);
	assert_int_equal(strlen(err.text), ERROR_TEXT_MAX - 1);
	error__errno(&err, -EIO, "%s", path);
	assert_int_equal(strlen(err.text), ERROR_TEXT_MAX - 1);
}

static void escapes(void **state)
{
	static const struct {
		const char *text, *escaped;
	} rows[] = {
		{"", ""},
		{"/usr/lib/libc.so.6", "/usr/lib/libc.so.6"},
		{"a b\"'", "a b\"'"},
		{"a\nb\tc\rd", "a\\nb\\tc\\rd"},
		{"a\\nb", "a\\\\nb"},
		{"\x1b[0m\x7f\x01", "\\x1b[0m\\x7f\\x01"},
		{"grün €\xf0\x9f\x98\x80", "grün €\xf0\x9f\x98\x80"},
		{"\xc2\x9b", "\\xc2\\x9b"},                   /* C1 */
		{"\xe2\x80\xae", "\\xe2\\x80\\xae"},          /* right-to-left override */
		{"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},          /* line separator */
		{"\xff\xfe", "\\xff\\xfe"},                   /* never in UTF-8 */
		{"\xc0\xaf", "\\xc0\\xaf"},                   /* overlong */
		{"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},          /* overlong */
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* surrogate */
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond Unicode */
		{"\xe2\x82", "\\xe2\\x82"},                   /* cut off */
		{"\xe2\x82\x41", "\\xe2\\x82"
				 "A"},
	};
	char out[64];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n = text__escape(out, sizeof(out), rows[i].text);

		assert_string_equal(out, rows[i].escaped);
		assert_int_equal(n, strlen(rows[i].escaped));
		text__unescape(out);
		assert_string_equal(out, rows[i].text);
	}
}

static void never_cuts_inside_a_character(void **state)
{
	static const char text[] = "ab\n€";
	static const char *const cut[] = {"", "a", "ab", "ab", "ab\\n", "ab\\n", "ab\\n", "ab\\n€"};
	char out[16];

	(void)state;
	for (size_t size = 1; size <= 8; size++) {
		memset(out, 'x', sizeof(out));
		assert_int_equal(text__escape(out, size, text), 7);
		assert_string_equal(out, cut[size - 1]);
		assert_int_equal(out[size], 'x');
	}
	assert_int_equal(text__escape(NULL, 0, text), 7);
}

static void hex_goes_there_and_back(void **state)
{
	const uint8_t id[3] = {0x00, 0xab, 0x9f};
	uint8_t back[3];
	char hex[7];

	(void)state;
	assert_int_equal(text__hex(hex, sizeof(hex), id, sizeof(id)), 6);
	assert_string_equal(hex, "00ab9f");
	assert_int_equal(text__hex(hex, 6, id, sizeof(id)), 4);
	assert_string_equal(hex, "00ab");
	assert_int_equal(text__parse_hex(back, sizeof(back), "00AB9f"), 3);
	assert_memory_equal(back, id, sizeof(id));
	assert_int_equal(text__parse_hex(back, 2, "00ab9f"), -ENOSPC);
	assert_int_equal(text__parse_hex(back, sizeof(back), "00ab9"), -EINVAL);
	assert_int_equal(text__parse_hex(back, sizeof(back), "00 b9f"), -EINVAL);
	assert_int_equal(text__parse_hex(back, sizeof(back), ""), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(carries_code_and_text),
		cmocka_unit_test(cannot_drive_a_terminal),
		cmocka_unit_test(long_text_is_cut),
		cmocka_unit_test(escapes),
		cmocka_unit_test(never_cuts_inside_a_character),
		cmocka_unit_test(hex_goes_there_and_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
