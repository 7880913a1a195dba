// SPDX-License-Identifier: GPL-2.0-only
/* What is known of kernel symbols, held against what is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "user/model/ksymbols.h"

static char ended[256];

static int on_end(void *ctx, const struct ksymbol *symbol)
{
	size_t at = strlen(ended);

	(void)ctx;
	snprintf(ended + at, sizeof(ended) - at, "%s@%llx ", symbol->name,
		(unsigned long long)symbol->addr);
	return 0;
}

static int refuse(void *ctx, const struct ksymbol *symbol)
{
	(void)ctx;
	(void)symbol;
	return -1;
}

static struct ksymbols *make(void)
{
	struct ksymbols *symbols;

	ended[0] = '\0';
	assert_int_equal(ksymbols__new(&symbols), 0);
	assert_int_equal(ksymbols__add(symbols, 0x3000, 16, 1, "bpf_prog_c"), 0);
	assert_int_equal(ksymbols__add(symbols, 0x1000, 16, 1, "bpf_prog_a"), 0);
	assert_int_equal(ksymbols__add(symbols, 0x2000, 16, 2, "trampoline"), 0);
	return symbols;
}

static void test_what_is_not_seen_has_ended(void **state)
{
	struct ksymbols *symbols = make();

	(void)state;
	ksymbols__look(symbols);
	assert_true(ksymbols__see(symbols, 0x1000, "bpf_prog_a"));
	/* Another in its place, and one that is new. */
	assert_false(ksymbols__see(symbols, 0x3000, "bpf_prog_d"));
	assert_int_equal(ksymbols__add(symbols, 0x3000, 16, 1, "bpf_prog_d"), 0);
	assert_false(ksymbols__see(symbols, 0x4000, "bpf_prog_e"));
	assert_int_equal(ksymbols__sweep(symbols, true, true, on_end, NULL), 0);
	assert_string_equal(ended, "trampoline@2000 ");
	assert_int_equal(ksymbols__n(symbols), 2);
	ksymbols__free(symbols);
}

static void test_what_is_hidden_has_not_ended(void **state)
{
	struct ksymbols *symbols = make();

	(void)state;
	ksymbols__look(symbols);
	assert_int_equal(ksymbols__sweep(symbols, true, false, on_end, NULL), 0);
	assert_string_equal(ended, "bpf_prog_a@1000 bpf_prog_c@3000 ");
	ended[0] = '\0';
	ksymbols__look(symbols);
	assert_int_equal(ksymbols__sweep(symbols, false, false, on_end, NULL), 0);
	assert_string_equal(ended, "");
	assert_int_equal(ksymbols__n(symbols), 1);
	ksymbols__free(symbols);
}

static void test_what_goes_meanwhile_does_not_come_back(void **state)
{
	struct ksymbols *symbols = make();

	(void)state;
	ksymbols__look(symbols);
	ksymbols__remove(symbols, 0x2000);
	ksymbols__remove(symbols, 0x9000);
	/* It was read before it went: to be told neither as new nor as ended. */
	assert_true(ksymbols__see(symbols, 0x2000, "trampoline"));
	assert_true(ksymbols__see(symbols, 0x1000, "bpf_prog_a"));
	assert_true(ksymbols__see(symbols, 0x3000, "bpf_prog_c"));
	assert_int_equal(ksymbols__sweep(symbols, true, true, on_end, NULL), 0);
	assert_string_equal(ended, "");
	assert_int_equal(ksymbols__n(symbols), 2);
	/* At other times it is forgotten at once. */
	ksymbols__remove(symbols, 0x1000);
	assert_int_equal(ksymbols__n(symbols), 1);
	assert_false(ksymbols__see(symbols, 0x1000, "bpf_prog_a"));
	ksymbols__free(symbols);
}

static void test_an_error_ends_it(void **state)
{
	struct ksymbols *symbols = make();

	(void)state;
	ksymbols__look(symbols);
	assert_int_equal(ksymbols__sweep(symbols, true, true, refuse, NULL), -1);
	assert_int_equal(ksymbols__n(symbols), 0);
	ksymbols__free(symbols);
}

static void test_many(void **state)
{
	struct ksymbols *symbols;
	char name[32];

	(void)state;
	assert_int_equal(ksymbols__new(&symbols), 0);
	for (uint64_t i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "%d", (int)(i * 7919 % 1000));
		assert_int_equal(ksymbols__add(symbols, i * 7919 % 1000, 1, 1, name), 0);
	}
	assert_int_equal(ksymbols__n(symbols), 1000);
	for (uint64_t i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "%d", (int)i);
		assert_true(ksymbols__see(symbols, i, name));
	}
	ksymbols__free(symbols);
	ksymbols__free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_not_seen_has_ended),
		cmocka_unit_test(test_what_is_hidden_has_not_ended),
		cmocka_unit_test(test_what_goes_meanwhile_does_not_come_back),
		cmocka_unit_test(test_an_error_ends_it),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
