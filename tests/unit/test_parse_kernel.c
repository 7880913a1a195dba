// SPDX-License-Identifier: GPL-2.0-only
/* Identities of kernels, compared, and what another machine answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <errno.h>

#include "user/parse/kernel/ids.h"
#include "user/parse/kernel/remote_notes.h"

#define NOTE " 04 00 00 00 04 00 00 00 03 00 00 00 47 4e 55 00\n"
#define NOTE_BIG_ENDIAN " 00 00 00 04 00 00 00 04 00 00 00 03 47 4e 55 00\n"
#define HEAD "perfstamp-notes 1\nrelease 6.1\nmachine x86_64\n"

static int answer(
	struct kernel_ids *ids, const char *text, size_t size, size_t piece, struct error *err)
{
	struct remote_notes notes;
	int code = 0;

	kernel_ids__init(ids);
	remote_notes__init(&notes, ids);
	for (size_t at = 0; !code && at < size; at += piece)
		code = remote_notes__feed(
			&notes, text + at, size - at < piece ? size - at : piece, err);
	if (!code)
		code = remote_notes__finish(&notes, err);
	remote_notes__free(&notes);
	return code;
}

static void check_whole(const struct kernel_ids *ids)
{
	assert_string_equal(ids->release, "6.1");
	assert_string_equal(ids->machine, "x86_64");
	assert_int_equal(ids->kernel.size, 4);
	assert_memory_equal(ids->kernel.build_id, "\xaa\xbb\xcc\xdd", 4);
	assert_true(ids->knows_modules);
	assert_int_equal(ids->n_modules, 3);
	assert_string_equal(ids->modules[0].name, "a_b");
	assert_int_equal(ids->modules[0].size, 4);
	assert_memory_equal(ids->modules[0].build_id, "\x01\x02\x03\x04", 4);
	assert_string_equal(ids->modules[1].name, "bare");
	assert_int_equal(ids->modules[1].size, 0);
	assert_string_equal(ids->modules[2].name, "other");
	assert_int_equal(ids->modules[2].size, 4);
}

static void test_answer(void **state)
{
	static const char TEXT[] =
		"Welcome!\n\nperfstamp-note\n" HEAD "kernel\n" NOTE " aa bb cc dd\nmodule other\n"
		"note\n 00 00 00 00 00 00 00 00 01 00 00 00 \nnote\n" NOTE_BIG_ENDIAN
		" 05 05 05 05\nmodule bare\nmodule a-b\r\nnote\n" NOTE " 01 02 03 04\nend\n";
	struct kernel_ids ids;
	struct error err;

	(void)state;
	for (size_t piece = 1; piece < sizeof(TEXT); piece += 7) {
		assert_int_equal(answer(&ids, TEXT, sizeof(TEXT) - 1, piece, &err), 0);
		check_whole(&ids);
		kernel_ids__free(&ids);
	}
	/* Cut off anywhere it is no answer. */
	for (size_t size = 0; size < sizeof(TEXT) - 2; size++) {
		assert_int_equal(answer(&ids, TEXT, size, 4096, &err), -EBADMSG);
		kernel_ids__free(&ids);
	}
}

static void refused(const char *text, int code, const char *why)
{
	struct kernel_ids ids;
	struct error err = {0};

	assert_int_equal(answer(&ids, text, strlen(text), 4096, &err), code);
	if (!strstr(err.text, why))
		fail_msg("%s: not %s", err.text, why);
	kernel_ids__free(&ids);
}

static void test_rubbish(void **state)
{
	(void)state;
	refused("", -EBADMSG, "there was no answer");
	refused("hello\n", -EBADMSG, "has no kernel notes");
	refused(HEAD "problem od\n", -ENOTSUP, "od(1)");
	refused(HEAD "problem notes\n", -ENOENT, "/sys/kernel/notes");
	refused(HEAD "problem x\n", -EBADMSG, "line 4");
	refused(HEAD "nonsense\n", -EBADMSG, "line 4 of the answer is invalid: \"nonsense\"");
	refused(HEAD "module a\n", -EBADMSG, "line 4");
	refused(HEAD "note\n", -EBADMSG, "line 4");
	refused(HEAD " 00\n", -EBADMSG, "line 4");
	refused(HEAD "kernel\nnote\n", -EBADMSG, "line 5");
	refused(HEAD "kernel\n 0\n", -EBADMSG, "line 5");
	refused(HEAD "kernel\n 0g\n", -EBADMSG, "line 5");
	refused(HEAD "kernel\n 00x00\n", -EBADMSG, "line 5");
	refused(HEAD "kernel\n 0A\n", -EBADMSG, "line 5");
	refused(HEAD "kernel\nkernel\n", -EBADMSG, "line 5");
	refused(HEAD "kernel\nrelease 7\n", -EBADMSG, "line 5");
	refused(HEAD "kernel\nmodule ../x\nend\n", -EBADMSG, "line 6");
	refused(HEAD "kernel\nmodule a b\nend\n", -EBADMSG, "line 5");
	refused(HEAD "kernel\nmodule \nend\n", -EBADMSG, "line 5");
	refused(HEAD "kernel\nend\nend\n", -EBADMSG, "line 6");
	refused("perfstamp-notes 1\nrelease \x1b[2J\n", -EBADMSG, "line 2");
}

static void test_too_much(void **state)
{
	size_t size = 20u << 20, at;
	struct kernel_ids ids;
	struct error err;
	char *text = malloc(size);

	(void)state;
	assert_non_null(text);
	/* A greeting without end, with and without lines. */
	memset(text, 'x', size);
	assert_int_equal(answer(&ids, text, size, 65536, &err), -EBADMSG);
	kernel_ids__free(&ids);
	/* One line. */
	memcpy(text, HEAD, strlen(HEAD));
	assert_int_equal(answer(&ids, text, size, 65536, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "line 4 of the answer is too long"));
	kernel_ids__free(&ids);
	/* Notes without end. */
	at = sprintf(text, HEAD "kernel\n");
	for (; at + 4 < size; at += 4)
		memcpy(text + at, " 00\n", 4);
	assert_int_equal(answer(&ids, text, at, 65536, &err), -E2BIG);
	kernel_ids__free(&ids);
	/* Modules without end. */
	at = sprintf(text, HEAD "kernel\n");
	for (; at + 9 < size; at += 9)
		memcpy(text + at, "module x\n", 9);
	assert_int_equal(answer(&ids, text, at, 65536, &err), -E2BIG);
	assert_true(ids.n_modules <= KERNEL_MODULES_MAX);
	kernel_ids__free(&ids);
	free(text);
}

struct told {
	char text[512];
};

static void tell(void *ctx, int side, const struct kernel_dso *dso)
{
	struct told *told = ctx;
	size_t len = strlen(told->text);

	snprintf(told->text + len, sizeof(told->text) - len, "%c%s:%02x ", side ? '+' : '-',
		dso->name, dso->build_id[0]);
}

static void add(struct kernel_ids *ids, const char *name, uint8_t id)
{
	assert_int_equal(kernel_ids__add_module(ids, name, &id, id ? 1 : 0), 0);
}

static void test_compare(void **state)
{
	struct kernel_comparison comparison;
	struct kernel_ids a, b;
	struct told told = {0};

	(void)state;
	kernel_ids__init(&a);
	kernel_ids__init(&b);
	kernel_ids__compare(&a, &b, &comparison, tell, &told);
	/* Nothing is known: that is not the same. */
	assert_false(kernel_comparison__equal(&comparison));
	a.kernel.size = b.kernel.size = 1;
	kernel_ids__compare(&a, &b, &comparison, tell, &told);
	assert_true(kernel_comparison__equal(&comparison));
	a.knows_modules = b.knows_modules = true;
	add(&a, "same", 1);
	add(&a, "same", 1);
	add(&b, "same", 1);
	add(&a, "no-id", 2);
	add(&b, "no_id", 0);
	add(&a, "only-a", 3);
	add(&b, "only-b", 4);
	add(&b, "z", 5);
	/* Reloaded, in another order. */
	add(&a, "twice", 7);
	add(&a, "twice", 6);
	add(&b, "twice", 6);
	add(&b, "twice", 7);
	kernel_ids__sort(&a);
	kernel_ids__sort(&b);
	kernel_ids__compare(&a, &b, &comparison, tell, &told);
	assert_true(kernel_comparison__equal(&comparison));
	assert_int_equal(comparison.same, 2);
	assert_int_equal(comparison.unknown, 1);
	assert_int_equal(comparison.only[0], 1);
	assert_int_equal(comparison.only[1], 2);
	assert_string_equal(told.text, "");
	add(&a, "twice", 8);
	b.kernel.build_id[0] = 9;
	kernel_ids__sort(&a);
	kernel_ids__compare(&a, &b, &comparison, tell, &told);
	assert_false(kernel_comparison__equal(&comparison));
	assert_int_equal(comparison.different, 1);
	assert_string_equal(told.text, "-:00 +:09 -twice:08 ");
	b.kernel.build_id[0] = 0;
	kernel_ids__compare(&a, &b, &comparison, NULL, NULL);
	assert_false(kernel_comparison__equal(&comparison));
	kernel_ids__free(&a);
	kernel_ids__free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_rubbish),
		cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_compare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
