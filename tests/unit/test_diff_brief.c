// SPDX-License-Identifier: GPL-2.0-only
/*
 * A comparison in one line: what perfstamp diff --json writes, shortened; what it could not
 * compare; and a command line that a shell takes for what it is, whatever a path is called.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/view/diff/brief.h"
#include "user/view/format/journal.h"

#define WHOLE(marked)                                                                              \
	"{\"type\":\"comparison\",\"event\":\"cpu-clock\",\"functions\":40,\"tested\":31,"         \
	"\"marked\":" #marked ",\"before\":{\"build\":\"aaaaaaaaaaaaaaaaaaaa\",\"samples\":700},"  \
	"\"after\":{\"build\":\"cookie:bbbbbbbbbbbbbbbbbbbb\",\"samples\":800}}\n"
#define FUNCTION(name, kind, marked)                                                               \
	"{\"type\":\"function\",\"dso\":\"app\",\"symbol\":" name ",\"change\":0.1111,"            \
	"\"low\":0.0512,\"high\":0.17,\"marked\":" #marked ",\"kind\":" kind "}\n"

static char *in_words(const struct diff_brief *brief)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	diff_brief__sentence(out, brief);
	assert_false(fclose(out));
	return text;
}

static void expect(struct diff_brief *brief, const char *json, const char *expected)
{
	char *text;

	if (json)
		assert_int_equal(diff_brief__parse(brief, json, strlen(json)), 0);
	text = in_words(brief);
	assert_string_equal(text, expected);
	free(text);
	diff_brief__free(brief);
}

static void test_changes(void **state)
{
	struct diff_brief brief = {.path = "/srv/app", .file = "svc.data"};

	(void)state;
	expect(&brief,
		WHOLE(2) FUNCTION("\"slower\"", "null", true) FUNCTION("null", "\"gone\"", true)
			FUNCTION("\"steady\"", "null", false),
		"/srv/app: since cookie:bbbbbbbbbbbb replaced aaaaaaaaaaaa, 2 of 31 functions "
		"changed: slower +11.11 % [+5.12, +17.00], app +11.11 % [+5.12, +17.00] (gone); "
		"see: perfstamp diff --since-replaced /srv/app svc.data");
}

static void test_more_than_are_named(void **state)
{
	struct diff_brief brief = {.path = "/a", .file = "b"};

	(void)state;
	expect(&brief,
		WHOLE(4) FUNCTION("\"a\"", "null", true) FUNCTION("\"b\"", "null", true)
			FUNCTION("\"c\"", "null", true) FUNCTION("\"d\"", "null", true),
		"/a: since cookie:bbbbbbbbbbbb replaced aaaaaaaaaaaa, 4 of 31 functions changed: "
		"a +11.11 % [+5.12, +17.00], b +11.11 % [+5.12, +17.00], "
		"c +11.11 % [+5.12, +17.00], …; see: perfstamp diff --since-replaced /a b");
}

static void test_nothing_changed(void **state)
{
	struct diff_brief brief = {.path = "/a", .file = "b"};

	(void)state;
	expect(&brief, WHOLE(0) FUNCTION("\"a\"", "null", false),
		"/a: since cookie:bbbbbbbbbbbb replaced aaaaaaaaaaaa, none of 31 functions "
		"changed by more than chance; see: perfstamp diff --since-replaced /a b");
}

static void test_not_compared(void **state)
{
	struct diff_brief brief = {.path = "/a", .file = "b", .error = "no\x1b samples"};

	(void)state;
	expect(&brief, NULL, "/a was replaced, and not compared: no\\x1b samples");
}

static void test_hostile_names(void **state)
{
	struct diff_brief brief = {.path = "/a'; rm -rf \\ \x1b", .file = "-f"};

	(void)state;
	expect(&brief, WHOLE(1) FUNCTION("\"\\u001b[2J\"", "null", true),
		"/a'; rm -rf \\\\ \\x1b: since cookie:bbbbbbbbbbbb replaced aaaaaaaaaaaa, 1 of 31 "
		"functions changed: \\x1b[2J +11.11 % [+5.12, +17.00]; see: perfstamp diff "
		"--since-replaced $'/a\\'; rm -rf \\\\ \\x1b' $'-f'");
}

static void test_what_is_no_comparison(void **state)
{
	static const char *const TEXTS[] = {
		"",
		"\n",
		"nonsense\n",
		"[]\n",
		"{\"type\":\"row\"}\n",
		WHOLE(1) "nonsense\n",
		"{\"type\":\"comparison\",\"before\":",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(*TEXTS); i++) {
		struct diff_brief brief = {.path = "/a", .file = "b"};

		assert_int_equal(diff_brief__parse(&brief, TEXTS[i], strlen(TEXTS[i])), -EBADMSG);
		diff_brief__free(&brief);
	}
}

static void test_fields(void **state)
{
	static const char JSON[] = WHOLE(1) FUNCTION("\"a\"", "null", true);
	struct diff_brief brief = {.path = "/a", .file = "b", .time_ns = 5, .realtime_ns = 8};
	struct fields fields = {.ops = &FIELDS_JSON};
	size_t size;
	char *text;

	(void)state;
	fields.out = open_memstream(&text, &size);
	assert_int_equal(diff_brief__parse(&brief, JSON, strlen(JSON)), 0);
	diff_brief__fields(&fields, &brief);
	diff_brief__free(&brief);
	brief = (struct diff_brief){.path = "/a", .file = "b", .error = "why"};
	diff_brief__fields(&fields, &brief);
	assert_false(fclose(fields.out));
	assert_string_equal(text,
		"{\"type\":\"compared\",\"time_ns\":5,\"realtime_ns\":8,\"path\":\"/a\","
		"\"file\":\"b\",\"build_before\":\"aaaaaaaaaaaaaaaaaaaa\","
		"\"build_after\":\"cookie:bbbbbbbbbbbbbbbbbbbb\",\"samples_before\":700,"
		"\"samples_after\":800,\"functions\":31,\"marked\":1,"
		"\"changes\":\"a +11.11 % [+5.12, +17.00]\"}\n"
		"{\"type\":\"compared\",\"time_ns\":0,\"realtime_ns\":0,\"path\":\"/a\","
		"\"file\":\"b\",\"error\":\"why\"}\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_more_than_are_named),
		cmocka_unit_test(test_nothing_changed),
		cmocka_unit_test(test_not_compared),
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_what_is_no_comparison),
		cmocka_unit_test(test_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
